package sdktest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

func testPublishers(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	metro := f.slug + "-metro"
	p, err := client.Publishers.Create(ctx, metro,
		sininho.PublisherInput{Name: "Metro", Website: "https://example.com", Avatar: "https://example.com/a.png"})
	if err != nil || p.Version == "" {
		t.Fatalf("create the publisher: got %+v, %v", p, err)
	}
	change := sininho.PublisherUpdate{Website: new(""), Description: new("Avisos de " + f.slug)}
	p, err = client.Publishers.Update(ctx, metro, change, sininho.IfVersion(p.Version))
	if err != nil {
		t.Fatalf("update the publisher: %v", err)
	}
	check.Equal(t, "website that was removed", p.Website, "")
	check.Equal(t, "changed description", p.Description, "Avisos de "+f.slug)
	check.Equal(t, "avatar that was not changed", p.Avatar, "https://example.com/a.png")
	if _, err := client.Publishers.Create(ctx, metro, sininho.PublisherInput{Name: "x"}); !errors.Is(err,
		sininho.ErrConflict) {
		t.Errorf("create a publisher with a taken slug: got error %v, want %v", err, sininho.ErrConflict)
	}
	found := collect(t, client.Publishers.List(ctx, sininho.PublisherListOptions{Query: "avisos " + f.slug}))
	check.Equal(t, "number of publishers found", len(found), 1)
	check.Equal(t, "number of the caller's publishers", len(collect(t, client.Publishers.Mine(ctx))), 2)
	if err := client.Publishers.Delete(ctx, metro, sininho.IfVersion(`"old"`)); !errors.Is(err, sininho.ErrChanged) {
		t.Errorf("delete a changed publisher: got error %v, want %v", err, sininho.ErrChanged)
	}
	if err := client.Publishers.Delete(ctx, metro); err != nil {
		t.Errorf("delete the publisher: %v", err)
	}
	var refused *sininho.Error
	if err := client.Publishers.Delete(ctx, f.slug); !errors.As(err, &refused) || refused.Code != sininho.CodeInUse {
		t.Errorf("delete a publisher with channels: got error %v, want code %s", err, sininho.CodeInUse)
	}
}

// join invites a person to the fixture's publisher, and accepts.
func (f *fixture) join(email string, role sininho.Role) *sininho.Client {
	f.t.Helper()
	person := f.asPerson(f.SignIn(f.t, email))
	invitation, err := f.owner.MembershipInvitations.Create(f.t.Context(), f.slug, email, role)
	if err != nil {
		f.t.Fatalf("invite %s: %v", email, err)
	}
	if _, err := person.MembershipInvitations.Accept(f.t.Context(), invitation.ID); err != nil {
		f.t.Fatalf("accept the invitation as %s: %v", email, err)
	}
	return person
}

// wantRefusal checks the code of an error.
func wantRefusal(t *testing.T, what string, err error, code string) {
	t.Helper()
	if refused, ok := errors.AsType[*sininho.Error](err); !ok || refused.Code != code {
		t.Errorf("%s: got error %v, want code %s", what, err, code)
	}
}

func testMembers(t *testing.T, f *fixture) {
	client, ctx := f.owner, t.Context()
	email := "bia." + f.email
	bia := f.join(email, sininho.Editor)
	members := collect(t, client.Members.List(ctx, f.slug))
	member := func(email string) sininho.Member {
		return members[slices.IndexFunc(members, func(m sininho.Member) bool { return m.Email == email })]
	}
	wantRefusal(t, "leave as the last owner", client.Members.Leave(ctx, f.slug), sininho.CodeLastOwner)
	_, err := client.Members.Update(ctx, f.slug, member(email).ID, sininho.Owner)
	wantRefusal(t, "make an editor an owner", err, sininho.CodeInvitationRequired)
	f.join(email, sininho.Owner)
	m, err := bia.Members.Update(ctx, f.slug, member(f.email).ID, sininho.Editor)
	if err != nil || m.Role != sininho.Editor {
		t.Errorf("update a member: got %+v, %v, want an editor", m, err)
	}
	if err := client.Members.Leave(ctx, f.slug); err != nil {
		t.Errorf("leave: %v", err)
	}
	if err := bia.Members.Remove(ctx, f.slug, member(f.email).ID); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("remove a member who has left: got error %v, want %v", err, sininho.ErrNotFound)
	}
}

