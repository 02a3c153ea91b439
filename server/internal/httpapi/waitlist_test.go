package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// listed is a waiting list with one entry, found by any token except swt_none.
type listed struct {
	waitlist.Store
	*memory
	joined  []waitlist.NewEntry
	invited int
	broken  error // returned after the first entry
}

var waits = waitlist.Entry{ID: core.ID{0xe}, Email: "eva@example.com", Name: "=Eva", Locale: "pt", Status: waitlist.Waiting, Position: 2, Referrals: 1,
	ReferralCode: "k7p2m9xq", CreatedAt: start, ConfirmedAt: &start}

func (l *listed) Join(_ context.Context, e waitlist.NewEntry, _ time.Time) error {
	l.joined = append(l.joined, e)
	return nil
}

func (l *listed) Place(_ context.Context, hash []byte) (waitlist.Entry, int64, error) {
	if string(hash) == string(core.HashSecret("swt_none")) {
		return waitlist.Entry{}, 0, core.NotFound()
	}
	return waits, 3, nil
}

func (l *listed) Entries(context.Context, waitlist.Filter, core.Page) ([]waitlist.Entry, int64, error) {
	return []waitlist.Entry{waits}, 30, nil
}

func (l *listed) EachEntry(_ context.Context, _ waitlist.Filter, take func(waitlist.Entry) error) error {
	if err := take(waits); err != nil || l.broken == nil {
		return err
	}
	return l.broken
}

func (l *listed) InviteNext(_ context.Context, count int, _ time.Time, _ core.Idempotency) ([]waitlist.Entry, core.Creation, error) {
	l.invited += count
	return []waitlist.Entry{waits}, core.Replayed, nil
}

const (
	entriesPath     = "/api/v1/waitlist/entries"
	invitationsPath = "/api/v1/waitlist/invitations"
)

