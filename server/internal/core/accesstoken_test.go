package core_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
)

// tokens stores access tokens by the hash of their secret.
type tokens struct {
	core.AccessTokenStore
	kept map[string]core.AccessToken
	down bool
}

func (s tokens) CreateAccessToken(
	_ context.Context, t core.AccessToken, hash []byte, _ core.Idempotency,
) (core.AccessToken, core.Creation, error) {
	s.kept[string(hash)] = t
	return t, core.Created, nil
}

func (s tokens) AccessTokenBySecret(_ context.Context, hash []byte, _ time.Time) (core.AccessToken, error) {
	if s.down {
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
	in := core.AccessTokenInput{Name: "CLI", ExpiresAt: &ends}
	made, secret, _, err := service.Create(t.Context(), ana, in, core.Idempotency{})
	core.Succeed(t, "create", err)
	check.Equal(t, "IsAccessToken of a new token", core.IsAccessToken(secret), true)
	check.Equal(t, "length of the secret", len(secret), len("sna_live_")+36)
	checkHint(t, made.Hint, secret)

	credentials := core.NewCredentials(store, clock)
	caller, err := credentials.Authenticate(t.Context(), secret)
	core.Succeed(t, "authenticate", err)
	want := core.Caller{Kind: core.CallerSubscriber, SubscriberID: ana.SubscriberID, TokenID: made.ID, ExpiresAt: &ends}
	check.Equal(t, "caller", caller, want)
	check.Equal(t, "credential of the caller", caller.Credential(), made.ID)
	check.Equal(t, "identity of the caller", caller.Identity(), ana.Identity())

	damaged := secret[:len(secret)-1] + "-"
	for _, wrong := range []string{"", "sna_live_", core.NewAPIKeySecret(), secret + "x", damaged} {
		_, err := credentials.Authenticate(t.Context(), wrong)
		core.CheckCode(t, fmt.Sprintf("authenticate with %q", wrong), err, core.CodeUnauthenticated)
	}
	_, err = core.NewCredentials(tokens{down: true}, clock).Authenticate(t.Context(), secret)
	core.CheckCode(t, "authenticate without a database", err, core.CodeUnavailable)
}

// checkHint checks that a hint is the end of the secret.
func checkHint(t *testing.T, hint, secret string) {
	t.Helper()
	if len(hint) != 4 || !strings.HasSuffix(secret, hint) {
		t.Errorf("hint of the secret %q: got %q, want its last 4 characters", secret, hint)
	}
}

func TestAccessTokensExpireByDefault(t *testing.T) {
	service := core.NewAccessTokens(tokens{kept: map[string]core.AccessToken{}}, quiet{}, clock)
	soon, late := now.Add(time.Hour), now.Add(2*core.AccessTokenLife)
	for name, test := range map[string]struct {
		callerEnds *time.Time
		want       time.Time
	}{
		"a session":                    {nil, now.Add(core.AccessTokenLife)},
		"a token that ends soon":       {&soon, soon},
		"a token that ends much later": {&late, now.Add(core.AccessTokenLife)},
	} {
		caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID(), ExpiresAt: test.callerEnds}
		made, _, _, err := service.Create(t.Context(), caller, core.AccessTokenInput{Name: "CLI"}, core.Idempotency{})
		core.Succeed(t, "create", err)
		check.Equal(t, "expiry of a token created by "+name, made.ExpiresAt, &test.want)
	}
}

func TestAccessTokenInput(t *testing.T) {
	past, ahead := now, now.Add(time.Second)
	never := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	limit := now.Add(core.MaxAccessTokenLife)
	for name, test := range map[string]struct {
		in   core.AccessTokenInput
		want []string
	}{
		"valid":           {core.AccessTokenInput{Name: "CLI", ExpiresAt: &ahead}, nil},
		"without expiry":  {core.AccessTokenInput{Name: "CLI"}, nil},
		"blank name":      {core.AccessTokenInput{Name: "\u2800"}, []string{"#/name"}},
		"already expired": {core.AccessTokenInput{Name: " ", ExpiresAt: &past}, []string{"#/expiresAt", "#/name"}},
		"too far":         {core.AccessTokenInput{Name: "CLI", ExpiresAt: &never}, []string{"#/expiresAt"}},
		"a year":          {core.AccessTokenInput{Name: "CLI", ExpiresAt: &limit}, nil},
		"over a year":     {core.AccessTokenInput{Name: "CLI", ExpiresAt: new(limit.Add(1))}, []string{"#/expiresAt"}},
	} {
		check.Equal(t, "faults of a token: "+name, pointers(test.in.Validate(production, now)), test.want)
	}
}
