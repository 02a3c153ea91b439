package core_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// signIn is a store with one device sign-in.
type signIn struct {
	core.SubscriberStore
	core.DeviceSignInStore
	kept  core.DeviceSignIn
	hash  string
	taken []core.AccessToken
}

func (s *signIn) CreateDeviceSignIn(_ context.Context, d core.DeviceSignIn, hash []byte) error {
	s.kept, s.hash = d, string(hash)
	return nil
}

func (s *signIn) AskDeviceSignIn(_ context.Context, hash []byte, ask func(*core.DeviceSignIn)) error {
	if string(hash) != s.hash {
		return core.NotFound()
	}
	ask(&s.kept)
	return nil
}

func (s *signIn) TakeDeviceSignIn(_ context.Context, _ core.ID, t core.AccessToken, _ []byte, now time.Time) error {
	if s.kept.TakenAt != nil {
		return core.NotFound()
	}
	s.kept.TakenAt = &now
	s.taken = append(s.taken, t)
	return nil
}

func (s *signIn) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	return core.Subscriber{ID: id}, nil
}

func (s *signIn) answer(approved bool) {
	s.kept.SubscriberID, s.kept.Approved = &core.ID{1}, &approved
}

func TestDeviceSignIn(t *testing.T) {
	const pending, slow, denied, over, good = "authorization_pending", "slow_down", "access_denied", "expired_token", ""
	type step struct {
		after time.Duration // since the previous step
		want  string
	}
	approve, refuse := func(s *signIn) { s.answer(true) }, func(s *signIn) { s.answer(false) }
	for name, test := range map[string]struct {
		first  []step
		answer func(*signIn)
		then   []step
	}{
		"confirmed":              {[]step{{5 * time.Second, pending}, {5 * time.Second, pending}}, approve, []step{{5 * time.Second, good}, {time.Second, over}}},
		"confirmed at once":      {nil, approve, []step{{5 * time.Second, good}}},
		"refused":                {nil, refuse, []step{{5 * time.Second, denied}, {5 * time.Second, denied}}},
		"asked too soon":         {[]step{{0, pending}, {4 * time.Second, slow}, {9 * time.Second, slow}, {15 * time.Second, pending}, {14 * time.Second, slow}}, approve, []step{{20 * time.Second, good}}},
		"ready at once":          {nil, approve, []step{{0, good}}},
		"too soon, though ready": {[]step{{0, pending}}, approve, []step{{time.Second, slow}, {10 * time.Second, good}}},
		"never answered":         {[]step{{core.DeviceSignInLife, over}}, nil, nil},
		"taken too late":         {nil, approve, []step{{core.DeviceSignInLife, over}}},
		"taken just in time":     {nil, approve, []step{{core.DeviceSignInLife - 1, good}}},
	} {
		t.Run(name, func(t *testing.T) {
			store, at := &signIn{}, now
			service := core.NewDeviceSignIns(store, func() time.Time { return at })
			_, code, err := service.Begin(t.Context(), core.DeviceSignInInput{ClientName: "sininho em portatil"}, "192.0.2.1")
			if err != nil {
				t.Fatal(err)
			}
			ask := func(steps []step) {
				for i, s := range steps {
					at = at.Add(s.after)
					token, secret, owner, err := service.Take(t.Context(), code)
					var e *core.Error
					switch {
					case s.want != good:
						if !errors.As(err, &e) || e.Code != core.CodeMalformed || e.Reason != s.want || secret != "" {
							t.Errorf("%d: %v, want %s", i, err, s.want)
						}
					case err != nil || !core.IsAccessToken(secret) || owner.ID != (core.ID{1}) || token.Name != "sininho em portatil" || token.ExpiresAt == nil || !token.ExpiresAt.Equal(now.Add(core.AccessTokenLife)) || len(store.taken) != 1:
						t.Errorf("%d: %+v %v", i, token, err)
					}
				}
			}
			ask(test.first)
			if test.answer != nil {
				test.answer(store)
			}
			ask(test.then)
		})
	}
	service := core.NewDeviceSignIns(&signIn{}, clock)
	if _, _, _, err := service.Take(t.Context(), "of nobody"); err == nil || err.(*core.Error).Reason != over { //nolint:errorlint,forcetypeassert // returned unwrapped
		t.Errorf("an unknown code: %v", err)
	}
	if _, _, err := service.Begin(t.Context(), core.DeviceSignInInput{ClientName: " "}, ""); len(fieldsOf(err)) != 1 {
		t.Errorf("a blank name: %v", err)
	}
}

func TestUserCode(t *testing.T) {
	store := &signIn{}
	service := core.NewDeviceSignIns(store, clock)
	seen := map[core.UserCode]bool{}
	for range 100 {
		d, _, err := service.Begin(t.Context(), core.DeviceSignInInput{ClientName: "x"}, "")
		if err != nil {
			t.Fatal(err)
		}
		if again, err := core.ParseUserCode(d.UserCode.String()); err != nil || again != d.UserCode || len(d.UserCode.String()) != 9 || seen[again] {
			t.Fatalf("%s %v", d.UserCode, err)
		}
		seen[d.UserCode] = true
	}
	for written, want := range map[string]core.UserCode{
		"BCDF-GHJK": "BCDFGHJK", "bcdfghjk": "BCDFGHJK", " bc df – gh jk\t": "BCDFGHJK",
		"": "", "BCDFGHJ": "", "BCDFGHJKL": "", "BCDF-GHJA": "", "BCDF_GHJK": "", "BCDF-GHJ8": "", "ÇCDF-GHJK": "",
	} {
		if got, err := core.ParseUserCode(written); got != want || (want == "") != core.IsCode(err, core.CodeNotFound) {
			t.Errorf("%q: %q %v", written, got, err)
		}
	}
}
