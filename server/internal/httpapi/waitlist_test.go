package httpapi

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/waitlist"
	"github.com/sininho/sininho/server/internal/waitlist/waitlistgen"
)

// waitlistHandlers has an entry for every token except swt_none. Operations that the tests do not use panic.
type waitlistHandlers struct {
	waitlistgen.StrictServerInterface
	closed bool
}

func (*waitlistHandlers) Inputs() map[string]func(body []byte) core.Input {
	return waitlist.NewAPI(nil).Inputs()
}

func (h *waitlistHandlers) JoinWaitlist(context.Context, waitlistgen.JoinWaitlistRequestObject) (
	waitlistgen.JoinWaitlistResponseObject, error) {
	if h.closed {
		return nil, &core.Error{Code: core.CodeUnavailable, Reason: "closed",
			Detail: core.Text{EN: "closed", PT: "fechada"}}
	}
	return waitlistgen.JoinWaitlist202JSONResponse{Status: waitlistapi.WaitlistReceiptStatusAccepted}, nil
}

func (*waitlistHandlers) GetWaitlistEntry(_ context.Context, in waitlistgen.GetWaitlistEntryRequestObject) (
	waitlistgen.GetWaitlistEntryResponseObject, error) {
	if in.Token == "swt_none" {
		return nil, core.NotFound()
	}
	return waitlistgen.GetWaitlistEntry200JSONResponse{CreatedAt: start}, nil
}

func (*waitlistHandlers) ListWaitlistEntries(context.Context, waitlistgen.ListWaitlistEntriesRequestObject) (
	waitlistgen.ListWaitlistEntriesResponseObject, error) {
	return waitlistgen.ListWaitlistEntries200JSONResponse{}, nil
}

func (*waitlistHandlers) InviteFromWaitlist(context.Context, waitlistgen.InviteFromWaitlistRequestObject) (
	waitlistgen.InviteFromWaitlistResponseObject, error) {
	return waitlistgen.InviteFromWaitlist200JSONResponse{}, nil
}

const (
	entriesPath     = "/api/v1/waitlist/entries"
	invitationsPath = "/api/v1/waitlist/invitations"
)

func TestJoiningIsLimitedByAddress(t *testing.T) {
	w := newWorld(t)
	for i := range 7 {
		a := w.send("POST", entriesPath, `{"email":"ana@example.com"}`, signedIn)
		want := map[bool]int{true: 202, false: 429}[i < 5]
		if a.Code != want {
			t.Errorf("request %d to join: got status %d, want %d", i+1, a.Code, want)
		}
		if policy := a.Header().Get("RateLimit-Policy"); !strings.HasPrefix(policy, `"joins";q=5`) {
			t.Errorf("request %d to join: got RateLimit-Policy %s, want joins with a quota of 5", i+1, policy)
		}
	}
	other := w.send("POST", entriesPath, `{"email":"ana@example.com"}`, "From: 192.0.2.2:1")
	other.wantStatus("request to join from another address", 202)
	w.send("GET", entriesPath+"/swt_x", "").wantStatus("read an entry after too many requests to join", 200)
}

func TestClosedWaitlistIsNotLoggedAsAWarning(t *testing.T) {
	w := newWorld(t)
	w.waitlist.closed = true
	a := w.send("POST", entriesPath, `{"email":"ana@example.com"}`)
	if a.Code != 503 {
		t.Errorf("join a closed list: got status %d, want 503", a.Code)
	}
	if code := a.problem().Code; code != "closed" {
		t.Errorf("join a closed list: got code %q, want closed", code)
	}
	if strings.Contains(w.log.String(), "WARN") {
		t.Errorf("a list that is closed on purpose was logged as a warning: %s", w.log)
	}
}

func TestWaitlistTokensAreNotLogged(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string]int{"/swt_secret": 200, "/swt_secret/nowhere": 404, "/swt_none": 404} {
		w.send("GET", entriesPath+path, "").wantStatus("GET "+path, want)
	}
	if strings.Contains(w.log.String(), "swt_") {
		t.Errorf("the log contains a token: %s", w.log)
	}
	if !strings.Contains(w.log.String(), "route=/api/v1/waitlist/entries/{token}") {
		t.Errorf("the log does not contain the route: %s", w.log)
	}
}

