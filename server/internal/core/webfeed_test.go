package core_test

import (
	"context"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// webFeeds has one web feed at every address, and the secret addresses of people.
type webFeeds struct {
	feed    core.WebFeed
	hashes  map[string]core.ID // of addresses, with their people
	ids     map[core.ID]core.FeedAddress
	lookUps int
	limit   int
}

func (s *webFeeds) ChannelWebFeed(context.Context, string, string) (core.WebFeed, error) {
	return s.feed, nil
}

func (s *webFeeds) PublisherWebFeed(context.Context, string) (core.WebFeed, error) {
	return s.feed, nil
}

func (s *webFeeds) PersonalWebFeed(_ context.Context, hash []byte) (core.WebFeed, error) {
	s.lookUps++
	person, ok := s.hashes[string(hash)]
	if !ok {
		return core.WebFeed{}, core.NotFound()
	}
	f := s.feed
	f.OwnerID = person
	return f, nil
}

func (s *webFeeds) WebFeedItems(_ context.Context, _ core.WebFeed, limit int) ([]core.WebFeedItem, error) {
	s.limit = limit
	return nil, nil
}

func (s *webFeeds) FeedAddress(_ context.Context, subscriberID core.ID) (core.FeedAddress, error) {
	a, ok := s.ids[subscriberID]
	if !ok {
		return a, core.NotFound()
	}
	return a, nil
}

func (s *webFeeds) PutFeedAddress(
	ctx context.Context, subscriberID core.ID, a core.FeedAddress, hash []byte,
) (core.FeedAddress, error) {
	if before, ok := s.ids[subscriberID]; ok {
		_ = s.DeleteFeedAddress(ctx, subscriberID)
		a.ID = before.ID
	}
	s.ids[subscriberID], s.hashes[string(hash)] = a, subscriberID
	return a, nil
}

func (s *webFeeds) DeleteFeedAddress(_ context.Context, subscriberID core.ID) error {
	if _, ok := s.ids[subscriberID]; !ok {
		return core.NotFound()
	}
	delete(s.ids, subscriberID)
	for hash, person := range s.hashes {
		if person == subscriberID {
			delete(s.hashes, hash)
		}
	}
	return nil
}

func newWebFeeds() *webFeeds {
	return &webFeeds{hashes: map[string]core.ID{}, ids: map[core.ID]core.FeedAddress{}}
}

// TestHiddenWebFeeds expects the same of what is hidden as of what is not there.
func TestHiddenWebFeeds(t *testing.T) {
	t.Parallel()
	store := newWebFeeds()
	person := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID()}
	_, secret, err := core.NewFeedAddresses(store, clock).Renew(t.Context(), person)
	check.Equal(t, "error of making an address", err, nil)
	feeds := core.NewWebFeeds(store)
	for what, tt := range map[string]struct {
		feed core.WebFeed
		code core.Code
	}{
		"public":        {core.WebFeed{Title: "A"}, ""},
		"private":       {core.WebFeed{Title: "A", Private: true}, core.CodeNotFound},
		"suspended":     {core.WebFeed{Title: "A", Suspended: true}, core.CodeNotFound},
		"demonstration": {core.WebFeed{Title: "A", Demonstration: true}, core.CodeNotFound},
	} {
		store.feed = tt.feed
		for name, read := range map[string]func() (core.WebFeed, error){
			"channel":   func() (core.WebFeed, error) { return feeds.Channel(t.Context(), "metro", "linhas") },
			"publisher": func() (core.WebFeed, error) { return feeds.Publisher(t.Context(), "metro") },
			"person":    func() (core.WebFeed, error) { return feeds.Personal(t.Context(), secret) },
		} {
			f, err := read()
			check.Equal(t, "error of the feed of a "+what+" "+name, core.IsCode(err, core.CodeNotFound), tt.code != "")
			if tt.code != "" {
				check.Equal(t, "feed of a "+what+" "+name, f.Title, "")
			}
		}
	}
	_, err = feeds.Items(t.Context(), core.WebFeed{})
	check.Equal(t, "items", []any{store.limit, err}, []any{50, nil})
}

func TestFeedAddresses(t *testing.T) {
	t.Parallel()
	store := newWebFeeds()
	addresses, feeds := core.NewFeedAddresses(store, clock), core.NewWebFeeds(store)
	ana := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID()}
	rui := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID()}
	owner := func(secret string) core.ID {
		f, err := feeds.Personal(t.Context(), secret)
		if err != nil {
			check.Equal(t, "not found", core.IsCode(err, core.CodeNotFound), true)
		}
		return f.OwnerID
	}
	_, err := addresses.Get(t.Context(), ana)
	check.Equal(t, "address before it is made", core.IsCode(err, core.CodeNotFound), true)
	made, first, err := addresses.Renew(t.Context(), ana)
	check.Equal(t, "made", []any{made.Hint, made.CreatedAt, err}, []any{first[len(first)-4:], now, nil})
	_, other, err := addresses.Renew(t.Context(), rui)
	check.Equal(t, "error of another's", err, nil)
	check.Equal(t, "owners", []core.ID{owner(first), owner(other)}, []core.ID{ana.SubscriberID, rui.SubscriberID})

	renewed, second, err := addresses.Renew(t.Context(), ana)
	check.Equal(t, "renewed", []any{renewed.ID, renewed.Hint, err}, []any{made.ID, second[len(second)-4:], nil})
	check.Equal(t, "owners after it was renewed", []core.ID{owner(first), owner(second)},
		[]core.ID{{}, ana.SubscriberID})
	check.Equal(t, "error of ending it", addresses.Delete(t.Context(), ana), nil)
	check.Equal(t, "owners after it was ended", []core.ID{owner(second), owner(other)},
		[]core.ID{{}, rui.SubscriberID})
	check.Equal(t, "ending it again", core.IsCode(addresses.Delete(t.Context(), ana), core.CodeNotFound), true)
}

// TestGuessedFeedAddresses guesses secrets. Those that none can have are not looked up.
func TestGuessedFeedAddresses(t *testing.T) {
	t.Parallel()
	store := newWebFeeds()
	_, secret, err := core.NewFeedAddresses(store, clock).Renew(t.Context(),
		core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID()})
	check.Equal(t, "error of making an address", err, nil)
	changed := []byte(secret)
	changed[20] ^= 1
	for _, guess := range []string{"", "x", secret[:len(secret)-1], secret + "0", string(changed),
		"sna_live_" + secret[9:], secret[9:], " " + secret, secret + "\x00"} {
		_, err := core.NewWebFeeds(store).Personal(t.Context(), guess)
		check.Equal(t, "not found with "+guess, core.IsCode(err, core.CodeNotFound), true)
	}
	check.Equal(t, "look-ups", store.lookUps, 0)
}