func testMembershipInvitations(t *testing.T, f *fixture) {
	client, ctx := f.owner.MembershipInvitations, t.Context()
	email := "bia." + f.email
	bia := f.asPerson(f.SignIn(t, email)).MembershipInvitations
	made, err := client.Create(ctx, f.slug, email, sininho.Owner)
	if err != nil {
		t.Fatalf("invite: %v", err)
	}
	check.Equal(t, "a new invitation existed", made.Existing, false)
	owning := made.ID
	made, err = client.Create(ctx, f.slug, email, sininho.Editor)
	if err != nil || !made.Existing || made.ID == owning || made.Role != sininho.Editor {
		t.Errorf("invite to another role: got %+v, %v, want another invitation, as an editor", made, err)
	}
	renewed, err := client.Create(ctx, f.slug, email, sininho.Editor)
	if err != nil || !renewed.Existing || renewed.ID != made.ID {
		t.Errorf("invite again: got %+v, %v, want the renewed invitation", renewed, err)
	}
	renewed.Existing = false
	check.Equal(t, "invitations", collect(t, client.List(ctx, f.slug)), []sininho.MembershipInvitation{*renewed})
	received := collect(t, bia.Received(ctx))
	if len(received) != 1 || received[0].Publisher.Slug != f.slug || received[0].InvitedBy == nil ||
		received[0].InvitedBy.Email != f.email {
		t.Errorf("received invitations: got %+v, want the one of %s", received, f.slug)
	}
	if _, err := client.Accept(ctx, made.ID); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("accept another's invitation: got error %v, want %v", err, sininho.ErrNotFound)
	}
	if err := bia.Decline(ctx, made.ID); err != nil {
		t.Errorf("decline: %v", err)
	}
	_, err = bia.Accept(ctx, made.ID)
	wantRefusal(t, "accept a declined invitation", err, sininho.CodeInvitationEnded)
	if made, err = client.Create(ctx, f.slug, email, sininho.Editor); err != nil || made.Existing {
		t.Errorf("invite after declining: got %+v, %v, want a new invitation", made, err)
	}
	if err := client.Withdraw(ctx, f.slug, made.ID); err != nil {
		t.Errorf("withdraw: %v", err)
	}
	if made, err = client.Create(ctx, f.slug, email, sininho.Editor); err != nil {
		t.Fatalf("invite after withdrawing: %v", err)
	}
	publisher, err := bia.Accept(ctx, made.ID)
	if err != nil || publisher.Slug != f.slug || publisher.Role != sininho.Editor {
		t.Errorf("accept: got %+v, %v, want %s as an editor", publisher, err, f.slug)
	}
	wantRefusal(t, "withdraw an accepted invitation", client.Withdraw(ctx, f.slug, made.ID),
		sininho.CodeInvitationAccepted)
	_, err = client.Create(ctx, f.slug, email, sininho.Editor)
	wantRefusal(t, "invite a member", err, sininho.CodeAlreadyMember)
	if _, err := client.Create(ctx, f.slug, "ninguem", sininho.Editor); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("invite no valid address: got error %v, want %v", err, sininho.ErrInvalid)
	}
}

