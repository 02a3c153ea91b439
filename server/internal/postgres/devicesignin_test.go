package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// signIns are device sign-ins on the world's clock.
func (w *world) signIns() *core.DeviceSignIns {
	return core.NewDeviceSignIns(w.Store, production, func() time.Time { return w.now })
}

func (w *world) ana() core.Caller {
	return core.Caller{Kind: core.CallerSubscriber, SubscriberID: w.subscriber}
}

// begin begins a device sign-in.
func (w *world) begin(t *testing.T, client string) (core.DeviceSignIn, string) {
	t.Helper()
	d, code, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: client}, "192.0.2.1")
	succeed(t, "begin a device sign-in", err)
	return d, code
}

func TestDeviceSignInIsTakenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d, code := w.begin(t, "sininho")
	found := must(w.signIns().Find(t.Context(), d.UserCode))
	equal(t, "id of the sign-in", found.ID, d.ID)
	equal(t, "client of the sign-in", found.ClientName, "sininho")
	equal(t, "network of the sign-in", found.Network, "192.0.2.1")
	equal(t, "expiry of the sign-in", found.ExpiresAt.UTC(), d.ExpiresAt.UTC())
	equal(t, "polling interval of the sign-in", found.PollInterval, core.PollInterval)

	succeed(t, "approve the sign-in", w.signIns().Decide(t.Context(), w.ana(), d.UserCode, true))
	_, err := w.signIns().Find(t.Context(), d.UserCode)
	wantCode(t, "find an approved sign-in", err, core.CodeNotFound)
	err = w.signIns().Decide(t.Context(), w.ana(), d.UserCode, false)
	wantCode(t, "refuse an approved sign-in", err, core.CodeNotFound)
	err = w.signIns().Decide(t.Context(), w.ana(), "BBBBBBBB", true)
	wantCode(t, "approve an unknown sign-in", err, core.CodeNotFound)

	w.now = w.now.Add(core.PollInterval)
	w.takeAtOnce(t, code)
	tokens, total := w.tokens(t)
	equal(t, "total of the tokens", total, 1)
	equal(t, "name of the token", tokens[0].Name, "sininho")
	if tokens[0].ExpiresAt == nil {
		t.Error("expiry of the token: got none, want one")
	}
}

// takeAtOnce polls many times at once and wants one token.
func (w *world) takeAtOnce(t *testing.T, code string) {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	secrets := 0
	for range 20 {
		all.Go(func() {
			_, secret, owner, err := w.signIns().Take(context.Background(), code)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				wantCode(t, "poll for a token", err, core.CodeMalformed)
				return
			}
			secrets++
			if !core.IsAccessToken(secret) {
				t.Errorf("secret of the token: got %q, want an access token", secret)
			}
			equal(t, "owner of the token", owner.ID, w.subscriber)
		})
	}
	all.Wait()
	equal(t, "tokens that were returned", secrets, 1)
}

func TestTakeDeviceSignInAtOnceCreatesOneToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d, _ := w.begin(t, "sininho")
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			id := core.NewID()
			token := core.AccessToken{ID: id, SubscriberID: w.subscriber, Name: "x", Scopes: allScopes,
				ExpiresAt: new(w.now.Add(time.Hour)), CreatedAt: w.now}
			err := w.TakeDeviceSignIn(context.Background(), d.ID, token, id[:], w.now)
			if err != nil {
				wantCode(t, "take the sign-in", err, core.CodeNotFound)
			}
		})
	}
	all.Wait()
	_, total := w.tokens(t)
	equal(t, "total of the tokens", total, 1)
}

func TestPollTooSoonIsStored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d, code := w.begin(t, "sininho")
	for range 3 {
		_, _, _, err := w.signIns().Take(t.Context(), code)
		wantCode(t, "poll too soon", err, core.CodeMalformed)
	}
	found := must(w.signIns().Find(t.Context(), d.UserCode))
	equal(t, "polling interval", found.PollInterval, 3*core.PollInterval)
	equal(t, "time of the next poll", found.NextPollAt.UTC(), w.now.Add(3*core.PollInterval))
}

func TestPruneDeviceSignIns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin(t, "old")
	w.now = w.now.Add(core.DeviceSignInLife + time.Second)
	d, _ := w.begin(t, "new")
	succeed(t, "prune", w.Prune(t.Context(), w.now))
	must(w.signIns().Find(t.Context(), d.UserCode))
	equal(t, "sign-ins after pruning", w.count(t, "select count(*) from device_sign_ins"), 1)

	w.now = w.now.Add(core.DeviceSignInLife)
	_, err := w.signIns().Find(t.Context(), d.UserCode)
	wantCode(t, "find an expired sign-in", err, core.CodeNotFound)
	err = w.signIns().Decide(t.Context(), w.ana(), d.UserCode, true)
	wantCode(t, "approve an expired sign-in", err, core.CodeNotFound)
}
