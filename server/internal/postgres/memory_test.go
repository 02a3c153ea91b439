package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/memory"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/streamtest"
)

// stores are those that the rules of package core rely on.
type stores interface {
	core.PublisherStore
	core.StorageStore
	core.CategoryStore
	core.ChannelStore
	core.NotificationStore
	core.Stream
	core.Withdrawer
	core.SubscriptionStore
	core.FeedStore
	core.SubscriberStore
	core.SessionStore
	core.SuspensionStore
	core.MemberStore
	core.MembershipInvitationStore
	core.APIKeyStore
	core.AccessTokenStore
	core.DeviceSignInStore
	core.DeviceStore
	core.EventEndpointStore
	core.WebhookStore
	core.EventStore
	core.ReportStore
}

// inPostgres are the stores in a database, without the emails and pushes that others add.
type inPostgres struct {
	*postgres.Store
	*delivery.Stream
}

func (s inPostgres) RegisterDevice(
	ctx context.Context, c core.Caller, in core.Registration, now time.Time,
) (core.Device, core.Creation, error) {
	return s.Store.RegisterDevice(ctx, c, in, now,
		func(context.Context, postgres.Tx, core.Device) error { return nil })
}

func (s inPostgres) Invite(
	ctx context.Context, inv core.MembershipInvitation, perDay int, key core.Idempotency,
) (core.MembershipInvitation, core.Creation, error) {
	return s.Store.Invite(ctx, inv, perDay, key, func(context.Context, postgres.Tx, core.ID) error { return nil })
}

// script runs the same steps on either kind of store, and writes down what they return. Ids are numbered in the order
// in which they appear.
type script struct {
	stores
	t     *testing.T
	now   time.Time
	said  []string
	names map[string]string

	publisher, category, ana, rui core.ID
	channel                       core.ChannelRef
}

var uuids = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// note writes down what a step has returned: an error by its code and reason, without what comes with it.
func (s *script) note(what string, values ...any) {
	s.t.Helper()
	line, failed := what, ""
	for _, v := range values {
		if err, ok := v.(error); ok {
			e, domain := errors.AsType[*core.Error](err)
			if !domain {
				s.t.Fatalf("%s: %v", what, err)
			}
			failed += fmt.Sprintf(" %s %s", e.Code, e.Reason)
		} else {
			line += " " + strings.ReplaceAll(string(must(json.Marshal(v))), "[]", "null")
		}
	}
	if failed != "" {
		line = what + failed
	}
	line = uuids.ReplaceAllStringFunc(line, func(id string) string {
		if s.names[id] == "" {
			s.names[id] = fmt.Sprint("#", len(s.names)+1)
		}
		return s.names[id]
	})
	s.said = append(s.said, line)
}

func (s *script) succeed(what string, err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatalf("%s: %v", what, err)
	}
}

// begin adds the people, a publisher of ana and its channel.
func (s *script) begin() {
	ctx := s.t.Context()
	signIn := func(name string) core.ID {
		p := core.Profile{Issuer: core.IssuerGoogle, Subject: name, Email: name + "@example.com", Name: name, Locale: "pt"}
		return must(s.SignIn(ctx, p, core.SignUp{Open: true}, s.now)).ID
	}
	s.ana, s.rui = signIn("ana"), signIn("rui") // always in this order, by which lists are sorted
	s.publisher, s.category = core.NewID(), core.NewID()
	s.names[core.ID{}.String()] = "none"
	p := core.Publisher{ID: s.publisher, Slug: "metro", Name: "Metro", CreatedAt: s.now, UpdatedAt: s.now}
	_, _, err := s.CreatePublisher(ctx, p, s.ana, core.Idempotency{})
	s.succeed("create a publisher", err)
	g := core.Category{ID: s.category, Slug: "cidade", Name: "Cidade", UpdatedAt: s.now}
	_, _, err = s.CreateCategory(ctx, g, core.Idempotency{})
	s.succeed("create a category", err)
	s.channel = s.createChannel("avisos").ChannelRef
	s.note("names", s.ana, s.rui, s.publisher, s.category, s.channel)
}

