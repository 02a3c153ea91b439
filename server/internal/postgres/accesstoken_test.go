package postgres_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var allScopes = []core.Scope{core.ScopeRead, core.ScopePublish, core.ScopeManage}

// token creates an access token whose hash is its id. Without an expiry it ends in a year.
func (w *world) token(t *testing.T, subscriberID core.ID, expiresAt *time.Time) core.AccessToken {
	t.Helper()
	id := core.NewID()
	if expiresAt == nil {
		expiresAt = new(w.now.AddDate(1, 0, 0))
	}
	token := core.AccessToken{
		ID: id, SubscriberID: subscriberID, Name: "CLI", Hint: "9f2c", Scopes: allScopes, ExpiresAt: expiresAt,
		CreatedAt: w.now,
	}
	return must3(w.CreateAccessToken(t.Context(), token, id[:], core.Idempotency{}))
}

// other signs in another person.
func (w *world) other(t *testing.T, subject string) core.ID {
	t.Helper()
	profile := core.Profile{Subject: subject, Email: subject + "@example.com", Name: subject, Locale: "pt"}
	return must(w.SignIn(t.Context(), profile, core.SignUp{Open: true}, w.now)).ID
}

// tokens lists the first 10 tokens of the world's subscriber.
func (w *world) tokens(t *testing.T) ([]core.AccessToken, int64) {
	t.Helper()
	list, total, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 10})
	succeed(t, "list the access tokens", err)
	return list, total
}

func TestAccessTokenBySecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ends := w.now.Add(time.Hour)
	token := w.token(t, w.subscriber, &ends)
	for _, step := range []struct{ after, lastUse time.Duration }{
		{0, 0}, {30 * time.Second, 0}, {61 * time.Second, 61 * time.Second}, {62 * time.Second, 61 * time.Second},
	} {
		got, err := w.AccessTokenBySecret(t.Context(), token.ID[:], w.now.Add(step.after))
		succeed(t, "find the token by its secret", err)
		equal(t, "id of the found token", got.ID, token.ID)
		equal(t, "subscriber of the found token", got.SubscriberID, w.subscriber)
		equal(t, "expiry of the found token", got.ExpiresAt.UTC(), ends)
		list, _ := w.tokens(t)
		i := slices.IndexFunc(list, func(k core.AccessToken) bool { return k.ID == token.ID })
		if i < 0 {
			t.Fatalf("the list of tokens does not have %s: %+v", token.ID, list)
		}
		equal(t, "last use after "+step.after.String(), list[i].LastUsedAt.UTC(), w.now.Add(step.lastUse))
	}
	_, err := w.AccessTokenBySecret(t.Context(), token.ID[:], ends)
	wantCode(t, "find an expired token", err, core.CodeNotFound)
}

func TestAccessTokensNewestFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.token(t, w.subscriber, nil)
	w.now = w.now.Add(time.Second)
	newest := w.token(t, w.subscriber, nil)
	w.token(t, w.other(t, "rui"), nil)
	list, total, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 1})
	succeed(t, "list the access tokens", err)
	equal(t, "total of the tokens", total, 2)
	equal(t, "the first page", ids(list, func(k core.AccessToken) core.ID { return k.ID }), []core.ID{newest.ID})
}

func TestRevokeAccessToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.token(t, w.subscriber, new(time.Now().Add(time.Hour))) // on the clock of the database
	w.token(t, w.subscriber, nil)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	followed := must(w.FollowedChannels(t.Context(), token.ID))
	equal(t, "channels of the token's streams", followed, []core.ID{w.channel.ID})

	_, err := w.RevokeAccessToken(t.Context(), w.other(t, "rui"), token.ID, w.now)
	wantCode(t, "revoke another person's token", err, core.CodeNotFound)
	for range 2 {
		revoked, err := w.RevokeAccessToken(t.Context(), w.subscriber, token.ID, w.now)
		succeed(t, "revoke the token", err)
		equal(t, "revoked tokens", revoked, []core.ID{token.ID})
	}
	_, err = w.AccessTokenBySecret(t.Context(), token.ID[:], w.now)
	wantCode(t, "find a revoked token", err, core.CodeNotFound)
	_, err = w.FollowedChannels(t.Context(), token.ID)
	wantCode(t, "channels of a revoked token's streams", err, core.CodeUnauthenticated)
	_, total := w.tokens(t)
	equal(t, "tokens that are left", total, 1)
}

// child creates an access token by another.
func (w *world) child(t *testing.T, parent core.AccessToken) (core.AccessToken, error) {
	t.Helper()
	id := core.NewID()
	made, _, err := w.CreateAccessToken(t.Context(), core.AccessToken{
		ID: id, SubscriberID: parent.SubscriberID, ParentID: &parent.ID, Name: "child", CreatedAt: w.now,
		Scopes: []core.Scope{core.ScopeRead}, ExpiresAt: parent.ExpiresAt,
	}, id[:], core.Idempotency{})
	return made, err
}

