package core_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestPublish(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	soon, later := now.Add(time.Minute), now.Add(time.Hour)
	in := core.PublishInput{Title: "T", Body: "B", Image: "https://example.com/i.png",
		Icon: "https://example.com/c.png", Link: "https://example.com/", Importance: core.Important,
		Data: map[string]string{"a": "b"}, ExternalID: "x", ExpiresAt: &later}
	got := w.publish(in)
	check.Equal(t, "notification", got, core.Notification{ID: got.ID, Channel: w.channel, Title: "T", Body: "B",
		Image: in.Image, Icon: in.Icon, Link: in.Link, Importance: core.Important, Data: in.Data, ExternalID: "x",
		PublishedAt: &now, ExpiresAt: &later, Visible: true})
	check.Equal(t, "importance without one", w.publish(core.PublishInput{}).Importance, core.Normal)
	for name, c := range map[string]struct {
		at        *time.Time
		published bool
	}{"not scheduled": {nil, true}, "scheduled": {&soon, false}, "scheduled for now": {&now, true},
		"scheduled for before": {new(now.Add(-1)), true}} {
		n := w.publish(core.PublishInput{ScheduledAt: c.at})
		check.Equal(t, "whether it is published: "+name, n.PublishedAt != nil, c.published)
		check.Equal(t, "whether it is visible: "+name, n.Visible, c.published)
	}
	again, creation, err := w.notifications.Publish(t.Context(), w.owner, "metro", "avisos", in, noKey)
	core.Succeed(t, "publish with a known external id", err)
	check.Equal(t, "creation with a known external id", creation, core.Existing)
	check.Equal(t, "notification with a known external id", again.ID, got.ID)
}

// TestARepeatedPublishGetsTheFirstResponse also repeats one whose times have passed, which would be refused now.
func TestARepeatedPublishGetsTheFirstResponse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := core.PublishInput{Title: "t", ExpiresAt: new(now.Add(time.Hour))}
	batch := core.PublishBatchInput{Notifications: []core.PublishInput{in, {Title: "u"}}}
	one, creation, err := w.notifications.Publish(t.Context(), w.owner, "metro", "avisos", in, key("one", "1"))
	check.Equal(t, "first response", []any{creation, err}, []any{core.Created, nil})
	all, creation, err := w.notifications.PublishBatch(t.Context(), w.owner, "metro", "avisos", batch, key("all", "1"))
	check.Equal(t, "first response to a batch", []any{creation, err}, []any{core.Created, nil})
	for _, after := range []time.Duration{0, 2 * time.Hour} {
		w.now = now.Add(after)
		n, creation, err := w.notifications.Publish(t.Context(), w.owner, "metro", "avisos", in, key("one", "1"))
		check.Equal(t, "response after "+after.String(), []any{n.ID, creation, err}, []any{one.ID, core.Replayed, nil})
		got, creation, err := w.notifications.PublishBatch(t.Context(), w.owner, "metro", "avisos", batch, key("all", "1"))
		check.Equal(t, "response to the batch after "+after.String(), []any{got, creation, err},
			[]any{all, core.Replayed, nil})
	}
	_, _, err = w.notifications.Publish(t.Context(), w.owner, "metro", "avisos", in, key("new", "1"))
	core.CheckCode(t, "an expired notification with another key", err, core.CodeInvalid)
	_, _, err = w.notifications.PublishBatch(t.Context(), w.owner, "metro", "avisos", batch, key("new", "1"))
	core.CheckCode(t, "a batch with an expired notification", err, core.CodeInvalid)
	w.now = now
	_, _, err = w.notifications.Publish(t.Context(), w.owner, "metro", "avisos", in, key("one", "other body"))
	check.Equal(t, "reason for a key with another body", reasonOf(err), "idempotency_key_reused")
}

func TestPublishBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	known := w.publish(core.PublishInput{ExternalID: "known"})
	publish := func(all ...core.PublishInput) ([]core.Published, error) {
		in := core.PublishBatchInput{Notifications: all}
		return first(w.notifications.PublishBatch(t.Context(), w.owner, "metro", "avisos", in, noKey))
	}
	got, err := publish(core.PublishInput{Title: "a"}, core.PublishInput{Title: "b", ExternalID: "known"})
	core.Succeed(t, "publish", err)
	check.Equal(t, "published", got, []core.Published{{ID: got[0].ID}, {ID: known.ID, Existing: true}})
	_, err = publish(core.PublishInput{Title: "a", ExternalID: "x"}, core.PublishInput{ExternalID: "x"})
	check.Equal(t, "faults of a batch", pointers(fieldsOf(err)),
		[]string{"#/notifications/1/externalId", "#/notifications/1/title"})
	page, err := w.notifications.List(t.Context(), w.visitor, "metro", "avisos", core.Page{})
	core.Succeed(t, "list", err)
	check.Equal(t, "notifications of the channel", page.Total, 2)
	w.suspend()
	_, err = publish(core.PublishInput{Title: "a"})
	core.CheckCode(t, "publish a batch to a suspended channel", err, core.CodeForbidden)
}

func TestCorrect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(core.PublishInput{Title: "T", Body: "B", Link: "https://example.com/", ExternalID: "x",
		ExpiresAt: new(now.Add(time.Hour))})
	w.now = now.Add(time.Minute)
	correct := func(id core.ID, in core.CorrectInput, seen *time.Time) (core.Notification, error) {
		return w.notifications.Correct(t.Context(), w.owner, "metro", "avisos", id, in, seen)
	}
	got, err := correct(n.ID, core.CorrectInput{Title: new("U"), Link: core.Patch[string]{Set: true},
		Importance: new(core.Important), Data: &map[string]string{"a": "b"}}, new(time.UnixMicro(0)))
	core.Succeed(t, "correct", err)
	want := n
	want.Title, want.Link, want.Importance, want.Data = "U", "", core.Important, map[string]string{"a": "b"}
	want.EditedAt = new(w.now)
	check.Equal(t, "corrected notification", got, want)
	check.Equal(t, "version", got.Version(), w.now)

	_, err = correct(n.ID, core.CorrectInput{Title: new("V")}, new(time.UnixMicro(0)))
	core.CheckCode(t, "correct another version", err, core.CodeChanged)
	_, err = correct(n.ID, core.CorrectInput{ScheduledAt: new(w.now.Add(time.Hour))}, nil)
	check.Equal(t, "faults of a new time after publication", codes(fieldsOf(err)), "published")
	_, err = correct(n.ID, core.CorrectInput{Title: new(" "), Image: core.Patch[string]{Set: true, Value: new("x")},
		Icon: core.Patch[string]{Set: true, Value: new("x")}, Link: core.Patch[string]{Set: true, Value: new("x")},
		ExpiresAt: core.Patch[time.Time]{Set: true, Value: &now}}, nil)
	check.Equal(t, "faults of a correction", pointers(fieldsOf(err)),
		[]string{"#/expiresAt", "#/icon", "#/image", "#/link", "#/title"})

	w.now = now.Add(2 * time.Hour)
	got, err = correct(n.ID, core.CorrectInput{Body: new("C")}, nil)
	core.Succeed(t, "correct an expired notification, of which the time is not set", err)
	check.Equal(t, "an expired notification is visible", got.Visible, false)
	got, err = correct(n.ID, core.CorrectInput{ExpiresAt: core.Patch[time.Time]{Set: true}}, nil)
	core.Succeed(t, "remove the time of expiry", err)
	check.Equal(t, "it is visible again", got.Visible, true)

	_, err = correct(w.withdrawn().ID, core.CorrectInput{Title: new("V")}, nil)
	core.CheckCode(t, "correct a withdrawn notification", err, core.CodeNotFound)
	w.suspend()
	_, err = correct(n.ID, core.CorrectInput{Title: new("V")}, nil)
	core.CheckCode(t, "correct in a suspended channel", err, core.CodeForbidden)
}