func (s *script) createChannel(slug string) core.Channel {
	in := core.ChannelInput{Slug: slug, Name: slug, CategoryID: s.category, Visibility: core.Public}
	c, _, err := s.CreateChannel(s.t.Context(), core.NewID(), s.publisher, in, s.now, core.Idempotency{})
	s.succeed("create a channel", err)
	return c
}

func (s *script) publish(title, externalID string, key core.Idempotency) core.Notification {
	s.now = s.now.Add(time.Second)
	n := core.Notification{ID: core.NewID(), Channel: s.channel, Title: title, ExternalID: externalID,
		Importance: core.Normal, PublishedAt: new(s.now), Visible: true}
	got, creation, err := s.Publish(s.t.Context(), n, key)
	s.note("publish "+title, got, creation, err)
	return got
}

func idempotency(name, body string) core.Idempotency {
	return core.Idempotency{Caller: "c", Route: "r", Key: name, BodyHash: []byte(body)}
}

// scripts are about a noun each.
var scripts = map[string]func(ctx context.Context, s *script){
	"publishers":    scriptPublishers,
	"channels":      scriptChannels,
	"notifications": scriptNotifications,
	"feed":          scriptFeed,
	"members":       scriptMembers,
	"credentials":   scriptCredentials,
	"devices":       scriptDevices,
	"endpoints":     scriptEndpoints,
	"webhooks":      scriptWebhooks,
	"moderation":    scriptModeration,
}

// TestStoresInMemoryAreLikeThoseInPostgres runs each script on both.
func TestStoresInMemoryAreLikeThoseInPostgres(t *testing.T) {
	t.Parallel()
	caps := core.DefaultCaps()
	caps[core.CapPublishers], caps[core.CapChannels], caps[core.CapAPIKeys], caps[core.CapWebhooks] = 2, 3, 2, 2
	caps[core.CapEventEndpoints], caps[core.CapUnconfirmed], caps[core.CapSubscriptions] = 2, 2, 1
	for name, run := range scripts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said [2][]string
			for i := range said {
				s := &script{t: t, now: time.Now().UTC().Truncate(time.Microsecond), names: map[string]string{}}
				clock := func() time.Time { return s.now }
				if i == 0 {
					inMemory := memory.New(clock)
					inMemory.Caps = caps
					s.stores = inMemory
				} else {
					db := must(postgres.Open(t.Context(), postgres.Config{URL: pgtest.URL(t), Connections: 5}))
					t.Cleanup(func() { _ = db.Close() })
					store := postgres.NewStore(db)
					store.Caps = caps
					s.stores = inPostgres{store, streamtest.New(t, db, clock)}
				}
				s.now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
				s.begin()
				run(t.Context(), s)
				said[i] = s.said
			}
			check.Equal(t, "what stores in memory return, and those in PostgreSQL", said[0], said[1])
		})
	}
}

func scriptPublishers(ctx context.Context, s *script) {
	create := func(slug string, key core.Idempotency) core.ID {
		p := core.Publisher{ID: core.NewID(), Slug: slug, Name: slug, CreatedAt: s.now, UpdatedAt: s.now}
		got, creation, err := s.CreatePublisher(ctx, p, s.ana, key)
		s.note("create "+slug, got, creation, err)
		return p.ID
	}
	create("metro", core.Idempotency{})
	id := create("carris", idempotency("k", "1"))
	create("carris", idempotency("k", "1"))
	create("carris", idempotency("k", "2"))
	create("third", core.Idempotency{})
	p, err := s.UpdatePublisher(ctx, id, core.PublisherPatch{Name: new("Carris"), Website: core.Patch[string]{Set: true}},
		new(s.now.Add(1)), s.now)
	s.note("update another version", p.Name, err)
	p, err = s.UpdatePublisher(ctx, id, core.PublisherPatch{Name: new("Carris")}, &s.now, s.now)
	s.note("update", p, err)
	for _, f := range []core.PublisherFilter{{}, {Member: &s.ana, Reader: &s.ana}, {Member: &s.rui}, {ID: &id},
		{All: true, Suspended: true}, {Search: must(core.ParseSearch("met"))}, {Page: core.Page{Limit: 1, Offset: 1}}} {
		if f.Limit == 0 {
			f.Limit = 10
		}
		data, total, err := s.Publishers(ctx, f)
		s.note("publishers", data, total, err)
	}
	p, err = s.PublisherBySlug(ctx, "none")
	s.note("no publisher", p, err)
	s.note("delete one with channels", s.DeletePublisher(ctx, s.publisher, nil))
	s.note("delete another version", s.DeletePublisher(ctx, id, new(s.now.Add(-1))))
	s.note("delete", s.DeletePublisher(ctx, id, nil))
	s.note("delete again", s.DeletePublisher(ctx, id, nil))
	used, err := s.SetQuota(ctx, id, new(int64(5)))
	s.note("quota of none", used, err)
}

