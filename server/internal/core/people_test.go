package core_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestFollow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.stranger.SubscriberID
	w.publish(core.PublishInput{})
	sub, err := w.subscriptions.Follow(t.Context(), id, w.channel.ID)
	core.Succeed(t, "follow", err)
	check.Equal(t, "subscription", sub,
		core.Subscription{Channel: w.channel, Bell: core.BellAll, FollowedAt: now})
	w.publish(core.PublishInput{})
	page, err := w.subscriptions.List(t.Context(), w.stranger, core.Page{Limit: 10})
	core.Succeed(t, "list", err)
	check.Equal(t, "unread of what was published since", page.Data[0].UnreadCount, 1)
	muted := core.SubscriptionPatch{Bell: new(core.BellNone), MutedUntil: core.Patch[time.Time]{Set: true, Value: &now}}
	sub, err = w.subscriptions.Update(t.Context(), w.stranger, w.channel.ID, muted)
	core.Succeed(t, "update", err)
	check.Equal(t, "bell", sub.Bell, core.BellNone)
	core.Succeed(t, "unfollow", w.subscriptions.Unfollow(t.Context(), id, w.channel.ID))
	check.Equal(t, "announcements", w.said, []string{"followed " + id.String(), "followed " + id.String()})
	_, err = w.subscriptions.Follow(t.Context(), id, core.NewID())
	core.CheckCode(t, "follow nothing", err, core.CodeNotFound)
	core.CheckCode(t, "unfollow nothing", w.subscriptions.Unfollow(t.Context(), id, core.NewID()), core.CodeNotFound)
	check.Equal(t, "announcements of what failed", len(w.said), 2)
	sub, err = w.subscriptions.Follow(t.Context(), id, w.channel.ID)
	core.Succeed(t, "follow again", err)
	check.Equal(t, "bell of before", sub.Bell, core.BellNone)
	check.Equal(t, "unread of before", sub.UnreadCount, 1)
}

func TestFeed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, id := w.stranger, w.stranger.SubscriberID
	made(w.subscriptions.Follow(t.Context(), id, w.channel.ID))
	one, two := w.publish(core.PublishInput{Title: "um"}), w.publish(core.PublishInput{Title: "dois"})
	w.said = nil
	list := func(f core.FeedFilter) []any {
		p, err := w.feed.List(t.Context(), c, f)
		core.Succeed(t, "list the feed", err)
		titles := ""
		for _, n := range p.Data {
			titles += n.Title + " "
		}
		return []any{titles, p.Total, p.Unread}
	}
	check.Equal(t, "feed", list(core.FeedFilter{}), []any{"dois um ", int64(2), int64(2)})
	got, err := w.feed.Update(t.Context(), c, one.ID, core.ReceiptPatch{Read: new(true)})
	core.Succeed(t, "read", err)
	check.Equal(t, "time of reading", got.ReadAt, &now)
	check.Equal(t, "unread feed", list(core.FeedFilter{UnreadOnly: true}), []any{"dois ", int64(1), int64(1)})
	made(w.feed.Update(t.Context(), c, two.ID, core.ReceiptPatch{Archived: new(true)}))
	check.Equal(t, "feed without what is archived", list(core.FeedFilter{}), []any{"um ", int64(1), int64(0)})
	check.Equal(t, "archived", list(core.FeedFilter{ArchivedOnly: true}), []any{"dois ", int64(1), int64(0)})
	by := fmt.Sprintf("read by %s with %s, ", id, c.SessionID)
	check.Equal(t, "announcements", w.said, []string{by + "notification " + one.ID.String() + ", is read true",
		by + "notification " + two.ID.String() + ", archived true, is read false"})

	w.said = nil
	for _, e := range []core.FeedEvent{core.Displayed, core.Opened, core.Opened} {
		core.Succeed(t, "record", w.feed.Record(t.Context(), c, two.ID, e, false))
	}
	core.Succeed(t, "record untracked", w.feed.Record(t.Context(), c, one.ID, core.Opened, true))
	opened := by + "notification " + two.ID.String() + ", is read true"
	check.Equal(t, "reports of openings", w.said, []string{"captured {" + two.ID.String() + "}", opened, opened,
		by + "notification " + one.ID.String() + ", is read true"})

	w.said = nil
	core.Succeed(t, "read all", w.feed.ReadAll(t.Context(), c, nil))
	core.Succeed(t, "read a channel", w.feed.ReadAll(t.Context(), c, &w.channel.ID))
	check.Equal(t, "announcements of reading all", w.said,
		[]string{by[:len(by)-2] + ", is read false", by + "channel " + w.channel.ID.String() + ", is read false"})
	w.said = nil
	missing := core.NewID()
	_, err = w.feed.Update(t.Context(), c, missing, core.ReceiptPatch{})
	core.CheckCode(t, "update nothing", err, core.CodeNotFound)
	core.CheckCode(t, "open nothing", w.feed.Record(t.Context(), c, missing, core.Opened, false), core.CodeNotFound)
	core.CheckCode(t, "read no channel", w.feed.ReadAll(t.Context(), c, &missing), core.CodeNotFound)
	check.Equal(t, "announcements of what failed", w.said, nil)
	_, err = w.feed.Get(t.Context(), c, one.ID)
	core.CheckCode(t, "get", err, "")
	_, err = w.feed.Get(t.Context(), w.owner, one.ID)
	core.CheckCode(t, "get without following", err, core.CodeNotFound)
}

