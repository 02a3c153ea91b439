package postgres_test

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

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
