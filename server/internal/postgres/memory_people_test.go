package postgres_test

import (
	"context"
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func scriptFeed(ctx context.Context, s *script) {
	before := s.publish("before", "", core.Idempotency{})
	sub, err := s.Subscribe(ctx, s.rui, s.channel.ID, s.now)
	s.note("follow", sub, err)
	one, two := s.publish("one", "", core.Idempotency{}), s.publish("two", "", core.Idempotency{})
	three := s.publish("three", "", core.Idempotency{})
	_, err = s.Subscribe(ctx, s.rui, s.createChannel("b").ID, s.now)
	s.note("follow one too many", err)
	feed := func(what string) {
		for _, f := range []core.FeedFilter{{}, {UnreadOnly: true}, {ArchivedOnly: true}, {SnoozedOnly: true},
			{ChannelID: &s.channel.ID}} {
			f.Limit = 10
			p, err := s.Feed(ctx, s.rui, f)
			titles := ""
			for _, n := range p.Data {
				titles += fmt.Sprint(n.Title, n.ReadAt != nil, n.ArchivedAt != nil, " ")
			}
			s.note("feed "+what, titles, p.Total, p.Unread, err)
		}
	}
	feed("at first")
	tomorrow := s.now.AddDate(0, 0, 1)
	for _, c := range []struct {
		id core.ID
		p  core.ReceiptPatch
	}{{one.ID, core.ReceiptPatch{Read: new(true)}}, {two.ID, core.ReceiptPatch{Archived: new(true)}},
		{before.ID, core.ReceiptPatch{Read: new(false)}}, {two.ID, core.ReceiptPatch{Archived: new(false)}},
		{three.ID, core.ReceiptPatch{Read: new(true), Archived: new(true)}},
		{three.ID, core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true, Value: &tomorrow}}},
		{two.ID, core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true, Value: &tomorrow}}},
		{two.ID, core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true}}}} {
		n, err := s.UpdateReceipt(ctx, s.rui, c.id, c.p, s.now)
		s.note("receipt", n.Title, n.ReadAt != nil, n.ArchivedAt != nil, n.SnoozedUntil != nil, err)
		feed("after a receipt")
	}
	s.note("return", s.ReturnSnoozed(s.now), s.ReturnSnoozed(tomorrow))
	feed("with what is back")
	s.note("display", s.RecordDisplayed(ctx, s.rui, nil, []core.ID{two.ID, core.NewID()}),
		s.RecordDisplayed(ctx, s.rui, nil, []core.ID{core.NewID()}))
	for range 2 {
		first, err := s.RecordOpened(ctx, s.rui, two.ID, s.now)
		s.note("open", first, err)
	}
	_, err = s.RecordOpened(ctx, s.ana, two.ID, s.now)
	s.note("open without following", err, s.RecordDisplayed(ctx, s.ana, nil, []core.ID{two.ID}))
	_, err = s.FeedNotification(ctx, s.ana, two.ID)
	s.note("get without following", err)
	s.note("read no channel", s.ReadAll(ctx, s.ana, &s.channel.ID, s.now))
	s.note("read all", s.ReadAll(ctx, s.rui, nil, s.now))
	feed("that is read")
	sub, err = s.UpdateSubscription(ctx, s.rui, s.channel.ID, core.SubscriptionPatch{Bell: new(core.BellNone)})
	s.note("bell", sub, err)
	s.note("unfollow", s.Unsubscribe(ctx, s.rui, s.channel.ID, s.now))
	s.note("unfollow again", s.Unsubscribe(ctx, s.rui, s.channel.ID, s.now))
	_, err = s.UpdateSubscription(ctx, s.rui, s.channel.ID, core.SubscriptionPatch{})
	s.note("update none", err)
	s.publish("four", "", core.Idempotency{})
	sub, err = s.Subscribe(ctx, s.rui, s.channel.ID, s.now)
	s.note("follow again", sub.Bell, sub.UnreadCount, err)
	page, err := s.Subscriptions(ctx, s.rui, core.Page{Limit: 10})
	s.note("subscriptions", page.Data, page.Total, err)
	feed("at last")
}

