package core

import (
	"context"
	"time"
)

// WebFeed describes an Atom or JSON feed, without its items: that of a channel, of the public channels of a publisher,
// or of all that a person follows.
type WebFeed struct {
	Kind        WebFeedKind
	ID          ID     // never changes
	OwnerID     ID     // of the channel, publisher or person whose notifications it has
	Title       string // empty for that of a person
	Description string
	Picture     string
	Author      string    // the name of the publisher; empty for the feed of a person
	ChangedAt   time.Time // when what it says about itself changed, at the earliest
	// Version is another one after each change of what the feed or its items show.
	Version string

	Private, Demonstration, Suspended bool
}

// WebFeedKind says whose notifications a web feed has.
type WebFeedKind string

// The kinds.
const (
	ChannelWebFeed   WebFeedKind = "channel"
	PublisherWebFeed WebFeedKind = "publisher"
	PersonalWebFeed  WebFeedKind = "personal"
)

// WebFeedItem is a notification with the name of its publisher.
type WebFeedItem struct {
	Notification
	Publisher string
}

// WebFeedSize is how many notifications a web feed has: the newest ones.
const WebFeedSize = 50

// WebFeedStore reads web feeds. What describes a feed is read without reading its notifications.
type WebFeedStore interface {
	// ChannelWebFeed describes the feed of a channel, and fails with CodeNotFound when there is none.
	ChannelWebFeed(ctx context.Context, publisherSlug, slug string) (WebFeed, error)
	// PublisherWebFeed describes the feed of a publisher, and fails with CodeNotFound when there is none.
	PublisherWebFeed(ctx context.Context, slug string) (WebFeed, error)
	// PersonalWebFeed describes the feed at the secret address with that hash; it fails with CodeNotFound when there is
	// none.
	PersonalWebFeed(ctx context.Context, hash []byte) (WebFeed, error)
	// WebFeedItems returns up to limit visible notifications of a feed, newest first, and fewer if they are long. They
	// are at least as new as the description.
	WebFeedItems(ctx context.Context, f WebFeed, limit int) ([]WebFeedItem, error)
}

// WebFeeds shows programs what anyone may see, and to those that know a secret address what its person follows.
type WebFeeds struct{ store WebFeedStore }

// NewWebFeeds returns the service for web feeds.
func NewWebFeeds(store WebFeedStore) *WebFeeds { return &WebFeeds{store} }

// Channel describes the feed of a channel. It fails with CodeNotFound for one that strangers may not see, and for
// demonstrations, to which strangers publish.
func (s *WebFeeds) Channel(ctx context.Context, publisherSlug, slug string) (WebFeed, error) {
	return shownWebFeed(s.store.ChannelWebFeed(ctx, publisherSlug, slug))
}

// Publisher describes the feed of a publisher, which has the notifications of its public channels. It fails with
// CodeNotFound for a suspended one.
func (s *WebFeeds) Publisher(ctx context.Context, slug string) (WebFeed, error) {
	return shownWebFeed(s.store.PublisherWebFeed(ctx, slug))
}

// Personal describes the feed at a secret address. It fails with CodeNotFound unless the address is valid and its
// person is not suspended.
func (s *WebFeeds) Personal(ctx context.Context, secret string) (WebFeed, error) {
	if !wellFormed(feedAddressPrefix, secret) {
		return WebFeed{}, NotFound()
	}
	return shownWebFeed(s.store.PersonalWebFeed(ctx, HashSecret(secret)))
}

// Items returns the newest notifications of a feed that was described.
func (s *WebFeeds) Items(ctx context.Context, f WebFeed) ([]WebFeedItem, error) {
	return s.store.WebFeedItems(ctx, f, WebFeedSize)
}

func shownWebFeed(f WebFeed, err error) (WebFeed, error) {
	if err != nil {
		return WebFeed{}, err
	}
	if f.Private || f.Demonstration || f.Suspended {
		return WebFeed{}, NotFound()
	}
	return f, nil
}
