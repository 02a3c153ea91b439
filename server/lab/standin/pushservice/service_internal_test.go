package pushservice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/lab/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func deliver(t *testing.T, s *Service, to Subscription, payload string) {
	t.Helper()
	if err := s.Deliver(t.Context(), to, []byte(payload)); err != nil {
		t.Fatalf("deliver: %v", err)
	}
}

func expectPayload(t *testing.T, b *browser, want string) (id string) {
	t.Helper()
	id, got := b.receive()
	if got != want {
		t.Errorf("payload: got %.100q, want %.100q", got, want)
	}
	return id
}

func TestPush(t *testing.T) {
	t.Parallel()
	s := start(t)
	b, other := newBrowser(t, s), newBrowser(t, s)
	to, otherTo := b.subscribe(), other.subscribe()
	if to.Endpoint == otherTo.Endpoint {
		t.Errorf("endpoints of two browsers: got %q for both, want different ones", to.Endpoint)
	}
	if diff := cmp.Diff(to, b.subscribe()); diff != "" {
		t.Errorf("second subscription of a browser (-want +got):\n%s", diff)
	}
	b.connect()
	other.connect()
	for _, payload := range []string{`{"título":"Olá"}`, "", strings.Repeat("x", 6000)} {
		deliver(t, s, to, payload)
		expectPayload(t, b, payload)
	}
	deliver(t, s, otherTo, "for the other")
	expectPayload(t, other, "for the other")
}

func TestOfflineMessagesWait(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := newBrowser(t, s)
	to := b.subscribe()
	for i := range 3 {
		deliver(t, s, to, fmt.Sprint(i))
	}
	b.connect()
	var ids []string
	for i := range 3 {
		ids = append(ids, expectPayload(t, b, fmt.Sprint(i)))
	}
	deliver(t, s, to, "3")
	ids = append(ids, expectPayload(t, b, "3"))
	b.connect(ids...)
	b.ping() // a repeated message would arrive before the reply
}

// TestUnconfirmedMessagesAreRepeated breaks streams at every stage of a message.
func TestUnconfirmedMessagesAreRepeated(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := newBrowser(t, s)
	to := b.subscribe()
	b.connect()
	deliver(t, s, to, "confirmed by a heartbeat")
	expectPayload(t, b, "confirmed by a heartbeat")
	b.ping()
	deliver(t, s, to, "confirmed at login")
	id := expectPayload(t, b, "confirmed at login")
	deliver(t, s, to, "never confirmed")
	again := expectPayload(t, b, "never confirmed")
	b.connect(id)
	if got := expectPayload(t, b, "never confirmed"); got != again {
		t.Errorf("id of the repeated message: got %q, want %q", got, again)
	}
	b.ping()
	deliver(t, s, to, "new")
	expectPayload(t, b, "new")
}

func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := newBrowser(t, s)
	to := b.subscribe()
	for i := range maxQueue + 2 {
		deliver(t, s, to, fmt.Sprint(i))
	}
	b.connect()
	for i := range maxQueue {
		expectPayload(t, b, fmt.Sprint(i+2))
	}
	b.ping()
}

func TestGone(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := newBrowser(t, s)
	for _, remove := range []url.Values{
		{"delete": {"true"}},
		{"delete": {"true"}, "sender": {"*"}, "scope": {"*"}, "iid-operation": {"delete"}},
	} {
		to := b.subscribe()
		if got := b.register(remove); got != "token=com.chrome" {
			t.Errorf("unregister: got %q, want token=com.chrome", got)
		}
		if err := s.Deliver(t.Context(), to, nil); !errors.Is(err, ErrGone) {
			t.Errorf("deliver after %v: got %v, want ErrGone", remove, err)
		}
	}
	to := b.subscribe()
	b.register(url.Values{"delete": {"true"}, "X-subtype": {"wp:https://localhost/#2"}})
	deliver(t, s, to, "another subscription was deleted")
}

func TestDeliverRefusesInvalidKeys(t *testing.T) {
	t.Parallel()
	s := start(t)
	good := newBrowser(t, s).subscribe()
	for _, change := range []func(*Subscription){
		func(s *Subscription) { s.P256dh = "AAAA" },
		func(s *Subscription) { s.P256dh = "?" },
		func(s *Subscription) { s.Auth = "AAAA" },
		func(s *Subscription) { s.Auth = "?" },
	} {
		to := good
		change(&to)
		if err := s.Deliver(t.Context(), to, nil); err == nil || errors.Is(err, ErrGone) {
			t.Errorf("deliver to %+v: got %v, want an error other than ErrGone", to, err)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Deliver(over, good, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("deliver with a cancelled context: got %v, want context.Canceled", err)
	}
}

func TestDevicesAreAuthenticated(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := newBrowser(t, s)
	to := b.subscribe()
	if id, secret := b.checkin(buffer{}.int(2, b.id).fixed(13, b.secret)); id != b.id || secret != b.secret {
		t.Errorf("second check-in: got device %d, want %d", id, b.id)
	}
	if id, _ := b.checkin(buffer{}.int(2, b.id).fixed(13, b.secret+1)); id == b.id {
		t.Errorf("check-in with a wrong secret: got device %d, want another", id)
	}
	wrong := *b
	wrong.secret++
	if got := wrong.register(nil); got != "Error=AUTHENTICATION_FAILED" {
		t.Errorf("registration with a wrong secret: got %q, want AUTHENTICATION_FAILED", got)
	}
	b.connect()
	deliver(t, s, to, "still connected")
	expectPayload(t, b, "still connected")
}

func TestDevicesOfAnEarlierRunAreAccepted(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, start(t))
	b.s = start(t)
	to := b.subscribe()
	b.connect()
	deliver(t, b.s, to, "x")
	expectPayload(t, b, "x")
}

func TestNewStreamReplacesTheOld(t *testing.T) {
	t.Parallel()
	s := start(t)
	b := newBrowser(t, s)
	to := b.subscribe()
	b.connect()
	old, oldConn := b.reader, b.conn
	b.conn = nil // leaves the connection open
	t.Cleanup(func() { _ = oldConn.Close() })
	b.connect()
	deliver(t, s, to, "to the new")
	expectPayload(t, b, "to the new")
	if _, err := io.Copy(io.Discard, old); err != nil && !strings.Contains(err.Error(), "reset") {
		t.Errorf("end of the old stream: got %v, want EOF or a reset", err)
	}
}

func TestFlags(t *testing.T) {
	t.Parallel()
	got := strings.Join(start(t).Flags(), " ")
	for _, want := range []string{
		"--gcm-checkin-url=http://127.0.0.1:", "--gcm-registration-url=http://127.0.0.1:",
		"--gcm-mcs-endpoint=https://127.0.0.1:", "--ignore-certificate-errors",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("flags: got %s, want %s among them", got, want)
		}
	}
}