func testAPIKeys(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	in := sininho.APIKeyInput{
		Name: "CI", Scopes: []sininho.Scope{sininho.ScopePublish}, ExpiresAt: time.Now().Add(time.Hour),
	}
	key, err := client.APIKeys.Create(ctx, f.slug, in, sininho.WithIdempotencyKey("k"))
	if err != nil || key.Secret == "" {
		t.Fatalf("create the API key: got %+v, %v", key, err)
	}
	again, err := client.APIKeys.Create(ctx, f.slug, in, sininho.WithIdempotencyKey("k"))
	if err != nil || again.ID != key.ID || again.Secret != "" {
		t.Errorf("replayed key: got %+v, %v, want %s without its secret", again, err, key.ID)
	}
	if caller, err := f.client(sininho.WithAPIKey(key.Secret)).Auth.Get(ctx); err != nil ||
		caller.Kind != sininho.CallerPublisher {
		t.Errorf("caller with the key: got %+v, %v, want a publisher", caller, err)
	}
	ends := time.Now().Add(time.Minute).UTC().Truncate(time.Second)
	fresh, err := client.APIKeys.Rotate(ctx, f.slug, key.ID, ends)
	if err != nil || fresh.Secret == "" || fresh.ID == key.ID {
		t.Errorf("rotate the key: got %+v, %v, want another key with a secret", fresh, err)
	}
	var refused *sininho.Error
	if _, err := client.APIKeys.Rotate(ctx, f.slug, key.ID, ends); !errors.As(err, &refused) ||
		refused.Code != sininho.CodeAlreadyRotated {
		t.Errorf("rotate the key twice: got error %v, want code %s", err, sininho.CodeAlreadyRotated)
	}
	keys := map[string]sininho.APIKey{}
	for _, k := range collect(t, client.APIKeys.List(ctx, f.slug)) {
		keys[k.ID] = k
	}
	old, successor := keys[key.ID], keys[fresh.ID]
	check.Equal(t, "number of keys", len(keys), 3)
	check.Equal(t, "expiry of the rotated key", old.ExpiresAt, ends)
	check.Equal(t, "the old key is rotated", old.RotatedAt.IsZero(), false)
	check.Equal(t, "the new key is rotated", successor.RotatedAt.IsZero(), true)
	for range 2 {
		if err := client.APIKeys.Revoke(ctx, f.slug, fresh.ID); err != nil {
			t.Errorf("revoke the API key: %v", err)
		}
	}
	if _, err := f.client(sininho.WithAPIKey(fresh.Secret)).Auth.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("revoked: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
	if _, err := f.key.APIKeys.Create(ctx, f.slug, in); !errors.Is(err, sininho.ErrForbidden) {
		t.Errorf("create a key with a key: got error %v, want %v", err, sininho.ErrForbidden)
	}
}

func testChangesOfAChannel(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	category := f.category("tecnologia").ID
	seen, err := client.Channels.Get(ctx, f.channel)
	if err != nil {
		t.Fatalf("get the channel: %v", err)
	}
	change := sininho.ChannelUpdate{CategoryID: &category, Icon: new("https://example.com/i.png")}
	updated, err := client.Channels.Update(ctx, f.channel, change, sininho.IfVersion(seen.Version))
	if err != nil {
		t.Fatalf("update the channel: %v", err)
	}
	check.Equal(t, "changed category", updated.Category.ID, category)
	check.Equal(t, "changed icon", updated.Icon, "https://example.com/i.png")
	if updated.Version == seen.Version {
		t.Errorf("version after an update: got %s as before", updated.Version)
	}
	published, err := client.Notifications.Publish(ctx, f.channel, sininho.PublishInput{Title: "Um"})
	if err != nil {
		t.Fatalf("publish: %v", err)
	}
	n, err := client.Notifications.Get(ctx, f.channel, published.Notification.ID)
	if err != nil {
		t.Fatalf("get the notification: %v", err)
	}
	correction := sininho.Correction{Title: new("Dois")}
	if _, err := client.Notifications.Correct(ctx, f.channel, n.ID, correction,
		sininho.IfVersion(n.Version)); err != nil {
		t.Errorf("correct: %v", err)
	}
	if err := client.Notifications.Withdraw(ctx, f.channel, n.ID, sininho.IfVersion(n.Version)); !errors.Is(err,
		sininho.ErrChanged) {
		t.Errorf("withdraw a corrected notification: got error %v, want %v", err, sininho.ErrChanged)
	}
	if err := client.Channels.Delete(ctx, f.channel, sininho.IfVersion(seen.Version)); !errors.Is(err,
		sininho.ErrChanged) {
		t.Errorf("delete a changed channel: got error %v, want %v", err, sininho.ErrChanged)
	}
	if err := client.Channels.Delete(ctx, f.channel); err != nil {
		t.Errorf("delete the channel: %v", err)
	}
	if _, err := client.Categories.Create(ctx, "x", sininho.CategoryInput{Name: "X", Position: -1}); !errors.Is(err,
		sininho.ErrInvalid) {
		t.Errorf("create a category at position -1: got error %v, want %v", err, sininho.ErrInvalid)
	}
}

func testMe(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	me, err := client.Me.Get(ctx)
	if err != nil || me.BellDefault != sininho.BellAll || me.QuietHours != nil {
		t.Fatalf("get the account: got %+v, %v", me, err)
	}
	quiet := &sininho.QuietHours{Start: "22:00", End: "07:00"}
	change := sininho.MeUpdate{
		Name: new("Ana M."), Locale: new("pt-BR"), BellDefault: new(sininho.BellNone), QuietHours: quiet,
		DigestAt: new("08:30"),
	}
	changed, err := client.Me.Update(ctx, change, sininho.IfVersion(me.Version))
	if err != nil {
		t.Fatalf("update the account: %v", err)
	}
	check.Equal(t, "changed name", changed.Name, "Ana M.")
	check.Equal(t, "changed default bell", changed.BellDefault, sininho.BellNone)
	check.Equal(t, "changed quiet hours", changed.QuietHours, quiet)
	check.Equal(t, "changed hour of the digest", changed.DigestAt, "08:30")
	if changed, err = client.Me.Update(ctx, sininho.MeUpdate{QuietHours: &sininho.QuietHours{}}); err != nil ||
		changed.QuietHours != nil {
		t.Errorf("end the quiet hours: got %+v, %v, want none", changed, err)
	}
	if _, err := client.Me.Update(ctx,
		sininho.MeUpdate{QuietHours: &sininho.QuietHours{Start: "25:00", End: "07:00"}}); !errors.Is(err,
		sininho.ErrInvalid) {
		t.Errorf("quiet hours from 25:00: got error %v, want %v", err, sininho.ErrInvalid)
	}
	var refused *sininho.Error
	if err := client.Me.Delete(ctx); !errors.As(err, &refused) || refused.Code != sininho.CodeLastOwner {
		t.Errorf("delete the account of the only owner: got error %v, want code %s", err, sininho.CodeLastOwner)
	}
	f.join("bia."+f.email, sininho.Owner)
	if err := client.Me.Delete(ctx); err != nil {
		t.Errorf("delete the account: %v", err)
	}
	if _, err := client.Me.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("get a deleted account: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
}

func testFeedAndSubscriptions(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	for range 2 {
		if _, err := client.Subscriptions.Follow(ctx, f.channel); err != nil {
			t.Fatalf("follow: %v", err)
		}
	}
	var batch []sininho.PublishInput
	for i := range 5 {
		batch = append(batch, sininho.PublishInput{Title: fmt.Sprint(i)})
	}
	published, err := client.Notifications.PublishBatch(ctx, f.channel, batch)
	if err != nil {
		t.Fatalf("publish a batch: %v", err)
	}
	var ids []string
	for _, n := range published.Notifications {
		ids = append(ids, n.ID)
	}
	eventually.True(t, "five unread notifications", func() bool {
		return collect(t, client.Subscriptions.List(ctx))[0].UnreadCount == 5
	})
	if sub := collect(t, client.Subscriptions.List(ctx))[0]; sub.Bell != sininho.BellAll {
		t.Errorf("bell of a new subscription: got %+v, want all", sub)
	}
	if n, err := client.Feed.Update(ctx, ids[0], sininho.FeedUpdate{Archived: new(true)}); err != nil ||
		n.ID != ids[0] {
		t.Errorf("archive a notification: got %+v, %v, want %s", n, err, ids[0])
	}
	if archived := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Archived: true})); len(archived) != 1 ||
		archived[0].ID != ids[0] || archived[0].ArchivedAt.IsZero() {
		t.Errorf("archived notifications: got %+v, want %s with the time", archived, ids[0])
	}
	tomorrow := time.Now().AddDate(0, 0, 1).UTC().Truncate(time.Second)
	if n, err := client.Feed.Snooze(ctx, ids[0], tomorrow); err != nil || !n.SnoozedUntil.Equal(tomorrow) {
		t.Errorf("postpone a notification: got %+v, %v, want it until %s", n, err, tomorrow)
	}
	if snoozed := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Snoozed: true})); len(snoozed) != 1 ||
		snoozed[0].ID != ids[0] || !snoozed[0].ArchivedAt.IsZero() {
		t.Errorf("postponed notifications: got %+v, want %s", snoozed, ids[0])
	}
	if n, err := client.Feed.Snooze(ctx, ids[0], time.Time{}); err != nil || !n.SnoozedUntil.IsZero() {
		t.Errorf("bring back a notification: got %+v, %v, want no time", n, err)
	}
	if _, err := client.Feed.Snooze(ctx, "x", tomorrow); err == nil {
		t.Error("postpone no notification: got no error")
	}
	if _, err := client.Feed.Update(ctx, ids[0], sininho.FeedUpdate{Archived: new(true)}); err != nil {
		t.Errorf("archive it again: %v", err)
	}
	eventually.True(t, "the notification that is searched for", func() bool {
		found := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Search: "3", Channel: f.channel}))
		return len(found) == 1 && found[0].ID == ids[3]
	})
	if all := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Important: true})); len(all) != 0 {
		t.Errorf("important notifications: got %+v, want none", all)
	}
	if _, err := client.Feed.MarkRead(ctx, ids[1]); err != nil {
		t.Errorf("mark as read: %v", err)
	}
	if n, err := client.Feed.Get(ctx, ids[1]); err != nil || n.ReadAt.IsZero() {
		t.Errorf("notification that was read: got %+v, %v, want a readAt", n, err)
	}
	if all := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{PageSize: 2})); len(all) != 4 ||
		all[0].ID != ids[4] {
		t.Errorf("feed: got %+v, want 4 notifications, %s first", all, ids[4])
	}
	if err := client.Feed.RecordDisplayed(ctx, ids[2]); err != nil {
		t.Errorf("record as displayed: %v", err)
	}
	if unread := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Unread: true})); len(unread) != 3 {
		t.Errorf("unread notifications: got %d, want 3", len(unread))
	}
	if err := client.Feed.RecordOpened(ctx, ids[2]); err != nil {
		t.Errorf("record as opened: %v", err)
	}
	if unread := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Unread: true})); len(unread) != 2 {
		t.Errorf("unread notifications after one was opened: got %d, want 2", len(unread))
	}
	if err := client.Feed.ReadAll(ctx, f.channel); err != nil {
		t.Errorf("mark all as read: %v", err)
	}
	if unread := collect(t, client.Feed.List(ctx, sininho.FeedListOptions{Unread: true})); len(unread) != 0 {
		t.Errorf("unread notifications after all were read: got %d, want 0", len(unread))
	}
	muted := time.Now().Add(time.Hour).UTC().Truncate(time.Microsecond)
	sub, err := client.Subscriptions.Update(ctx, f.channel,
		sininho.SubscriptionUpdate{Bell: new(sininho.BellNone), MutedUntil: &muted})
	if err != nil || sub.Bell != sininho.BellNone || !sub.MutedUntil.Equal(muted) {
		t.Errorf("mute the subscription: got %+v, %v, want no bell until %s", sub, err, muted)
	}
	sub, err = client.Subscriptions.Update(ctx, f.channel, sininho.SubscriptionUpdate{MutedUntil: &time.Time{}})
	if err != nil || !sub.MutedUntil.IsZero() {
		t.Errorf("unmute the subscription: got %+v, %v, want no mutedUntil", sub, err)
	}
	if err := client.Subscriptions.Unfollow(ctx, sub.Channel.ID); err != nil {
		t.Errorf("unfollow: %v", err)
	}
	if err := client.Feed.ReadAll(ctx, ""); err != nil {
		t.Errorf("mark all as read: %v", err)
	}
	check.Equal(t, "number of subscriptions after unfollowing", len(collect(t, client.Subscriptions.List(ctx))), 0)
}

