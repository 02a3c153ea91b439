package servertest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/lab/servertest"
)

// tokenOf returns the token in the address of an email's button.
func tokenOf(e servertest.Email) string {
	address := e.Link()
	return address[strings.LastIndexAny(address, "/=")+1:]
}

// waitlistWorld is a server, whose waiting list is called without an account.
type waitlistWorld struct {
	*servertest.Server
	t *testing.T
}

func newWaitlist(t *testing.T, options ...servertest.Option) *waitlistWorld {
	t.Helper()
	return &waitlistWorld{servertest.Start(t, options...), t}
}

// call sends a request as a visitor, expects a status, and decodes the response. It returns the whole response.
func (w *waitlistWorld) call(method, path, body string, status int, into any) string {
	w.t.Helper()
	address := w.URL + "/api/v1/waitlist" + path
	req, err := http.NewRequestWithContext(w.t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		w.t.Fatalf("make the request %s %s: %v", method, path, err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close() // the body was read to its end
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatalf("%s %s: read the response: %v", method, path, err)
	}
	if res.StatusCode != status {
		w.t.Fatalf("%s %s: status %d, want %d: %s", method, path, res.StatusCode, status, b)
	}
	if into == nil {
		return string(b)
	}
	if err := json.Unmarshal(b, into); err != nil {
		w.t.Fatalf("%s %s: decode %s: %v", method, path, b, err)
	}
	return string(b)
}

// enter enters an address in the form, and expects the same response whatever its state.
func (w *waitlistWorld) enter(email, referral string) {
	w.t.Helper()
	body := fmt.Sprintf(`{"email":%q}`, email)
	if referral != "" {
		body = fmt.Sprintf(`{"email":%q,"referralCode":%q}`, email, referral)
	}
	got := w.call(http.MethodPost, "/entries", body, http.StatusAccepted, nil)
	if got = strings.TrimSpace(got); got != `{"status":"accepted"}` {
		w.t.Fatalf("response to joining as %s: got %s, want only that it was accepted", email, got)
	}
}

// join adds an address to the list, and returns the token in the email to it.
func (w *waitlistWorld) join(email, referral string) string {
	w.t.Helper()
	w.enter(email, referral)
	return tokenOf(w.Mail(w.t, email, 0))
}

func (w *waitlistWorld) confirm(token string) (p waitlistapi.WaitlistPlace) {
	w.t.Helper()
	w.call(http.MethodPost, "/entries/"+token+"/confirm", "", http.StatusOK, &p)
	return p
}

func (w *waitlistWorld) place(token string) (p waitlistapi.WaitlistPlace) {
	w.t.Helper()
	w.call(http.MethodGet, "/entries/"+token, "", http.StatusOK, &p)
	return p
}

// expectPlace expects the place of a token's holder; position 0 means none.
func (w *waitlistWorld) expectPlace(when, token string, position, total, referrals int64) {
	w.t.Helper()
	p := w.place(token)
	var at int64
	if p.Position != nil {
		at = *p.Position
	}
	if at != position || p.Total != total {
		w.t.Errorf("place of %s %s: got %d of %d, want %d of %d", p.Email, when, at, p.Total, position, total)
	}
	if p.Referrals != referrals {
		w.t.Errorf("referrals of %s %s: got %d, want %d", p.Email, when, p.Referrals, referrals)
	}
}

func (w *waitlistWorld) expectTurnedAway(who, email, invitation string) {
	w.t.Helper()
	if got, want := w.TurnedAway(w.t, email, invitation), "/login?error=uninvited"; got != want {
		w.t.Errorf("page after %s signed up with %q: got %q, want %q", who, invitation, got, want)
	}
}

// TestFromTheWaitingListIn tests the whole path: joining, position, referral, and the invitation, which lets its holder
// sign up but not a stranger.
func TestFromTheWaitingListIn(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, servertest.With("SIGN_UP", "invitation"))
	operator := w.SignIn(t, servertest.Operator) // this address is in the settings
	bia, ana := w.join("bia@example.com", ""), w.join("ana@example.com", "")
	w.confirm(bia)
	if got := w.confirm(ana).Status; got != waitlistapi.WaitlistStatusWaiting {
		t.Fatalf("status after confirming: got %s, want waiting", got)
	}
	w.expectPlace("after confirming second", ana, 2, 2, 0)
	friend := w.join("rui@example.com", w.place(ana).ReferralCode)
	w.expectPlace("before the friend has confirmed", ana, 2, 2, 0)
	w.confirm(friend)
	w.confirm(friend) // counts once
	w.expectPlace("after the friend has confirmed", ana, 1, 3, 1)

	invitation := w.inviteNext(operator, "ana@example.com")
	link := w.place(ana).InvitationURL
	if link == nil || invitation.Link() != *link {
		t.Fatalf("link of the invitation: got %s, want that of the place, %v", invitation.Link(), link)
	}
	if want := w.URL + "/login?invitation=swi_"; !strings.HasPrefix(*link, want) {
		t.Fatalf("link of the invitation: got %s, want %s…", *link, want)
	}
	for _, token := range []string{"", "swi_nope", ana} {
		w.expectTurnedAway("a stranger", "stranger@example.com", token)
	}
	w.expectTurnedAway("a person who waits", "bia@example.com", "")
	me := w.SignInInvited(t, "ana.other@example.com", tokenOf(invitation)) // with any account
	w.expectTurnedAway("a stranger after the holder", "stranger@example.com", tokenOf(invitation))
	if got := w.place(ana).Status; got != waitlistapi.WaitlistStatusJoined {
		t.Errorf("status after signing up: got %s, want joined", got)
	}
	w.expectPlace("after signing up", ana, 0, 2, 1)
	w.expectForgotten(me, ana)
}

