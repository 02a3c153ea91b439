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
	w := newWorld(t)
	create := func(in core.APIKeyInput) (core.APIKey, string, error) {
		k, secret, _, err := w.keys.Create(t.Context(), w.owner, "metro", in, noKey)
		return k, secret, err
	}
	soon := now.Add(time.Second)
	k, secret, err := create(core.APIKeyInput{Name: "CI", ExpiresAt: &soon})
	core.Succeed(t, "create", err)
	check.Equal(t, "WellFormedCredential of a new key", core.WellFormedCredential(secret), true)
	checkHint(t, k.Hint, secret)
	caller, err := w.credentials.Authenticate(t.Context(), secret)
	check.Equal(t, "caller", []any{caller, err}, []any{core.Caller{Kind: core.CallerPublisher, PublisherID: k.PublisherID,
		AccountID: w.owner.SubscriberID, KeyID: k.ID, ExpiresAt: &soon}, nil})
	w.now = soon
	_, err = w.credentials.Authenticate(t.Context(), secret)
	core.CheckCode(t, "authenticate when it has expired", err, core.CodeUnauthenticated)
	w.now = now

	beyond := time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, end := range []time.Time{now, now.Add(-time.Hour), beyond} {
		_, secret, err := create(core.APIKeyInput{Name: " ", ExpiresAt: &end})
		what := " of a key without a name that expires at " + end.String()
		check.Equal(t, "faults"+what, pointers(fieldsOf(err)), []string{"#/expiresAt", "#/name"})
		check.Equal(t, "secret"+what, secret, "")
	}
	for end, want := range map[*time.Time][]string{nil: nil, new(now.Add(-time.Hour)): nil, &now: nil, &soon: nil,
		&beyond: {"#/oldExpiresAt"}} {
		in := core.APIKeyRotation{OldExpiresAt: end}
		check.Equal(t, "faults of a rotation", pointers(in.Validate(nil, now)), want)
	}
	_, _, _, err = w.keys.Rotate(t.Context(), w.owner, "metro", k.ID, core.APIKeyRotation{OldExpiresAt: &beyond}, noKey)
	core.CheckCode(t, "rotate with a fault", err, core.CodeInvalid)
	w.Caps[core.CapAPIKeys] = 1
	_, secret, err = create(core.APIKeyInput{Name: "CI"})
	check.Equal(t, "one too many", []any{secret, reasonOf(err)}, []any{"", "too_many"})
}
