package servertest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/servertest"
)

// tokenOf returns the token in the address of an email's button.
func tokenOf(l servertest.Letter) string {
	at := l.Link()
	return at[strings.LastIndexAny(at, "/=")+1:]
}

// waiting is a server and a client of its waiting list without an account.
type waiting struct {
	*servertest.Server
	t      *testing.T
	client *waitlistapi.Client
}

func newWaiting(t *testing.T, options ...servertest.Option) *waiting {
	t.Helper()
	s := servertest.Start(t, options...)
	client, err := waitlistapi.NewClient(s.URL + "/api/v1")
	if err != nil {
		t.Fatal(err)
	}
	return &waiting{s, t, client}
}

// read returns a function that checks the status of a response and decodes its body.
func read[T any](t *testing.T, status int) func(*http.Response, error) T {
	return func(res *http.Response, err error) (value T) {
		t.Helper()
		if err != nil {
			t.Fatalf("call of the waiting list: %v", err)
		}
		defer res.Body.Close()
		body, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatalf("read the response: %v", err)
		}
		if res.StatusCode != status {
			t.Fatalf("response of the waiting list: got %d %s, want %d", res.StatusCode, body, status)
		}
		if err := json.Unmarshal(body, &value); err != nil {
			t.Fatalf("decode %s: %v", body, err)
		}
		return value
	}
}

// join adds an address to the list, and returns the token in the email to it.
func (w *waiting) join(email, referral string) string {
	w.t.Helper()
	in := waitlistapi.WaitlistEntryInput{Email: email}
	if referral != "" {
		in.ReferralCode = &referral
	}
	read[waitlistapi.WaitlistReceipt](w.t, http.StatusAccepted)(w.client.JoinWaitlist(w.t.Context(), in))
	return tokenOf(w.Mail(w.t, email, 0))
}

func (w *waiting) confirm(token string) waitlistapi.WaitlistPlace {
	w.t.Helper()
	return read[waitlistapi.WaitlistPlace](w.t, http.StatusOK)(w.client.ConfirmWaitlistEntry(w.t.Context(), token))
}

func (w *waiting) place(token string) waitlistapi.WaitlistPlace {
	w.t.Helper()
	return read[waitlistapi.WaitlistPlace](w.t, http.StatusOK)(w.client.GetWaitlistEntry(w.t.Context(), token))
}

// TestFromTheWaitingListIn tests the whole path: joining, position, referral, and the invitation, which lets its holder
// sign up but not a stranger.
func TestFromTheWaitingListIn(t *testing.T) {
	t.Parallel()
	w := newWaiting(t, servertest.With("SIGN_UP", "invitation"))
	operator := w.SignIn(t, servertest.Operator) // this address is in the settings
	bia, ana := w.join("bia@example.com", ""), w.join("ana@example.com", "")
	w.confirm(bia)
	if p := w.confirm(ana); *p.Position != 2 || p.Total != 2 || p.Status != waitlistapi.WaitlistStatusWaiting {
		t.Fatalf("%+v", p)
	}
	friend := w.join("rui@example.com", w.place(ana).ReferralCode)
	if p := w.place(ana); *p.Position != 2 || p.Referrals != 0 {
		t.Errorf("before the friend has confirmed: %+v", p)
	}
	w.confirm(friend)
	w.confirm(friend) // counts once
	if p := w.place(ana); *p.Position != 1 || p.Referrals != 1 || p.Total != 3 {
		t.Errorf("a friend was brought: %+v", p)
	}

	var invited waitlistapi.InvitedEntries
	operator.Do(http.MethodPost, "/waitlist/invitations", object{"next": 1}, http.StatusOK, &invited)
	if len(invited.Data) != 1 || invited.Data[0].Email != "ana@example.com" || invited.Data[0].Status != waitlistapi.WaitlistStatusInvited {
		t.Fatalf("%+v", invited)
	}
	letter := w.Mail(t, "ana@example.com", w.Mail(t, "ana@example.com", 0).Seq)
	if want := w.place(ana).InvitationURL; want == nil || letter.Link() != *want || !strings.HasPrefix(*want, w.URL+"/login?invitation=swi_") {
		t.Fatalf("%s, want %v", letter.Link(), want)
	}
	for _, stranger := range []string{"", "swi_nope", ana} {
		if page := w.TurnedAway(t, "stranger@example.com", stranger); page != "/login?error=uninvited" {
			t.Errorf("with %q a stranger was sent to %q", stranger, page)
		}
	}
	if page := w.TurnedAway(t, "bia@example.com", ""); page != "/login?error=uninvited" {
		t.Errorf("who waits was sent to %q", page)
	}
	me := w.SignInInvited(t, "ana.other@example.com", tokenOf(letter)) // with any account
	if page := w.TurnedAway(t, "stranger@example.com", tokenOf(letter)); page != "/login?error=uninvited" {
		t.Errorf("the invitation let in another too: %q", page)
	}
	if p := w.place(ana); p.Status != waitlistapi.WaitlistStatusJoined || p.Position != nil || p.Total != 2 {
		t.Errorf("%+v", p)
	}
	w.forgotten(me, ana)
}