func scriptChannels(ctx context.Context, s *script) {
	create := func(slug string, category core.ID) {
		in := core.ChannelInput{Slug: slug, Name: slug, CategoryID: category, Visibility: core.Unlisted}
		c, creation, err := s.CreateChannel(ctx, core.NewID(), s.publisher, in, s.now, core.Idempotency{})
		s.note("create "+slug, c, creation, err)
	}
	create("avisos", s.category)
	create("b", core.NewID())
	create("b", s.category)
	create("c", s.category)
	create("d", s.category)
	_, err := s.UpdateChannel(ctx, s.channel.ID, core.ChannelPatch{}, new(s.now.Add(1)), s.now, nil)
	s.note("update another version", err)
	c, err := s.UpdateChannel(ctx, s.channel.ID, core.ChannelPatch{Name: new("A"), KeepDays: core.Patch[int]{Set: true,
		Value: new(3)}}, &s.now, s.now, &s.ana)
	s.note("update", c, err)
	_, err = s.UpdateChannel(ctx, s.channel.ID, core.ChannelPatch{CategoryID: new(core.NewID())}, nil, s.now, nil)
	s.note("update to no category", err)
	for _, f := range []core.ChannelFilter{{}, {All: true}, {Category: "cidade"}, {Publisher: "none"}, {Reader: &s.rui},
		{All: true, Suspended: true}, {Sort: core.SortNewest, All: true}} {
		f.Limit = 10
		data, total, err := s.Channels(ctx, f)
		s.note("channels", data, total, err)
	}
	s.note("delete the category", s.DeleteCategory(ctx, s.category, nil))
	g, err := s.Category(ctx, s.category)
	s.note("category", g.ChannelCount, err)
	s.note("delete another version", s.DeleteChannel(ctx, s.channel.ID, new(s.now.Add(-1)), s.now))
	s.note("delete", s.DeleteChannel(ctx, s.channel.ID, nil, s.now))
	_, _, err = s.ChannelRef(ctx, "metro", "avisos")
	s.note("find a deleted one", err)
	create("avisos", s.category)
}