func TestJoinWaitlist(t *testing.T) {
	w := newWorld(t)
	a := w.ask("POST", entriesPath, `{"email":"ana@example.com","name":"Ana","referralCode":"k7p2m9xq"}`)
	if a.Code != 202 || a.Body.String() != `{"status":"accepted"}`+"\n" {
		t.Fatalf("%d %s", a.Code, a.Body)
	}
	e := w.waitlist.joined[0]
	if e.Email != "ana@example.com" || e.Name != "Ana" || e.ReferredBy != "k7p2m9xq" || e.Locale != "pt" || len(e.ReferralCode) != 8 || len(e.TokenHash) != 32 {
		t.Errorf("%+v", e)
	}
	a = w.ask("POST", entriesPath, `{"email":"ana","name":"A\u0000na","more":1}`)
	if p := a.problem(); a.Code != 422 || len(p.Errors) != 3 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	if a := w.ask("POST", entriesPath, `{"email":"a b@example.com","name":"A\nB"}`); a.Code != 422 || len(a.problem().Errors) != 2 {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

func TestJoiningIsLimitedByAddress(t *testing.T) {
	w := newWorld(t)
	for i := range 7 {
		a := w.ask("POST", entriesPath, `{"email":"ana@example.com"}`, signedIn)
		if want := map[bool]int{true: 202, false: 429}[i < 5]; a.Code != want || !strings.HasPrefix(a.Header().Get("RateLimit-Policy"), `"joins";q=5`) {
			t.Errorf("%d: %d %v", i, a.Code, a.Header())
		}
	}
	if a := w.ask("POST", entriesPath, `{"email":"ana@example.com"}`, "From: 192.0.2.2:1"); a.Code != 202 {
		t.Errorf("from elsewhere: %d", a.Code)
	}
	if a := w.ask("GET", entriesPath+"/swt_x", ""); a.Code != 200 {
		t.Errorf("looking: %d", a.Code)
	}
}

func TestAClosedWaitlist(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Waitlist.Open = false })
	for path, body := range map[string]string{entriesPath: `{"email":"ana@example.com"}`, invitationsPath: `{"next":1}`} {
		if a := w.ask("POST", path, body, signedIn); a.Code != 503 || a.problem().Code != "closed" {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
	if a := w.ask("GET", entriesPath, "", signedIn); a.Code != 200 || w.waitlist.joined != nil || w.waitlist.invited != 0 {
		t.Errorf("%d, %+v", a.Code, w.waitlist)
	}
	if strings.Contains(w.log.String(), "WARN") {
		t.Errorf("what is meant to be is no warning: %s", w.log)
	}
}

func TestWaitlistTokensAreInNoLog(t *testing.T) {
	w := newWorld(t)
	for path, want := range map[string]int{"/swt_secret": 200, "/swt_secret/nowhere": 404, "/swt_none": 404} {
		if a := w.ask("GET", entriesPath+path, ""); a.Code != want {
			t.Errorf("%s: %d", path, a.Code)
		}
	}
	if strings.Contains(w.log.String(), "swt_") || !strings.Contains(w.log.String(), "route=/api/v1/waitlist/entries/{token}") {
		t.Errorf("%s", w.log)
	}
}

func TestWaitlistOfOperators(t *testing.T) {
	w := newWorld(t)
	token := w.token(cli)
	for _, credential := range []string{signedIn, token} {
		a := w.ask("GET", entriesPath+"?limit=1", "", credential)
		if a.Code != 200 || !strings.Contains(a.Body.String(), `"position":2`) || a.Header().Get("Link") != `</api/v1/waitlist/entries?limit=1&offset=1>; rel="next"` {
			t.Errorf("%d %v %s", a.Code, a.Header(), a.Body)
		}
		a = w.ask("POST", invitationsPath, `{"next":2}`, credential, "Origin: https://sininho.example")
		if a.Code != 200 || a.Header().Get("Idempotency-Replayed") != "true" {
			t.Errorf("%d %s", a.Code, a.Body)
		}
	}
	if a := w.ask("POST", invitationsPath, `{"next":2}`, signedIn, "Origin: https://evil.example"); a.Code != 403 || a.problem().Code != "cross_origin" {
		t.Errorf("%d %s", a.Code, a.Body)
	}
	w.config.Waitlist.Operators = nil
	for _, path := range []string{entriesPath, entriesPath + "/export"} {
		if a := w.ask("GET", path, "", signedIn); a.Code != 403 || a.problem().Code != "forbidden" {
			t.Errorf("%s: %d %s", path, a.Code, a.Body)
		}
	}
	if a := w.ask("POST", invitationsPath, `{"next":2}`, token); a.Code != 403 || w.waitlist.invited != 4 {
		t.Errorf("%d, %d invited", a.Code, w.waitlist.invited)
	}
	for body, want := range map[string]string{`{}`: "too_few", `{"next":1,"emails":["a@b.c"]}`: "too_many", `{"emails":["a b@c"]}`: "email"} {
		w.config.Waitlist.Operators = core.Operators{"ana@example.com"}
		if p := w.ask("POST", invitationsPath, body, token).problem(); p.Status != 422 || p.Errors[0].Code != want {
			t.Errorf("%s: %+v", body, p)
		}
	}
}

func TestExportWaitlist(t *testing.T) {
	w := newWorld(t)
	a := w.ask("GET", entriesPath+"/export", "", signedIn)
	want := "id,email,name,status,position,referrals,locale,createdAt,confirmedAt,invitedAt,joinedAt\r\n" +
		"0e000000-0000-0000-0000-000000000000,eva@example.com,'=Eva,waiting,2,1,pt,2026-03-01T12:00:00Z,2026-03-01T12:00:00Z,,\r\n"
	if a.Code != 200 || a.Body.String() != want || a.Header().Get("Content-Disposition") != `attachment; filename="waiting-list.csv"` {
		t.Errorf("%d %v %q", a.Code, a.Header(), a.Body)
	}
	w.waitlist.broken = errors.New("halfway")
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("recovered %v", err)
		}
	}()
	w.ask("GET", entriesPath+"/export", "", signedIn)
	t.Error("the answer seems whole")
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
		a := w.ask(c.method, c.path, "", header...)
		credentials := map[bool]string{true: "true", false: ""}[c.allowed != ""]
		if a.Code != c.status || a.Header().Get("Access-Control-Allow-Origin") != c.allowed || a.Header().Get("Access-Control-Allow-Credentials") != credentials ||
			strings.HasPrefix(c.path, waitlistPath) != (a.Header().Get("Vary") == "Origin") {
			t.Errorf("%+v: %d %v", c, a.Code, a.Header())
		}
		if c.status == 204 && (!strings.Contains(a.Header().Get("Access-Control-Allow-Headers"), "Content-Type") || !strings.Contains(a.Header().Get("Access-Control-Allow-Methods"), "DELETE")) {
			t.Errorf("%v", a.Header())
		}
	}
}

func TestTheWaitlistAlone(t *testing.T) {
	w := newWorld(t)
	w.handler = NewWaitlist(Config{Waitlist: w.config.Waitlist, Sessions: w.sessions, Credentials: w.config.Credentials,
		PublicURL: w.config.PublicURL, Limits: DefaultLimits(), Log: w.config.Log, Now: w.config.Now})
	for path, want := range map[string]int{entriesPath: 401, entriesPath + "/swt_x": 200, "/api/v1/waitlist/openapi.json": 200, "/api/v1/channels": 404, "/api/v1/openapi.json": 404} {
		if a := w.ask("GET", path, ""); a.Code != want {
			t.Errorf("%s: %d", path, a.Code)
		}
	}
	for credential, want := range map[string]int{w.token(cli): 200, w.bearer(): 403, signedIn: 200, "Authorization: Bearer x": 401} {
		if a := w.ask("GET", entriesPath, "", credential); a.Code != want {
			t.Errorf("with %q: %d", credential, a.Code)
		}
	}
}

// TestCellsAreNoFormulas tries the characters that start a formula in spreadsheets.
func TestCellsAreNoFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"Ana": "Ana", "": "", "a-b=c": "a-b=c", "Ana; Rui": "Ana; Rui",
		"=1": "'=1", "+1": "'+1", "-1": "'-1", "@x": "'@x", "\t=1": "'\t=1", " =1": "' =1", "\u00a0=1": "'\u00a0=1", "\u200b=1": "'\u200b=1", "＝1": "'＝1",
		"Ana;=1+1;x": "Ana;'=1+1;x", "Ana; @SUM(1;1)": "Ana;' @SUM(1;1)",
	} {
		if got := cell(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
