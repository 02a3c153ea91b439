package httpapi

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// TestGoodKeysWorkBesideBadOnes uses valid keys that were not used before, from an address whose other requests all
// fail.
func TestGoodKeysWorkBesideBadOnes(t *testing.T) {
	for name, bad := range map[string]func(i int) string{
		"malformed":   func(i int) string { return "snh_live_" + strconv.Itoa(i) },
		"no key":      func(i int) string { return strconv.Itoa(i) },
		"well-formed": func(int) string { return core.NewAPIKeySecret() },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			use := func(secret string) int {
				return w.send("GET", "/api/v1/auth", "", "Authorization: Bearer "+secret).Code
			}
			for i := range 500 {
				if status, want := use(bad(i)), map[bool]int{true: 401, false: 429}[i < 30]; status != want {
					t.Fatalf("bad key number %d: got status %d, want %d", i+1, status, want)
				}
				if i%50 != 49 {
					continue
				}
				if status := use(w.newKey(otherID)); status != 200 {
					t.Fatalf("good key after %d bad ones: got status %d, want 200", i+1, status)
				}
				if status := w.send("GET", "/api/v1/auth", "", w.token(cli)).Code; status != 200 {
					t.Fatalf("good token after %d bad keys: got status %d, want 200", i+1, status)
				}
			}
		})
	}
}

// TestLookUpsAreBounded sends well-formed keys that do not exist, with correct checksums.
func TestLookUpsAreBounded(t *testing.T) {
	w := newWorld(t)
	use := func(secret, from string) int {
		return w.send("GET", "/api/v1/auth", "", "Authorization: Bearer "+secret, "From: "+from+":1").Code
	}
	const stranger, other = "192.0.2.1", "192.0.2.2"
	known, unseen := w.newKey(otherID), w.newKey(otherID)
	if status := use(known, stranger); status != 200 {
		t.Fatalf("good key at first: got status %d, want 200", status)
	}
	w.secret = 0
	for range 2000 {
		use(core.NewAPIKeySecret(), stranger)
	}
	if w.secret != 600 {
		t.Errorf("look-ups of 2000 unknown keys: got %d, want 600", w.secret)
	}
	if status := use(known, stranger); status != 200 {
		t.Errorf("key known to be good: got status %d, want 200", status)
	}
	if status := use(unseen, other); status != 200 {
		t.Errorf("good key of another network: got status %d, want 200", status)
	}
	unseen = w.newKey(otherID)
	if status := use(unseen, stranger); status != 429 {
		t.Errorf("good key not seen before, when the look-ups are used up: got status %d, want 429", status)
	}
	w.now = w.now.Add(time.Second)
	if status := use(unseen, stranger); status != 200 {
		t.Errorf("the same a second later: got status %d, want 200", status)
	}
}

func TestMalformedKeysAreNotLookedUp(t *testing.T) {
	w := newWorld(t)
	good := w.key
	for _, secret := range []string{"", "x", "snh_live_", "sna_live_x", good + "x", strings.ToLower(good), good[1:]} {
		a := w.send("GET", "/api/v1/auth", "", "Authorization: Bearer "+secret)
		a.wantStatus(fmt.Sprintf("malformed key %q", secret), 401)
	}
	if w.secret != 0 {
		t.Errorf("look-ups of malformed keys: got %d, want none", w.secret)
	}
}

// TestGoodCredentialsDoNotUseUpLookUps has many valid keys at one address, as after a restart of the server.
func TestGoodCredentialsDoNotUseUpLookUps(t *testing.T) {
	w := newWorld(t)
	for i := range 1000 {
		a := w.send("GET", "/api/v1/auth", "", "Authorization: Bearer "+w.newKey(core.NewID()))
		a.mustStatus(fmt.Sprintf("good key %d", i+1), 200)
	}
}

func TestUnknownWebhooksAreLookedUpWithinBounds(t *testing.T) {
	w := newWorld(t)
	address := w.webhook("open", "")
	w.send("POST", hooks+address, `{"title":"x"}`).mustStatus("known webhook", 202)
	w.looks = 0
	for i := range 2000 {
		w.send("POST", hooks+"guess"+strconv.Itoa(i), `{"title":"x"}`)
	}
	if w.looks != 600 {
		t.Errorf("look-ups of 2000 unknown webhooks: got %d, want 600", w.looks)
	}
	w.send("POST", hooks+address, `{"title":"x"}`).wantStatus("known webhook from the same network", 202)
}

// TestBadKeysDoNotBlockUserCodes expects guesses of user codes to be counted separately.
func TestBadKeysDoNotBlockUserCodes(t *testing.T) {
	w := newWorld(t)
	for i := range 100 {
		w.send("GET", "/api/v1/auth", "", "Authorization: Bearer snh_live_"+strconv.Itoa(i))
	}
	show := func(code string) int { return w.send("GET", "/api/v1/auth/device?userCode="+code, "", signedIn).Code }
	if status := show("BCDFGHJK"); status != 200 {
		t.Errorf("right code after 100 bad keys: got status %d, want 200", status)
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
		t.Errorf("correct guesses of user codes: got %d, want at most 1", looked)
	}
}
