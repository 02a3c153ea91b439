package fcm

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
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
		check.Equal(t, "first TTL", s.message(p).Webpush.Headers["TTL"], "60")
		time.Sleep(20 * time.Second) // in the bubble's time
		check.Equal(t, "TTL 20 s later", s.message(p).Webpush.Headers["TTL"], "40")
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
		limit := maxPayload + len(`"body":"",`) // what is around the body is not counted
		if size := measure(m); size > limit {
			t.Errorf("%s: got a message of %d bytes, want at most %d", name, size, limit)
		}
		if size := measure(m.Notification.Body); size < minBody {
			t.Errorf("%s: got %d bytes of the body, want at least %d", name, size, minBody)
		}
	}
}
