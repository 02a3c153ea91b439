package servertest_test

import (
	"bufio"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type session struct {
	ID, Browser, System, Network     string
	Current                          bool
	CreatedAt, LastSeenAt, ExpiresAt time.Time
}

func sessions(t *testing.T, p *servertest.Subscriber) (list page[session]) {
	t.Helper()
	p.Do(http.MethodGet, "/subscribers/sessions", nil, http.StatusOK, &list)
	check.Equal(t, "total of the sessions", list.Meta.Total, len(list.Data))
	return list
}

func TestSessions(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	laptop, phone := s.SignIn(t, "ana@example.com"), s.SignIn(t, "ana@example.com")
	rui := s.SignIn(t, "rui@example.com")
	const path = "/subscribers/sessions"

	list := sessions(t, laptop)
	if len(list.Data) != 2 {
		t.Fatalf("sessions of a person with two browsers: got %+v, want 2", list.Data)
	}
	var current, other session
	for _, x := range list.Data {
		check.Equal(t, "network of a session", x.Network, "127.0.0.1")
		if want := x.LastSeenAt.AddDate(0, 0, 30); !x.ExpiresAt.Equal(want) {
			t.Errorf("expiry of a session: got %s, want 30 days after its last use, %s", x.ExpiresAt, want)
		}
		if x.Current {
			current = x
		} else {
			other = x
		}
	}
	if current.ID == "" || other.ID == "" {
		t.Fatalf("sessions: got %+v, want one of two to be the current", list.Data)
	}

	rui.Do(http.MethodDelete, path+"/"+other.ID, nil, http.StatusNotFound, nil)
	phone.Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, nil)
	laptop.Do(http.MethodDelete, path+"/"+other.ID, nil, http.StatusNoContent, nil)
	laptop.Do(http.MethodDelete, path+"/"+other.ID, nil, http.StatusNotFound, nil)
	phone.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)

	phone = s.SignIn(t, "ana@example.com")
	token := newToken(t, laptop, "CLI")
	laptop.Do(http.MethodDelete, path, nil, http.StatusNoContent, nil)
	phone.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)
	check.Equal(t, "session that is left", sessions(t, laptop).Data[0].ID, current.ID)
	rui.Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, nil)

	var ofToken page[session]
	call(t, laptop.Request(http.MethodGet, path, nil), token.Secret, http.StatusOK, &ofToken)
	check.Equal(t, "whether a session is current for a program", ofToken.Data[0].Current, false)
	call(t, laptop.Request(http.MethodDelete, path, nil), token.Secret, http.StatusNoContent, nil)
	laptop.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)
	call(t, laptop.Request(http.MethodGet, path, nil), token.Secret, http.StatusOK, &ofToken)
	check.Equal(t, "sessions after a program ended all", ofToken.Meta.Total, 0)
}

// streamsEnd is within how long the streams of an ended credential are closed.
const streamsEnd = 5 * time.Second

// wantEnd expects an open stream to end after end is called.
func wantEnd(t *testing.T, what string, req *http.Request, end func()) {
	t.Helper()
	stream, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer stream.Body.Close() // it has ended
	lines := bufio.NewReader(stream.Body)
	if _, err := lines.ReadString('\n'); err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("stream before %s: got %s and %v, want 200 and a line", what, stream.Status, err)
	}
	end()
	ended := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, lines)
		ended <- err
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("stream after %s: got %v, want it to end", what, err)
		}
	case <-time.After(streamsEnd):
		t.Errorf("stream after %s: got one that is open, want it to end within %s", what, streamsEnd)
	}
}

// TestStreamsEndWithTheirSession ends sessions one by one and all at once, and the parent of an access token.
func TestStreamsEndWithTheirSession(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	laptop, phone, tablet := s.SignIn(t, "ana@example.com"), s.SignIn(t, "ana@example.com"), s.SignIn(t, "ana@example.com")
	const stream = "/subscribers/notifications/stream"
	var phoneID string
	for _, x := range sessions(t, phone).Data {
		if x.Current {
			phoneID = x.ID
		}
	}
	wantEnd(t, "ending the session", phone.Request(http.MethodGet, stream, nil), func() {
		laptop.Do(http.MethodDelete, "/subscribers/sessions/"+phoneID, nil, http.StatusNoContent, nil)
	})
	wantEnd(t, "ending the other sessions", tablet.Request(http.MethodGet, stream, nil), func() {
		laptop.Do(http.MethodDelete, "/subscribers/sessions", nil, http.StatusNoContent, nil)
	})

	parent := newToken(t, laptop, "parent")
	var child token
	call(t, laptop.Request(http.MethodPost, "/subscribers/access-tokens", object{"name": "child"}), parent.Secret,
		http.StatusCreated, &child)
	req := laptop.Request(http.MethodGet, stream, nil)
	req.Header.Del("Cookie")
	req.Header.Set("Authorization", "Bearer "+child.Secret)
	wantEnd(t, "revoking the parent of the token", req, func() {
		laptop.Do(http.MethodDelete, "/subscribers/access-tokens/"+parent.ID, nil, http.StatusNoContent, nil)
	})
	call(t, laptop.Request(http.MethodGet, "/auth", nil), child.Secret, http.StatusUnauthorized, nil)
}
