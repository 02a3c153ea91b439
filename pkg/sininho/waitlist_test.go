//go:build go1.26

package sininho_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestWaitlistInputs(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	c := server.Client()
	longName := strings.Repeat("a", 101)
	for name, err := range map[string]error{
		"#/email":    c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: "ana"}),
		"#/name":     c.Waitlist.Join(t.Context(), sininho.WaitlistInput{Email: "ana@example.com", Name: longName}),
		"path:token": c.Waitlist.Leave(t.Context(), "a b"),
		"#/next":     second(c.Waitlist.InviteNext(t.Context(), 0)),
		"#/emails":   second(c.Waitlist.Invite(t.Context(), nil)),
		"#/emails/1": second(c.Waitlist.Invite(t.Context(), []string{"ana@example.com", "bruno"})),
	} {
		input, ok := errors.AsType[*sininho.InputError](err)
		if !ok || len(input.Fields) != 1 {
			t.Errorf("fault of %s: got the error %v, want an *InputError with one fault", name, err)
			continue
		}
		equal(t, "pointer of the fault", input.Fields[0].Pointer, name)
	}
	equal(t, "requests", len(server.Requests()), 0)
}

func second[T any](_ T, err error) error { return err }
