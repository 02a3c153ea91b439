package sdktest_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

func testWaitlist(t *testing.T, f *fixture) {
	visitor := f.visitor()
	ana, bru := "ana."+f.email, "bruno."+f.email
	join(t, f, visitor, ana, "")
	bruno := join(t, f, visitor, bru, "")
	if bruno.Position != 2 || bruno.Total != 2 || !strings.HasSuffix(bruno.ReferralURL, bruno.ReferralCode) {
		t.Errorf("place of the second of two: got %+v", bruno)
	}
	join(t, f, visitor, "carla."+f.email, bruno.ReferralCode)
	bruno, err := visitor.Waitlist.Place(t.Context(), f.waitlistToken(bru))
	if err != nil || bruno.Position != 1 || bruno.Referrals != 1 {
		t.Errorf("place after a referral: got %+v, %v, want the first", bruno, err)
	}

	operator := f.person(servertest.Operator)
	invited, err := operator.Waitlist.InviteNext(t.Context(), 1)
	if err != nil || len(invited) != 1 {
		t.Fatalf("invite the next one: got %+v, %v, want one", invited, err)
	}
	check.Equal(t, "invited email", invited[0].Email, bru)
	check.Equal(t, "status of the invited entry", invited[0].Status, sininho.WaitlistInvited)
	var waiting []string
	for entry, err := range operator.Waitlist.List(t.Context(),
		sininho.WaitlistListOptions{Status: sininho.WaitlistWaiting}) {
		if err != nil {
			t.Fatalf("list the waiting entries: %v", err)
		}
		waiting = append(waiting, entry.Email)
	}
	if strings.Join(waiting, " ") != ana+" carla."+f.email {
		t.Errorf("waiting emails: got %q", waiting)
	}
	var out bytes.Buffer
	if err := operator.Waitlist.Export(t.Context(), &out, sininho.WaitlistListOptions{Search: ana}); err != nil {
		t.Fatalf("export the waiting list: %v", err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatalf("export of one entry: got %q, %v, want two lines", lines, err)
	}
	check.Equal(t, "second column of the export", []string{lines[0][1], lines[1][1]}, []string{"email", ana})

	token := f.waitlistToken(ana)
	if err := visitor.Waitlist.Leave(t.Context(), token); err != nil {
		t.Errorf("leave the waiting list: %v", err)
	}
	if _, err := visitor.Waitlist.Place(t.Context(), token); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("who has left: got error %v, want %v", err, sininho.ErrNotFound)
	}
	if err := visitor.Waitlist.Export(t.Context(), &out, sininho.WaitlistListOptions{}); !errors.Is(err,
		sininho.ErrUnauthorized) {
		t.Errorf("a visitor exports: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
}

func join(t *testing.T, f *fixture, c *sininho.Client, email, code string) *sininho.WaitlistPlace {
	t.Helper()
	if err := c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: email, ReferralCode: code}); err != nil {
		t.Fatalf("join the waiting list: %v", err)
	}
	place, err := c.Waitlist.Confirm(t.Context(), f.waitlistToken(email))
	if err != nil {
		t.Fatalf("confirm the entry: %v", err)
	}
	return place
}

// waitlistToken returns the token of the first email to an address.
func (f *fixture) waitlistToken(email string) string {
	f.t.Helper()
	link := f.Mail(f.t, email, 0).Link()
	return link[strings.LastIndexAny(link, "/=")+1:]
}

func testWaitlistAtAnAddressOfItsOwn(t *testing.T, f *fixture) {
	c := f.client(sininho.WithBaseURL("http://main.invalid"), sininho.WithWaitlistURL(f.URL), sininho.WithRetries(0))
	if err := c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: "ana." + f.email}); err != nil {
		t.Errorf("join at the waiting list's own address: %v", err)
	}
	if _, err := sininho.New(sininho.WithWaitlistURL("waitlist.example.com")); err == nil {
		t.Error("WithWaitlistURL: got no error for an address without a scheme")
	}
}