// inviteNext invites the first of those who wait, expects it to be the person at an address, and returns the email.
func (w *waitlistWorld) inviteNext(operator *servertest.Subscriber, email string) servertest.Email {
	w.t.Helper()
	confirmation := w.Mail(w.t, email, 0).Seq
	var invited waitlistapi.InvitedEntries
	operator.Do(http.MethodPost, "/waitlist/invitations", object{"next": 1}, http.StatusOK, &invited)
	if len(invited.Data) != 1 {
		w.t.Fatalf("people invited: got %d, want 1", len(invited.Data))
	}
	if got := invited.Data[0]; got.Email != email || got.Status != waitlistapi.WaitlistStatusInvited {
		w.t.Fatalf("invited: got %s, %s; want %s, invited", got.Email, got.Status, email)
	}
	return w.Mail(w.t, email, confirmation)
}

// expectForgotten expects the entry in the person's export, and deletes it with their account.
func (w *waitlistWorld) expectForgotten(me *servertest.Subscriber, token string) {
	w.t.Helper()
	var export struct {
		WaitlistEntries []struct{ Email string }
	}
	me.Do(http.MethodGet, "/subscribers/me/export", nil, http.StatusOK, &export)
	if len(export.WaitlistEntries) != 1 || export.WaitlistEntries[0].Email != "ana@example.com" {
		w.t.Errorf("entries in the export: got %+v, want that of ana@example.com", export.WaitlistEntries)
	}
	me.Do(http.MethodDelete, "/subscribers/me", nil, http.StatusNoContent, nil)
	w.call(http.MethodGet, "/entries/"+token, "", http.StatusNotFound, nil)
}

