package emails

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/mailtest"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// sentInvitations returns the emails for an invitation, or for none, in the language of a locale.
func sentInvitations(t *testing.T, inv *core.ReceivedInvitation, locale core.Language) []mail.Message {
	t.Helper()
	sender, out := newSender(t, facts{invitation: inv, locale: string(locale)}, nil)
	if err := sender.send(t.Context(), Email{ID: core.ID{5}, Kind: Membership, About: core.ID{1}}); err != nil {
		t.Errorf("send the email: %v", err)
	}
	return out.sent
}

func invitation(state core.InvitationState, role core.Role) *core.ReceivedInvitation {
	return &core.ReceivedInvitation{MembershipInvitation: core.MembershipInvitation{ID: core.ID{1},
		Email: "bia@example.com", Role: role, State: state, ExpiresAt: now.Add(core.MembershipInvitationLife),
		InvitedBy: &core.Inviter{Name: "Win at evil.example", Email: "x@evil.example"}},
		Publisher: core.Publisher{Slug: "metro", Name: "Win at evil.example"}}
}

// TestMembershipInvitation expects the email to name the publisher by its slug, and to hold nothing else that a
// stranger chose.
func TestMembershipInvitation(t *testing.T) {
	for _, role := range []core.Role{core.RoleEditor, core.RoleOwner} {
		for _, in := range []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English} {
			messages := sentInvitations(t, invitation(core.InvitationPending, role), in)
			if len(messages) != 1 {
				t.Fatalf("emails to a person invited as %s: got %d, want 1", role, len(messages))
			}
			m := messages[0]
			if m.To != "bia@example.com" || m.ID != (core.ID{5}) {
				t.Errorf("email: got id %s to %s, want %s to bia@example.com", m.ID, m.To, core.ID{5})
			}
			if strings.Contains(m.Subject+m.Text+m.HTML, "evil") {
				t.Errorf("email as %s in %s: got %+v, want none of the words of the publisher and the inviter", role, in, m)
			}
			mailtest.Golden(t, string(role)+"."+string(in), m)
		}
	}
}

func TestEndedInvitationsAreNotEmailed(t *testing.T) {
	if n := len(sentInvitations(t, nil, core.English)); n != 0 {
		t.Errorf("emails for a deleted invitation: got %d, want none", n)
	}
	for _, state := range []core.InvitationState{core.InvitationAccepted, core.InvitationDeclined,
		core.InvitationWithdrawn, core.InvitationExpired} {
		if n := len(sentInvitations(t, invitation(state, core.RoleEditor), core.English)); n != 0 {
			t.Errorf("emails for an invitation that is %s: got %d, want none", state, n)
		}
	}
}

func TestInvitationsOfSuspendedPublishersAreNotEmailed(t *testing.T) {
	inv := invitation(core.InvitationPending, core.RoleEditor)
	inv.Publisher.Suspension = &core.Suspension{Reason: "spam", At: now}
	if n := len(sentInvitations(t, inv, core.English)); n != 0 {
		t.Errorf("emails for an invitation of a suspended publisher: got %d, want none", n)
	}
}

// queue counts jobs, or fails.
type queue struct {
	queued int
	broken error
}

func (q *queue) Insert(_ context.Context, _ postgres.Tx, jobs []river.InsertManyParams) error {
	q.queued += len(jobs)
	return q.broken
}

// TestEmailsAreQueuedWithTheirInvitations breaks the queue: no invitation is stored without its email.
func TestEmailsAreQueuedWithTheirInvitations(t *testing.T) {
	store, jobs := postgres.NewStore(pgtest.DB(t)), &queue{}
	ana, err := store.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana",
		Locale: "pt"}, core.SignUp{Open: true}, now)
	if err != nil {
		t.Fatalf("sign in: %v", err)
	}
	p, _, err := store.CreatePublisher(t.Context(), core.Publisher{ID: core.NewID(), Slug: "metro", Name: "Metro",
		CreatedAt: now, UpdatedAt: now}, ana.ID, core.Idempotency{})
	if err != nil {
		t.Fatalf("create a publisher: %v", err)
	}
	invite := func(jobs Jobs, email string) error {
		inv := core.MembershipInvitation{ID: core.NewID(), PublisherID: p.ID, Email: email, Role: core.RoleEditor,
			State: core.InvitationPending, InvitedBy: &core.Inviter{ID: ana.ID}, InvitedAt: now,
			ExpiresAt: now.Add(time.Hour)}
		_, _, err := NewStore(store, jobs).Invite(t.Context(), inv, 50, core.Idempotency{})
		return err
	}
	if err := invite(jobs, "bia@example.com"); err != nil || jobs.queued != 1 {
		t.Errorf("jobs of an invitation: got %d and error %v, want 1", jobs.queued, err)
	}
	jobs.broken = errors.New("the queue is broken")
	if err := invite(jobs, "rui@example.com"); !errors.Is(err, jobs.broken) {
		t.Errorf("invite without a queue: got error %v, want %v", err, jobs.broken)
	}
	if err := invite(nil, "eva@example.com"); err != nil {
		t.Errorf("invite without a mail server: %v", err)
	}
	list, total, err := store.MembershipInvitations(t.Context(), p.ID, core.Page{Limit: 10}, now)
	if err != nil || total != 2 || list[0].Email == "rui@example.com" || list[1].Email == "rui@example.com" {
		t.Errorf("invitations after the queue broke: got %+v and error %v, want bia's and eva's", list, err)
	}
}
