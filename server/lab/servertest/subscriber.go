package servertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
)

// Subscriber is a signed-in person, as their browser would call the server.
type Subscriber struct {
	t      testing.TB
	server *Server
	cookie string
}

// SignIn signs a person in through the Google stand-in.
func (s *Server) SignIn(t testing.TB, email string) *Subscriber {
	t.Helper()
	return s.SignInInvited(t, email, "")
}

// SignInInvited signs in a person who has the token of an invitation.
func (s *Server) SignInInvited(t testing.TB, email, invitation string) *Subscriber {
	t.Helper()
	page, cookies := s.signIn(t, email, invitation)
	if cookies[sessionCookie] == "" {
		t.Fatalf("%s was not signed in, but sent to %s", email, page)
	}
	return &Subscriber{t: t, server: s, cookie: sessionCookie + "=" + cookies[sessionCookie]}
}

// SignInAnonymously makes a browser an anonymous subscriber.
func (s *Server) SignInAnonymously(t testing.TB) *Subscriber {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/v1/auth/anonymous", nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // it has none
	for _, c := range res.Cookies() {
		if c.Name == sessionCookie {
			return &Subscriber{t: t, server: s, cookie: sessionCookie + "=" + c.Value}
		}
	}
	t.Fatalf("follow without an account: got %s without a session", res.Status)
	return nil
}

// As returns whoever is signed in in a browser with these cookies.
func (s *Server) As(t testing.TB, cookies []*http.Cookie) *Subscriber {
	t.Helper()
	var list []string
	for _, c := range cookies {
		list = append(list, c.Name+"="+c.Value)
	}
	return &Subscriber{t: t, server: s, cookie: strings.Join(list, "; ")}
}

const sessionCookie = "__Host-sininho"

// TurnedAway tries to sign in a person with the token of an invitation, or "" for none. It expects a refusal, and
// returns the page of the web app that explains it.
func (s *Server) TurnedAway(t testing.TB, email, invitation string) (page string) {
	t.Helper()
	page, _ = s.Refused(t, email, invitation)
	return page
}

// Refused is TurnedAway, and also returns the browser, which is not signed in.
func (s *Server) Refused(t testing.TB, email, invitation string) (page string, browser *Subscriber) {
	t.Helper()
	page, cookies := s.signIn(t, email, invitation)
	if cookies[sessionCookie] != "" {
		t.Fatalf("%s was signed in", email)
	}
	var list []string
	for name, value := range cookies {
		list = append(list, name+"="+value)
	}
	return page, &Subscriber{t: t, server: s, cookie: strings.Join(list, "; ")}
}

// signIn follows the redirects of a sign-in. It returns the last page, which is one of the web app, and the cookies.
func (s *Server) signIn(t testing.TB, email, invitation string) (page string, cookies map[string]string) {
	t.Helper()
	cookies = map[string]string{}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	query := url.Values{"login_hint": {email}}
	if invitation != "" {
		query.Set("invitation", invitation)
	}
	// Go's cookie jar does not send Secure cookies over http, even to loopback, so they are copied here.
	for at := s.URL + "/api/v1/auth/google?" + query.Encode(); ; {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		for name, value := range cookies {
			req.AddCookie(&http.Cookie{Name: name, Value: value}) // attributes matter only in responses
		}
		res, err := client.Do(req)
		if err != nil {
			t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
		}
		_ = res.Body.Close()
		for _, c := range res.Cookies() {
			cookies[c.Name] = c.Value
		}
		next, err := res.Location()
		if err != nil {
			t.Fatalf("sign-in at %s: got %s, want a redirect", at, res.Status)
		}
		at = next.String()
		if path, ours := strings.CutPrefix(at, s.URL); ours && !strings.HasPrefix(path, "/api/") {
			return path, cookies
		}
	}
}

// Request returns a request by the signed-in person; path is relative to /api/v1.
func (p *Subscriber) Request(method, path string, body any) *http.Request {
	p.t.Helper()
	var in io.Reader
	if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			p.t.Fatalf("encode JSON: %v", err)
		}
		in = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(p.t.Context(), method, p.server.URL+"/api/v1"+path, in)
	if err != nil {
		p.t.Fatalf("new request: %v", err)
	}
	p.Sign(req)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	return req
}

