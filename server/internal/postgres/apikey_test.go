package postgres_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// apiKey makes a key whose hash is its id.
func (w *world) apiKey(t *testing.T, publisher core.ID, name string, expiresAt *time.Time) core.APIKey {
	t.Helper()
	w.now = w.now.Add(time.Second)
	k := core.APIKey{ID: core.NewID(), PublisherID: publisher, Name: name, Hint: "9f2c", Scopes: []core.Scope{core.ScopeRead, core.ScopePublish}, ExpiresAt: expiresAt, CreatedAt: w.now}
	return must3(w.CreateAPIKey(t.Context(), k, k.ID[:], core.Idempotency{}))
}

func (w *world) good(t *testing.T, k core.APIKey, at time.Time) bool {
	t.Helper()
	got, err := w.APIKeyBySecret(t.Context(), k.ID[:], at)
	if err != nil && !core.IsCode(err, core.CodeNotFound) {
		t.Fatal(err)
	}
	return err == nil && got.ID == k.ID
}

func TestAPIKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.publisher(t, "metro", "Metro", w.subscriber), w.publisher(t, "cp", "CP", w.subscriber)
	ended := w.now.Add(-time.Hour)
	revoked, expired, used := w.apiKey(t, p.ID, "revoked", nil), w.apiKey(t, p.ID, "expired", &ended), w.apiKey(t, p.ID, "used", nil)
	w.apiKey(t, other.ID, "another's", nil)
	if !w.good(t, revoked, w.now) || !w.good(t, used, w.now) || w.good(t, expired, w.now) {
		t.Error("which are good")
	}
	if err := w.RevokeAPIKey(t.Context(), other.ID, revoked.ID, w.now); !core.IsCode(err, core.CodeNotFound) || !w.good(t, revoked, w.now) {
		t.Errorf("by another: %v", err)
	}
	for range 2 {
		if err := w.RevokeAPIKey(t.Context(), p.ID, revoked.ID, w.now); err != nil || w.good(t, revoked, w.now) {
			t.Errorf("revoked: %v", err)
		}
	}
	list, total, err := w.APIKeys(t.Context(), p.ID, core.Page{Limit: 10})
	if err != nil || total != 2 || len(list) != 2 || list[0].ID != used.ID || list[1].ID != expired.ID {
		t.Fatalf("%+v of %d: %v", list, total, err)
	}
	if k := list[0]; k.Name != "used" || k.Hint != "9f2c" || !slices.Equal(k.Scopes, []core.Scope{core.ScopeRead, core.ScopePublish}) || !k.LastUsedAt.Equal(w.now) ||
		k.ExpiresAt != nil || !k.CreatedAt.Equal(used.CreatedAt) || list[1].LastUsedAt != nil || !list[1].ExpiresAt.Equal(ended) {
		t.Errorf("%+v", list)
	}
	if _, _, err := w.CreateAPIKey(t.Context(), core.APIKey{ID: core.NewID(), PublisherID: core.NewID(), Scopes: []core.Scope{}}, []byte{1}, core.Idempotency{}); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("of no publisher: %v", err)
	}
}

func TestRotateAPIKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.publisher(t, "metro", "Metro", w.subscriber), w.publisher(t, "cp", "CP", w.subscriber)
	old := w.apiKey(t, p.ID, "CI", nil)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /rotate", BodyHash: []byte{1}}
	rotate := func(publisher core.ID, key core.Idempotency) (core.APIKey, core.Creation, error) {
		id := core.NewID()
		return w.RotateAPIKey(t.Context(), publisher, old.ID, id[:], key, func(k *core.APIKey) (core.APIKey, error) { return k.Rotate(id, "new0", nil, w.now) })
	}
	if _, _, err := rotate(other.ID, core.Idempotency{}); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("by another: %v", err)
	}
	next, creation, err := rotate(p.ID, key)
	if err != nil || creation != core.Created || next.Name != "CI" || !slices.Equal(next.Scopes, old.Scopes) {
		t.Fatalf("%+v %v %v", next, creation, err)
	}
	const day = 24 * time.Hour
	if !w.good(t, next, w.now.Add(9*day)) || !w.good(t, old, w.now.Add(day-1)) || w.good(t, old, w.now.Add(day)) {
		t.Error("both are good for a day, and then the new one")
	}
	again, creation, err := rotate(p.ID, key)
	if err != nil || creation != core.Replayed || again.ID != next.ID {
		t.Errorf("%+v %v %v", again, creation, err)
	}
	if _, total, _ := w.APIKeys(t.Context(), p.ID, core.Page{Limit: 1}); total != 2 {
		t.Errorf("%d keys", total)
	}
	if err := w.RevokeAPIKey(t.Context(), p.ID, old.ID, w.now); err != nil {
		t.Fatal(err)
	}
	if _, _, err := rotate(p.ID, core.Idempotency{}); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("revoked: %v", err)
	}
}