// TestCorrectTheTimes moves a scheduled notification, and publishes it at once by a time that has passed.
func TestCorrectTheTimes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	at := func(d time.Duration) *time.Time { return new(now.Add(d)) }
	for name, c := range map[string]struct {
		to        *time.Time
		expires   *time.Time
		want      string
		published bool
	}{
		"later": {at(3 * time.Hour), nil, "", false}, "now": {at(0), nil, "", true}, "before": {at(-1), nil, "", true},
		"after it expires": {at(3 * time.Hour), at(2 * time.Hour), "order", false},
	} {
		n := w.publish(core.PublishInput{ScheduledAt: at(time.Hour), ExpiresAt: c.expires})
		in := core.CorrectInput{ScheduledAt: c.to}
		got, err := w.notifications.Correct(t.Context(), w.owner, "metro", "avisos", n.ID, in, nil)
		if (codes(fieldsOf(err)) == "") != (c.want == "") {
			t.Errorf("faults of a notification moved to %s: got %q, want %q", name, codes(fieldsOf(err)), c.want)
		}
		if err == nil {
			check.Equal(t, "time of one moved to "+name, got.ScheduledAt, c.to)
			check.Equal(t, "whether one moved to "+name+" is published", got.PublishedAt != nil, c.published)
			check.Equal(t, "whether one moved to "+name+" is visible", got.Visible, c.published)
		}
	}
	_, _, err := w.notifications.Scheduled(t.Context(), w.owner, "metro", "carris", core.Page{})
	core.CheckCode(t, "scheduled notifications of no channel", err, core.CodeNotFound)
	all, total, err := w.notifications.Scheduled(t.Context(), w.owner, "metro", "avisos", core.Page{})
	core.Succeed(t, "scheduled notifications", err)
	check.Equal(t, "number of scheduled notifications", total, 2)
	check.Equal(t, "the soonest is first", all[0].ScheduledAt.Before(*all[1].ScheduledAt), true)
}

func TestWithdraw(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(core.PublishInput{})
	withdraw := func(id core.ID, seen *time.Time) error {
		return w.notifications.Withdraw(t.Context(), w.owner, "metro", "avisos", id, seen)
	}
	core.CheckCode(t, "withdraw another version", withdraw(n.ID, &now), core.CodeChanged)
	core.CheckCode(t, "withdraw", withdraw(n.ID, new(time.UnixMicro(0))), "")
	w.now = now.Add(time.Hour)
	core.CheckCode(t, "withdraw again, with any version", withdraw(n.ID, &now), "")
	core.CheckCode(t, "withdraw nothing", withdraw(core.NewID(), nil), core.CodeNotFound)
	got := made(w.Notification(t.Context(), w.channel.ID, n.ID, nil))
	check.Equal(t, "time of the withdrawal", got.WithdrawnAt, &now)
	check.Equal(t, "withdrawn notification is visible", got.Visible, false)
	check.Equal(t, "withdrawn notification is revised", got.RevisedAt(), now)
}

func TestRevisedAt(t *testing.T) {
	t.Parallel()
	edited, gone := now.Add(time.Hour), now.Add(2*time.Hour)
	for name, c := range map[string]struct {
		n    core.Notification
		want time.Time
	}{
		"unchanged":               {core.Notification{Visible: true}, time.UnixMicro(0)},
		"corrected":               {core.Notification{Visible: true, EditedAt: &edited, ExpiresAt: &gone}, edited},
		"expired":                 {core.Notification{EditedAt: &edited, ExpiresAt: &gone}, gone},
		"corrected after expiry":  {core.Notification{EditedAt: &gone, ExpiresAt: &edited}, gone},
		"withdrawn":               {core.Notification{EditedAt: &edited, WithdrawnAt: &gone}, gone},
		"withdrawn before expiry": {core.Notification{WithdrawnAt: &edited, ExpiresAt: &gone}, edited},
		"scheduled":               {core.Notification{}, time.UnixMicro(0)},
	} {
		check.Equal(t, "time at which it was revised: "+name, c.n.RevisedAt(), c.want)
	}
}