// TestWaitingListOfOperators lists, searches, exports, and invites known and unknown addresses.
func TestWaitingListOfOperators(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t)
	operator := w.SignIn(t, servertest.Operator)
	w.confirm(w.join("ana@example.com", ""))
	w.join("=cmd@example.com", "")
	for query, want := range map[string][]string{
		"":                      {"ana@example.com", "=cmd@example.com"},
		"?q=ANA&status=waiting": {"ana@example.com"},
		"?q=ANA&status=joined":  nil,
	} {
		var page waitlistapi.WaitlistEntryPage
		operator.Do(http.MethodGet, "/waitlist/entries"+query, nil, http.StatusOK, &page)
		if got := emailsOf(page.Data); !slices.Equal(got, want) || page.Meta.Total != int64(len(want)) {
			t.Errorf("list %q: got %v of %d, want %v", query, got, page.Meta.Total, want)
		}
	}
	expectExport(t, operator, ",ana@example.com,,waiting,1,0,pt-PT,2", ",'=cmd@example.com,,unconfirmed,,0,pt-PT,2")

	var invited waitlistapi.InvitedEntries
	chosen := object{"emails": []string{"new@example.com", "ANA@example.com", "NEW@example.com"}}
	operator.Do(http.MethodPost, "/waitlist/invitations", chosen, http.StatusOK, &invited)
	if got, want := emailsOf(invited.Data), []string{"new@example.com", "ana@example.com"}; !slices.Equal(got, want) {
		t.Errorf("invited: got %v, want %v", got, want)
	}
	w.Mail(t, "new@example.com", 0)
	for _, body := range []object{{}, {"next": 0}, {"next": 1, "emails": []string{"a@example.com"}},
		{"emails": []string{"a b@example.com"}}} {
		operator.Do(http.MethodPost, "/waitlist/invitations", body, http.StatusUnprocessableEntity, nil)
	}
}

func emailsOf(entries []waitlistapi.WaitlistEntry) (emails []string) {
	for _, e := range entries {
		emails = append(emails, e.Email)
	}
	return emails
}

// expectExport expects a CSV with one line that contains each part.
func expectExport(t *testing.T, operator *servertest.Subscriber, parts ...string) {
	t.Helper()
	res, err := http.DefaultClient.Do(operator.Request(http.MethodGet, "/waitlist/entries/export", nil))
	if err != nil {
		t.Fatalf("export: %v", err)
	}
	defer res.Body.Close() // the body was read to its end
	csv, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read the export: %v", err)
	}
	if got := res.Header.Get("Content-Type"); !strings.HasPrefix(got, "text/csv") {
		t.Errorf("type of the export: got %s, want text/csv", got)
	}
	lines := strings.Split(strings.TrimSpace(string(csv)), "\r\n")
	if len(lines) != len(parts)+1 {
		t.Fatalf("lines of the export: got %q, want %d", lines, len(parts)+1)
	}
	for i, part := range parts {
		if !strings.Contains(lines[i+1], part) {
			t.Errorf("line %d of the export: got %q, want it to contain %q", i+2, lines[i+1], part)
		}
	}
}

// TestTheFormRevealsNothing enters addresses in every state: the response is always the same, and the email, at most
// one in ten minutes, explains the state.
func TestTheFormRevealsNothing(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t)
	w.SignIn(t, "account@example.com")
	w.enter("account@example.com", "")
	if e := w.Mail(t, "account@example.com", 0); !strings.HasSuffix(e.Link(), "/login") {
		t.Errorf("link of the email to an account: got %s, want the login page: %s", e.Link(), e.Text)
	}
	w.confirm(w.join("ana@example.com", ""))
	for range 3 {
		w.enter("ANA@example.com", "")
	}
	w.enter("last@example.com", "")
	w.Mail(t, "last@example.com", 0) // was queued after the others
	if n := len(w.emails("ana@example.com")); n != 1 {
		t.Errorf("emails to an address that was entered 4 times: got %d, want 1", n)
	}
}

// emails returns the emails to an address that have arrived so far.
func (w *waitlistWorld) emails(to string) (emails []servertest.Email) {
	w.t.Helper()
	res, err := http.Get(w.MailURL + "/messages?to=" + to) //nolint:noctx // a test
	if err != nil {
		w.t.Fatalf("list the emails to %s: %v", to, err)
	}
	defer res.Body.Close() // the body was read to its end
	if err := json.NewDecoder(res.Body).Decode(&emails); err != nil {
		w.t.Fatalf("decode the emails to %s: %v", to, err)
	}
	return emails
}
