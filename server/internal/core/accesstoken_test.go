package core_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// tokens stores access tokens by the hash of their secret.
type tokens struct {
	core.AccessTokenStore
	kept map[string]core.AccessToken
	away bool
}

func (s tokens) CreateAccessToken(_ context.Context, t core.AccessToken, hash []byte, _ core.Idempotency) (core.AccessToken, core.Creation, error) {
	s.kept[string(hash)] = t
	return t, core.Created, nil
}

func (s tokens) AccessTokenBySecret(_ context.Context, hash []byte, _ time.Time) (core.AccessToken, error) {
	if s.away {
		return core.AccessToken{}, core.Unavailable(nil)
	}
	t, ok := s.kept[string(hash)]
	if !ok {
		return t, core.NotFound()
	}
	return t, nil
}

func (tokens) APIKeyBySecret(context.Context, []byte, time.Time) (core.APIKey, error) {
	return core.APIKey{}, core.NotFound()
}

func TestAccessToken(t *testing.T) {
	store := tokens{kept: map[string]core.AccessToken{}}
	service := core.NewAccessTokens(store, quiet{}, clock)
	ana := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID(), SessionID: core.NewID()}
	ends := now.Add(time.Hour)
	made, secret, _, err := service.Create(t.Context(), ana, core.AccessTokenInput{Name: "CLI", ExpiresAt: &ends}, core.Idempotency{})
	if err != nil || !core.IsAccessToken(secret) || len(secret) != len("sna_live_")+36 || !strings.HasSuffix(secret, made.Hint) || len(made.Hint) != 4 {
		t.Fatalf("%q %+v %v", secret, made, err)
	}
	caller, err := core.NewCredentials(store, clock).Authenticate(t.Context(), secret)
	if err != nil || !caller.Is(core.CallerSubscriber) || caller.SubscriberID != ana.SubscriberID || caller.TokenID != made.ID || caller.SessionID != (core.ID{}) ||
		caller.Credential() != made.ID || caller.ExpiresAt != &ends {
		t.Errorf("%+v %v", caller, err)
	}
	if caller.Identity() != ana.Identity() {
		t.Errorf("%q is not %q", caller.Identity(), ana.Identity())
	}
	for _, wrong := range []string{"", "sna_live_", core.NewAPIKeySecret(), secret + "x", secret[:len(secret)-1] + "-"} {
		if _, err := core.NewCredentials(store, clock).Authenticate(t.Context(), wrong); !core.IsCode(err, core.CodeUnauthenticated) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	away := core.NewCredentials(tokens{away: true}, clock)
	if _, err := away.Authenticate(t.Context(), secret); !core.IsCode(err, core.CodeUnavailable) {
		t.Errorf("without a database: %v", err)
	}
}

func TestAccessTokensExpireByDefault(t *testing.T) {
	service := core.NewAccessTokens(tokens{kept: map[string]core.AccessToken{}}, quiet{}, clock)
	soon, late := now.Add(time.Hour), now.Add(2*core.AccessTokenLife)
	for what, test := range map[string]struct {
		callerEnds *time.Time
		want       time.Time
	}{
		"a session":                    {nil, now.Add(core.AccessTokenLife)},
		"a token that ends soon":       {&soon, soon},
		"a token that ends much later": {&late, now.Add(core.AccessTokenLife)},
	} {
		caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID(), ExpiresAt: test.callerEnds}
		made, _, _, err := service.Create(t.Context(), caller, core.AccessTokenInput{Name: "CLI"}, core.Idempotency{})
		if err != nil {
			t.Fatal(err)
		}
		if made.ExpiresAt == nil || !made.ExpiresAt.Equal(test.want) {
			t.Errorf("a token created by %s expires at %v, want %s", what, made.ExpiresAt, test.want)
		}
	}
}

func TestAccessTokenInput(t *testing.T) {
	past, never, ahead := now, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), now.Add(time.Second)
	for name, test := range map[string]struct {
		in   core.AccessTokenInput
		want []string
	}{
		"good":         {core.AccessTokenInput{Name: "CLI", ExpiresAt: &ahead}, nil},
		"without end":  {core.AccessTokenInput{Name: "CLI"}, nil},
		"blank":        {core.AccessTokenInput{Name: "\u2800"}, []string{"#/name"}},
		"over already": {core.AccessTokenInput{Name: " ", ExpiresAt: &past}, []string{"#/expiresAt", "#/name"}},
		"too far":      {core.AccessTokenInput{Name: "CLI", ExpiresAt: &never}, []string{"#/expiresAt"}},
		"a year":       {core.AccessTokenInput{Name: "CLI", ExpiresAt: new(now.Add(core.MaxAccessTokenLife))}, nil},
		"beyond it":    {core.AccessTokenInput{Name: "CLI", ExpiresAt: new(now.Add(core.MaxAccessTokenLife + 1))}, []string{"#/expiresAt"}},
	} {
		if got := pointers(test.in.Validate(production, now)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