func testDevicesAndTokens(t *testing.T, f *fixture) {
	client := f.owner
	ctx := t.Context()
	in := sininho.DeviceInput{
		InstallationID: "quiosque-" + f.slug, Address: "fcm-" + f.slug, Platform: "android", Name: "Quiosque",
	}
	registered, err := client.Devices.Register(ctx, in)
	if err != nil || registered.Name != "Quiosque" || registered.Kind != "fcm" {
		t.Fatalf("register the device: got %+v, %v, want a token device named Quiosque", registered, err)
	}
	if again, err := client.Devices.Register(ctx, in); err != nil || again.ID != registered.ID {
		t.Errorf("register the device again: got %+v, %v, want %s", again, err, registered.ID)
	}
	if _, err := client.Devices.Register(ctx,
		sininho.DeviceInput{InstallationID: "x", Platform: "fridge"}); !errors.Is(err, sininho.ErrInvalid) {
		t.Errorf("register a device of an unknown platform: got error %v, want %v", err, sininho.ErrInvalid)
	}
	d := collect(t, client.Devices.List(ctx))[0]
	if renamed, err := client.Devices.Rename(ctx, d.ID, "Portátil"); err != nil || renamed.Name != "Portátil" {
		t.Errorf("rename the device: got %+v, %v, want the name Portátil", renamed, err)
	}
	for range 2 {
		if err := client.Devices.Remove(ctx, d.ID); err != nil {
			t.Errorf("remove the device: %v", err)
		}
	}
	if _, err := client.Devices.Test(ctx, d.ID); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("test a removed device: got error %v, want %v", err, sininho.ErrNotFound)
	}
	token, err := client.AccessTokens.Create(ctx,
		sininho.AccessTokenInput{Name: "x", ExpiresAt: time.Now().Add(time.Hour)})
	if err != nil || len(collect(t, client.AccessTokens.List(ctx))) != 2 {
		t.Fatalf("create the access token: got %+v, %v", token, err)
	}
	other, err := client.AccessTokens.Create(ctx, sininho.AccessTokenInput{Name: "y"})
	if err != nil {
		t.Fatalf("create the access token: %v", err)
	}
	bySecret := f.client(sininho.WithAccessToken(other.Secret))
	if err := bySecret.Auth.SignOut(ctx); err != nil {
		t.Errorf("sign out: %v", err)
	}
	if _, err := bySecret.Auth.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("caller after signing out: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
	if err := client.AccessTokens.Revoke(ctx, token.ID); err != nil {
		t.Errorf("revoke the access token: %v", err)
	}
	if _, err := f.client(sininho.WithAccessToken(token.Secret)).
		Auth.Get(ctx); !errors.Is(err, sininho.ErrUnauthorized) {
		t.Errorf("revoked: got error %v, want %v", err, sininho.ErrUnauthorized)
	}
}