func scriptNotifications(ctx context.Context, s *script) {
	one := s.publish("one", "x", idempotency("k", "1"))
	s.publish("again", "x", core.Idempotency{})
	s.publish("one", "x", idempotency("k", "1"))
	s.publish("one", "x", idempotency("k", "2"))
	two := s.publish("two", "", core.Idempotency{})
	all := []core.Notification{two, two}
	all[0].ID, all[1].ID, all[0].ExternalID, all[1].Title = core.NewID(), core.NewID(), "x", "three"
	batch, creation, err := s.PublishBatch(ctx, all, idempotency("b", "1"))
	s.note("batch", batch, creation, err)
	batch, creation, err = s.PublishBatch(ctx, all, idempotency("b", "1"))
	s.note("batch again", batch, creation, err)
	n, err := s.Correct(ctx, s.channel.ID, one.ID, func(n *core.Notification) error {
		n.Title, n.EditedAt = "better", &s.now
		return nil
	})
	s.note("correct", n, err)
	_, err = s.Correct(ctx, s.channel.ID, one.ID, func(n *core.Notification) error {
		n.Title = "worse"
		return core.ErrChanged()
	})
	s.note("correct and fail", err)
	s.note("withdraw", s.WithdrawAny(ctx, two.ID, "spam"))
	s.note("withdraw nothing", s.WithdrawAny(ctx, core.NewID(), "spam"))
	later := core.Notification{ID: core.NewID(), Channel: s.channel, Title: "later", Importance: core.Normal,
		ScheduledAt: new(s.now.Add(time.Hour))}
	got, creation, err := s.Publish(ctx, later, core.Idempotency{})
	s.note("schedule", got, creation, err)
	data, total, err := s.Scheduled(ctx, s.channel, core.Page{Limit: 10})
	s.note("scheduled", data, total, err)
	for _, page := range []core.Page{{Limit: 10}, {Limit: 1}, {Limit: 1, Offset: 1},
		{Limit: 5, After: new(n.Cursor())}} {
		p, err := s.Notifications(ctx, "metro", "avisos", page, &s.ana)
		s.note("list", p.Data, p.Total, p.Unread, p.PublisherID, err)
	}
	_, err = s.Notification(ctx, core.NewID(), one.ID, nil)
	s.note("of another channel", err)
	n, err = s.Notification(ctx, s.channel.ID, one.ID, nil)
	s.note("notification", n, err)
	used, err := s.SetQuota(ctx, s.publisher, new(int64(1)))
	s.note("quota", used.Quota, err)
}

