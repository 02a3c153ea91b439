package postgres_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestCaps creates more of each thing than there may be, all at once, and wants exactly as many as may be. The caps of
// others are not affected.
func TestCaps(t *testing.T) {
	t.Parallel()
	const most = 3
	w := newWorld(t)
	category := w.category(t, "viagens")
	owner, another := w.other(t, "owner"), w.other(t, "another")
	publisher := w.publisher(t, "capped", "Capped", owner)
	sealed, token, others := w.sealed(""), w.token(t, owner, nil), w.token(t, another, nil)
	none := core.Idempotency{}
	drafting, _, err := w.CreateChannel(t.Context(), core.NewID(), w.publisher(t, "drafting", "Drafting", another).ID,
		core.ChannelInput{Slug: "drafting", Name: "Drafting", CategoryID: category, Visibility: core.Public}, w.now, none)
	succeed(t, "create a channel", err)
	write := func(authorID core.ID, name string) error {
		d := core.Draft{DraftOwner: core.DraftOwner{ChannelID: drafting.ID, AuthorID: authorID}, ID: core.NewID(),
			Name: name, CreatedAt: w.now, UpdatedAt: w.now}
		_, _, err := w.CreateDraft(t.Context(), d, none)
		return err
	}
	register := func(c core.Caller, name string) error {
		_, _, err := w.RegisterDevice(t.Context(), c, core.Registration{InstallationID: name,
			Push: core.PushAddress{Kind: core.KindFCM, Address: name}, Platform: "web"}, w.now)
		return err
	}
	for what, create := range map[core.Cap]func(name string) error{
		core.CapDevices: func(name string) error {
			return register(core.Caller{SubscriberID: owner, TokenID: token.ID}, name)
		},
		core.CapUnconfirmed: func(name string) error {
			return register(core.Caller{SubscriberID: another, TokenID: others.ID}, "unconfirmed-"+name)
		},
		core.CapAccessTokens: func(name string) error {
			token := core.AccessToken{ID: core.NewID(), SubscriberID: owner, Name: name, CreatedAt: w.now,
				Scopes: []core.Scope{core.ScopeRead}, ExpiresAt: new(w.now.AddDate(0, 0, 1))}
			_, _, err := w.CreateAccessToken(t.Context(), token, []byte(name), none)
			return err
		},
		core.CapPublishers: func(name string) error {
			p := core.Publisher{ID: core.NewID(), Slug: name, Name: name, CreatedAt: w.now, UpdatedAt: w.now}
			_, _, err := w.CreatePublisher(t.Context(), p, owner, none)
			return err
		},
		core.CapChannels: func(name string) error {
			in := core.ChannelInput{Slug: name, Name: name, CategoryID: category, Visibility: core.Public}
			_, _, err := w.CreateChannel(t.Context(), core.NewID(), publisher.ID, in, w.now, none)
			return err
		},
		core.CapAPIKeys: func(name string) error {
			key := core.APIKey{ID: core.NewID(), PublisherID: publisher.ID, Name: name,
				Scopes: []core.Scope{core.ScopeRead}, CreatedAt: w.now}
			_, _, err := w.CreateAPIKey(t.Context(), key, []byte(name), none)
			return err
		},
		core.CapEventEndpoints: func(name string) error {
			_, _, err := w.endpoint(t, name, none)
			return err
		},
		core.CapDrafts:    func(string) error { return write(another, "") },
		core.CapTemplates: func(name string) error { return write(core.ID{}, name) },
		core.CapWebhooks: func(name string) error {
			hook := sealed
			hook.ID, hook.Name, hook.AddressHash = core.NewID(), name, []byte(name)
			_, _, err := w.CreateWebhook(t.Context(), hook, none)
			return err
		},
	} {
		w.Caps = core.DefaultCaps()
		w.Caps[what] = most
		has := 0
		if what == core.CapPublishers || what == core.CapAccessTokens {
			has = 1 // of the owner
		}
		var mu sync.Mutex
		var all sync.WaitGroup
		created := 0
		for i := range 3 * most {
			all.Go(func() {
				err := create(fmt.Sprintf("n%d", i))
				if err != nil && !isTooMany(err) {
					t.Errorf("%s: got %v, want none or the reason too_many", what, err)
				}
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					created++
				}
			})
		}
		all.Wait()
		equal(t, string(what), created, most-has)
	}
}

