package waitlist_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/waitlist"
	"github.com/sininho/sininho/server/lab/pgtest"
)

const (
	entriesPath     = "/api/v1/waitlist/entries"
	invitationsPath = "/api/v1/waitlist/invitations"
	operator        = "ana@example.com"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func now() time.Time { return start }

// site is the API of a waiting list alone. The value of a session's cookie is the address of the person.
type site struct {
	t       *testing.T
	handler http.Handler
	list    *waitlist.Waitlist
	store   *postgres.Store
}

// sessions authenticates people by their address.
type sessions struct {
	httpapi.Sessions
	store *postgres.Store
}

func (s sessions) Authenticate(ctx context.Context, email, _, _ string) (core.Caller, error) {
	profile := core.Profile{Subject: email, Email: email, Locale: "pt"}
	person, err := s.store.SignIn(ctx, profile, core.SignUp{Open: true}, start)
	return core.Caller{Kind: core.CallerSubscriber, SubscriberID: person.ID, SessionID: core.ID{5}}, err
}

func newSite(t *testing.T, open bool) *site {
	t.Helper()
	db := pgtest.DB(t)
	store := postgres.NewStore(db)
	list, err := waitlist.New(waitlist.Config{
		DB: db, Subscribers: store, Jobs: waitlist.Direct{DB: db}, Operators: core.Operators{operator},
		SecretKey: make([]byte, 32), PublicURL: "https://sininho.example", Open: open,
		EmailsPerNetwork: 1000, Now: now,
	})
	if err != nil {
		t.Fatalf("create a waiting list: %v", err)
	}
	public := &url.URL{Scheme: "https", Host: "sininho.example"}
	handler := httpapi.NewWaitlist(httpapi.WaitlistConfig{
		Waitlist: waitlist.NewAPI(list), Sessions: sessions{store: store},
		Rules: core.NewRules(core.LinkRules{}, core.EventRules{}, nil), Credentials: core.NewCredentials(store, now),
		PublicURL: public, Limits: httpapi.Limits{Off: true}, Log: slog.New(slog.DiscardHandler), Now: now,
	})
	return &site{t, handler, list, store}
}

// join adds a person to the list who has not confirmed.
func (s *site) join(in waitlist.Input) {
	s.t.Helper()
	if err := s.list.Join(s.t.Context(), in); err != nil {
		s.t.Fatalf("join as %s: %v", in.Email, err)
	}
}

// send sends a request as the person with an address, or as a visitor.
func (s *site) send(method, path, body, person string, header ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if person != "" {
		r.AddCookie(&http.Cookie{Name: "__Host-sininho", Value: person})
		r.Header.Set("Origin", "https://sininho.example")
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	return w
}

// expect sends a request, expects a status, and decodes the response.
func (s *site) expect(status int, method, path, body, person string, into any) http.Header {
	s.t.Helper()
	w := s.send(method, path, body, person)
	if w.Code != status {
		s.t.Fatalf("%s %s %s: status %d, want %d: %s", method, path, body, w.Code, status, w.Body)
	}
	if into == nil {
		return w.Header()
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		s.t.Fatalf("%s %s: decode %s: %v", method, path, w.Body, err)
	}
	return w.Header()
}

// expectFaults expects a request to be refused with these codes of faults, by pointer.
func (s *site) expectFaults(method, path, body, person string, want ...string) {
	s.t.Helper()
	var problem waitlistapi.Problem
	s.expect(http.StatusUnprocessableEntity, method, path, body, person, &problem)
	var got []string
	for _, e := range problem.Errors {
		got = append(got, e.Pointer+" "+e.Code)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		s.t.Errorf("%s %s %s: got faults %q, want %q", method, path, body, got, want)
	}
}

func TestJoinWaitlist(t *testing.T) {
	t.Parallel()
	s := newSite(t, true)
	var receipt map[string]any
	s.expect(http.StatusAccepted, "POST", entriesPath, `{"email":"rui@example.com","name":"Rui"}`, "", &receipt)
	if len(receipt) != 1 || receipt["status"] != "accepted" {
		t.Errorf("receipt of joining: got %v, want the status accepted alone", receipt)
	}
	var page waitlistapi.WaitlistEntryPage
	s.expect(http.StatusOK, "GET", entriesPath, "", operator, &page)
	if len(page.Data) != 1 {
		t.Fatalf("entries after joining: got %d, want 1", len(page.Data))
	}
	e := page.Data[0]
	if e.Email != "rui@example.com" || *e.Name != "Rui" || e.Locale != "pt-PT" {
		t.Errorf("entry after joining: got %s, %s, %s; want rui@example.com, Rui, pt-PT", e.Email, *e.Name, e.Locale)
	}
	s.expectFaults("POST", entriesPath, `{"email":"ana","name":"A\u0000na","more":1}`, "",
		"#/email pattern", "#/more unknown_field", "#/name text")
	s.expectFaults("POST", entriesPath, `{"email":"a b@example.com","name":"A\nB"}`, "", "#/email email", "#/name text")
}

func TestAClosedWaitlist(t *testing.T) {
	t.Parallel()
	s := newSite(t, false)
	for path, body := range map[string]string{
		entriesPath:     `{"email":"rui@example.com"}`,
		invitationsPath: `{"next":1}`,
	} {
		var problem waitlistapi.Problem
		s.expect(http.StatusServiceUnavailable, "POST", path, body, operator, &problem)
		if problem.Code != "closed" {
			t.Errorf("POST %s: got code %q, want closed", path, problem.Code)
		}
	}
	var page waitlistapi.WaitlistEntryPage
	s.expect(http.StatusOK, "GET", entriesPath, "", operator, &page)
	if page.Meta.Total != 0 {
		t.Errorf("entries of a closed list: got %d, want none", page.Meta.Total)
	}
}

func TestOnlyOperatorsSeeTheList(t *testing.T) {
	t.Parallel()
	s := newSite(t, true)
	for _, c := range []struct{ method, path, body string }{
		{"GET", entriesPath, ""},
		{"GET", entriesPath + "/export", ""},
		{"POST", invitationsPath, `{"next":1}`},
	} {
		for person, want := range map[string]int{operator: 200, "rui@example.com": 403, "": 401} {
			if got := s.send(c.method, c.path, c.body, person).Code; got != want {
				t.Errorf("%s %s as %q: status %d, want %d", c.method, c.path, person, got, want)
			}
		}
	}
}

func TestListWaitlistEntries(t *testing.T) {
	t.Parallel()
	s := newSite(t, true)
	for _, email := range []string{"a@example.com", "b@example.com", "c@example.com"} {
		s.join(waitlist.Input{Email: email, Locale: "pt"})
	}
	var page waitlistapi.WaitlistEntryPage
	header := s.expect(http.StatusOK, "GET", entriesPath+"?limit=2&status=unconfirmed", "", operator, &page)
	if len(page.Data) != 2 || page.Meta.Total != 3 {
		t.Errorf("first page: got %d of %d, want 2 of 3", len(page.Data), page.Meta.Total)
	}
	want := `</api/v1/waitlist/entries?limit=2&offset=2&status=unconfirmed>; rel="next"`
	if got := header.Get("Link"); got != want {
		t.Errorf("link of the first page: got %s, want %s", got, want)
	}
	s.expect(http.StatusOK, "GET", entriesPath+"?q=B%40", "", operator, &page)
	if len(page.Data) != 1 || page.Data[0].Email != "b@example.com" {
		t.Errorf("search for B@: got %+v, want b@example.com", page.Data)
	}
}

func TestInviteFromWaitlist(t *testing.T) {
	t.Parallel()
	s := newSite(t, true)
	const body = `{"emails":["rui@example.com"]}`
	for _, want := range []string{"", "true"} {
		w := s.send("POST", invitationsPath, body, operator, "Idempotency-Key: k")
		var invited waitlistapi.InvitedEntries
		if err := json.Unmarshal(w.Body.Bytes(), &invited); err != nil || len(invited.Data) != 1 {
			t.Fatalf("invite one person: status %d, %s", w.Code, w.Body)
		}
		if got := invited.Data[0]; got.Email != "rui@example.com" || got.Status != waitlistapi.WaitlistStatusInvited {
			t.Errorf("invited: got %s, %s; want rui@example.com, invited", got.Email, got.Status)
		}
		if got := w.Header().Get("Idempotency-Replayed"); got != want {
			t.Errorf("Idempotency-Replayed: got %q, want %q", got, want)
		}
	}
	s.expectFaults("POST", invitationsPath, `{}`, operator, "# too_few")
	s.expectFaults("POST", invitationsPath, `{"next":1,"emails":["a@b.c"]}`, operator, "# too_many")
	s.expectFaults("POST", invitationsPath, `{"emails":["a b@c"]}`, operator, "#/emails/0 email")
}

func TestExportWaitlist(t *testing.T) {
	t.Parallel()
	s := newSite(t, true)
	s.join(waitlist.Input{Email: "eva@example.com", Name: "=Eva", Locale: "pt"})
	w := s.send("GET", entriesPath+"/export", "", operator)
	if w.Code != http.StatusOK {
		t.Fatalf("export: status %d, want 200: %s", w.Code, w.Body)
	}
	if got, want := w.Header().Get("Content-Disposition"), `attachment; filename="waiting-list.csv"`; got != want {
		t.Errorf("Content-Disposition: got %s, want %s", got, want)
	}
	if n := bytes.Count(w.Body.Bytes(), []byte("\r\n")); n != 2 {
		t.Errorf("lines that end in CRLF: got %d, want 2", n)
	}
	records, err := csv.NewReader(w.Body).ReadAll()
	if err != nil || len(records) != 2 {
		t.Fatalf("export: got %d lines, %v; want 2", len(records), err)
	}
	columns := []string{"id", "email", "name", "status", "position", "referrals", "locale",
		"createdAt", "confirmedAt", "invitedAt", "joinedAt"}
	if !slices.Equal(records[0], columns) {
		t.Errorf("first line: got %q, want %q", records[0], columns)
	}
	want := []string{"eva@example.com", "'=Eva", "unconfirmed", "", "0", "pt", "2026-03-01T12:00:00Z", "", "", ""}
	if !slices.Equal(records[1][1:], want) {
		t.Errorf("second line after the id: got %q, want %q", records[1][1:], want)
	}
}
