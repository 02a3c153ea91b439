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
	return core.NewDeviceSignIns(w.Store, func() time.Time { return w.now })
}

func (w *world) ana() core.Caller {
	return core.Caller{Kind: core.CallerSubscriber, SubscriberID: w.subscriber}
}

func TestADeviceSignInIsTakenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d, code, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: "sininho"}, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	found := must(w.signIns().Find(t.Context(), d.UserCode))
	if found.ID != d.ID || found.ClientName != "sininho" || found.Network != "192.0.2.1" || !found.ExpiresAt.Equal(d.ExpiresAt) || found.AskInterval != core.AskInterval {
		t.Errorf("%+v", found)
	}
	if err := w.signIns().Answer(t.Context(), w.ana(), d.UserCode, true); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"shown":    func() error { _, err := w.signIns().Find(t.Context(), d.UserCode); return err }(),
		"answered": w.signIns().Answer(t.Context(), w.ana(), d.UserCode, false),
		"unknown":  w.signIns().Answer(t.Context(), w.ana(), "BBBBBBBB", true),
	} {
		if !core.IsCode(err, core.CodeNotFound) {
			t.Errorf("%s once it was answered: %v", what, err)
		}
	}
	w.now = w.now.Add(core.AskInterval)
	w.takeAtOnce(t, code)
	tokens, total, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 10})
	if err != nil || total != 1 || tokens[0].Name != "sininho" || tokens[0].ExpiresAt == nil {
		t.Errorf("%+v %v", tokens, err)
	}
}

// takeAtOnce asks many times, one of which is answered with a token.
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
			switch {
			case err == nil && core.IsAccessToken(secret) && owner.ID == w.subscriber:
				secrets++
			case !core.IsCode(err, core.CodeMalformed):
				t.Errorf("%q %v", secret, err)
			}
		})
	}
	all.Wait()
	if secrets != 1 {
		t.Errorf("%d tokens were taken", secrets)
	}
}

func TestTakingAtOnceMakesOneToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d, _, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: "sininho"}, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			id := core.NewID()
			err := w.TakeDeviceSignIn(context.Background(), d.ID, core.AccessToken{ID: id, SubscriberID: w.subscriber, Name: "x", CreatedAt: w.now}, id[:], w.now)
			if err != nil && !core.IsCode(err, core.CodeNotFound) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, total, err := w.AccessTokens(t.Context(), w.subscriber, core.Page{Limit: 10}); err != nil || total != 1 {
		t.Errorf("%d tokens, %v", total, err)
	}
}

func TestAskingTooSoonIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d, code, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: "sininho"}, "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, _, _, err := w.signIns().Take(t.Context(), code); !core.IsCode(err, core.CodeMalformed) {
			t.Error(err)
		}
	}
	if found := must(w.signIns().Find(t.Context(), d.UserCode)); found.AskInterval != 3*core.AskInterval || !found.NextAskAt.Equal(w.now.Add(3*core.AskInterval)) {
		t.Errorf("%+v", found)
	}
}

func TestOldDeviceSignInsArePruned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, _, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: "old"}, ""); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(core.DeviceSignInLife + time.Second)
	d, _, err := w.signIns().Begin(t.Context(), core.DeviceSignInInput{ClientName: "new"}, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Prune(t.Context(), w.now); err != nil {
		t.Fatal(err)
	}
	if must(w.signIns().Find(t.Context(), d.UserCode)); w.count(t, "select count(*) from device_sign_ins") != 1 {
		t.Error("both are there")
	}
	w.now = w.now.Add(core.DeviceSignInLife)
	if _, err := w.signIns().Find(t.Context(), d.UserCode); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("expired: %v", err)
	}
	if err := w.signIns().Answer(t.Context(), w.ana(), d.UserCode, true); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("answered when expired: %v", err)
	}
}
