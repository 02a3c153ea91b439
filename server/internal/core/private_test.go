package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// private makes the channel private and returns the secret of an invitation to it.
func (w *world) private(in core.ChannelInvitationInput) (secret string) {
	w.t.Helper()
	ctx := w.t.Context()
	made(w.channels.Update(ctx, w.owner, "metro", "avisos", core.ChannelPatch{Visibility: new(core.Private)}, nil))
	_, secret, _, err := w.joining.Create(ctx, w.owner, "metro", "avisos", in, noKey)
	core.Succeed(w.t, "invite", err)
	return secret
}

// TestPrivateChannelDoesNotExistForStrangers tries each way to see a private channel, as everybody there is. Strangers
// get the error of a channel that does not exist.
func TestPrivateChannelDoesNotExistForStrangers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(core.PublishInput{})
	secret := w.private(core.ChannelInvitationInput{})
	member := w.person("member")
	made(w.joining.Accept(t.Context(), member, secret))
	for who, c := range map[string]struct {
		core.Caller
		sees bool
	}{
		"visitor": {core.Caller{}, false}, "stranger": {w.stranger, false}, "operator": {w.operator, false},
		"member": {member, true}, "owner": {w.owner, true}, "editor": {w.editor, true}, "key": {w.key(), true},
	} {
		for what, see := range map[string]func(slug string) error{
			"get": func(slug string) error {
				_, err := w.channels.Get(t.Context(), c.Caller, "metro", slug)
				return err
			},
			"find": func(slug string) error {
				_, err := w.channels.Find(t.Context(), c.Caller, "metro", slug)
				return err
			},
			"followers": func(slug string) error {
				_, err := w.channels.Followers(t.Context(), c.Caller, "metro", slug, 7)
				return err
			},
			"list": func(slug string) error {
				_, err := w.notifications.List(t.Context(), c.Caller, "metro", slug, core.Page{Limit: 10})
				return err
			},
			"notification": func(slug string) error {
				_, err := w.notifications.Get(t.Context(), c.Caller, "metro", slug, n.ID)
				return err
			},
		} {
			err := see("avisos")
			if c.sees {
				core.Succeed(t, what+" as "+who, err)
			} else {
				check.Equal(t, what+" as "+who, err.Error(), see("nenhum").Error())
			}
		}
	}
}

// TestKeyWithoutReadSeesNoPrivateChannel has a key that may only publish.
func TestKeyWithoutReadSeesNoPrivateChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.private(core.ChannelInvitationInput{})
	_, err := w.channels.Get(t.Context(), w.key(core.ScopePublish), "metro", "avisos")
	if !core.IsCode(err, core.CodeForbidden) {
		t.Errorf("got %v, want forbidden", err)
	}
}

// TestJoiningAndLeavingAreAnnounced tells open streams at once.
func TestJoiningAndLeavingAreAnnounced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret, member, ctx := w.private(core.ChannelInvitationInput{Approval: true}), w.person("member"), t.Context()
	left, followed := "left "+w.channel.ID.String(), "followed "+member.SubscriberID.String()
	check.Equal(t, "made private", w.said, []string{left})
	step := func(what string, err error, want ...string) {
		t.Helper()
		core.Succeed(t, what, err)
		check.Equal(t, what, w.said, append([]string(nil), want...))
		w.said = nil
	}
	w.said = nil
	inv, err := w.joining.Accept(ctx, member, secret)
	step("ask to join", err)
	check.Equal(t, "state", inv.State, core.MemberRequested)
	_, err = w.joined.Approve(ctx, w.editor, "metro", "avisos", member.SubscriberID)
	step("approve", err, followed)
	step("remove", w.joined.Remove(ctx, w.key(), "metro", "avisos", member.SubscriberID), followed, left)
	if _, err := w.joining.Accept(ctx, member, secret); !core.IsCode(err, core.CodeNotFound) {
		t.Errorf("join again by the same invitation: got %v, want not found", err)
	}
}

