package postgres_test

import (
	"context"
	"maps"
	"runtime"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// as returns the context of a request.
func as(ctx context.Context, c core.Caller) context.Context {
	return core.WithOrigin(ctx, func() core.Origin { return core.Origin{Caller: c} })
}

// secretKeeper is a publisher with one secret of each kind.
type secretKeeper struct {
	*world
	publisher core.ID
	hook      core.SealedWebhook
	key       core.APIKey
	endpoint  core.EventEndpoint
}

func newSecretKeeper(t *testing.T) secretKeeper {
	t.Helper()
	w := newWorld(t)
	p := w.publisher(t, "metro", "Metro", w.subscriber)
	e := core.EventEndpoint{ID: core.NewID(), PublisherID: p.ID, URL: "https://example.com", Name: "CI",
		Events: core.AllEvents(), Enabled: true, CreatedAt: w.now, UpdatedAt: w.now}
	secrets := core.EventSecrets{Sealed: []byte("old")}
	return secretKeeper{world: w, publisher: p.ID, hook: w.hookOf(t, p.ID, "linhas", false),
		key:      w.apiKey(t, p.ID, "CI", nil),
		endpoint: must3(w.CreateEventEndpoint(t.Context(), e, secrets, core.Idempotency{}))}
}

// editorSecrets are what editors and API keys do that makes them know a secret.
func (s secretKeeper) editorSecrets() map[string]func(context.Context) error {
	w := s.sealed("new") // here, as it moves the world's clock, which the attempts read side by side
	w.ChannelID = s.hook.ChannelID
	return map[string]func(context.Context) error{
		"create a webhook": func(ctx context.Context) error {
			_, _, err := s.CreateWebhook(ctx, w, core.Idempotency{})
			return err
		},
		"rotate a webhook": func(ctx context.Context) error {
			_, _, err := s.UpdateWebhook(ctx, s.hook.ChannelID, s.hook.ID, s.now, core.Idempotency{},
				func(w *core.SealedWebhook) error { w.AddressHash = []byte("rotated"); return nil })
			return err
		},
	}
}

// ownerSecrets are what only owners do.
func (s secretKeeper) ownerSecrets() map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"create a key": func(ctx context.Context) error {
			k := core.APIKey{ID: core.NewID(), PublisherID: s.publisher, Name: "new", Scopes: keyScopes, CreatedAt: s.now}
			_, _, err := s.CreateAPIKey(ctx, k, k.ID[:], core.Idempotency{})
			return err
		},
		"rotate a key": func(ctx context.Context) error {
			id := core.NewID()
			_, _, err := s.RotateAPIKey(ctx, s.publisher, s.key.ID, id[:], core.Idempotency{},
				func(k *core.APIKey) (core.APIKey, error) { return k.Rotate(id, "new0", nil, s.now) })
			return err
		},
		"create an endpoint": func(ctx context.Context) error {
			e := s.endpoint
			e.ID = core.NewID()
			_, _, err := s.CreateEventEndpoint(ctx, e, core.EventSecrets{Sealed: []byte("new")}, core.Idempotency{})
			return err
		},
		"rotate an endpoint": func(ctx context.Context) error {
			_, _, err := s.UpdateEventEndpoint(ctx, s.publisher, s.endpoint.ID, s.now, core.Idempotency{},
				func(_ *core.EventEndpoint, e *core.EventSecrets) error { e.Sealed = []byte("new"); return nil })
			return err
		},
	}
}

// wantNoSecret reports what the attempts have stored.
func (s secretKeeper) wantNoSecret(t *testing.T) {
	t.Helper()
	const of = "where publisher_id = $1"
	equal(t, "keys", s.count(t, "select count(*) from api_keys "+of, s.publisher), 1)
	equal(t, "endpoints", s.count(t, "select count(*) from event_endpoints "+of, s.publisher), 1)
	equal(t, "endpoints with another secret", s.count(t, "select count(*) from event_endpoints "+of+
		" and secret_sealed <> 'old'", s.publisher), 0)
	equal(t, "webhooks", s.count(t, "select count(*) from webhooks where channel_id = $1", s.hook.ChannelID), 1)
	equal(t, "rotated webhooks", s.count(t, "select count(*) from webhooks where address_hash = 'rotated'"), 0)
}

// during runs a change of a member, and attempts while the change is under way, each of which has to fail.
func (s secretKeeper) during(
	t *testing.T, member core.ID, change func() error, attempts map[string]func(context.Context) error, want core.Code,
) {
	t.Helper()
	release := s.hold(t, "select from publisher_members where subscriber_id = $1 for update", member)
	changed, failed := make(chan error, 1), map[string]chan error{}
	go func() { changed <- change() }()
	s.waiting(t, 1)
	ctx := as(context.Background(), core.Caller{Kind: core.CallerSubscriber, SubscriberID: member})
	for what, attempt := range attempts {
		done := make(chan error, 1)
		failed[what] = done
		go func() { done <- attempt(ctx) }()
	}
	ended := func() (n int) {
		for _, done := range failed {
			n += len(done)
		}
		return n
	}
	for int(s.blocked(t))+ended() < 1+len(attempts) {
		runtime.Gosched()
	}
	release()
	succeed(t, "change of the member", <-changed)
	for what, done := range failed {
		wantCode(t, what, <-done, want)
	}
	s.wantNoSecret(t)
}

// TestALeavingMemberGetsNoSecret has members ask for secrets while they are removed, delete their account or become
// editors. It begins after the requests were checked.
func TestALeavingMemberGetsNoSecret(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s secretKeeper, member core.ID) error{
		"removal": func(s secretKeeper, member core.ID) error {
			_, err := s.RemoveMember(context.Background(), s.publisher, member, unchanged, true, s.now)
			return err
		},
		"deletion of the account": func(s secretKeeper, member core.ID) error {
			_, err := s.DeleteSubscriber(context.Background(), member, unchanged, s.now)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSecretKeeper(t)
			rui := s.other(t, "rui")
			s.join(t, "metro", rui, core.RoleOwner)
			attempts := s.ownerSecrets()
			maps.Copy(attempts, s.editorSecrets())
			s.during(t, rui, func() error { return change(s, rui) }, attempts, core.CodeNotFound)
		})
	}
	t.Run("demotion", func(t *testing.T) {
		t.Parallel()
		s := newSecretKeeper(t)
		rui := s.other(t, "rui")
		s.join(t, "metro", rui, core.RoleOwner)
		s.during(t, rui, func() error {
			_, err := s.UpdateMember(context.Background(), s.publisher, rui, core.RoleEditor)
			return err
		}, s.ownerSecrets(), core.CodeForbidden)
	})
}

func TestARevokedKeyGetsNoSecret(t *testing.T) {
	t.Parallel()
	s := newSecretKeeper(t)
	ctx := as(t.Context(), core.Caller{Kind: core.CallerPublisher, KeyID: s.key.ID, PublisherID: s.publisher})
	succeed(t, "revoke the key", s.RevokeAPIKey(t.Context(), s.publisher, s.key.ID, s.now))
	for what, attempt := range s.editorSecrets() {
		wantCode(t, what, attempt(ctx), core.CodeNotFound)
	}
	s.wantNoSecret(t)
}
