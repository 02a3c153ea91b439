package emails

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/pictures"
	"github.com/sininho/sininho/server/lab/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// outbox keeps what is sent.
type outbox struct{ sent []mail.Message }

func (o *outbox) Send(_ context.Context, m mail.Message) error {
	o.sent = append(o.sent, m)
	return nil
}

// facts are at most one of each thing, and an account with every id except 9.
type facts struct {
	signIn     *core.EmailSignIn
	invitation *core.ReceivedInvitation
	toChannel  *core.ReceivedChannelInvitation
	asked      *core.PublisherRequest
	locale     string
}

func (f facts) EmailSignIn(_ context.Context, id core.ID, at time.Time) (core.EmailSignIn, error) {
	if f.signIn == nil || id != f.signIn.ID || !at.Equal(now) {
		return core.EmailSignIn{}, core.NotFound()
	}
	return *f.signIn, nil
}

func (f facts) EmailSignInLocale(context.Context, core.EmailSignIn) (string, error) {
	return f.locale, nil
}

func (f facts) MembershipInvitation(_ context.Context, id core.ID, at time.Time) (core.ReceivedInvitation, error) {
	if f.invitation == nil || id != f.invitation.ID || !at.Equal(now) {
		return core.ReceivedInvitation{}, core.NotFound()
	}
	return *f.invitation, nil
}

func (f facts) ChannelInvitation(
	_ context.Context, id core.ID, at time.Time,
) (core.ReceivedChannelInvitation, error) {
	if f.toChannel == nil || id != f.toChannel.ID || !at.Equal(now) {
		return core.ReceivedChannelInvitation{}, core.NotFound()
	}
	return *f.toChannel, nil
}

func (f facts) PublisherRequest(_ context.Context, id core.ID) (core.PublisherRequest, error) {
	if f.asked == nil || id != f.asked.ID {
		return core.PublisherRequest{}, core.NotFound()
	}
	return *f.asked, nil
}

func (f facts) InvitationLocale(context.Context, string, core.ID) (string, error) {
	return f.locale, nil
}

func (f facts) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	if id == (core.ID{9}) {
		return core.Subscriber{}, core.NotFound()
	}
	return core.Subscriber{ID: id, Email: "ana@example.com", Locale: cmp.Or(f.locale, "en-GB")}, nil
}

// list is a waiting list of at most one person.
type list struct{ place *Place }

func (l list) EmailPlace(context.Context, core.ID) (Place, error) {
	if l.place == nil {
		return Place{}, core.NotFound()
	}
	return *l.place, nil
}

// newSender returns a sender to an outbox.
func newSender(t *testing.T, f facts, place *Place) (*Sender, *outbox) {
	t.Helper()
	codes, err := core.NewEmailCodes(make([]byte, 32))
	if err != nil {
		t.Fatalf("make the key of codes: %v", err)
	}
	out := &outbox{}
	return &Sender{Server: out, Facts: f, Waitlist: list{place}, Counter: &counter{}, Budget: 1000, Codes: codes,
		PublicURL: "https://sininho.example",
		Picture:   (*pictures.Addresses)(nil).Icon, Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler)}, out
}

// TestUnknownKindsAreGivenUp sends an email of a kind that only another version knows.
func TestUnknownKindsAreGivenUp(t *testing.T) {
	t.Parallel()
	sender, out := newSender(t, facts{}, nil)
	if err := sender.send(t.Context(), Email{Kind: "x"}); !errors.Is(err, mail.ErrRefused) ||
		!strings.Contains(err.Error(), `"x"`) {
		t.Errorf("send an email of another kind: got %v, want it refused", err)
	}
	if len(out.sent) != 0 {
		t.Errorf("emails of another kind: got %v, want none", out.sent)
	}
}