func scriptFeed(ctx context.Context, s *script) {
	before := s.publish("before", "", core.Idempotency{})
	sub, err := s.Subscribe(ctx, s.rui, s.channel.ID, s.now)
	s.note("follow", sub, err)
	one, two := s.publish("one", "", core.Idempotency{}), s.publish("two", "", core.Idempotency{})
	three := s.publish("three", "", core.Idempotency{})
	_, err = s.Subscribe(ctx, s.rui, s.createChannel("b").ID, s.now)
	s.note("follow one too many", err)
	feed := func(what string) {
		for _, f := range []core.FeedFilter{{}, {UnreadOnly: true}, {ArchivedOnly: true}, {ChannelID: &s.channel.ID}} {
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
	for _, c := range []struct {
		id core.ID
		p  core.ReceiptPatch
	}{{one.ID, core.ReceiptPatch{Read: new(true)}}, {two.ID, core.ReceiptPatch{Archived: new(true)}},
		{before.ID, core.ReceiptPatch{Read: new(false)}}, {two.ID, core.ReceiptPatch{Archived: new(false)}},
		{three.ID, core.ReceiptPatch{Read: new(true), Archived: new(true)}}} {
		n, err := s.UpdateReceipt(ctx, s.rui, c.id, c.p, s.now)
		s.note("receipt", n.Title, n.ReadAt != nil, n.ArchivedAt != nil, err)
		feed("after a receipt")
	}
	for _, e := range []core.FeedEvent{core.Displayed, core.Opened, core.Opened} {
		first, err := s.RecordFeedEvent(ctx, s.rui, two.ID, e, s.now)
		s.note("record", first, err)
	}
	_, err = s.RecordFeedEvent(ctx, s.ana, two.ID, core.Opened, s.now)
	s.note("record without following", err)
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

func scriptEndpoints(ctx context.Context, s *script) {
	create := func(name string, key core.Idempotency) core.EventEndpoint {
		e := core.EventEndpoint{ID: core.NewID(), PublisherID: s.publisher, URL: "https://example.com/" + name,
			Name: name, Events: core.AllEvents(), Enabled: true, CreatedAt: s.now, UpdatedAt: s.now}
		got, creation, err := s.CreateEventEndpoint(ctx, e, core.EventSecrets{Sealed: []byte("s")}, key)
		s.note("create "+name, got, creation, err)
		return got
	}
	e := create("one", idempotency("k", ""))
	create("one", idempotency("k", ""))
	create("two", core.Idempotency{})
	create("three", core.Idempotency{})
	change := func(what string, fail error) {
		got, creation, err := s.UpdateEventEndpoint(ctx, s.publisher, e.ID, s.now, core.Idempotency{},
			func(e *core.EventEndpoint, _ *core.EventSecrets) error {
				e.Name = what
				return fail
			})
		s.note("change to "+what, creation, err)
		if err == nil {
			s.note("changed", got)
		}
	}
	change("a", nil)
	change("b", core.ErrChanged())
	d := core.EventDelivery{ID: core.NewID(), EndpointID: e.ID, Subject: core.NewID(), Type: core.EventTest, Payload: "{}",
		Status: core.EventPending, NextAttemptAt: &s.now, CreatedAt: s.now}
	s.note("add", s.AddEventDelivery(ctx, d))
	d.ID, d.EndpointID = core.NewID(), core.NewID()
	s.note("add to none", s.AddEventDelivery(ctx, d))
	for _, status := range []core.EventDeliveryStatus{"", core.EventPending, core.EventDelivered} {
		_, total, err := s.EventDeliveries(ctx, e.ID, status, core.Page{Limit: 10})
		s.note("deliveries", total, err)
	}
	_, err := s.UpdateEventDelivery(ctx, e.ID, d.ID, func(*core.EventDelivery) {})
	s.note("update no delivery", err)
	one := core.ChallengePace{Name: "one", Every: time.Hour, AtOnce: 2}
	other := core.ChallengePace{Name: "other", Every: time.Hour, AtOnce: 1}
	s.note("pace", s.PaceChallenge(ctx, one, other), s.PaceChallenge(ctx, one, other), s.PaceChallenge(ctx, one),
		s.PaceChallenge(ctx, one), s.UnpaceChallenge(ctx, one, other), s.PaceChallenge(ctx, one, other))
	s.note("delete another version", s.DeleteEventEndpoint(ctx, s.publisher, e.ID, new(s.now.Add(-1))))
	s.note("delete", s.DeleteEventEndpoint(ctx, s.publisher, e.ID, nil))
	_, err = s.EventEndpoint(ctx, s.publisher, e.ID)
	s.note("get a deleted one", err)
}

func scriptWebhooks(ctx context.Context, s *script) {
	create := func(name string) core.SealedWebhook {
		w := core.SealedWebhook{ID: core.NewID(), ChannelID: s.channel.ID, Name: name, AddressHash: []byte(name),
			AddressSealed: []byte("a"), Signing: core.SigningNone, Sender: core.SenderPlain, SecretKnownTo: s.ana,
			CreatedAt: s.now, UpdatedAt: s.now}
		got, creation, err := s.CreateWebhook(ctx, w, core.Idempotency{})
		s.note("create "+name, got, creation, err)
		return got
	}
	w := create("one")
	create("two")
	create("three")
	event := func(id, title string, hash []byte, published bool) {
		e := core.ReceivedEvent{ID: id, ReceivedAt: s.now, Outcome: core.OutcomeRefused, Payload: []byte(title),
			Headers: map[string]string{"a": "b"}, BodyHash: hash}
		var creation core.Creation
		var err error
		if published {
			e.Outcome = core.OutcomePublished
			n := core.Notification{ID: core.NewID(), Channel: s.channel, Title: title, Importance: core.Normal,
				PublishedAt: new(s.now), Visible: true, ExternalID: title}
			e, creation, err = s.PublishEvent(ctx, w.ID, e, n)
		} else {
			e, creation, err = s.KeepEvent(ctx, w.ID, e)
		}
		s.note("event "+id, e.ID, e.Outcome, string(e.Payload), e.NotificationID, creation, err)
	}
	event("1", "a", nil, false)
	event("1", "b", nil, false)
	event("1", "c", nil, true)
	event("1", "d", nil, true)
	event("1", "d", nil, false)
	event("2", "c", []byte("hash"), true)
	event("3", "e", []byte("hash"), true)
	event("4", "e", []byte("hash"), false)
	data, total, err := s.Events(ctx, w.ID, core.Page{Limit: 10})
	s.note("events", len(data), total, data[0].Payload == nil, err)
	found, ref, err := s.WebhookByAddress(ctx, []byte("one"))
	s.note("find", found.ID, found.LastEventAt, found.PublisherID, found.AccountID, ref, err)
	_, err = s.WebhookByName(ctx, s.channel.ID, "none")
	s.note("find none", err)
	rename := func(w *core.SealedWebhook) error {
		w.Name = "renamed"
		return nil
	}
	got, _, err := s.UpdateWebhook(ctx, s.channel.ID, w.ID, s.now, core.Idempotency{}, rename)
	s.note("update", got.Name, got.UpdatedAt, err)
	s.note("delete another version", s.DeleteWebhook(ctx, s.channel.ID, w.ID, new(s.now.Add(-1))))
	s.note("delete", s.DeleteWebhook(ctx, s.channel.ID, w.ID, nil))
	_, err = s.Webhook(ctx, s.channel.ID, w.ID)
	s.note("get a deleted one", err)
}

func scriptModeration(ctx context.Context, s *script) {
	other := s.createChannel("b")
	suspend := func(what core.Suspendable, id core.ID) {
		got, changed, err := s.Suspend(ctx, what, id, core.Suspension{Reason: "spam", At: s.now})
		s.note("suspend "+string(what), got, changed, err)
		kind, of, err := s.ChannelSuspension(ctx, s.channel.ID)
		s.note("suspension", kind, of, err)
	}
	end := func(what core.Suspendable, id core.ID) {
		changed, err := s.Unsuspend(ctx, what, id)
		s.note("end "+string(what), len(changed.ChannelIDs), changed.Credentials, err)
	}
	s.note("names", other.ID)
	end(core.SuspendableChannel, s.channel.ID)
	suspend(core.SuspendableChannel, s.channel.ID)
	suspend(core.SuspendablePublisher, core.NewID())
	suspend(core.SuspendablePublisher, s.publisher)
	in := core.ChannelInput{Slug: "c", Name: "c", CategoryID: s.category, Visibility: core.Public}
	_, _, err := s.CreateChannel(ctx, core.NewID(), s.publisher, in, s.now, core.Idempotency{})
	s.note("create a channel", err)
	_, err = s.Subscribe(ctx, s.rui, other.ID, s.now)
	s.note("follow", err)
	end(core.SuspendablePublisher, s.publisher)
	end(core.SuspendableChannel, s.channel.ID)
	suspend(core.SuspendableSubscriber, s.rui)
	x := core.Session{ID: core.NewID(), SubscriberID: s.rui, CreatedAt: s.now, SeenAt: s.now}
	s.note("sign in", s.CreateSession(ctx, x, []byte("hash")))
	end(core.SuspendableSubscriber, s.rui)
	report := core.Report{ID: core.NewID(), Reporter: core.Subscriber{ID: s.rui}, ChannelID: s.channel.ID,
		PublisherSlug: "metro", ChannelSlug: "avisos", Category: core.ReportSpam, Text: "a", Status: core.ReportOpen,
		CreatedAt: s.now, UpdatedAt: s.now}
	s.note("report", s.PutReport(ctx, report))
	report.Text = "b"
	s.note("report again", s.PutReport(ctx, report))
	data, total, err := s.Reports(ctx, core.ReportOpen, core.Page{Limit: 10})
	s.note("reports", data, total, err)
	closed, err := s.CloseReport(ctx, report.ID, core.ReportDismissed, s.now)
	s.note("close", closed, err)
	closed, err = s.CloseReport(ctx, report.ID, core.ReportResolved, s.now)
	s.note("close again", closed.Status, err)
	_, err = s.CloseReport(ctx, core.NewID(), core.ReportResolved, s.now)
	s.note("close none", err)
}