// TestExpiredNotifications are shown only to those who may see scheduled ones.
func TestExpiredNotifications(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := w.publish(core.PublishInput{ExpiresAt: new(now.Add(time.Hour))})
	get := func(c core.Caller) error {
		_, err := w.notifications.Get(t.Context(), c, "metro", "avisos", n.ID)
		return err
	}
	core.CheckCode(t, "get as a visitor", get(w.visitor), "")
	w.now = now.Add(time.Hour)
	w.Expire()
	for code, callers := range map[core.Code][]core.Caller{
		core.CodeNotFound: {w.visitor, w.stranger, w.key(core.ScopeChannels)},
		"":                {w.owner, w.key(core.ScopeRead), w.key(core.ScopePublish)},
	} {
		for i, c := range callers {
			core.CheckCode(t, fmt.Sprintf("get an expired notification as %d", i), get(c), code)
		}
	}
	page, err := w.notifications.List(t.Context(), w.owner, "metro", "avisos", core.Page{})
	core.Succeed(t, "list", err)
	check.Equal(t, "an expired notification is listed", page.Total, 0)
	_, err = w.notifications.Get(t.Context(), w.owner, "metro", "avisos", core.NewID())
	core.CheckCode(t, "get a notification that is not there", err, core.CodeNotFound)
	_, err = w.notifications.Get(t.Context(), w.owner, "metro", "carris", n.ID)
	core.CheckCode(t, "get a notification of no channel", err, core.CodeNotFound)
	_, err = w.notifications.List(t.Context(), w.owner, "metro", "carris", core.Page{})
	core.CheckCode(t, "list no channel", err, core.CodeNotFound)
}

// TestByExternalID finds what Get would show to the same caller, and nothing else.
func TestByExternalID(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shown := w.publish(core.PublishInput{ExternalID: "shown"})
	planned := w.publish(core.PublishInput{ExternalID: "planned", ScheduledAt: new(now.Add(time.Hour))})
	gone := w.publish(core.PublishInput{ExternalID: "gone"})
	core.Succeed(t, "withdraw", w.notifications.Withdraw(t.Context(), w.owner, "metro", "avisos", gone.ID, nil))
	for i, c := range []struct {
		caller     core.Caller
		externalID string
		want       []core.ID
	}{
		{w.visitor, "shown", []core.ID{shown.ID}}, {w.visitor, "planned", nil}, {w.stranger, "planned", nil},
		{w.key(core.ScopeChannels), "planned", nil}, {w.owner, "planned", []core.ID{planned.ID}},
		{w.key(core.ScopePublish), "planned", []core.ID{planned.ID}}, {w.owner, "gone", nil}, {w.owner, "none", nil},
	} {
		found, err := w.notifications.ByExternalID(t.Context(), c.caller, "metro", "avisos", c.externalID)
		core.Succeed(t, "find", err)
		var ids []core.ID
		for _, n := range found {
			ids = append(ids, n.ID)
		}
		check.Equal(t, fmt.Sprintf("%d: what is found of %s", i, c.externalID), ids, c.want)
	}
	_, err := w.notifications.ByExternalID(t.Context(), w.owner, "metro", "carris", "shown")
	core.CheckCode(t, "find in no channel", err, core.CodeNotFound)
}

