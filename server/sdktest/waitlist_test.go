package sdktest_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/servertest"
)

func testWaitlist(t *testing.T, f *fixture) {
	visitor := f.client(sininho.WithAPIKey(""))
	ana, bru := "ana."+f.email, "bruno."+f.email
	join(t, f, visitor, ana, "")
	bruno := join(t, f, visitor, bru, "")
	if bruno.Position != 2 || bruno.Total != 2 || !strings.HasSuffix(bruno.ReferralURL, bruno.ReferralCode) {
		t.Errorf("the second of two: %+v", bruno)
	}
	join(t, f, visitor, "carla."+f.email, bruno.ReferralCode)
	bruno, err := visitor.Waitlist.Place(t.Context(), f.waitlistToken(bru))
	if err != nil || bruno.Position != 1 || bruno.Referrals != 1 {
		t.Errorf("who brought another goes first: %+v, %v", bruno, err)
	}

	operator := f.person(servertest.Operator)
	invited, err := operator.Waitlist.InviteNext(t.Context(), 1)
	if err != nil || len(invited) != 1 || invited[0].Email != bru || invited[0].Status != sininho.WaitlistInvited {
		t.Errorf("the first is invited: %+v, %v", invited, err)
	}
	var waiting []string
	for entry, err := range operator.Waitlist.List(t.Context(), sininho.WaitlistListOptions{Status: sininho.WaitlistWaiting}) {
		if err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting, entry.Email)
	}
	if strings.Join(waiting, " ") != ana+" carla."+f.email {
		t.Errorf("who waits: %q", waiting)
	}
	var out bytes.Buffer
	if err := operator.Waitlist.Export(t.Context(), &out, sininho.WaitlistListOptions{Search: ana}); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 2 || lines[0][1] != "email" || lines[1][1] != ana {
		t.Errorf("the export of one: %q, %v", lines, err)
	}

	token := f.waitlistToken(ana)
	if err := visitor.Waitlist.Leave(t.Context(), token); err != nil {
		t.Error(err)
	}
	if _, err := visitor.Waitlist.Place(t.Context(), token); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("who has left: %v", err)
	}
	if err := visitor.Waitlist.Export(t.Context(), &out, sininho.WaitlistListOptions{}); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("a visitor exports: %v", err)
	}
}

func join(t *testing.T, f *fixture, c *sininho.Client, email, code string) *sininho.WaitlistPlace {
	t.Helper()
	if err := c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: email, ReferralCode: code}); err != nil {
		t.Fatal(err)
	}
	place, err := c.Waitlist.Confirm(t.Context(), f.waitlistToken(email))
	if err != nil {
		t.Fatal(err)
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
		t.Error(err)
	}
	if _, err := sininho.New(sininho.WithWaitlistURL("waitlist.example.com")); err == nil {
		t.Error("an address without a scheme is taken")
	}
}
