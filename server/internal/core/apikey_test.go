package core_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestRotate(t *testing.T) {
	at := func(d time.Duration) *time.Time { return new(now.Add(d)) }
	const day = 24 * time.Hour
	for name, test := range map[string]struct {
		was, asked    *time.Time
		old, succeeds *time.Time
	}{
		"without end":                {nil, nil, at(day), nil},
		"until then":                 {nil, at(time.Hour), at(time.Hour), nil},
		"longer than a day":          {nil, at(3 * day), at(3 * day), nil},
		"at once":                    {nil, at(0), at(0), nil},
		"in the past is at once":     {nil, at(-time.Hour), at(0), nil},
		"never later than it was":    {at(time.Hour), at(2 * time.Hour), at(time.Hour), at(time.Hour)},
		"nor by the day":             {at(time.Hour), nil, at(time.Hour), at(time.Hour)},
		"with an end, sooner":        {at(9 * day), nil, at(day), at(9 * day)},
		"expired, without end again": {at(-time.Hour), at(time.Hour), at(-time.Hour), nil},
	} {
		k := core.APIKey{ID: core.ID{1}, PublisherID: metroID, Name: "CI", Hint: "old0", Scopes: []core.Scope{core.ScopeRead}, ExpiresAt: test.was, LastUsedAt: at(0), CreatedAt: now.Add(-day)}
		next, err := k.Rotate(core.ID{2}, "new0", test.asked, now)
		if err != nil || !k.RotatedAt.Equal(now) || next.RotatedAt != nil {
			t.Errorf("%s: %+v %v", name, next, err)
		}
		if _, err := k.Rotate(core.ID{3}, "new1", nil, now); !core.IsCode(err, core.CodeConflict) {
			t.Errorf("%s: rotated twice: %v", name, err)
		}
		if !k.ExpiresAt.Equal(*test.old) || (next.ExpiresAt == nil) != (test.succeeds == nil) || next.ExpiresAt != nil && !next.ExpiresAt.Equal(*test.succeeds) {
			t.Errorf("%s: the old until %v, the new until %v", name, k.ExpiresAt, next.ExpiresAt)
		}
		if next.ID != (core.ID{2}) || next.PublisherID != metroID || next.Name != "CI" || next.Hint != "new0" || !slices.Equal(next.Scopes, k.Scopes) ||
			next.LastUsedAt != nil || !next.CreatedAt.Equal(now) {
			t.Errorf("%s: %+v", name, next)
		}
	}
}

func TestCreateAPIKey(t *testing.T) {
	keys := core.NewAPIKeys(&publishers{}, quiet{}, clock)
	create := func(in core.APIKeyInput, key core.Idempotency) (core.APIKey, string, error) {
		k, secret, _, err := keys.Create(t.Context(), person(owner), "metro", in, key)
		return k, secret, err
	}
	k, secret, err := create(core.APIKeyInput{Name: "CI", ExpiresAt: new(now.Add(time.Second))}, core.Idempotency{})
	if err != nil || !core.WellFormedAPIKey(secret) || !strings.HasSuffix(secret, k.Hint) || len(k.Hint) != 4 || k.PublisherID != metroID {
		t.Errorf("%+v %q %v", k, secret, err)
	}
	if _, secret, err := create(core.APIKeyInput{Name: "CI"}, core.Idempotency{Key: "k"}); err != nil || secret != "" {
		t.Errorf("a repetition tells %q, %v", secret, err)
	}
	beyond := time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, end := range []time.Time{now, now.Add(-time.Hour), beyond} {
		if _, secret, err := create(core.APIKeyInput{Name: " ", ExpiresAt: &end}, core.Idempotency{}); !slices.Equal(pointers(fieldsOf(err)), []string{"#/expiresAt", "#/name"}) || secret != "" {
			t.Errorf("until %s: %v", end, err)
		}
	}
	past := now.Add(-time.Hour)
	if k, secret, err := create(core.APIKeyInput{Name: "CI", ExpiresAt: &past}, core.Idempotency{Key: "known"}); err != nil || k.Name != "first" || secret != "" {
		t.Errorf("repeated after its end: %+v %q %v", k, secret, err)
	}
	if _, _, _, err := keys.Rotate(t.Context(), person(owner), "metro", core.ID{9}, core.APIKeyRotation{OldExpiresAt: &beyond}, core.Idempotency{}); !slices.Equal(pointers(fieldsOf(err)), []string{"#/oldExpiresAt"}) {
		t.Error(err)
	}
}