func testExport(t *testing.T, f *fixture) {
	var export bytes.Buffer
	if err := f.owner.Me.Export(t.Context(), &export); err != nil {
		t.Fatalf("export the account: %v", err)
	}
	if !json.Valid(export.Bytes()) || !strings.Contains(export.String(), f.email) {
		t.Errorf("export: got %s, want JSON with %s", export.String(), f.email)
	}
}

func testOperatorsCategories(t *testing.T, f *fixture) {
	ctx := t.Context()
	operator := f.person(servertest.Operator)
	made, err := operator.Categories.Create(ctx, "categoria-"+f.slug,
		sininho.CategoryInput{Name: "Música", Position: 900})
	if err != nil || made.Version == "" {
		t.Fatalf("create the category: got %+v, %v, want a version", made, err)
	}
	changed, err := operator.Categories.Update(ctx, made.ID, sininho.CategoryUpdate{Position: new(901)},
		sininho.IfVersion(made.Version))
	if err != nil || changed.Name != "Música" || changed.Position != 901 {
		t.Errorf("update the category: got %+v, %v, want Música at 901", changed, err)
	}
	if err := operator.Categories.Delete(ctx, made.ID, sininho.IfVersion(made.Version)); !errors.Is(err,
		sininho.ErrChanged) {
		t.Errorf("delete an old version of the category: got error %v, want %v", err, sininho.ErrChanged)
	}
	if err := operator.Categories.Delete(ctx, made.ID); err != nil {
		t.Errorf("delete the category: %v", err)
	}
	if err := f.owner.Categories.Delete(ctx, f.category("transportes").ID); !errors.Is(err, sininho.ErrForbidden) {
		t.Errorf("delete a category as no operator: got error %v, want %v", err, sininho.ErrForbidden)
	}
}

