package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var keyScopes = []core.Scope{core.ScopeRead, core.ScopePublish}

// apiKey creates a key whose hash is its id.
func (w *world) apiKey(t *testing.T, publisher core.ID, name string, expiresAt *time.Time) core.APIKey {
	t.Helper()
	w.now = w.now.Add(time.Second)
	k := core.APIKey{
		ID: core.NewID(), PublisherID: publisher, Name: name, Hint: "9f2c", Scopes: keyScopes, ExpiresAt: expiresAt,
		CreatedAt: w.now,
	}
	return must3(w.CreateAPIKey(t.Context(), k, k.ID[:], core.Idempotency{}))
}

// wantGood reports a key that is not as good at that time as wanted.
func (w *world) wantGood(t *testing.T, what string, k core.APIKey, at time.Time, want bool) {
	t.Helper()
	got, err := w.APIKeyBySecret(t.Context(), k.ID[:], at)
	if !want {
		wantCode(t, what, err, core.CodeNotFound)
		return
	}
	wantCode(t, what, err, "")
	equal(t, what+": id", got.ID, k.ID)
}

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.publisher(t, "metro", "Metro", w.subscriber), w.publisher(t, "cp", "CP", w.subscriber)
	ended := w.now.Add(-time.Hour)
	expired, used := w.apiKey(t, p.ID, "expired", &ended), w.apiKey(t, p.ID, "used", nil)
	w.apiKey(t, other.ID, "another's", nil)
	w.wantGood(t, "a key in use", used, w.now, true)
	w.wantGood(t, "an expired key", expired, w.now, false)

	list, total, err := w.APIKeys(t.Context(), p.ID, core.Page{Limit: 10})
	succeed(t, "list the keys", err)
	equal(t, "total of the keys", total, 2)
	equal(t, "keys", ids(list, func(k core.APIKey) core.ID { return k.ID }), []core.ID{used.ID, expired.ID})
	for i := range list { // times are read in the local zone
		list[i].CreatedAt = list[i].CreatedAt.UTC()
		for _, at := range []*time.Time{list[i].LastUsedAt, list[i].ExpiresAt} {
			if at != nil {
				*at = at.UTC()
			}
		}
	}
	equal(t, "the used key", list[0], core.APIKey{
		ID: used.ID, PublisherID: p.ID, Name: "used", Hint: "9f2c", Scopes: keyScopes, LastUsedAt: list[0].LastUsedAt,
		CreatedAt: used.CreatedAt,
	})
	equal(t, "last use of the used key", *list[0].LastUsedAt, w.now)
	equal(t, "last use of the expired key", list[1].LastUsedAt, nil)
	equal(t, "expiry of the expired key", *list[1].ExpiresAt, ended)

	orphan := core.APIKey{ID: core.NewID(), PublisherID: core.NewID(), Scopes: []core.Scope{}}
	_, _, err = w.CreateAPIKey(t.Context(), orphan, []byte{1}, core.Idempotency{})
	wantCode(t, "create a key for an unknown publisher", err, core.CodeNotFound)
}

func TestRevokeAPIKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.publisher(t, "metro", "Metro", w.subscriber), w.publisher(t, "cp", "CP", w.subscriber)
	k := w.apiKey(t, p.ID, "CI", nil)
	err := w.RevokeAPIKey(t.Context(), other.ID, k.ID, w.now)
	wantCode(t, "revoke another publisher's key", err, core.CodeNotFound)
	w.wantGood(t, "a key that another publisher tried to revoke", k, w.now, true)
	for range 2 {
		wantCode(t, "revoke the key", w.RevokeAPIKey(t.Context(), p.ID, k.ID, w.now), "")
		w.wantGood(t, "a revoked key", k, w.now, false)
	}
	_, total, err := w.APIKeys(t.Context(), p.ID, core.Page{Limit: 10})
	succeed(t, "list the keys", err)
	equal(t, "keys that are left", total, 0)
}

func TestRotateAPIKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.publisher(t, "metro", "Metro", w.subscriber), w.publisher(t, "cp", "CP", w.subscriber)
	old := w.apiKey(t, p.ID, "CI", nil)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /rotate", BodyHash: []byte{1}}
	rotate := func(publisher core.ID, key core.Idempotency) (core.APIKey, core.Creation, error) {
		id := core.NewID()
		return w.RotateAPIKey(t.Context(), publisher, old.ID, id[:], key, func(k *core.APIKey) (core.APIKey, error) {
			return k.Rotate(id, "new0", nil, w.now)
		})
	}
	_, _, err := rotate(other.ID, core.Idempotency{})
	wantCode(t, "rotate another publisher's key", err, core.CodeNotFound)

	next, creation, err := rotate(p.ID, key)
	succeed(t, "rotate the key", err)
	equal(t, "creation of the successor", creation, core.Created)
	equal(t, "name of the successor", next.Name, "CI")
	equal(t, "scopes of the successor", next.Scopes, old.Scopes)
	const day = 24 * time.Hour
	w.wantGood(t, "the successor after 9 days", next, w.now.Add(9*day), true)
	w.wantGood(t, "the old key within a day", old, w.now.Add(day-1), true)
	w.wantGood(t, "the old key after a day", old, w.now.Add(day), false)

	again, creation, err := rotate(p.ID, key)
	succeed(t, "repeat the rotation", err)
	equal(t, "creation of the repetition", creation, core.Replayed)
	equal(t, "successor of the repetition", again.ID, next.ID)
	_, total, err := w.APIKeys(t.Context(), p.ID, core.Page{Limit: 1})
	succeed(t, "list the keys", err)
	equal(t, "total of the keys", total, 2)

	succeed(t, "revoke the old key", w.RevokeAPIKey(t.Context(), p.ID, old.ID, w.now))
	_, _, err = rotate(p.ID, core.Idempotency{})
	wantCode(t, "rotate a revoked key", err, core.CodeNotFound)
}