func scriptMembers(ctx context.Context, s *script) {
	invite := func(email string, role core.Role, by core.ID) core.MembershipInvitation {
		inv := core.MembershipInvitation{ID: core.NewID(), PublisherID: s.publisher, Email: email, Role: role,
			State: core.InvitationPending, InvitedBy: &core.Inviter{ID: by}, InvitedAt: s.now,
			ExpiresAt: s.now.Add(core.MembershipInvitationLife)}
		got, creation, err := s.Invite(ctx, inv, 2, core.Idempotency{})
		s.note("invite "+email, got, creation, err)
		return got
	}
	invite("ana@example.com", core.RoleEditor, s.ana)
	invite("a@example.com", core.RoleEditor, s.rui)
	inv := invite("rui@example.com", core.RoleEditor, s.ana)
	invite("rui@example.com", core.RoleEditor, s.ana)
	invite("b@example.com", core.RoleEditor, s.ana)
	invite("c@example.com", core.RoleEditor, s.ana)
	data, total, err := s.ReceivedInvitations(ctx, s.rui, core.Page{Limit: 10}, s.now)
	s.note("received", data[0].MembershipInvitation, total, err)
	_, err = s.AcceptInvitation(ctx, s.ana, inv.ID, s.now)
	s.note("accept somebody else's", err)
	_, err = s.AcceptInvitation(ctx, s.rui, inv.ID, inv.ExpiresAt)
	s.note("accept too late", err)
	p, err := s.AcceptInvitation(ctx, s.rui, inv.ID, s.now)
	s.note("accept", p.Role, err)
	p, err = s.AcceptInvitation(ctx, s.rui, inv.ID, s.now)
	s.note("accept again", p.Role, err)
	s.note("decline", s.DeclineInvitation(ctx, s.rui, inv.ID, s.now))
	s.note("withdraw", s.WithdrawInvitation(ctx, s.publisher, inv.ID))
	_, err = s.UpdateMember(ctx, s.publisher, s.rui, core.RoleOwner)
	s.note("promote", err)
	_, err = s.UpdateMember(ctx, s.publisher, s.ana, core.RoleEditor)
	s.note("demote the only owner", err)
	members, total, err := s.Members(ctx, s.publisher, core.Page{Limit: 10})
	s.note("members", members, total, err)
	_, err = s.DeleteSubscriber(ctx, s.ana, func(*core.SealedWebhook) {}, s.now)
	s.note("delete the only owner", err)
	key := core.APIKey{ID: core.NewID(), PublisherID: s.publisher, Name: "k", Scopes: []core.Scope{core.ScopeRead},
		CreatedAt: s.now, CreatedBy: &core.KeyCreator{ID: s.rui}}
	_, _, err = s.CreateAPIKey(ctx, key, []byte("hash"), core.Idempotency{})
	s.note("create a key", key.ID, err)
	revoked, err := s.RemoveMember(ctx, s.publisher, s.rui, func(*core.SealedWebhook) {}, true, s.now)
	s.note("remove", revoked, err)
	_, err = s.RemoveMember(ctx, s.publisher, s.rui, func(*core.SealedWebhook) {}, true, s.now)
	s.note("remove again", err)
}