// Sign adds the person's session cookie to a request.
func (p *Subscriber) Sign(req *http.Request) { req.Header.Set("Cookie", p.cookie) }

// Do sends a request, expects the status want, and decodes the response into out unless it is nil.
func (p *Subscriber) Do(method, path string, body any, want int, out any) {
	p.t.Helper()
	res, err := http.DefaultClient.Do(p.Request(method, path, body))
	if err != nil {
		p.t.Fatalf("request %s %s: %v", method, path, err)
	}
	defer res.Body.Close() // the body has been read in full
	got, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		p.t.Fatalf("%s %s: got %s, want %d: %s %v", method, path, res.Status, want, got, err)
	}
	if out != nil {
		if err := json.Unmarshal(got, out); err != nil {
			p.t.Fatalf("%s %s: decode %s: %v", method, path, got, err)
		}
	}
}

// Follow follows a channel, given as publisherSlug/channelSlug, and returns its id.
func (p *Subscriber) Follow(channel string) string {
	p.t.Helper()
	var c struct{ ID string }
	p.Do(http.MethodGet, "/channels/"+channel, nil, http.StatusOK, &c)
	p.Do(http.MethodPost, "/subscribers/channels/"+c.ID+"/subscribe", nil, http.StatusOK, nil)
	return c.ID
}

// Admit invites another person to be a member of a publisher, accepts for them, and returns their id.
func (p *Subscriber) Admit(publisherSlug string, other *Subscriber, role string) string {
	p.t.Helper()
	var person struct{ ID, Email string }
	other.Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, &person)
	var invitation struct{ ID string }
	p.Do(http.MethodPost, "/publishers/"+publisherSlug+"/invitations",
		map[string]string{"email": person.Email, "role": role}, http.StatusCreated, &invitation)
	other.Do(http.MethodPost, "/subscribers/invitations/"+invitation.ID+"/accept", nil, http.StatusOK, nil)
	return person.ID
}

// Device registers a device with that push address and returns its id.
func (p *Subscriber) Device(address string) string {
	p.t.Helper()
	var d struct{ ID string }
	p.Do(http.MethodPost, "/subscribers/devices",
		map[string]string{
			"installationId": "installation-" + strings.ReplaceAll(address, ":", "-"), "kind": "token",
			"address": address, "platform": "web", "name": "Test",
		}, http.StatusCreated, &d)
	return d.ID
}

// RingingDevice registers a device, and returns its id once it has accepted the push that confirms it.
func (p *Subscriber) RingingDevice(address string) string {
	p.t.Helper()
	id := p.Device(address)
	eventually.True(p.t, "the device "+address+" rings", func() bool {
		var list struct {
			Data []struct {
				ID         string
				RingsSince *time.Time
			}
		}
		p.Do(http.MethodGet, "/subscribers/devices?limit=100", nil, http.StatusOK, &list)
		for _, d := range list.Data {
			if d.ID == id {
				return d.RingsSince != nil
			}
		}
		return false
	})
	return id
}

// Sent is a push that the push service has accepted.
type Sent struct {
	Seq     int64
	Token   string
	Message struct {
		Notification struct{ Title, Body, Image string }
		Data         map[string]string
		Webpush      struct {
			Headers      map[string]string
			Notification struct{ Icon string }
		}
	}
}

// Confirms reports whether the push is the one that confirms a new address of a device.
func (p Sent) Confirms() bool {
	for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
		if p.Message.Notification.Title == core.NewConfirmation(core.ID{}, in, time.Time{}).Title {
			return true
		}
	}
	return false
}

// Sent waits until the push service has accepted a push to that address after seq, besides the one that confirms the
// address, and returns it.
func (s *Server) Sent(t testing.TB, address string, seq int64) Sent {
	t.Helper()
	for {
		push := s.sent(t, address, seq)
		if !push.Confirms() {
			return push
		}
		seq = push.Seq
	}
}

// sent is Sent, with pushes that confirm.
func (s *Server) sent(t testing.TB, address string, seq int64) (push Sent) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
		fmt.Sprintf("%s/sent?wait=10s&since=%d&token=%s", s.FCMURL, seq, url.QueryEscape(address)), nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // only the start of the body is needed
	if err := json.NewDecoder(res.Body).Decode(&push); err != nil {
		t.Fatalf("nothing was pushed to %s: %v", address, err)
	}
	return push
}
