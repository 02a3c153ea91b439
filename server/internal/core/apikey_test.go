package core_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestRotate(t *testing.T) {
	at := func(d time.Duration) *time.Time { return new(now.Add(d)) }
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		expires, requested *time.Time
		old, successor     *time.Time // the expiry times after the rotation
	}{
		"without expiry":             {nil, nil, at(day), nil},
		"within a day":               {nil, at(time.Hour), at(time.Hour), nil},
		"longer than a day":          {nil, at(3 * day), at(3 * day), nil},
		"now":                        {nil, at(0), at(0), nil},
		"in the past means now":      {nil, at(-time.Hour), at(0), nil},
		"never later than before":    {at(time.Hour), at(2 * time.Hour), at(time.Hour), at(time.Hour)},
		"nor by default":             {at(time.Hour), nil, at(time.Hour), at(time.Hour)},
		"with an expiry, but sooner": {at(9 * day), nil, at(day), at(9 * day)},
		"expired after 23 hours":     {at(-time.Hour), at(time.Hour), at(-time.Hour), at(23 * time.Hour)},
	} {
		t.Run(name, func(t *testing.T) {
			old := core.APIKey{
				ID: core.ID{1}, PublisherID: metroID, Name: "CI", Hint: "old0", Scopes: []core.Scope{core.ScopeRead},
				ExpiresAt: test.expires, LastUsedAt: at(0), CreatedAt: now.Add(-day),
			}
			wantOld := old
			wantOld.ExpiresAt, wantOld.RotatedAt = test.old, at(0)
			successor, err := old.Rotate(core.ID{2}, "new0", test.requested, now)
			core.Succeed(t, "rotate", err)
			check.Equal(t, "old key", old, wantOld)
			want := core.APIKey{ID: core.ID{2}, PublisherID: metroID, Name: "CI", Hint: "new0",
				Scopes: []core.Scope{core.ScopeRead}, ExpiresAt: test.successor, CreatedAt: now}
			check.Equal(t, "successor", successor, want)
			_, err = old.Rotate(core.ID{3}, "new1", nil, now)
			core.CheckCode(t, "rotate a second time", err, core.CodeConflict)
		})
	}
}

func TestCreateAPIKey(t *testing.T) {
	keys := core.NewAPIKeys(&publishers{}, quiet{}, clock)
	create := func(in core.APIKeyInput, key core.Idempotency) (core.APIKey, string, error) {
		k, secret, _, err := keys.Create(t.Context(), person(owner), "metro", in, key)
		return k, secret, err
	}
	k, secret, err := create(core.APIKeyInput{Name: "CI", ExpiresAt: new(now.Add(time.Second))}, core.Idempotency{})
	core.Succeed(t, "create", err)
	check.Equal(t, "WellFormedAPIKey of a new key", core.WellFormedAPIKey(secret), true)
	checkHint(t, k.Hint, secret)
	check.Equal(t, "publisher of the key", k.PublisherID, metroID)

	_, secret, err = create(core.APIKeyInput{Name: "CI"}, core.Idempotency{Key: "k"})
	core.Succeed(t, "create with a known idempotency key", err)
	check.Equal(t, "secret in a replayed response", secret, "")

	beyond := time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, end := range []time.Time{now, now.Add(-time.Hour), beyond} {
		_, secret, err := create(core.APIKeyInput{Name: " ", ExpiresAt: &end}, core.Idempotency{})
		what := " of a key without a name that expires at " + end.String()
		check.Equal(t, "faults"+what, pointers(fieldsOf(err)), []string{"#/expiresAt", "#/name"})
		check.Equal(t, "secret"+what, secret, "")
	}

	past := now.Add(-time.Hour)
	k, secret, err = create(core.APIKeyInput{Name: "CI", ExpiresAt: &past}, core.Idempotency{Key: "known"})
	core.Succeed(t, "repeat the request after the key expired", err)
	check.Equal(t, "name in the replayed response", k.Name, "first")
	check.Equal(t, "secret in the replayed response", secret, "")

	rotation := core.APIKeyRotation{OldExpiresAt: &beyond}
	_, _, _, err = keys.Rotate(t.Context(), person(owner), "metro", core.ID{9}, rotation, core.Idempotency{})
	check.Equal(t, "faults of a rotation", pointers(fieldsOf(err)), []string{"#/oldExpiresAt"})
}
