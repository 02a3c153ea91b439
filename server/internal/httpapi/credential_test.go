package httpapi

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestAGoodKeyWorksWhereOthersFail uses valid keys that were not used before, from an address whose other requests all
// fail.
func TestAGoodKeyWorksWhereOthersFail(t *testing.T) {
	for name, bad := range map[string]func(i int) string{
		"malformed":   func(i int) string { return "snh_live_" + strconv.Itoa(i) },
		"no key":      func(i int) string { return strconv.Itoa(i) },
		"well-formed": func(int) string { return core.NewAPIKeySecret() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			ask := func(secret string) int { return w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer "+secret).Code }
			for i := range 500 {
				if status, want := ask(bad(i)), map[bool]int{true: 401, false: 429}[i < 30]; status != want {
					t.Fatalf("bad key number %d: status %d, want %d", i+1, status, want)
				}
				if i%50 != 49 {
					continue
				}
				if status := ask(w.newKey(otherID)); status != 200 {
					t.Fatalf("good key after %d bad ones: status %d, want 200", i+1, status)
				}
				if status := w.ask("GET", "/api/v1/auth", "", w.token(cli)).Code; status != 200 {
					t.Fatalf("good token after %d bad keys: status %d, want 200", i+1, status)
				}
			}
		})
	}
}

// TestLookUpsAreBounded sends well-formed keys that do not exist, with correct checksums.
func TestLookUpsAreBounded(t *testing.T) {
	w := newWorld(t)
	ask := func(secret, from string) int {
		return w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer "+secret, "From: "+from+":1").Code
	}
	const stranger, other = "192.0.2.1", "192.0.2.2"
	known, unseen := w.newKey(otherID), w.newKey(otherID)
	if status := ask(known, stranger); status != 200 {
		t.Fatalf("good key at first: status %d, want 200", status)
	}
	w.secret = 0
	for range 2000 {
		ask(core.NewAPIKeySecret(), stranger)
	}
	if w.secret != 600 {
		t.Errorf("%d look-ups of 2000 unknown keys, want 600", w.secret)
	}
	if status := ask(known, stranger); status != 200 {
		t.Errorf("key known to be good: status %d, want 200", status)
	}
	if status := ask(unseen, other); status != 200 {
		t.Errorf("good key of another network: status %d, want 200", status)
	}
	unseen = w.newKey(otherID)
	if status := ask(unseen, stranger); status != 429 {
		t.Errorf("good key not seen before, when the look-ups are used up: status %d, want 429", status)
	}
	w.now = w.now.Add(time.Second)
	if status := ask(unseen, stranger); status != 200 {
		t.Errorf("the same a second later: status %d, want 200", status)
	}
}

func TestMalformedKeysAreNotLookedUp(t *testing.T) {
	w := newWorld(t)
	good := w.key
	for _, secret := range []string{"", "x", "snh_live_", "sna_live_x", good + "x", strings.ToLower(good), good[1:]} {
		if a := w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer "+secret); a.Code != 401 {
			t.Errorf("malformed key %q: status %d, want 401", secret, a.Code)
		}
	}
	if w.secret != 0 {
		t.Errorf("%d look-ups of malformed keys, want none", w.secret)
	}
}

// TestGoodCredentialsDoNotUseUpLookUps has many valid keys at one address, as after a restart of the server.
func TestGoodCredentialsDoNotUseUpLookUps(t *testing.T) {
	w := newWorld(t)
	for i := range 1000 {
		if a := w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer "+w.newKey(otherID)); a.Code != 200 {
			t.Fatalf("good key number %d: status %d, want 200", i+1, a.Code)
		}
	}
}

func TestUnknownWebhooksAreLookedUpWithinBounds(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	if a := w.ask("POST", hooks+address, `{"title":"x"}`); a.Code != 202 {
		t.Fatalf("known webhook: status %d, want 202", a.Code)
	}
	w.looks = 0
	for i := range 2000 {
		w.ask("POST", hooks+"guess"+strconv.Itoa(i), `{"title":"x"}`)
	}
	if w.looks != 600 {
		t.Errorf("%d look-ups of 2000 unknown webhooks, want 600", w.looks)
	}
	if a := w.ask("POST", hooks+address, `{"title":"x"}`); a.Code != 202 {
		t.Errorf("known webhook from the same network: status %d, want 202", a.Code)
	}
}

// TestBadKeysDoNotHoldUpUserCodes expects guesses of user codes to be counted separately.
func TestBadKeysDoNotHoldUpUserCodes(t *testing.T) {
	w := newWorld(t)
	for i := range 100 {
		w.ask("GET", "/api/v1/auth", "", "Authorization: Bearer snh_live_"+strconv.Itoa(i))
	}
	show := func(code string) int { return w.ask("GET", "/api/v1/auth/device?userCode="+code, "", signedIn).Code }
	if status := show("BCDFGHJK"); status != 200 {
		t.Errorf("right code after 100 bad keys: status %d, want 200", status)
	}
	looked := 0
	const letters = "BCDFGHJKLMNPQRSTVWXZ"
	for i := range 100 {
		status := show("BCDFGH" + string(letters[i/20]) + string(letters[i%20]))
		if status == 200 {
			looked++
		}
	}
	if looked > 1 {
		t.Errorf("%d guesses of user codes are right, want at most 1", looked)
	}
}
