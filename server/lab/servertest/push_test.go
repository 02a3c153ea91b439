package servertest_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// pushesTo returns the pushes to an address besides the one that confirms it.
func pushesTo(t *testing.T, s *servertest.Server, address string) []servertest.Sent {
	t.Helper()
	all, _ := lines[servertest.Sent](t, s.FCMURL+"/sent?token="+address)
	return slices.DeleteFunc(all, servertest.Sent.Confirms)
}

// TestUrgencyOfAPush publishes with each importance: a device in power saving receives at once only the pushes with
// the urgency high.
func TestUrgencyOfAPush(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	ana.Device("token-ana")
	var last int64
	for _, c := range []struct {
		importance sininho.Importance
		urgency    string
	}{{sininho.Normal, "normal"}, {sininho.Important, "high"}, {"", "normal"}} {
		in := sininho.PublishInput{Title: "Linha azul", Importance: c.importance}
		if _, err := s.Client().Notifications.Publish(t.Context(), "demo/novidades", in); err != nil {
			t.Fatalf("publish with importance %q: %v", c.importance, err)
		}
		push := s.Sent(t, "token-ana", last)
		last = push.Seq
		got := push.Message.Webpush.Headers["Urgency"]
		check.Equal(t, "urgency of a push of the importance "+string(c.importance), got, c.urgency)
	}
}

// TestTestPushWhilePaused pauses all pushes, as FCM does when its quota is used up: a test push is refused with the
// cause of the pause, and FCM receives nothing.
func TestTestPushWhilePaused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	path := "/subscribers/devices/" + ana.RingingDevice("token-ana") + "/test"
	type result struct{ Outcome, Cause string }
	test := func() (got result) {
		t.Helper()
		ana.Do(http.MethodPost, path, nil, http.StatusOK, &got)
		return got
	}
	execute(t, s, "update pacers set paused_until = now() + interval '1 hour', pause_cause = 'quota'")
	check.Equal(t, "test push during a pause", test(), result{Outcome: "failed", Cause: "quota"})
	execute(t, s, "update pacers set paused_until = null, pause_cause = null")
	check.Equal(t, "test push after the pause", test(), result{Outcome: "accepted"})
	check.Equal(t, "number of pushes that FCM received", len(pushesTo(t, s, "token-ana")), 1)
}

// TestPaceOfTestPushes tests a device again and again: the push service gets as many as a person may send at once.
func TestPaceOfTestPushes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	path := func(id string) string { return "/subscribers/devices/" + id + "/test" }
	mine, theirs := ana.Device("token-ana"), rui.Device("token-rui")
	for range core.TestsAtOnce {
		ana.Do(http.MethodPost, path(mine), nil, http.StatusOK, nil)
	}
	ana.Do(http.MethodPost, path(mine), nil, http.StatusTooManyRequests, nil)
	rui.Do(http.MethodPost, path(theirs), nil, http.StatusOK, nil)
	check.Equal(t, "test pushes that FCM received", len(pushesTo(t, s, "token-ana")), core.TestsAtOnce)
}

// TestTestPushIsInTheLanguageOfThePerson tests a device in each language.
func TestTestPushIsInTheLanguageOfThePerson(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	path := "/subscribers/devices/" + ana.Device("token-ana") + "/test"
	var last int64
	for _, c := range []struct{ locale, want string }{
		{"pt-AO", "As notificações chegam a este dispositivo."},
		{"pt-BR", "As notificações estão chegando a este dispositivo."},
		{"en-US", "Notifications reach this device."},
	} {
		ana.Do(http.MethodPatch, "/subscribers/me", object{"locale": c.locale}, http.StatusOK, nil)
		ana.Do(http.MethodPost, path, nil, http.StatusOK, nil)
		push := s.Sent(t, "token-ana", last)
		last = push.Seq
		check.Equal(t, "test push to a person with the locale "+c.locale, push.Message.Notification.Body, c.want)
	}
}

// TestReadOnAnotherDevice reads in a browser what was pushed to a phone and to another browser: the phone is told to
// close it, and the browser, which counts pushes that show nothing, is not.
func TestReadOnAnotherDevice(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	phone, tablet, laptop := s.SignIn(t, "ana@example.com"), s.SignIn(t, "ana@example.com"),
		s.SignIn(t, "ana@example.com")
	laptop.Follow("demo/novidades")
	tablet.Device("token-tablet")
	phone.Do(http.MethodPost, "/subscribers/devices", object{"installationId": "installation-phone", "kind": "fcm",
		"address": "token-phone", "platform": "android", "name": "Telefone"}, http.StatusCreated, nil)
	n, err := s.Client().Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Linha azul"})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	pushed := s.Sent(t, "token-phone", 0)
	check.Equal(t, "body of the push", pushed.Message.Notification.Body, "Novidades")
	s.Sent(t, "token-tablet", 0)
	laptop.Do(http.MethodPatch, "/subscribers/notifications/"+n.Notification.ID, object{"read": true}, http.StatusOK, nil)
	read := s.Sent(t, "token-phone", pushed.Seq).Message
	check.Equal(t, "revision", read.Data["revision"], "read")
	check.Equal(t, "ids of what was read", read.Data["ids"], n.Notification.ID)
	check.Equal(t, "title of the message of data alone", read.Notification.Title, "")
	check.Equal(t, "number of pushes to the browser", len(pushesTo(t, s, "token-tablet")), 1)
}