// forgotten checks that the waiting-list entry is in the person's export, and is deleted with their account.
func (w *waiting) forgotten(me *servertest.Subscriber, token string) {
	w.t.Helper()
	var export struct {
		WaitlistEntries []struct{ Email string }
	}
	me.Do(http.MethodGet, "/subscribers/me/export", nil, http.StatusOK, &export)
	if len(export.WaitlistEntries) != 1 || export.WaitlistEntries[0].Email != "ana@example.com" {
		w.t.Errorf("%+v", export)
	}
	me.Do(http.MethodDelete, "/subscribers/me", nil, http.StatusNoContent, nil)
	read[json.RawMessage](w.t, http.StatusNotFound)(w.client.GetWaitlistEntry(w.t.Context(), token))
}

// TestWaitingListOfOperators lists, searches, exports, and invites known and unknown addresses.
func TestWaitingListOfOperators(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	operator := w.SignIn(t, servertest.Operator)
	w.confirm(w.join("ana@example.com", ""))
	w.join("=cmd@example.com", "")
	var page waitlistapi.WaitlistEntryPage
	operator.Do(http.MethodGet, "/waitlist/entries", nil, http.StatusOK, &page)
	if page.Meta.Total != 2 || page.Data[0].Email != "ana@example.com" || *page.Data[0].Position != 1 || page.Data[1].Position != nil {
		t.Errorf("%+v", page)
	}
	operator.Do(http.MethodGet, "/waitlist/entries?q=ANA&status=waiting", nil, http.StatusOK, &page)
	if page.Meta.Total != 1 || len(page.Data) != 1 {
		t.Errorf("%+v", page)
	}
	operator.Do(http.MethodGet, "/waitlist/entries?q=ANA&status=joined", nil, http.StatusOK, &page)
	if page.Meta.Total != 0 {
		t.Errorf("%+v", page)
	}
	res, err := http.DefaultClient.Do(operator.Request(http.MethodGet, "/waitlist/entries/export", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close() // the body has been read in full
	csv, err := io.ReadAll(res.Body)
	lines := strings.Split(strings.TrimSpace(string(csv)), "\r\n")
	if err != nil || len(lines) != 3 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/csv") ||
		!strings.Contains(lines[1], ",ana@example.com,,waiting,1,0,pt,2") || !strings.Contains(lines[2], ",'=cmd@example.com,,unconfirmed,,0,pt,2") {
		t.Errorf("%v %q", err, lines)
	}

	var invited waitlistapi.InvitedEntries
	operator.Do(http.MethodPost, "/waitlist/invitations", object{"emails": []string{"new@example.com", "ANA@example.com", "NEW@example.com"}}, http.StatusOK, &invited)
	if len(invited.Data) != 2 || invited.Data[0].Email != "new@example.com" || invited.Data[1].Email != "ana@example.com" {
		t.Errorf("%+v", invited)
	}
	w.Mail(t, "new@example.com", 0)
	for _, body := range []object{{}, {"next": 1, "emails": []string{"a@example.com"}}, {"emails": []string{"a b@example.com"}}, {"next": 0}} {
		operator.Do(http.MethodPost, "/waitlist/invitations", body, http.StatusUnprocessableEntity, nil)
	}
}

// TestAnAddressTellsNothing joins with addresses in every state: the response is always the same, and the email, at
// most one in ten minutes, explains the state.
func TestAnAddressTellsNothing(t *testing.T) {
	t.Parallel()
	w := newWaiting(t)
	w.SignIn(t, "account@example.com")
	w.joined("account@example.com")
	if l := w.Mail(t, "account@example.com", 0); !strings.HasSuffix(l.Link(), "/login") {
		t.Errorf("to who has an account: %s", l.Text)
	}
	token := w.join("ana@example.com", "")
	w.confirm(token)
	for range 3 {
		w.joined("ANA@example.com")
	}
	w.joined("last@example.com")
	seq := w.Mail(t, "last@example.com", 0).Seq // queued after the others
	if n := len(w.letters("ana@example.com")); n != 1 {
		t.Errorf("%d e-mails in ten minutes, of all until %d", n, seq)
	}
}

// joined joins, and expects the usual response.
func (w *waiting) joined(email string) {
	w.t.Helper()
	in := waitlistapi.WaitlistEntryInput{Email: email}
	got := read[json.RawMessage](w.t, http.StatusAccepted)(w.client.JoinWaitlist(w.t.Context(), in))
	if want := `{"status":"accepted"}`; string(got) != want {
		w.t.Fatalf("response to joining: got %s, want %s", got, want)
	}
}

// letters returns the emails to an address that have arrived so far.
func (w *waiting) letters(to string) (letters []servertest.Letter) {
	w.t.Helper()
	res, err := http.Get(w.MailURL + "/messages?to=" + to) //nolint:noctx // a test
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close() // the body has been read in full
	if err := json.NewDecoder(res.Body).Decode(&letters); err != nil {
		w.t.Fatal(err)
	}
	return letters
}
