package core_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

const (
	pending = "authorization_pending"
	slow    = "slow_down"
	denied  = "access_denied"
	expired = "expired_token"
	granted = ""
)

// poll is a request for the token and the reason for which it is refused, or granted.
type poll struct {
	after time.Duration // since the previous poll
	want  string
}

func TestDeviceSignIn(t *testing.T) {
	const second = time.Second
	approve, refuse := new(true), new(false)
	for name, test := range map[string]struct {
		before []poll
		decide *bool
		after  []poll
	}{
		"approved": {
			[]poll{{5 * second, pending}, {5 * second, pending}}, approve,
			[]poll{{5 * second, granted}, {second, expired}},
		},
		"approved before the first poll": {nil, approve, []poll{{5 * second, granted}}},
		"refused":                        {nil, refuse, []poll{{5 * second, denied}, {5 * second, denied}}},
		"polled too soon": {
			[]poll{{0, pending}, {4 * second, slow}, {9 * second, slow}, {15 * second, pending}, {14 * second, slow}},
			approve, []poll{{20 * second, granted}},
		},
		"approved immediately": {nil, approve, []poll{{0, granted}}},
		"polled too soon, though approved": {
			[]poll{{0, pending}}, approve, []poll{{second, slow}, {10 * second, granted}},
		},
		"never decided":                      {[]poll{{core.DeviceSignInLife, expired}}, nil, nil},
		"token requested after its expiry":   {nil, approve, []poll{{core.DeviceSignInLife, expired}}},
		"token requested just before expiry": {nil, approve, []poll{{core.DeviceSignInLife - 1, granted}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			in := core.DeviceSignInInput{ClientName: "sininho em portatil"}
			began, code, err := w.signIns.Begin(t.Context(), in, "192.0.2.1")
			core.Succeed(t, "begin", err)
			send := func(polls []poll) {
				for i, p := range polls {
					w.now = w.now.Add(p.after)
					token, secret, owner, err := w.signIns.Take(t.Context(), code)
					what := fmt.Sprintf("poll %d after %s", i, p.after)
					if p.want != granted {
						checkRefusal(t, what, err, p.want)
						check.Equal(t, what+": secret", secret, "")
						continue
					}
					core.Succeed(t, what, err)
					check.Equal(t, what+": IsAccessToken", core.IsAccessToken(secret), true)
					check.Equal(t, what+": owner", owner.ID, w.stranger.SubscriberID)
					check.Equal(t, what+": name of the token", token.Name, in.ClientName)
					check.Equal(t, what+": expiry of the token", token.ExpiresAt, new(now.Add(core.DefaultTokenRules().Life())))
					_, total, err := w.tokens.List(t.Context(), w.stranger, core.Page{})
					check.Equal(t, what+": stored tokens", []any{total, err}, []any{int64(1), nil})
				}
			}
			send(test.before)
			if test.decide != nil {
				core.Succeed(t, "decide", w.signIns.Decide(t.Context(), w.stranger, began.UserCode, *test.decide))
			}
			send(test.after)
		})
	}
}

// checkRefusal checks that err is an error with that reason of RFC 8628.
func checkRefusal(t *testing.T, what string, err error, want string) {
	t.Helper()
	core.CheckCode(t, what, err, core.CodeMalformed)
	if e, ok := errors.AsType[*core.Error](err); !ok || e.Reason != want {
		t.Errorf("%s: got error %v, want reason %s", what, err, want)
	}
}

func TestDeviceSignInWithAnUnknownCode(t *testing.T) {
	_, _, _, err := newWorld(t).signIns.Take(t.Context(), "unknown")
	checkRefusal(t, "take with an unknown code", err, expired)
}

func TestDeviceSignInNeedsAClientName(t *testing.T) {
	in := core.DeviceSignInInput{ClientName: " "}
	_, _, err := newWorld(t).signIns.Begin(t.Context(), in, "")
	check.Equal(t, "faults of a blank name", pointers(fieldsOf(err)), []string{"#/clientName"})
}

func TestUserCode(t *testing.T) {
	service := newWorld(t).signIns
	seen := map[core.UserCode]bool{}
	for range 100 {
		d, _, err := service.Begin(t.Context(), core.DeviceSignInInput{ClientName: "x"}, "")
		core.Succeed(t, "begin", err)
		code := d.UserCode.String()
		parsed, err := core.ParseUserCode(code)
		core.Succeed(t, "parse "+code, err)
		check.Equal(t, "parsed code", parsed, d.UserCode)
		check.Equal(t, "length of "+code, len(code), 9)
		check.Equal(t, "whether "+code+" was used before", seen[parsed], false)
		seen[parsed] = true
	}
	for typed, want := range map[string]core.UserCode{
		"BCDF-GHJK": "BCDFGHJK", "bcdfghjk": "BCDFGHJK", " bc df – gh jk\t": "BCDFGHJK",
	} {
		got, err := core.ParseUserCode(typed)
		core.CheckCode(t, fmt.Sprintf("ParseUserCode(%q)", typed), err, "")
		check.Equal(t, fmt.Sprintf("ParseUserCode(%q)", typed), got, want)
	}
	for _, typed := range []string{"", "BCDFGHJ", "BCDFGHJKL", "BCDF-GHJA", "BCDF_GHJK", "BCDF-GHJ8", "ÇCDF-GHJK"} {
		got, err := core.ParseUserCode(typed)
		core.CheckCode(t, fmt.Sprintf("ParseUserCode(%q)", typed), err, core.CodeNotFound)
		check.Equal(t, fmt.Sprintf("ParseUserCode(%q)", typed), got, "")
	}
}
