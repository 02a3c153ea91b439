package core_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
)

func TestMembershipInvitation(t *testing.T) {
	service := core.NewMembershipInvitations(&publishers{}, 50, clock)
	in := core.MembershipInvitationInput{Email: "Bia@Example.com", Role: core.RoleEditor}
	got, _, err := service.Create(t.Context(), person(owner), "metro", in, core.Idempotency{})
	core.Succeed(t, "invite", err)
	want := core.MembershipInvitation{ID: got.ID, PublisherID: metroID, Email: "bia@example.com",
		Role: core.RoleEditor, State: core.InvitationPending, InvitedBy: &core.Inviter{ID: owner}, InvitedAt: clock(),
		ExpiresAt: clock().Add(core.MembershipInvitationLife)}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("invitation (-want +got):\n%s", diff)
	}
}

// TestMembersAreNotAdded expects the operation that added members at once to respond in the same way to all addresses
// but those of members.
func TestMembersAreNotAdded(t *testing.T) {
	members := core.NewMembers(&publishers{}, nil, quiet{}, clock)
	_, err := members.Add(t.Context(), person(owner), "metro", "b@example.com")
	if e, ok := errors.AsType[*core.Error](err); !ok || e.Reason != "invitation_required" || e.Fields[0].Pointer != "#/email" {
		t.Errorf("adding a person: got %v, want invitation_required at #/email", err)
	}
}