// TestSuspensions checks what is announced, and who is still let in.
func TestSuspensions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, token := w.key(), w.token(w.stranger)
	_, secret, _, err := w.keys.Create(t.Context(), w.owner, "metro", core.APIKeyInput{Name: "CI"}, noKey)
	core.Succeed(t, "create a key", err)
	in := core.SuspensionInput{Reason: "spam"}
	s, err := w.moderation.SuspendPublisher(t.Context(), w.operator, "metro", in)
	core.Succeed(t, "suspend a publisher", err)
	check.Equal(t, "suspension", s, core.Suspension{Reason: "spam", At: now})
	check.Equal(t, "what is announced first", w.said[:2],
		[]string{"reset " + w.channel.ID.String(), "signed out " + key.KeyID.String()})
	_, err = w.credentials.Authenticate(t.Context(), secret)
	core.CheckCode(t, "authenticate with a key of a suspended publisher", err, core.CodeForbidden)
	channel := core.ChannelInput{PublisherSlug: "metro", Slug: "b", Name: "B", CategoryID: w.category}
	_, _, err = w.channels.Create(t.Context(), w.owner, channel, noKey)
	core.CheckCode(t, "create a channel of a suspended publisher", err, core.CodeForbidden)
	_, err = w.publishers.Update(t.Context(), w.owner, "metro", core.PublisherPatch{}, nil)
	core.CheckCode(t, "update a suspended publisher", err, core.CodeForbidden)
	core.CheckCode(t, "delete a suspended publisher", w.publishers.Delete(t.Context(), w.owner, "metro", nil),
		core.CodeForbidden)
	_, _, err = w.endpoints.Challenge(t.Context(), w.owner, "metro", core.NewID())
	core.CheckCode(t, "challenge for a suspended publisher", err, core.CodeForbidden)
	w.said = nil
	core.Succeed(t, "end it", w.moderation.UnsuspendPublisher(t.Context(), w.operator, "metro"))
	check.Equal(t, "channels that are announced", w.said[0], "reset "+w.channel.ID.String())

	w.said = nil
	w.suspend()
	check.Equal(t, "what is announced of a channel", w.said, []string{"reset " + w.channel.ID.String()})
	patch := core.ChannelPatch{Name: new("B")}
	_, err = w.channels.Update(t.Context(), w.owner, "metro", "avisos", patch, nil)
	core.CheckCode(t, "update a suspended channel", err, core.CodeForbidden)
	core.CheckCode(t, "delete a suspended channel", w.channels.Delete(t.Context(), w.owner, "metro", "avisos", nil),
		core.CodeForbidden)
	_, err = w.subscriptions.Follow(t.Context(), w.stranger.SubscriberID, w.channel.ID)
	check.Equal(t, "reason against following it", reasonOf(err), "suspended")
	core.Succeed(t, "end it", w.moderation.UnsuspendChannel(t.Context(), w.operator, "metro", "avisos"))

	w.said = nil
	_, err = w.moderation.SuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID, in)
	core.Succeed(t, "suspend a person", err)
	check.Equal(t, "what is announced of a person", w.said, []string{"signed out " + w.stranger.SessionID.String(),
		"signed out " + token.TokenID.String()})
	for _, reason := range []string{" ", long(1001), "\x00a"} {
		_, err := w.moderation.SuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID,
			core.SuspensionInput{Reason: reason})
		check.Equal(t, "number of faults of a reason", len(fieldsOf(err)), 1)
	}
	check.Equal(t, "faults of the longest reason",
		len(core.SuspensionInput{Reason: long(core.MaxSuspensionReason)}.Validate(nil, now)), 0)
	core.Succeed(t, "end it", w.moderation.UnsuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID))
}