// TestCapOfOwnedPublishers expects nobody to own more publishers by invitations than by creating them.
func TestCapOfOwnedPublishers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	w.publisher(t, "own", "Own", rui)
	w.Caps[core.CapPublishers] = 1
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	inv := w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleOwner)
	if _, err := w.AcceptInvitation(t.Context(), rui, inv.ID, w.now); !isTooMany(err) {
		t.Errorf("own one more than the cap: got %v, want too_many", err)
	}
	inv = w.invite(t, p.ID, w.subscriber, "rui@example.com", core.RoleEditor)
	must(w.AcceptInvitation(t.Context(), rui, inv.ID, w.now))
}

// TestCapOfRotatedKeys expects no more rotated keys to be valid than others.
func TestCapOfRotatedKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Caps[core.CapAPIKeys] = 2
	publisher := w.publisher(t, "capped", "Capped", w.subscriber)
	key := w.apiKey(t, publisher.ID, "k", nil)
	later := w.now.AddDate(1, 0, 0)
	rotate := func() error {
		w.now = w.now.Add(time.Second)
		id := core.NewID()
		next, _, err := w.RotateAPIKey(t.Context(), publisher.ID, key.ID, id[:], core.Idempotency{},
			func(k *core.APIKey) (core.APIKey, error) { return k.Rotate(id, "h", &later, w.now) })
		if err == nil {
			key = next
		}
		return err
	}
	succeed(t, "rotate a key", rotate())
	succeed(t, "rotate its successor", rotate())
	if err := rotate(); !isTooMany(err) {
		t.Errorf("rotate once more: got %v, want too_many", err)
	}
	w.apiKey(t, publisher.ID, "another", nil) // only keys that were not rotated count
	w.now = later
	succeed(t, "rotate when the rotated keys have expired", rotate())
}

func isTooMany(err error) bool {
	var e *core.Error
	return errors.As(err, &e) && e.Code == core.CodeInvalid && e.Reason == "too_many"
}

// TestEndedCredentialsDoNotCount creates credentials at the cap when others have expired.
func TestEndedCredentialsDoNotCount(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Caps[core.CapAccessTokens], w.Caps[core.CapAPIKeys] = 1, 1
	publisher := w.publisher(t, "capped", "Capped", w.subscriber)
	soon := w.now.Add(time.Hour)
	w.token(t, w.subscriber, &soon)
	w.apiKey(t, publisher.ID, "expires", &soon)
	w.now = soon
	w.token(t, w.subscriber, nil)
	w.apiKey(t, publisher.ID, "after", nil)
	last := core.NewID()
	token := core.AccessToken{ID: last, SubscriberID: w.subscriber, Name: "CLI", Scopes: allScopes, CreatedAt: w.now,
		ExpiresAt: new(w.now.Add(time.Hour))}
	_, _, err := w.CreateAccessToken(t.Context(), token, last[:], core.Idempotency{})
	if !isTooMany(err) {
		t.Errorf("one token more than the cap: got %v, want the reason too_many", err)
	}
}

// TestCapOfSubscriptions follows more channels than one may. One that is followed already can be followed again.
func TestCapOfSubscriptions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Caps[core.CapSubscriptions] = 2
	publisher := w.publisher(t, "capped", "Capped", w.subscriber)
	category := w.category(t, "viagens")
	channels := []core.ID{w.channel.ID}
	for i := range 2 {
		channels = append(channels, w.newChannel(t, publisher.ID, category, fmt.Sprint("c", i), "C").ID)
	}
	for i, id := range append(channels, channels[0]) {
		if i == 3 {
			w.Caps[core.CapSubscriptions] = 1 // less than there are already
		}
		_, err := w.Subscribe(t.Context(), w.subscriber, id, w.now)
		if want := i == 2; isTooMany(err) != want || err != nil && !want {
			t.Errorf("follow channel %d of 2 allowed: got %v, want the reason too_many: %t", i, err, want)
		}
	}
}