func TestOtherSitesMayNotInvite(t *testing.T) {
	w := newWorld(t)
	for _, c := range []struct {
		credential, origin string
		want               int
	}{
		{signedIn, "https://sininho.example", 200},
		{signedIn, "https://evil.example", 403},
		{w.token(cli), "https://evil.example", 200},
	} {
		a := w.send("POST", invitationsPath, `{"next":2}`, c.credential, "Origin: "+c.origin)
		if a.Code != c.want {
			t.Errorf("invite from %s with %.13q: got status %d, want %d", c.origin, c.credential, a.Code, c.want)
		}
		if a.Code == 403 && a.problem().Code != "cross_origin" {
			t.Errorf("invite from %s: got code %q, want cross_origin", c.origin, a.problem().Code)
		}
	}
}

func TestOnlyTheWebAppCallsTheWaitlistFromElsewhere(t *testing.T) {
	w := newWorld(t)
	preflight := []string{"Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type"}
	for _, c := range []struct {
		method, path, origin string
		status               int
		allowed              string
	}{
		{"OPTIONS", entriesPath, "https://sininho.example", 204, "https://sininho.example"},
		{"OPTIONS", entriesPath, "https://evil.example", 405, ""},
		{"OPTIONS", "/api/v1/channels", "https://sininho.example", 405, ""},
		{"GET", entriesPath + "/swt_x", "https://sininho.example", 200, "https://sininho.example"},
		{"GET", entriesPath + "/swt_none", "https://sininho.example", 404, "https://sininho.example"},
		{"GET", entriesPath + "/swt_x", "http://sininho.example", 200, ""},
		{"GET", entriesPath + "/swt_x", "null", 200, ""},
		{"GET", "/api/v1/channels", "https://sininho.example", 200, ""},
	} {
		header := []string{"Origin: " + c.origin}
		if c.method == "OPTIONS" {
			header = append(header, preflight...)
		}
		a := w.send(c.method, c.path, "", header...)
		if a.Code != c.status {
			t.Errorf("%s %s from %s: got status %d, want %d", c.method, c.path, c.origin, a.Code, c.status)
		}
		want := map[string]string{"Access-Control-Allow-Origin": c.allowed,
			"Access-Control-Allow-Credentials": "", "Vary": ""}
		if c.allowed != "" {
			want["Access-Control-Allow-Credentials"] = "true"
		}
		if strings.HasPrefix(c.path, waitlistPath) {
			want["Vary"] = "Origin"
		}
		for name, value := range want {
			if got := a.Header().Get(name); got != value {
				t.Errorf("%s %s from %s: got %s %q, want %q", c.method, c.path, c.origin, name, got, value)
			}
		}
		if c.status != 204 {
			continue
		}
		if got := a.Header().Get("Access-Control-Allow-Headers"); !strings.Contains(got, "Content-Type") {
			t.Errorf("preflight: got allowed headers %q, want Content-Type among them", got)
		}
		if got := a.Header().Get("Access-Control-Allow-Methods"); !strings.Contains(got, "DELETE") {
			t.Errorf("preflight: got allowed methods %q, want DELETE among them", got)
		}
	}
}

func TestWaitlistAlone(t *testing.T) {
	w := newWorld(t)
	w.handler = NewWaitlist(w.config.WaitlistConfig)
	for path, want := range map[string]int{
		entriesPath:                     401,
		entriesPath + "/swt_x":          200,
		"/api/v1/waitlist/openapi.json": 200,
		"/api/v1/channels":              404,
		"/api/v1/openapi.json":          404,
	} {
		w.send("GET", path, "").wantStatus("GET "+path+" as a visitor", want)
	}
	for credential, want := range map[string]int{
		w.token(cli):              200,
		w.bearer():                403,
		signedIn:                  200,
		"Authorization: Bearer x": 401,
	} {
		w.send("GET", entriesPath, "", credential).wantStatus(fmt.Sprintf("list with %.25q", credential), want)
	}
}