func TestRevokeAccessTokenWithItsDescendants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	parent, sibling := w.token(t, w.subscriber, nil), w.token(t, w.subscriber, nil)
	child := must(w.child(t, parent))
	grandchild := must(w.child(t, child))
	found := must(w.AccessTokenBySecret(t.Context(), grandchild.ID[:], w.now))
	equal(t, "scopes of the grandchild", found.Scopes, []core.Scope{core.ScopeRead})

	revoked, err := w.RevokeAccessToken(t.Context(), w.subscriber, parent.ID, w.now)
	succeed(t, "revoke the parent", err)
	equal(t, "revoked tokens", sorted(revoked), sorted([]core.ID{parent.ID, child.ID, grandchild.ID}))
	for name, token := range map[string]core.AccessToken{"child": child, "grandchild": grandchild} {
		_, err := w.AccessTokenBySecret(t.Context(), token.ID[:], w.now)
		wantCode(t, "find the "+name+" of a revoked token", err, core.CodeNotFound)
	}
	_, err = w.AccessTokenBySecret(t.Context(), sibling.ID[:], w.now)
	wantCode(t, "find another token of the person", err, "")
	_, err = w.child(t, child)
	wantCode(t, "create a token with a revoked one", err, core.CodeUnauthenticated)
}

// TestRevokeWhileDescendantsAreCreated revokes a token while its newest descendant creates another.
func TestRevokeWhileDescendantsAreCreated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 20 {
		parent := w.token(t, w.subscriber, nil)
		child := must(w.child(t, parent))
		var grandchild core.AccessToken
		var failed error
		var both sync.WaitGroup
		both.Go(func() { grandchild, failed = w.child(t, child) })
		both.Go(func() { _, _ = w.RevokeAccessToken(context.Background(), w.subscriber, parent.ID, w.now) })
		both.Wait()
		if core.IsCode(failed, core.CodeUnauthenticated) {
			continue
		}
		succeed(t, "create a grandchild", failed)
		_, err := w.AccessTokenBySecret(t.Context(), grandchild.ID[:], w.now)
		wantCode(t, "find a grandchild of a revoked token", err, core.CodeNotFound)
	}
}

func TestCreateAccessTokenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key := core.Idempotency{Caller: "subscriber:1", Key: "k", Route: "POST /x", BodyHash: []byte{1}}
	var first core.ID
	for _, want := range []core.Creation{core.Created, core.Replayed} {
		id := core.NewID()
		token := core.AccessToken{ID: id, SubscriberID: w.subscriber, Name: "CLI", Hint: "9f2c", Scopes: allScopes,
			ExpiresAt: new(w.now.Add(time.Hour)), CreatedAt: w.now}
		got, creation, err := w.CreateAccessToken(t.Context(), token, id[:], key)
		succeed(t, "create an access token", err)
		if want == core.Created {
			first = id
		}
		equal(t, "creation", creation, want)
		equal(t, "id of the token", got.ID, first)
		equal(t, "name of the token", got.Name, "CLI")
		equal(t, "creation time of the token", got.CreatedAt.UTC(), w.now)
	}
	_, total := w.tokens(t)
	equal(t, "total of the tokens", total, 1)
}

// TestDeviceOfAToken expects a device that a program has registered to be retired with its token, at whatever moment
// that is revoked, and when it has expired.
func TestDeviceOfAToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	registered := 0
	register := func(session, token core.ID) (core.Device, error) {
		registered++
		in := core.Registration{InstallationID: fmt.Sprint("i", registered),
			Push:     core.PushAddress{Kind: core.KindFCM, Address: fmt.Sprint("t", registered)},
			Platform: "web", Name: "CLI"}
		c := core.Caller{SubscriberID: w.subscriber, SessionID: session, TokenID: token}
		d, _, err := w.RegisterDevice(t.Context(), c, in, w.now)
		return d, err
	}
	devices := func(what string, want int64) {
		t.Helper()
		equal(t, what, w.count(t, "select count(*) from devices where retired_at is null"), want)
	}
	token, parent, soon := w.token(t, w.subscriber, nil), w.token(t, w.subscriber, nil), w.now.Add(time.Hour)
	child, expiring := must(w.child(t, parent)), w.token(t, w.subscriber, &soon)
	for _, id := range []core.ID{token.ID, child.ID, expiring.ID} {
		must(register(core.ID{}, id))
	}
	must(register(w.session(t, w.subscriber), core.ID{}))
	devices("devices of the tokens and the session", 4)
	must(w.RevokeAccessToken(t.Context(), w.subscriber, token.ID, w.now))
	devices("devices after a token was revoked", 3)
	must(w.RevokeAccessToken(t.Context(), w.subscriber, parent.ID, w.now))
	devices("devices after a token's parent was revoked", 2)
	w.now = soon
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	devices("devices after a token has expired", 1)
	_, err := register(core.ID{}, token.ID)
	wantCode(t, "register a device with a token that was revoked meanwhile", err, core.CodeUnauthenticated)
	_, err = register(core.NewID(), core.ID{})
	wantCode(t, "register a device of a session that has ended", err, core.CodeUnauthenticated)
}
