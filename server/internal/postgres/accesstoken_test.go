package postgres_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func (w *world) token(t *testing.T, subscriberID core.ID, expiresAt *time.Time) core.AccessToken {
	t.Helper()
	id := core.NewID()
	token := core.AccessToken{ID: id, SubscriberID: subscriberID, Name: "CLI", Hint: "9f2c", ExpiresAt: expiresAt, CreatedAt: w.now}
	return must3(w.CreateAccessToken(t.Context(), token, id[:], core.Idempotency{}))
}

// other is another person.
func (w *world) other(t *testing.T, subject string) core.ID {
	t.Helper()
	return must(w.SignIn(t.Context(), core.Profile{Subject: subject, Email: subject + "@example.com", Name: subject, Locale: "pt"}, core.SignUp{Open: true}, w.now)).ID
}

func TestAccessTokenBySecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ends := w.now.Add(time.Hour)
	token, forever := w.token(t, w.subscriber, &ends), w.token(t, w.subscriber, nil)
	for _, step := range []struct {
		after time.Duration
		used  time.Duration // what is kept
	}{{0, 0}, {30 * time.Second, 0}, {61 * time.Second, 61 * time.Second}, {62 * time.Second, 61 * time.Second}} {
		got, err := w.AccessTokenBySecret(t.Context(), token.ID[:], w.now.Add(step.after))
		if err != nil || got.ID != token.ID || got.SubscriberID != w.subscriber || !got.ExpiresAt.Equal(ends) {
			t.Fatalf("%+v %v", got, err)
		}
		list, _, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 10})
		i := slices.IndexFunc(list, func(k core.AccessToken) bool { return k.ID == token.ID })
		if err != nil || !list[i].LastUsedAt.Equal(w.now.Add(step.used)) {
			t.Errorf("after %s it was last used at %s, %v", step.after, list[i].LastUsedAt, err)
		}
	}
	if _, err := w.AccessTokenBySecret(t.Context(), token.ID[:], ends); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("expired: %v", err)
	}
	if _, err := w.AccessTokenBySecret(t.Context(), forever.ID[:], w.now.AddDate(50, 0, 0)); err != nil {
		t.Errorf("without end: %v", err)
	}
}

func TestRevokeAccessToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.now = w.now.Add(time.Second)
	first := w.token(t, w.subscriber, nil)
	w.now = w.now.Add(time.Second)
	second := w.token(t, w.subscriber, nil)
	w.token(t, w.other(t, "rui"), nil)
	list, total, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 1})
	if err != nil || total != 2 || len(list) != 1 || list[0].ID != second.ID {
		t.Errorf("the newest of two: %+v %d %v", list, total, err)
	}
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	if ids := must(w.FollowedChannels(t.Context(), first.ID)); !slices.Equal(ids, []core.ID{w.channel.ID}) {
		t.Errorf("its streams follow %v", ids)
	}
	if err := w.RevokeAccessToken(t.Context(), w.other(t, "rui"), first.ID, w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("another's: %v", err)
	}
	for range 2 {
		if err := w.RevokeAccessToken(t.Context(), w.subscriber, first.ID, w.now); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.AccessTokenBySecret(t.Context(), first.ID[:], w.now); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("revoked: %v", err)
	}
	if _, err := w.FollowedChannels(t.Context(), first.ID); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Errorf("its streams: %v", err)
	}
	if _, total, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 10}); err != nil || total != 1 {
		t.Errorf("%d are left, %v", total, err)
	}
}

func TestCreateAccessTokenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	for i, want := range []core.Creation{core.Created, core.Replayed} {
		id := core.NewID()
		token := core.AccessToken{ID: id, SubscriberID: w.subscriber, Name: "CLI", Hint: "9f2c", CreatedAt: w.now}
		got, creation, err := w.CreateAccessToken(t.Context(), token, id[:], key)
		if err != nil || creation != want || (got.ID == id) != (i == 0) || got.Name != "CLI" || !got.CreatedAt.Equal(w.now) {
			t.Errorf("%d: %+v %v %v", i, got, creation, err)
		}
	}
	if _, total, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 10}); err != nil || total != 1 {
		t.Errorf("%d tokens, %v", total, err)
	}
}

func TestADeviceOfNoSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := core.DeviceInput{InstallationID: "i1", Kind: "token", Address: "t1", Platform: "web", Name: "CLI"}
	if d, creation, err := w.RegisterDevice(t.Context(), w.subscriber, core.ID{}, in, w.now); err != nil || creation != core.Created || d.SubscriberID != w.subscriber {
		t.Errorf("%+v %v", d, err)
	}
	if _, _, err := w.RegisterDevice(t.Context(), w.subscriber, core.NewID(), in, w.now); !core.IsCode(err, core.CodeUnauthenticated) {
		t.Errorf("of a session that has ended: %v", err)
	}
}
