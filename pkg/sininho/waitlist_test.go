package sininho_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestWaitlist(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	visitor := server.Client(sininho.WithAPIKey(""))
	join(t, server, visitor, "ana@example.com", "")
	bruno := join(t, server, visitor, "bruno@example.com", "")
	if bruno.Position != 2 || bruno.Total != 2 || !strings.HasSuffix(bruno.ReferralURL, bruno.ReferralCode) {
		t.Errorf("the second of two: %+v", bruno)
	}
	join(t, server, visitor, "carla@example.com", bruno.ReferralCode)
	bruno, err := visitor.Waitlist.Place(t.Context(), server.WaitlistToken("bruno@example.com"))
	if err != nil || bruno.Position != 1 || bruno.Referrals != 1 {
		t.Errorf("who brought another goes first: %+v, %v", bruno, err)
	}

	operator := server.Client(sininho.WithAccessToken(server.AccessToken))
	invited, err := operator.Waitlist.InviteNext(t.Context(), 1)
	if err != nil || len(invited) != 1 || invited[0].Email != "bruno@example.com" || invited[0].Status != sininho.WaitlistInvited {
		t.Errorf("the first is invited: %+v, %v", invited, err)
	}
	var waiting []string
	for entry, err := range operator.Waitlist.List(t.Context(), sininho.WaitlistListOptions{Status: sininho.WaitlistWaiting}) {
		if err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting, entry.Email)
	}
	if strings.Join(waiting, " ") != "ana@example.com carla@example.com" {
		t.Errorf("who waits: %q", waiting)
	}
	var out bytes.Buffer
	if err := operator.Waitlist.Export(t.Context(), &out, sininho.WaitlistListOptions{Search: "ana"}); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(lines) != 2 || lines[0][1] != "email" || lines[1][1] != "ana@example.com" {
		t.Errorf("the export of one: %q, %v", lines, err)
	}

	token := server.WaitlistToken("ana@example.com")
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

func join(t *testing.T, server *sininhotest.Server, c *sininho.Client, email, code string) *sininho.WaitlistPlace {
	t.Helper()
	if err := c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: email, ReferralCode: code}); err != nil {
		t.Fatal(err)
	}
	place, err := c.Waitlist.Confirm(t.Context(), server.WaitlistToken(email))
	if err != nil {
		t.Fatal(err)
	}
	return place
}

func TestWaitlistInputs(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	c := server.Client(sininho.WithAccessToken(server.AccessToken))
	for name, err := range map[string]error{
		"#/email":    c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: "ana"}),
		"#/name":     c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: "ana@example.com", Name: strings.Repeat("a", 101)}),
		"path:token": c.Waitlist.Leave(t.Context(), "a b"),
		"#/next":     second(c.Waitlist.InviteNext(t.Context(), 0)),
		"#/emails":   second(c.Waitlist.Invite(t.Context(), nil)),
		"#/emails/1": second(c.Waitlist.Invite(t.Context(), []string{"ana@example.com", "bruno"})),
	} {
		input, ok := errors.AsType[*sininho.InputError](err)
		if !ok || len(input.Fields) != 1 || input.Fields[0].Pointer != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func second[T any](_ T, err error) error { return err }

func TestWaitlistAtAnAddressOfItsOwn(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	c := server.Client(sininho.WithBaseURL("http://main.invalid"), sininho.WithWaitlistURL(server.URL), sininho.WithRetries(0))
	if err := c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: "ana@example.com"}); err != nil {
		t.Error(err)
	}
	if _, err := sininho.New(sininho.WithWaitlistURL("waitlist.example.com")); err == nil {
		t.Error("an address without a scheme is taken")
	}
}