func testDeviceSignIn(t *testing.T, f *fixture) {
	ctx := t.Context()
	visitor := f.visitor()
	decide := func(userCode string, approve bool) {
		body := map[string]any{"userCode": userCode, "approve": approve}
		f.browser.Do(http.MethodPost, "/auth/device/approve", body, http.StatusNoContent, nil)
	}
	signIn, err := visitor.DeviceSignIn.Begin(ctx, "painel da cozinha")
	if err != nil {
		t.Fatalf("begin the device sign-in: %v", err)
	}
	decide(signIn.UserCode, true)
	signIn.Interval = 1
	token, err := visitor.DeviceSignIn.Wait(ctx, signIn)
	if err != nil {
		t.Fatalf("wait for the device sign-in: %v", err)
	}
	me, err := f.client(sininho.WithAccessToken(token.AccessToken.Secret)).Me.Get(ctx)
	if err != nil || me.Email != f.email || token.Subscriber.Email != f.email {
		t.Errorf("account of the device sign-in: got %+v, %v, want %s", me, err, f.email)
	}
	if signIn, err = visitor.DeviceSignIn.Begin(ctx, "painel da sala"); err != nil {
		t.Fatalf("begin the device sign-in: %v", err)
	}
	decide(signIn.UserCode, false)
	signIn.Interval = 1
	_, err = visitor.DeviceSignIn.Wait(ctx, signIn)
	var refused *sininho.Error
	if !errors.As(err, &refused) || refused.Code != sininho.CodeAccessDenied {
		t.Errorf("wait for a refused device sign-in: got error %v, want code %s", err, sininho.CodeAccessDenied)
	}
}

func testFeedStream(t *testing.T, f *fixture) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := f.owner.Subscriptions.Follow(ctx, f.channel); err != nil {
		t.Fatalf("follow: %v", err)
	}
	var got []sininho.EventType
	for event, err := range f.owner.Feed.Stream(ctx, sininho.StreamOptions{OnConnect: func() {
		if _, err := f.key.Notifications.Publish(ctx, f.channel, sininho.PublishInput{Title: "Ao vivo"}); err != nil {
			t.Errorf("publish: %v", err)
		}
	}}) {
		if err != nil {
			t.Fatalf("publish: %v", err)
		}
		got = append(got, event.Type)
		if event.Type == sininho.EventRead {
			if event.Archived == nil || !*event.Archived {
				t.Errorf("archived of the event after archiving: got %v, want true", event.Archived)
			}
			break
		}
		archived := sininho.FeedUpdate{Archived: new(true)}
		if _, err := f.owner.Feed.Update(ctx, event.Notification.ID, archived); err != nil {
			t.Fatalf("update the feed item: %v", err)
		}
	}
	if want := []sininho.EventType{sininho.EventNotification, sininho.EventRead}; !slices.Equal(got, want) {
		t.Errorf("events %v, want %v", got, want)
	}
}