// TestOnlyThePublisherInvites tries what the publisher may do as others.
func TestOnlyThePublisherInvites(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret, ctx := w.private(core.ChannelInvitationInput{}), t.Context()
	member := w.person("member")
	made(w.joining.Accept(ctx, member, secret))
	for who, c := range map[string]core.Caller{"member": member, "stranger": w.stranger, "operator": w.operator} {
		_, _, err := w.joined.List(ctx, c, "metro", "avisos", core.MemberJoined, core.Page{Limit: 10})
		_, _, list := w.joining.List(ctx, c, "metro", "avisos", core.Page{Limit: 10})
		_, _, _, create := w.joining.Create(ctx, c, "metro", "avisos", core.ChannelInvitationInput{}, noKey)
		for what, err := range map[string]error{
			"members": err, "invitations": list, "invite": create,
			"remove": w.joined.Remove(ctx, c, "metro", "avisos", w.owner.SubscriberID),
			"revoke": w.joining.Revoke(ctx, c, "metro", "avisos", core.NewID()),
		} {
			if !core.IsCode(err, core.CodeNotFound) {
				t.Errorf("%s as %s: got %v, want not found", what, who, err)
			}
		}
	}
}

// TestInvitationEnds opens invitations that have ended, and secrets that never were.
func TestInvitationEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret, ctx := w.private(core.ChannelInvitationInput{ExpiresAt: new(w.now.Add(time.Hour))}), t.Context()
	made(w.joining.Show(ctx, core.Caller{}, secret))
	w.now = w.now.Add(time.Hour)
	for what, secret := range map[string]string{"expired": secret, "mistyped": secret[:len(secret)-1] + "_", "empty": ""} {
		_, show := w.joining.Show(ctx, w.stranger, secret)
		_, accept := w.joining.Accept(ctx, w.stranger, secret)
		if !core.IsCode(show, core.CodeNotFound) || !core.IsCode(accept, core.CodeNotFound) {
			t.Errorf("%s: got %v and %v, want not found", what, show, accept)
		}
	}
}

// TestEmailedChannelInvitation expects one for one person that ends, and a limit that members and publishers share.
func TestEmailedChannelInvitation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.private(core.ChannelInvitationInput{})
	invite := func(c core.Caller, in core.ChannelInvitationInput) (core.ChannelInvitation, string, error) {
		inv, secret, _, err := w.joining.Create(t.Context(), c, "metro", "avisos", in, noKey)
		return inv, secret, err
	}
	inv, secret, err := invite(w.owner, core.ChannelInvitationInput{Email: "Bia@Example.com"})
	core.Succeed(t, "invite an address", err)
	check.Equal(t, "invitation", inv, core.ChannelInvitation{ID: inv.ID, ChannelID: w.channel.ID,
		Email: "bia@example.com", MaxUses: new(int32(1)), ExpiresAt: new(now.AddDate(0, 0, 14)), CreatedAt: now})
	if secret != (core.ChannelInvitationSecrets{}).Secret(inv.ID) || !strings.HasPrefix(secret, "sni_live_") {
		t.Errorf("secret: got %q, want what follows from its id", secret)
	}
	made(w.joining.Accept(t.Context(), w.stranger, secret))
	_, err = w.joining.Accept(t.Context(), w.operator, secret)
	core.CheckCode(t, "join as a second person", err, core.CodeNotFound)
	_, _, err = invite(w.owner, core.ChannelInvitationInput{Email: "não é"})
	check.Equal(t, "faults of an address", pointers(fieldsOf(err)), []string{"#/email"})
	for _, email := range []string{"BIA@example.com", "key@example.com"} {
		_, _, err := invite(w.key(), core.ChannelInvitationInput{Email: email})
		core.Succeed(t, "invite "+email, err)
	}
	_, _, err = invite(w.key(), core.ChannelInvitationInput{Email: "fourth@example.com"})
	check.Equal(t, "reason against the fourth, with the editor's", reasonOf(err), "too_many_invitations")
	_, _, err = invite(w.owner, core.ChannelInvitationInput{})
	core.Succeed(t, "invite nobody in particular", err)
}
