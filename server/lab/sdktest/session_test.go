package sdktest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

func testTokenScopes(t *testing.T, f *fixture) {
	ctx := t.Context()
	made, err := f.owner.AccessTokens.Create(ctx,
		sininho.AccessTokenInput{Name: "reader", Scopes: []sininho.Scope{sininho.ScopeRead}})
	if err != nil {
		t.Fatalf("create the access token: %v", err)
	}
	if want := []sininho.Scope{sininho.ScopeRead}; !slices.Equal(made.Scopes, want) {
		t.Errorf("scopes of the access token: got %v, want %v", made.Scopes, want)
	}
	reader := f.client(sininho.WithAccessToken(made.Secret))
	_, err = reader.Me.Update(ctx, sininho.MeUpdate{Name: new("Ana")})
	if !errors.Is(err, sininho.ErrForbidden) || !strings.Contains(err.Error(), "`manage`") {
		t.Errorf("change with the scope read: got %v, want %v that names the scope manage", err, sininho.ErrForbidden)
	}
	_, err = reader.AccessTokens.Create(ctx, sininho.AccessTokenInput{Name: "child", Scopes: made.Scopes})
	if !errors.Is(err, sininho.ErrForbidden) {
		t.Errorf("access token created with the scope read: got error %v, want %v", err, sininho.ErrForbidden)
	}
	testChildOfAToken(t, f)
}

func testChildOfAToken(t *testing.T, f *fixture) {
	ctx := t.Context()
	made, err := f.owner.AccessTokens.Create(ctx, sininho.AccessTokenInput{Name: "parent"})
	if err != nil {
		t.Fatalf("create the access token: %v", err)
	}
	parent := f.client(sininho.WithAccessToken(made.Secret))
	child, err := parent.AccessTokens.Create(ctx, sininho.AccessTokenInput{Name: "child"})
	if err != nil {
		t.Fatalf("create an access token with another: %v", err)
	}
	for token, err := range f.owner.AccessTokens.List(ctx) {
		if err != nil {
			t.Fatalf("list the access tokens: %v", err)
		}
		if token.ID == child.ID && token.ParentID != made.ID {
			t.Errorf("parent of the child: got %q, want %q", token.ParentID, made.ID)
		}
	}
	if err := f.owner.AccessTokens.Revoke(ctx, made.ID); err != nil {
		t.Errorf("revoke the access token: %v", err)
	}
	_, err = f.client(sininho.WithAccessToken(child.Secret)).Auth.Get(ctx)
	if !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("caller with the child of a revoked token: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
}

func testSessions(t *testing.T, f *fixture) {
	ctx := t.Context()
	f.SignIn(t, f.email)
	list := collect(t, f.owner.Sessions.List(ctx))
	if len(list) != 2 || list[0].Network != "127.0.0.1" || !list[0].ExpiresAt.After(list[0].LastSeenAt) {
		t.Fatalf("sessions: got %+v, want 2 with their network and expiry", list)
	}
	if err := f.owner.Sessions.End(ctx, list[0].ID); err != nil {
		t.Errorf("end a session: %v", err)
	}
	if err := f.owner.Sessions.End(ctx, list[0].ID); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("end a session again: got error %v, want %v", err, sininho.ErrNotFound)
	}
	if err := f.owner.Sessions.EndAll(ctx); err != nil {
		t.Errorf("end all sessions: %v", err)
	}
	if left := collect(t, f.owner.Sessions.List(ctx)); len(left) != 0 {
		t.Errorf("sessions that are left: got %+v, want none", left)
	}
}
