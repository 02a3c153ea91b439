package core_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestAccessToken(t *testing.T) {
	w := newWorld(t)
	service, ana := w.tokens, w.stranger
	ends := now.Add(time.Hour)
	in := core.AccessTokenInput{Name: "CLI", ExpiresAt: &ends}
	made, secret, _, err := service.Create(t.Context(), ana, in, core.Idempotency{})
	core.Succeed(t, "create", err)
	check.Equal(t, "IsAccessToken of a new token", core.IsAccessToken(secret), true)
	check.Equal(t, "length of the secret", len(secret), len("sna_live_")+36)
	checkHint(t, made.Hint, secret)

	credentials := w.credentials
	caller, err := credentials.Authenticate(t.Context(), secret)
	core.Succeed(t, "authenticate", err)
	want := core.Caller{
		Kind: core.CallerSubscriber, SubscriberID: ana.SubscriberID, TokenID: made.ID, Scopes: allScopes,
		ExpiresAt: &ends,
	}
	check.Equal(t, "caller", caller, want)
	check.Equal(t, "credential of the caller", caller.Credential(), made.ID)
	check.Equal(t, "identity of the caller", caller.Identity(), ana.Identity())

	damaged := secret[:len(secret)-1] + "-"
	for _, wrong := range []string{"", "sna_live_", core.NewAPIKeySecret(), secret + "x", damaged} {
		_, err := credentials.Authenticate(t.Context(), wrong)
		core.CheckCode(t, fmt.Sprintf("authenticate with %q", wrong), err, core.CodeUnauthenticated)
	}
	_, err = core.NewCredentials(down{}, clock).Authenticate(t.Context(), secret)
	core.CheckCode(t, "authenticate without a database", err, core.CodeUnavailable)
}

// down is a database that does not respond.
type down struct{}

func (down) AccessTokenBySecret(context.Context, []byte, time.Time) (core.AccessToken, error) {
	return core.AccessToken{}, core.Unavailable(nil)
}

func (down) APIKeyBySecret(context.Context, []byte, time.Time) (core.APIKey, error) {
	return core.APIKey{}, core.Unavailable(nil)
}

// checkHint checks that a hint is the end of the secret.
func checkHint(t *testing.T, hint, secret string) {
	t.Helper()
	if len(hint) != 4 || !strings.HasSuffix(secret, hint) {
		t.Errorf("hint of the secret %q: got %q, want its last 4 characters", secret, hint)
	}
}

var allScopes = []core.Scope{core.ScopeRead, core.ScopePublish, core.ScopeManage}

// TestWhoCreatesAccessTokens creates tokens with scopes by a session and by tokens with scopes.
func TestWhoCreatesAccessTokens(t *testing.T) {
	w := newWorld(t)
	const read, publish, manage = core.ScopeRead, core.ScopePublish, core.ScopeManage
	for _, test := range []struct {
		name              string
		own, wanted, want []core.Scope // own is nil for a session, want for a refusal
	}{
		{"a session", nil, nil, allScopes},
		{"a session", nil, []core.Scope{publish, read}, []core.Scope{read, publish}},
		{"a session", nil, []core.Scope{manage}, allScopes},
		{"a token", allScopes, nil, allScopes},
		{"a token", allScopes, []core.Scope{read}, []core.Scope{read}},
		{"a narrow token", []core.Scope{read, publish}, nil, nil},
		{"a narrow token", []core.Scope{read, publish}, []core.Scope{publish}, nil},
		{"a narrow token", []core.Scope{read}, []core.Scope{read}, nil},
		{"a narrow token", []core.Scope{publish}, []core.Scope{manage}, nil},
	} {
		what := fmt.Sprintf("token with %v created by %s with %v", test.wanted, test.name, test.own)
		caller := w.stranger
		var parent *core.ID
		if test.own != nil {
			caller = w.token(w.stranger, test.own...)
			parent = &caller.TokenID
		}
		in := core.AccessTokenInput{Name: "CLI", Scopes: test.wanted}
		made, _, _, err := w.tokens.Create(t.Context(), caller, in, core.Idempotency{})
		if test.want == nil {
			if !core.IsCode(err, core.CodeForbidden) {
				t.Errorf("error of a %s: got %v, want one with the code forbidden", what, err)
			}
			continue
		}
		core.Succeed(t, "create a "+what, err)
		check.Equal(t, "scopes of a "+what, made.Scopes, test.want)
		check.Equal(t, "parent of a "+what, made.ParentID, parent)
	}
}

func TestTokenRules(t *testing.T) {
	rules := production.WithTokens(core.TokenRules{Days: 7, MaxDays: 30})
	w := newWorld(t)
	service := core.NewAccessTokens(w, rules, w, clock)
	made, _, _, err := service.Create(t.Context(), w.stranger, core.AccessTokenInput{Name: "CLI"}, noKey)
	core.Succeed(t, "create", err)
	check.Equal(t, "expiry by default", made.ExpiresAt, new(now.AddDate(0, 0, 7)))
	in := core.AccessTokenInput{Name: "CLI", ExpiresAt: new(now.AddDate(0, 0, 30).Add(1))}
	check.Equal(t, "faults of a token beyond the limit", in.Validate(rules, now), []core.FieldError{{
		Pointer: "#/expiresAt", Code: "too_far",
		Detail: core.Text{EN: "is more than 30 days ahead", PT: "está a mais de 30 dias"},
	}})
}

func TestAccessTokensExpireByDefault(t *testing.T) {
	w := newWorld(t)
	soon, late := now.Add(time.Hour), now.Add(2*core.DefaultTokenRules().Life())
	for name, test := range map[string]struct {
		callerEnds *time.Time
		want       time.Time
	}{
		"a session":                    {nil, now.Add(core.DefaultTokenRules().Life())},
		"a token that ends soon":       {&soon, soon},
		"a token that ends much later": {&late, now.Add(core.DefaultTokenRules().Life())},
	} {
		caller := w.stranger
		caller.ExpiresAt = test.callerEnds
		made, _, _, err := w.tokens.Create(t.Context(), caller, core.AccessTokenInput{Name: "CLI"}, core.Idempotency{})
		core.Succeed(t, "create", err)
		check.Equal(t, "expiry of a token created by "+name, made.ExpiresAt, &test.want)
	}
}

func TestAccessTokenInput(t *testing.T) {
	past, ahead := now, now.Add(time.Second)
	never := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	limit := now.AddDate(0, 0, core.DefaultTokenRules().MaxDays)
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