func scriptCredentials(ctx context.Context, s *script) {
	key := func(name string, k core.Idempotency) core.APIKey {
		in := core.APIKey{ID: core.NewID(), PublisherID: s.publisher, Name: name, Hint: "hint",
			Scopes: []core.Scope{core.ScopeRead}, CreatedAt: s.now, CreatedBy: &core.KeyCreator{ID: s.ana}}
		got, creation, err := s.CreateAPIKey(ctx, in, []byte(name), k)
		s.note("create key "+name, got, creation, err)
		return got
	}
	one := key("one", idempotency("k", ""))
	key("again", idempotency("k", ""))
	key("two", core.Idempotency{})
	key("three", core.Idempotency{})
	rotate := func(old *core.APIKey) (core.APIKey, error) {
		k, err := old.Rotate(core.NewID(), "new", nil, s.now)
		k.CreatedBy = &core.KeyCreator{ID: s.ana}
		return k, err
	}
	for _, hash := range []string{"r1", "r2"} {
		got, creation, err := s.RotateAPIKey(ctx, s.publisher, one.ID, []byte(hash), core.Idempotency{}, rotate)
		s.note("rotate", got, creation, err)
	}
	found, err := s.APIKeyBySecret(ctx, []byte("one"), s.now)
	s.note("find", found.ID, found.ExpiresAt, found.AccountID, err)
	_, err = s.APIKeyBySecret(ctx, []byte("one"), s.now.Add(24*time.Hour))
	s.note("find an expired one", err)
	s.note("revoke", s.RevokeAPIKey(ctx, s.publisher, one.ID, s.now), s.RevokeAPIKey(ctx, s.publisher, one.ID, s.now))
	s.note("revoke none", s.RevokeAPIKey(ctx, core.NewID(), one.ID, s.now))
	token := func(name string, parent *core.ID) core.AccessToken {
		in := core.AccessToken{ID: core.NewID(), SubscriberID: s.rui, Name: name, Hint: "hint", ParentID: parent,
			Scopes: []core.Scope{core.ScopeRead}, CreatedAt: s.now, ExpiresAt: new(s.now.Add(time.Hour))}
		got, creation, err := s.CreateAccessToken(ctx, in, []byte(name), core.Idempotency{})
		s.note("create token "+name, got, creation, err)
		return got
	}
	parent := token("parent", nil)
	child := token("child", &parent.ID)
	token("grandchild", &child.ID)
	revoked, err := s.RevokeAccessToken(ctx, s.rui, parent.ID, s.now)
	s.note("revoke the family", revoked, err)
	token("orphan", &child.ID)
	_, err = s.RevokeAccessToken(ctx, s.ana, parent.ID, s.now)
	s.note("revoke somebody else's", err)
	d := core.DeviceSignIn{ID: core.NewID(), UserCode: "BCDFGHJK", ClientName: "n", Scopes: []core.Scope{core.ScopeRead},
		CreatedAt: s.now, ExpiresAt: s.now.Add(time.Minute), NextPollAt: s.now, PollInterval: time.Second}
	s.note("begin", s.CreateDeviceSignIn(ctx, d, []byte("code")))
	d.ID = core.NewID()
	s.note("begin with the same code", s.CreateDeviceSignIn(ctx, d, []byte("other")))
	_, err = s.DeviceSignIn(ctx, d.UserCode, s.now.Add(time.Minute))
	s.note("find an expired sign-in", err)
	s.note("decide", s.DecideDeviceSignIn(ctx, d.UserCode, s.rui, true, s.now))
	s.note("decide again", s.DecideDeviceSignIn(ctx, d.UserCode, s.rui, true, s.now))
	s.note("poll none", s.PollDeviceSignIn(ctx, []byte("none"), func(*core.DeviceSignIn) {}))
	s.note("take none", s.TakeBrowserSignIn(ctx, d.ID, s.now))
}

func scriptDevices(ctx context.Context, s *script) {
	caller := func(id core.ID) core.Caller {
		x := core.Session{ID: core.NewID(), SubscriberID: id, CreatedAt: s.now, SeenAt: s.now}
		s.succeed("create a session", s.CreateSession(ctx, x, core.HashSecret(x.ID.String())))
		return core.Caller{Kind: core.CallerSubscriber, SubscriberID: id, SessionID: x.ID}
	}
	ana, rui := caller(s.ana), caller(s.rui)
	register := func(c core.Caller, installation, address string) core.Device {
		in := core.Registration{InstallationID: installation, Platform: "web", Name: "n",
			Push: core.PushAddress{Kind: core.KindFCM, Address: address}}
		d, creation, err := s.RegisterDevice(ctx, c, in, s.now)
		d.Push.Keys = core.PushKeys{}
		s.note("register "+installation+address, d, creation, err)
		return d
	}
	one := register(rui, "i", "a")
	register(rui, "i", "a")
	register(rui, "i", "b")
	register(ana, "i", "b")
	register(rui, "j", "c")
	register(rui, "k", "d")
	register(rui, "l", "e")
	s.note("confirm", s.ConfirmAddress(ctx, "d", s.now))
	list, total, err := s.Devices(ctx, s.rui, core.Page{Limit: 10})
	s.note("devices", len(list), total, err)
	_, err = s.Device(ctx, s.rui, one.ID)
	s.note("a device that moved", err)
	s.note("retire", s.RetireDevice(ctx, s.rui, one.ID, core.RetiredRemoved, s.now))
	s.note("retire somebody else's", s.RetireDevice(ctx, s.ana, one.ID, core.RetiredRemoved, s.now))
	_, err = s.RenameDevice(ctx, s.rui, one.ID, "m")
	s.note("rename a retired one", err)
	s.note("end", s.EndSession(ctx, s.rui, rui.SessionID, s.now), s.EndSession(ctx, s.rui, rui.SessionID, s.now))
	register(rui, "m", "f")
	list, total, err = s.Devices(ctx, s.rui, core.Page{Limit: 10})
	s.note("devices of an ended session", len(list), total, err)
	ended, err := s.EndSessions(ctx, s.ana, core.NewID(), s.now)
	s.note("end all", len(ended), err)
}
