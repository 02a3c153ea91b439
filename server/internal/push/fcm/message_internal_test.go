package fcm

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestTimeToLive(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for expires, want := range map[time.Duration]string{
		90 * time.Second: "90", 24 * time.Hour: "86400", 1500 * time.Millisecond: "1", -time.Minute: "0",
	} {
		m := newMessage(core.Push{ID: "n", Expires: now.Add(expires)}, now)
		check.Equal(t, "TTL of a push that expires in "+expires.String(), m.Webpush.Headers["TTL"], want)
	}
}

// TestTimeToLiveGoesDown sends the same push for longer than a second: its message is made again for its new TTL.
func TestTimeToLiveGoesDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := &Sender{}, core.Push{ID: "n", Expires: time.Now().Add(time.Minute)}
		for _, step := range []struct {
			wait time.Duration
			ttl  string
		}{{0, "60"}, {20 * time.Second, "40"}} {
			time.Sleep(step.wait) // in the bubble's time
			body, err := s.body(p)
			if err != nil {
				t.Fatalf("encode the message: %v", err)
			}
			if ttl := `"TTL":"` + step.ttl + `"`; !strings.Contains(string(body), ttl) {
				t.Errorf("message %s later: got %s, want it to contain %s", step.wait, body, ttl)
			}
		}
	})
}

// TestLongAddressesGiveWay expects an image, icon or link to be dropped, in this order, where it would leave too
// little of the message for the text.
func TestLongAddressesGiveWay(t *testing.T) {
	t.Parallel()
	long := func(name string, size int) string { return "https://example.com/" + name + strings.Repeat("x", size) }
	for name, c := range map[string]struct {
		push              core.Push
		image, icon, link bool // that are kept
	}{
		"all fit": {
			core.Push{Image: long("image", 900), Icon: long("icon", 900), Link: long("link", 900)}, true, true, true,
		},
		"the image is long": {
			core.Push{Image: long("image", 1500), Icon: long("icon", 900), Link: long("link", 900)}, false, true, true,
		},
		"two are long": {
			core.Push{Image: long("image", 1500), Icon: long("icon", 2000), Link: long("link", 1500)},
			false, false, true,
		},
		"the link alone": {core.Push{Link: long("link", 3500)}, false, false, false},
	} {
		c.push.ID = "n"
		c.push.Title = "Linha azul"
		c.push.Body = strings.Repeat("Circulação retomada. ", 500)
		m := newMessage(c.push, time.Now())
		check.Equal(t, name+": has its image", m.Notification.ImageURL != "", c.image)
		check.Equal(t, name+": has its icon", m.Webpush.Notification.Icon != "", c.icon)
		check.Equal(t, name+": has its link", m.Data["link"] != "", c.link)
		if size := measure(m); size > maxPayload {
			t.Errorf("%s: got a message of %d bytes, want at most %d", name, size, maxPayload)
		}
		if size := measure(m.Notification.Body); size < 300 {
			t.Errorf("%s: got %d bytes of the body, want at least 300", name, size)
		}
	}
}

// TestBody expects what is sent to be what the Admin SDK would send.
func TestBody(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, p := range map[string]core.Push{
		"a notification": {ID: "n", Title: `Linha "azul"`, Body: "Ação", Link: "/a", Channel: "a/b", High: true},
		"a revision":     {ID: "n", Revision: core.Withdrawn, RevisedAt: now},
	} {
		m := newMessage(p, now)
		encoded, err := encode(m)
		if err != nil {
			t.Fatalf("encode %s: %v", name, err)
		}
		for address, member := range map[string]string{"cAbCdEfGhIjKlMnOpQrStU": "fid", `a:"b"\c`: "token"} {
			var got, want struct{ Message map[string]any }
			sdks, err := json.Marshal(map[string]any{"message": m})
			if err != nil {
				t.Fatalf("encode %s as the SDK does: %v", name, err)
			}
			if err := json.Unmarshal(addressed(encoded, address), &got); err != nil {
				t.Fatalf("decode %s: %v", name, err)
			}
			if err := json.Unmarshal(sdks, &want); err != nil {
				t.Fatalf("decode %s of the SDK: %v", name, err)
			}
			want.Message[member] = address
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("body of %s to %s (-the SDK's +ours):\n%s", name, address, diff)
			}
		}
	}
}
