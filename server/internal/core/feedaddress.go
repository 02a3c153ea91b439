package core

import (
	"context"
	"time"
)

// FeedAddress is the secret address at which programs read a person's feed as a web feed. A person has at most one. Its
// secret is shown only once, when the address is made.
type FeedAddress struct {
	ID        ID // stays when the secret is replaced
	Hint      string
	CreatedAt time.Time // when it got its secret
}

// feedAddressPrefix begins the secret of each feed address.
const feedAddressPrefix = "snf_live_"

// FeedAddressBase is where the feeds of people are on a server.
const FeedAddressBase = "/feeds/"

// FeedAddressURL returns the address of a feed with a secret, without the extension of a format.
func FeedAddressURL(publicURL, secret string) string { return publicURL + FeedAddressBase + secret }

// FeedAddressStore keeps feed addresses.
type FeedAddressStore interface {
	// FeedAddress returns the address of a person; it fails with CodeNotFound when there is none.
	FeedAddress(ctx context.Context, subscriberID ID) (FeedAddress, error)
	// PutFeedAddress stores the address of a person, and returns it. It replaces the secret of the one that they have,
	// and keeps its id.
	PutFeedAddress(ctx context.Context, subscriberID ID, a FeedAddress, hash []byte) (FeedAddress, error)
	// DeleteFeedAddress fails with CodeNotFound when there is none.
	DeleteFeedAddress(ctx context.Context, subscriberID ID) error
}

// FeedAddresses makes, shows and ends the secret addresses of feeds.
type FeedAddresses struct {
	store FeedAddressStore
	now   func() time.Time
}

// NewFeedAddresses returns the service for feed addresses.
func NewFeedAddresses(store FeedAddressStore, now func() time.Time) *FeedAddresses {
	return &FeedAddresses{store: store, now: now}
}

// Get returns the caller's address, without its secret.
func (s *FeedAddresses) Get(ctx context.Context, c Caller) (FeedAddress, error) {
	return s.store.FeedAddress(ctx, c.SubscriberID)
}

// Renew makes the caller's address, or replaces its secret, so that the one before leads nowhere. Each call makes
// another secret.
func (s *FeedAddresses) Renew(ctx context.Context, c Caller) (a FeedAddress, secret string, err error) {
	secret = newSecret(feedAddressPrefix)
	a = FeedAddress{ID: NewID(), Hint: hint(secret), CreatedAt: s.now()}
	a, err = s.store.PutFeedAddress(ctx, c.SubscriberID, a, HashSecret(secret))
	if err != nil {
		return FeedAddress{}, "", err
	}
	return a, secret, nil
}

// Delete ends the caller's address.
func (s *FeedAddresses) Delete(ctx context.Context, c Caller) error {
	return s.store.DeleteFeedAddress(ctx, c.SubscriberID)
}