// TestDemonstrationChannels have short texts of strangers: nothing to load or open, and nothing that stays.
func TestDemonstrationChannels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := core.ChannelInput{PublisherSlug: "metro", Slug: "demo", Name: "Demo", CategoryID: w.category,
		Demonstration: true}
	c := made(first(w.channels.Create(t.Context(), w.owner, in, noKey)))
	publish := func(in core.PublishInput) (core.Notification, error) {
		return first(w.notifications.Publish(t.Context(), w.owner, "metro", "demo", in, noKey))
	}
	n, err := publish(core.PublishInput{Title: "t", ExpiresAt: new(now.Add(9 * time.Hour))})
	core.Succeed(t, "publish", err)
	check.Equal(t, "time of expiry", n.ExpiresAt, new(now.Add(time.Hour)))
	const link = "https://example.com/"
	_, err = publish(core.PublishInput{Title: "t", Image: link, Icon: link, Link: link})
	check.Equal(t, "faults", pointers(fieldsOf(err)), []string{"#/icon", "#/image", "#/link"})
	patch := core.Patch[string]{Set: true, Value: new(link)}
	change := core.CorrectInput{Image: patch, Icon: patch, Link: patch, ScheduledAt: &now,
		ExpiresAt: core.Patch[time.Time]{Set: true}}
	_, err = w.notifications.Correct(t.Context(), w.owner, "metro", "demo", n.ID, change, nil)
	check.Equal(t, "faults of a correction", pointers(fieldsOf(err)),
		[]string{"#/expiresAt", "#/icon", "#/image", "#/link", "#/scheduledAt", "#/scheduledAt"})
	_, err = w.notifications.Correct(t.Context(), w.owner, "metro", "demo", n.ID, core.CorrectInput{Title: new("u")}, nil)
	core.CheckCode(t, "correct the title", err, "")
	_, err = w.subscriptions.Follow(t.Context(), w.stranger.SubscriberID, c.ID)
	core.CheckCode(t, "follow", err, core.CodeForbidden)
}

func TestDeliverySummaries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := core.WithOrigin(t.Context(), func() core.Origin { return core.Origin{Caller: w.owner} })
	in := core.PublishInput{Title: "t"}
	n := made(first(w.notifications.Publish(ctx, w.owner, "metro", "avisos", in, noKey)))
	w.Deliveries[n.ID] = core.DeliverySummary{Targeted: 3}
	by := core.Actor{Kind: core.ActorPerson, ID: w.owner.SubscriberID}
	for name, c := range map[string]struct {
		caller core.Caller
		by     core.Actor
	}{"a member": {w.editor, by}, "an API key": {w.key(), core.Actor{Kind: core.ActorPerson}}} {
		got, err := w.notifications.DeliverySummary(t.Context(), c.caller, "metro", "avisos", n.ID)
		core.Succeed(t, "summary for "+name, err)
		check.Equal(t, "summary for "+name, got, core.DeliverySummary{Targeted: 3, PublishedBy: c.by})
	}
	counts := core.DeliveryCounts{Notifications: 1, DeliverySummary: core.DeliverySummary{Targeted: 9, Pending: 2,
		Accepted: 3, Suppressed: core.Causes{"bell": 1}, Failed: core.Causes{"invalid": 2}, Expired: core.Causes{"a": 1},
		Displayed: 4, Opened: 5}}
	w.Parts = []core.DeliverySummaryPart{{At: now.AddDate(0, 0, -2), DeliveryCounts: counts},
		{At: now.AddDate(0, 0, -1), DeliveryCounts: counts}, {At: now.AddDate(0, 0, -40), DeliveryCounts: counts}}
	got, err := w.notifications.ChannelDeliverySummary(t.Context(), w.owner, "metro", "avisos", nil, nil, "")
	core.Succeed(t, "summary of the channel", err)
	check.Equal(t, "number of parts", len(got.Parts), 2)
	check.Equal(t, "total", got.Total, core.DeliveryCounts{Notifications: 2, DeliverySummary: core.DeliverySummary{
		Targeted: 18, Pending: 4, Accepted: 6, Suppressed: core.Causes{"bell": 2}, Failed: core.Causes{"invalid": 4},
		Expired: core.Causes{"a": 2}, Displayed: 8, Opened: 10}})
	_, err = w.notifications.ChannelDeliverySummary(t.Context(), w.owner, "metro", "avisos", &now, &now, "")
	core.CheckCode(t, "summary of no time", err, core.CodeInvalid)
	_, err = w.notifications.DeliverySummary(t.Context(), w.owner, "metro", "avisos", core.NewID())
	core.CheckCode(t, "summary of nothing", err, core.CodeNotFound)
}