func long(n int) string { return strings.Repeat("a", n) }

func TestTokensOfSuspendedPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, secret, _, err := w.tokens.Create(t.Context(), w.stranger, core.AccessTokenInput{Name: "CLI"}, noKey)
	core.Succeed(t, "create a token", err)
	made(w.moderation.SuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID, core.SuspensionInput{Reason: "x"}))
	_, err = w.credentials.Authenticate(t.Context(), secret)
	check.Equal(t, "reason against the token", reasonOf(err), "suspended")
	core.CheckCode(t, "authenticate with it", err, core.CodeForbidden)
	w.now = now.AddDate(1, 0, 0)
	_, err = w.credentials.Authenticate(t.Context(), secret)
	core.CheckCode(t, "authenticate with it when it has expired", err, core.CodeUnauthenticated)
}

// TestRevocation ends the streams of what is revoked.
func TestRevocation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, parent := w.key(), w.token(w.owner)
	child := w.token(parent)
	w.said = nil
	core.Succeed(t, "revoke a key", w.keys.Revoke(t.Context(), w.owner, "metro", key.KeyID))
	core.Succeed(t, "revoke a token", w.tokens.Revoke(t.Context(), w.owner, parent.TokenID))
	check.Equal(t, "announcements", w.said, []string{"signed out " + key.KeyID.String(),
		"signed out " + parent.TokenID.String(), "signed out " + child.TokenID.String()})
	w.said = nil
	core.CheckCode(t, "revoke nothing", w.keys.Revoke(t.Context(), w.owner, "metro", core.NewID()), core.CodeNotFound)
	core.CheckCode(t, "revoke no token", w.tokens.Revoke(t.Context(), w.owner, core.NewID()), core.CodeNotFound)
	_, _, _, err := w.tokens.Create(t.Context(), parent, core.AccessTokenInput{Name: "x"}, noKey)
	core.CheckCode(t, "create a token with a revoked one", err, core.CodeUnauthenticated)
	check.Equal(t, "announcements of what failed", w.said, nil)
	list, total, err := w.tokens.List(t.Context(), w.owner, core.Page{})
	check.Equal(t, "tokens that are left", []any{len(list), total, err}, []any{0, int64(0), nil})
}

