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

func (tokens) ReplayAccessToken(context.Context, core.Idempotency) (core.AccessToken, core.Creation, error) {
	return core.AccessToken{}, 0, core.NotFound()
}

func (tokens) APIKeyBySecret(context.Context, []byte, time.Time) (core.APIKey, error) {
	return core.APIKey{}, core.NotFound()
}

func TestAccessToken(t *testing.T) {
	store := tokens{kept: map[string]core.AccessToken{}}
	service := core.NewAccessTokens(store, production, quiet{}, clock)
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

var allScopes = []core.Scope{core.ScopeRead, core.ScopePublish, core.ScopeManage}

// TestWhoCreatesAccessTokens creates tokens with scopes by a session and by tokens with scopes.
func TestWhoCreatesAccessTokens(t *testing.T) {
	service := core.NewAccessTokens(tokens{kept: map[string]core.AccessToken{}}, production, quiet{}, clock)
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
		caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: core.NewID(), Scopes: test.own}
		var parent *core.ID
		if test.own != nil {
			caller.TokenID = core.NewID()
			parent = &caller.TokenID
		}
		in := core.AccessTokenInput{Name: "CLI", Scopes: test.wanted}
		made, _, _, err := service.Create(t.Context(), caller, in, core.Idempotency{})
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

// ended records the credentials whose end is announced.
type ended struct {
	core.Announcer
	ids *[]core.ID
}

func (e ended) SignedOut(_ context.Context, id core.ID) { *e.ids = append(*e.ids, id) }

func (tokens) RevokeAccessToken(_ context.Context, _, id core.ID, _ time.Time) ([]core.ID, error) {
	return []core.ID{id, {9}}, nil
}

func TestRevokeAccessTokenEndsTheStreamsOfItsDescendants(t *testing.T) {
	var ids []core.ID
	service := core.NewAccessTokens(tokens{}, production, ended{ids: &ids}, clock)
	core.Succeed(t, "revoke", service.Revoke(t.Context(), person(core.NewID()), core.ID{8}))
	check.Equal(t, "credentials whose streams end", ids, []core.ID{{8}, {9}})
}

func TestTokenRules(t *testing.T) {
	rules := production.WithTokens(core.TokenRules{Days: 7, MaxDays: 30})
	service := core.NewAccessTokens(tokens{kept: map[string]core.AccessToken{}}, rules, quiet{}, clock)
	made, _, _, err := service.Create(t.Context(), person(core.NewID()), core.AccessTokenInput{Name: "CLI"},
		core.Idempotency{})
	core.Succeed(t, "create", err)
	check.Equal(t, "expiry by default", made.ExpiresAt, new(now.AddDate(0, 0, 7)))
	in := core.AccessTokenInput{Name: "CLI", ExpiresAt: new(now.AddDate(0, 0, 30).Add(1))}
	check.Equal(t, "faults of a token beyond the limit", in.Validate(rules, now), []core.FieldError{{
		Pointer: "#/expiresAt", Code: "too_far",
		Detail: core.Text{EN: "is more than 30 days ahead", PT: "está a mais de 30 dias"},
	}})
}

func TestAccessTokensExpireByDefault(t *testing.T) {
	service := core.NewAccessTokens(tokens{kept: map[string]core.AccessToken{}}, production, quiet{}, clock)
	soon, late := now.Add(time.Hour), now.Add(2*core.DefaultTokenRules().Life())
	for name, test := range map[string]struct {
		callerEnds *time.Time
		want       time.Time
	}{
		"a session":                    {nil, now.Add(core.DefaultTokenRules().Life())},
		"a token that ends soon":       {&soon, soon},
		"a token that ends much later": {&late, now.Add(core.DefaultTokenRules().Life())},
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