// TestQuota refuses what would store more. The sender of a webhook event, who cannot see to it, tries again.
func TestQuota(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hook, _ := w.webhook(core.WebhookInput{Signing: core.SigningNone})
	used, err := w.moderation.SetQuota(t.Context(), w.operator, "metro", core.QuotaInput{Bytes: 3})
	core.Succeed(t, "set a quota", err)
	check.Equal(t, "storage", used, core.Storage{Quota: 3})
	for _, bytes := range []int64{-1, core.MaxQuota + 1} {
		_, err := w.moderation.SetQuota(t.Context(), w.operator, "metro", core.QuotaInput{Bytes: bytes})
		check.Equal(t, fmt.Sprintf("faults of a quota of %d", bytes), codes(fieldsOf(err)), "maximum")
	}
	for _, bytes := range []int64{core.MaxQuota, 0} {
		check.Equal(t, "faults of a quota", codes(core.QuotaInput{Bytes: bytes}.Validate(nil, now)), "")
	}
	w.publish(core.PublishInput{Title: "123"})
	publish := func() error {
		_, _, err := w.notifications.Publish(t.Context(), w.owner, "metro", "avisos", core.PublishInput{Title: "t"}, noKey)
		return err
	}
	check.Equal(t, "reason when the storage is full", reasonOf(publish()), "quota_exceeded")
	_, _, err = w.webhooks.Receive(t.Context(), hook, core.WebhookEvent{Body: []byte(`{"title":"t"}`)}, nil)
	core.CheckCode(t, "receive an event when the storage is full", err, core.CodeFull)
	err = w.webhooks.Refuse(t.Context(), hook, core.WebhookEvent{Body: []byte(`{}`)}, nil, core.NotFound())
	core.CheckCode(t, "refuse an event when the storage is full", err, core.CodeFull)
	shown, err := w.publishers.Storage(t.Context(), w.operator, "metro")
	core.Succeed(t, "storage", err)
	check.Equal(t, "storage, to an operator", shown, core.Storage{Used: 3, Quota: 3})
	all, err := w.moderation.Storage(t.Context(), w.operator)
	core.Succeed(t, "storage of all", err)
	check.Equal(t, "largest publishers", len(all.Largest), 1)
	core.Succeed(t, "reset the quota", w.moderation.ResetQuota(t.Context(), w.operator, "metro"))
	core.CheckCode(t, "publish without a quota", publish(), "")
	for used, want := range map[core.Storage]bool{{Used: 2, Quota: 3}: false, {Used: 3, Quota: 3}: true,
		{Used: 4, Quota: 3}: true, {Used: 4}: false, {Used: 1, Quota: 1}: true} {
		check.Equal(t, fmt.Sprintf("%+v is full", used), used.IsFull(), want)
	}
}

// slowDestination is a world in which looking up where to publish takes a second.
type slowDestination struct{ *world }

func (w slowDestination) Destination(
	ctx context.Context, publisherSlug, slug string,
) (core.ChannelRef, core.ID, error) {
	w.now = w.now.Add(time.Second)
	return w.world.Destination(ctx, publisherSlug, slug)
}

// TestPublishedBeforeTheLookUp expects that whoever follows a channel at the time of a notification is found by the
// look-up of its channel, which says whether there is anybody to reach.
func TestPublishedBeforeTheLookUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := w.now
	notifications := core.NewNotifications(slowDestination{w}, w, operators, testRules,
		func() time.Time { return w.now })
	n, _, err := notifications.Publish(t.Context(), w.owner, "metro", "avisos", core.PublishInput{Title: "t"}, noKey)
	core.Succeed(t, "publish", err)
	check.Equal(t, "time of the notification", *n.PublishedAt, before)
}