// TestRepeatedCredentials expects no secret in a repeated response, even when the times have passed.
func TestRepeatedCredentials(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	soon := now.Add(time.Hour)
	create := map[string]func(k core.Idempotency) (core.ID, string, core.Creation, error){
		"a key": func(k core.Idempotency) (core.ID, string, core.Creation, error) {
			in := core.APIKeyInput{Name: "CI", ExpiresAt: &soon}
			made, secret, creation, err := w.keys.Create(t.Context(), w.owner, "metro", in, k)
			return made.ID, secret, creation, err
		},
		"a token": func(k core.Idempotency) (core.ID, string, core.Creation, error) {
			in := core.AccessTokenInput{Name: "CI", ExpiresAt: &soon}
			made, secret, creation, err := w.tokens.Create(t.Context(), w.owner, in, k)
			return made.ID, secret, creation, err
		},
	}
	for what, create := range create {
		w.now = now
		id, secret, creation, err := create(key(what, ""))
		check.Equal(t, "first creation of "+what, []any{secret != "", creation, err}, []any{true, core.Created, nil})
		for _, at := range []time.Time{now, soon} {
			w.now = at
			again, secret, creation, err := create(key(what, ""))
			check.Equal(t, "repeated creation of "+what, []any{again, secret, creation, err},
				[]any{id, "", core.Replayed, nil})
		}
		_, secret, _, err = create(key(what+" anew", ""))
		core.CheckCode(t, "creation of "+what+" that has expired", err, core.CodeInvalid)
		check.Equal(t, "secret of "+what+" that has expired", secret, "")
	}
	old := w.key()
	w.said = nil
	id := core.ID{}
	for i, want := range []core.Creation{core.Created, core.Replayed} {
		k, secret, creation, err := w.keys.Rotate(t.Context(), w.owner, "metro", old.KeyID, core.APIKeyRotation{},
			key("rotate", ""))
		check.Equal(t, "rotation", []any{secret != "", creation, err}, []any{i == 0, want, nil})
		check.Equal(t, "rotated key is the same", i == 0 || k.ID == id, true)
		check.Equal(t, "creator of the key", k.CreatedBy.ID, w.owner.SubscriberID)
		id = k.ID
	}
	check.Equal(t, "announcements of the rotation", w.said, []string{"signed out " + old.KeyID.String()})
	_, secret, _, err := w.keys.Rotate(t.Context(), w.owner, "metro", old.KeyID, core.APIKeyRotation{}, noKey)
	check.Equal(t, "a second rotation", []any{secret, reasonOf(err)}, []any{"", "already_rotated"})
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	invite := func(email string, role core.Role) (core.MembershipInvitation, error) {
		in := core.MembershipInvitationInput{Email: email, Role: role}
		return first(w.invitations.Create(t.Context(), w.owner, "metro", in, noKey))
	}
	inv, err := invite("Stranger@Example.com", core.RoleEditor)
	core.Succeed(t, "invite", err)
	inviter := core.Inviter{ID: w.owner.SubscriberID, Name: "owner", Email: "owner@example.com"}
	check.Equal(t, "invitation", inv, core.MembershipInvitation{ID: inv.ID, PublisherID: inv.PublisherID,
		Email: "stranger@example.com", Role: core.RoleEditor, State: core.InvitationPending, InvitedBy: &inviter,
		InvitedAt: now, ExpiresAt: now.AddDate(0, 0, 14)})
	_, err = invite("não é", core.RoleEditor)
	check.Equal(t, "faults of an address", pointers(fieldsOf(err)), []string{"#/email"})
	_, err = invite("editor@example.com", core.RoleEditor)
	check.Equal(t, "reason against inviting a member", reasonOf(err), "already_member")
	made(invite("a@example.com", core.RoleEditor))
	_, err = invite("b@example.com", core.RoleEditor)
	check.Equal(t, "reason against the fourth address", reasonOf(err), "too_many_invitations")

	received, total, err := w.invitations.Received(t.Context(), w.stranger, core.Page{})
	check.Equal(t, "received invitations", []any{len(received), total, err}, []any{1, int64(1), nil})
	_, err = w.invitations.Accept(t.Context(), w.operator, inv.ID)
	core.CheckCode(t, "accept somebody else's", err, core.CodeNotFound)
	p, err := w.invitations.Accept(t.Context(), w.stranger, inv.ID)
	core.Succeed(t, "accept", err)
	check.Equal(t, "role", p.Role, core.RoleEditor)
	core.CheckCode(t, "decline after accepting", w.invitations.Decline(t.Context(), w.stranger, inv.ID), core.CodeConflict)
	err = w.invitations.Withdraw(t.Context(), w.owner, "metro", inv.ID)
	check.Equal(t, "reason against withdrawing it", reasonOf(err), "invitation_accepted")
	_, total, err = w.members.List(t.Context(), w.stranger, "metro", core.Page{})
	check.Equal(t, "members", []any{total, err}, []any{int64(3), nil})
}

// TestLeaving checks what those who leave no longer have, and what is announced.
func TestLeaving(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(w *world) error{
		"removed": func(w *world) error {
			return w.members.Remove(t.Context(), w.owner, "metro", w.editor.SubscriberID, true)
		},
		"left": func(w *world) error {
			return w.members.Remove(t.Context(), w.editor, "metro", w.editor.SubscriberID, true)
		},
		"deleted": func(w *world) error { return w.subscribers.Delete(t.Context(), w.editor) },
	} {
		w := newWorld(t)
		made(w.members.Update(t.Context(), w.owner, "metro", w.owner.SubscriberID, core.RoleOwner))
		w.join("metro", "second", core.RoleOwner)
		second := w.person("second")
		_, _, _, err := w.keys.Create(t.Context(), second, "metro", core.APIKeyInput{Name: "theirs"}, noKey)
		core.Succeed(t, "create a key", err)
		w.editor = second
		hook, _ := w.webhook(core.WebhookInput{Signing: core.SigningNone})
		keys, _, err := w.keys.List(t.Context(), w.owner, "metro", core.Page{})
		core.Succeed(t, "list keys", err)
		w.said = nil
		core.Succeed(t, "leave", leave(w))
		check.Equal(t, "first announcement: "+name, w.said[0], "signed out "+keys[0].ID.String())
		_, err = w.webhooks.Find(t.Context(), hook.Address)
		core.CheckCode(t, "find the webhook by its old address: "+name, err, core.CodeNotFound)
	}
	w := newWorld(t)
	core.CheckCode(t, "delete the account of the only owner", w.subscribers.Delete(t.Context(), w.owner),
		core.CodeConflict)
}

func TestProfile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got, err := w.subscribers.Update(t.Context(), w.stranger, core.SubscriberPatch{Name: new("Rui")}, &now)
	core.Succeed(t, "update", err)
	check.Equal(t, "name", got.Name, "Rui")
	_, err = w.subscribers.Update(t.Context(), w.stranger, core.SubscriberPatch{Name: new("Ana")}, &now)
	core.CheckCode(t, "update another version", err, core.CodeChanged)
	_, err = w.subscribers.Update(t.Context(), w.stranger, core.SubscriberPatch{Name: new(" ")}, nil)
	core.CheckCode(t, "update with a blank name", err, core.CodeInvalid)
	got, err = w.subscribers.Get(t.Context(), w.stranger)
	check.Equal(t, "profile", []any{got.Name, err}, []any{"Rui", nil})
	w.now = now.Add(time.Hour)
	o, err := w.subscribers.SaveOnboarding(t.Context(), w.stranger, core.OnboardingDone, []core.ID{w.category})
	core.Succeed(t, "save the onboarding", err)
	check.Equal(t, "onboarding", o, core.Onboarding{Step: core.OnboardingDone, CategoryIDs: []core.ID{w.category},
		CompletedAt: new(w.now)})
	again, err := w.subscribers.Onboarding(t.Context(), w.stranger)
	check.Equal(t, "onboarding that is read", []any{again, err}, []any{o, nil})
	e, err := w.subscribers.Export(t.Context(), w.stranger)
	check.Equal(t, "name in the export", []any{e.Subscriber.Name, err}, []any{"Rui", nil})
}

func TestReports(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(core.PublishInput{Title: "Spam!"})
	in := core.ReportInput{Category: core.ReportSpam, Text: "outra vez"}
	put := func(c core.Caller, id *core.ID, in core.ReportInput) error {
		return w.reports.Put(t.Context(), c, "metro", "avisos", id, in)
	}
	core.Succeed(t, "report a notification", put(w.stranger, &n.ID, in))
	core.Succeed(t, "report the channel", put(w.stranger, nil, in))
	core.CheckCode(t, "report a withdrawn one", put(w.stranger, new(w.withdrawn().ID), in), core.CodeNotFound)
	core.CheckCode(t, "report nothing", put(w.stranger, new(core.NewID()), in), core.CodeNotFound)
	core.CheckCode(t, "report without a text", put(w.stranger, nil, core.ReportInput{Category: core.ReportOther, Text: " "}),
		core.CodeInvalid)
	core.CheckCode(t, "report with too long a text", put(w.stranger, nil, core.ReportInput{Text: long(1001)}),
		core.CodeInvalid)
	core.CheckCode(t, "report with the longest text", put(w.stranger, nil, core.ReportInput{Text: long(1000)}), "")
	all, total, err := w.reports.List(t.Context(), w.operator, core.ReportOpen, core.Page{})
	core.Succeed(t, "list", err)
	check.Equal(t, "number of reports", total, 2)
	person := core.Subscriber{ID: w.stranger.SubscriberID, Name: "stranger", Email: "stranger@example.com"}
	check.Equal(t, "report", all[0], core.Report{ID: all[0].ID, Reporter: person, ChannelID: w.channel.ID,
		NotificationID: &n.ID, PublisherSlug: "metro", ChannelSlug: "avisos", Title: "Spam!",
		Category: core.ReportSpam, Text: "outra vez", Status: core.ReportOpen, CreatedAt: now, UpdatedAt: now})
	closed, err := w.reports.Close(t.Context(), w.operator, all[0].ID, core.ReportResolved)
	core.Succeed(t, "close", err)
	check.Equal(t, "closed report", []any{closed.Status, closed.ClosedAt}, []any{core.ReportResolved, &now})
	w.suspend()
	core.CheckCode(t, "report a suspended channel", put(w.stranger, nil, in), core.CodeNotFound)
	err = w.reports.Put(t.Context(), w.stranger, "metro", "carris", nil, in)
	core.CheckCode(t, "report no channel", err, core.CodeNotFound)
}
