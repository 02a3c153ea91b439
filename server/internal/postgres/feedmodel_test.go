package postgres_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// TestPagesAgreeWithAModel makes random changes by several people on two nodes that share a database. After each, a
// page of the feed or of a channel's list, or the counts of the followed channels, are compared with a model, and what
// may not be found is not found. A failure is shrunk to few steps. `make test-input` makes 10,000 runs.
func TestPagesAgreeWithAModel(t *testing.T) {
	t.Parallel()
	if os.Getenv("RAPID_CHECKS") == "" {
		_ = flag.Set("rapid.checks", "15") // for each half
	}
	for half := range 2 {
		t.Run(fmt.Sprint("half ", half), func(t *testing.T) {
			t.Parallel()
			var runs, steps atomic.Int64
			w, other := newModelWorld(t)
			rapid.Check(t, func(t *rapid.T) {
				runs.Add(1)
				m := newFeedModel(t, w, other)
				t.Repeat(m.actions(&steps))
				m.compareAll(t)
			})
			t.Logf("%d runs of %d steps in all", runs.Load(), steps.Load())
		})
	}
}

func newModelWorld(t *testing.T) (*world, *postgres.Store) {
	t.Helper()
	w := newWorld(t)
	other := must(postgres.Open(t.Context(), postgres.Config{URL: w.url, Connections: 5}))
	t.Cleanup(func() { _ = other.Close() })
	return w, postgres.NewStore(other)
}

// feedModel is a publisher whose channels several people follow, on two nodes.
type feedModel struct {
	*world
	nodes    []*postgres.Store
	slug     string
	channels []core.ChannelRef
	notes    []*modelNote
	readers  []*modelReader

	publisher core.ID
	suspended map[core.ID]bool // channels, and the publisher of all
	deleted   map[core.ID]bool // channels
}

// modelNote is a notification.
type modelNote struct {
	core.Notification
	visible, withdrawn, published bool
	scheduledAt, expiresAt        *time.Time
}

// modelReader is a person.
type modelReader struct {
	id       core.ID
	readUpTo map[core.ID]int64     // of followed channels, the last publication when all were read
	readAt   map[core.ID]time.Time // when that was
	bell     map[core.ID]core.Bell // of followed channels
	receipts map[core.ID]modelReceipt
	former   map[core.ID]formerSubscription
}

// formerSubscription is what a person had of a channel when they stopped following it.
type formerSubscription struct {
	readUpTo int64
	readAt   time.Time
	bell     core.Bell
	endedAt  time.Time
}

// modelReceipt is what a person did with one notification.
type modelReceipt struct {
	read     *bool // nil: as the channel
	readAt   *time.Time
	archived bool
	snoozed  *time.Time // until then
}

func newFeedModel(t *rapid.T, w *world, other *postgres.Store) *feedModel {
	m := &feedModel{world: w, nodes: []*postgres.Store{w.Store, other}, suspended: map[core.ID]bool{},
		deleted: map[core.ID]bool{}}
	id := core.NewID()
	m.slug = "p-" + id.String()
	m.publisher = must(w.EnsurePublisher(t.Context(), core.Publisher{ID: id, Slug: m.slug, Name: "Vila"}))
	category := must(w.EnsureCategory(t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	for i := range 4 {
		in := core.ChannelInput{Slug: fmt.Sprint("canal-", i), Name: "Canal", CategoryID: category, Visibility: core.Public}
		c := must3(w.CreateChannel(t.Context(), core.NewID(), m.publisher, in, w.now, core.Idempotency{}))
		m.channels = append(m.channels, c.ChannelRef)
	}
	for i := range 3 {
		subject := fmt.Sprint(id, i)
		profile := core.Profile{Subject: subject, Email: subject + "@example.com", Name: "Ana", Locale: "pt"}
		r := &modelReader{readUpTo: map[core.ID]int64{}, readAt: map[core.ID]time.Time{}, bell: map[core.ID]core.Bell{},
			receipts: map[core.ID]modelReceipt{}, former: map[core.ID]formerSubscription{}}
		r.id = must(w.SignIn(t.Context(), profile, core.SignUp{Open: true}, w.now)).ID
		m.readers = append(m.readers, r)
		for _, c := range m.channels[i:] {
			m.follow(t, w.Store, r, c.ID)
		}
	}
	return m
}

// actions are the steps of a run, and the comparison after each.
func (m *feedModel) actions(steps *atomic.Int64) map[string]func(*rapid.T) {
	all := map[string]func(*rapid.T){
		"publish": m.publishOne, "publish more": m.publishOne, "publish still more": m.publishOne,
		"schedule": m.scheduleOne, "release": m.release,
		"correct": m.changeOne(func(n *core.Notification) { n.Title += "!" }),
		"withdraw": m.changeOne(func(n *core.Notification) {
			n.Visible, n.WithdrawnAt = false, &m.now
		}),
		"let expire": m.changeOne(func(n *core.Notification) { n.ExpiresAt = new(m.now.Add(2 * time.Second)) }),
		"show again": m.changeOne(func(n *core.Notification) {
			n.Visible, n.ExpiresAt = n.WithdrawnAt == nil && n.PublishedAt != nil, nil
		}),
		"read": m.markOne(core.ReceiptPatch{Read: new(true)}), "mark unread": m.markOne(core.ReceiptPatch{Read: new(false)}),
		"archive":  m.markOne(core.ReceiptPatch{Archived: new(true)}),
		"restore":  m.markOne(core.ReceiptPatch{Archived: new(false)}),
		"postpone": m.postponeOne, "bring back": m.markOne(core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true}}),
		"return": m.returnPostponed,
		"open":   m.openOne, "read all": m.readEverything, "read a channel": m.readChannel,
		"follow": m.followOne, "unfollow": m.unfollowOne, "set the bell": m.setBell, "rename": m.renameOne,
		"suspend a channel": m.suspendChannel, "end the suspension of a channel": m.unsuspendChannel,
		"suspend the publisher": m.suspendPublisher, "end the suspension": m.unsuspendPublisher,
		"delete a channel": m.deleteChannel, "keep few": m.keepFew, "let a month pass": m.passMonth,
	}
	for name, action := range all {
		all[name] = func(t *rapid.T) {
			steps.Add(1)
			seconds := rapid.IntRange(0, 2).Draw(t, "seconds") // some times are equal
			m.now = m.now.Add(time.Duration(seconds) * time.Second)
			action(t)
		}
	}
	all[""] = m.compareOne
	return all
}

func (m *feedModel) node(t *rapid.T) *postgres.Store {
	return m.nodes[rapid.IntRange(0, len(m.nodes)-1).Draw(t, "node")]
}

func (m *feedModel) anyChannel(t *rapid.T) core.ChannelRef {
	return m.channels[rapid.IntRange(0, len(m.channels)-1).Draw(t, "channel")]
}

func (m *feedModel) reader(t *rapid.T) *modelReader {
	return m.readers[rapid.IntRange(0, len(m.readers)-1).Draw(t, "reader")]
}

// anyNote returns one of the latest notifications; with none it returns one that does not exist.
func (m *feedModel) anyNote(t *rapid.T) *modelNote {
	if len(m.notes) == 0 {
		return &modelNote{Notification: core.Notification{ID: core.NewID(), Channel: m.channels[0]}}
	}
	latest := m.notes[max(0, len(m.notes)-8):]
	return latest[rapid.IntRange(0, len(latest)-1).Draw(t, "notification")]
}

// expect checks whether something was found.
func expect(t *rapid.T, what string, found bool, err error) {
	t.Helper()
	switch {
	case found && err != nil:
		t.Fatalf("%s: %v", what, err)
	case !found && !core.IsCode(err, core.CodeNotFound):
		t.Fatalf("%s, which should not be found: got error %v", what, err)
	}
}

func (m *feedModel) publishOne(t *rapid.T) {
	m.channel = m.anyChannel(t)
	if m.deleted[m.channel.ID] {
		return // the rules of the domain do not find it
	}
	n := m.notification(fmt.Sprint(len(m.notes)))
	n.Importance = rapid.SampledFrom([]core.Importance{core.Normal, core.Important}).Draw(t, "importance")
	n.Body = rapid.SampledFrom([]string{"", "Estação do Norte", "Estação do Sul"}).Draw(t, "body")
	n, _, err := m.Publish(t.Context(), n, core.Idempotency{})
	succeed(t, "publish", err)
	m.notes = append(m.notes, &modelNote{Notification: n, visible: true, published: true})
}

func (m *feedModel) scheduleOne(t *rapid.T) {
	m.channel = m.anyChannel(t)
	if m.deleted[m.channel.ID] {
		return
	}
	at := m.now.Add(3 * time.Second)
	n := m.schedule(t, fmt.Sprint(len(m.notes)), at)
	m.notes = append(m.notes, &modelNote{Notification: n, scheduledAt: &at})
}

func (m *feedModel) release(t *rapid.T) {
	must(m.Release(t.Context()))
	for _, n := range m.notes {
		if due := n.scheduledAt; !n.published && !n.withdrawn && due != nil && !due.After(m.now) {
			n.published, n.visible = true, true
		}
		if n.expiresAt != nil && !n.expiresAt.After(m.now) {
			n.visible = false
		}
	}
}

// changeOne returns a step that changes a notification, visible or not.
func (m *feedModel) changeOne(change func(*core.Notification)) func(*rapid.T) {
	return func(t *rapid.T) {
		n := m.anyNote(t)
		changed, err := m.Correct(t.Context(), n.Channel.ID, n.ID, func(n *core.Notification) error {
			change(n)
			return nil
		})
		if known := len(m.notes) > 0; known && m.deleted[n.Channel.ID] {
			return // the rules of the domain do not find it
		} else if expect(t, "change a notification", known, err); known {
			n.Title, n.visible, n.withdrawn = changed.Title, changed.Visible, changed.WithdrawnAt != nil
			n.expiresAt = changed.ExpiresAt
		}
	}
}

// isShown reports whether a person can see a notification, in the feed or archived.
func (m *feedModel) isShown(n *modelNote, r *modelReader) bool {
	_, followed := r.readUpTo[n.Channel.ID]
	return n.visible && followed && !m.hidden(n.Channel.ID)
}

func (m *feedModel) markOne(p core.ReceiptPatch) func(*rapid.T) {
	return func(t *rapid.T) {
		n, r := m.anyNote(t), m.reader(t)
		got, err := m.node(t).UpdateReceipt(t.Context(), r.id, n.ID, p, m.now)
		if expect(t, "mark a notification", m.isShown(n, r), err); err != nil {
			return
		}
		r.mark(n.ID, p, m.now)
		if diff := cmp.Diff(m.row(t, r, n.ID).ReadAt, got.ReadAt); diff != "" {
			t.Errorf("time at which the marked notification was read (-want +got):\n%s", diff)
		}
	}
}

// mark changes a receipt of the model. The first times are kept.
func (r *modelReader) mark(id core.ID, p core.ReceiptPatch, now time.Time) {
	receipt := r.receipts[id]
	if p.Read != nil {
		receipt.read = p.Read
		if !*p.Read {
			receipt.readAt = nil
		} else if receipt.readAt == nil {
			receipt.readAt = &now
		}
	}
	if p.Archived != nil {
		receipt.archived, receipt.snoozed = *p.Archived, nil
	}
	if until := p.SnoozedUntil; until.Set {
		receipt.archived = receipt.archived && until.Value == nil
		receipt.snoozed = until.Value
	}
	r.receipts[id] = receipt
}

func (m *feedModel) postponeOne(t *rapid.T) {
	until := m.now.Add(2 * time.Second)
	m.markOne(core.ReceiptPatch{SnoozedUntil: core.Patch[time.Time]{Set: true, Value: &until}})(t)
}

// returnPostponed brings back what is due.
func (m *feedModel) returnPostponed(t *rapid.T) {
	succeed(t, "return what was postponed", m.db.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
		_, err := postgres.ReturnSnoozed(ctx, tx, 1000, m.now)
		return err
	}))
	for _, r := range m.readers {
		for id, receipt := range r.receipts {
			if receipt.snoozed != nil && !receipt.snoozed.After(m.now) {
				r.mark(id, core.ReceiptPatch{Read: new(false), Archived: new(false)}, m.now)
			}
		}
	}
}

func (m *feedModel) openOne(t *rapid.T) {
	n, r := m.anyNote(t), m.reader(t)
	expect(t, "display a notification", m.isShown(n, r), m.node(t).RecordDisplayed(t.Context(), r.id, nil, []core.ID{n.ID}))
	_, err := m.node(t).RecordOpened(t.Context(), r.id, n.ID, m.now)
	if expect(t, "open a notification", m.isShown(n, r), err); err == nil {
		r.mark(n.ID, core.ReceiptPatch{Read: new(true)}, m.now)
	}
}

func (m *feedModel) readEverything(t *rapid.T) {
	r := m.reader(t)
	succeed(t, "read all", m.node(t).ReadAll(t.Context(), r.id, nil, m.now))
	for channelID := range r.readUpTo { // those followed
		if !m.hidden(channelID) {
			m.pass(t, r, channelID)
		}
	}
}

func (m *feedModel) readChannel(t *rapid.T) {
	c, r := m.anyChannel(t), m.reader(t)
	_, followed := r.readUpTo[c.ID]
	err := m.node(t).ReadAll(t.Context(), r.id, &c.ID, m.now)
	if m.hidden(c.ID) {
		return
	}
	if expect(t, "read a channel", followed, err); err == nil {
		m.pass(t, r, c.ID)
	}
}

// pass marks all of a channel as read in the model.
func (m *feedModel) pass(t *rapid.T, r *modelReader, channelID core.ID) {
	r.readUpTo[channelID] = m.count(t,
		"select coalesce(max(ordinal), 0) from notifications where channel_id = $1", channelID)
	r.readAt[channelID] = m.now
	for _, n := range m.notes {
		if receipt := r.receipts[n.ID]; n.Channel.ID == channelID && receipt.read != nil && !*receipt.read {
			r.mark(n.ID, core.ReceiptPatch{Read: new(true)}, m.now)
		}
	}
}

// hidden reports whether a channel is hidden from its followers.
func (m *feedModel) hidden(channelID core.ID) bool {
	return m.suspended[channelID] || m.suspended[m.publisher]
}

func (m *feedModel) followOne(t *rapid.T) {
	c, r := m.anyChannel(t), m.reader(t)
	if m.deleted[c.ID] {
		_, err := m.node(t).Subscribe(t.Context(), r.id, c.ID, m.now)
		expect(t, "follow a deleted channel", false, err)
	} else if !m.hidden(c.ID) {
		m.follow(t, m.node(t), r, c.ID)
	}
}

func (m *feedModel) follow(t *rapid.T, node *postgres.Store, r *modelReader, channelID core.ID) {
	must(node.Subscribe(t.Context(), r.id, channelID, m.now))
	if _, followed := r.readUpTo[channelID]; followed {
		return
	}
	former, kept := r.former[channelID]
	delete(r.former, channelID)
	if kept && !former.endedAt.Before(m.now.Add(-core.FormerSubscriptionsKept)) {
		r.readUpTo[channelID], r.readAt[channelID], r.bell[channelID] = former.readUpTo, former.readAt, former.bell
		return
	}
	m.pass(t, r, channelID)
	r.bell[channelID] = core.BellAll
}

func (m *feedModel) unfollowOne(t *rapid.T) {
	c, r := m.anyChannel(t), m.reader(t)
	expect(t, "unfollow", !m.deleted[c.ID], m.node(t).Unsubscribe(t.Context(), r.id, c.ID, m.now))
	if upTo, followed := r.readUpTo[c.ID]; followed {
		r.former[c.ID] = formerSubscription{upTo, r.readAt[c.ID], r.bell[c.ID], m.now}
	}
	delete(r.readUpTo, c.ID)
}

func (m *feedModel) passMonth(*rapid.T) {
	m.now = m.now.Add(core.FormerSubscriptionsKept + time.Second)
}

func (m *feedModel) setBell(t *rapid.T) {
	c, r := m.anyChannel(t), m.reader(t)
	bell := rapid.SampledFrom([]core.Bell{core.BellAll, core.BellImportant, core.BellNone}).Draw(t, "bell")
	_, followed := r.readUpTo[c.ID]
	_, err := m.node(t).UpdateSubscription(t.Context(), r.id, c.ID, core.SubscriptionPatch{Bell: &bell})
	if expect(t, "set the bell", followed, err); err == nil {
		r.bell[c.ID] = bell
	}
}

func (m *feedModel) renameOne(t *rapid.T) {
	c, p := m.anyChannel(t), core.ChannelPatch{Name: new(fmt.Sprint("Canal ", rapid.IntRange(0, 99).Draw(t, "name")))}
	_, err := m.node(t).UpdateChannel(t.Context(), c.ID, p, nil, m.now, nil)
	expect(t, "rename a channel", !m.deleted[c.ID], err)
}

func (m *feedModel) deleteChannel(t *rapid.T) {
	if len(m.deleted) == len(m.channels)-1 {
		return // otherwise nothing happens any more
	}
	c := m.anyChannel(t)
	expect(t, "delete a channel", !m.deleted[c.ID], m.node(t).DeleteChannel(t.Context(), c.ID, nil, m.now))
	m.deleted[c.ID] = true
	for _, r := range m.readers {
		delete(r.readUpTo, c.ID)
	}
}

// keepFew has a node delete the oldest notifications of a channel that has more than its owner keeps.
func (m *feedModel) keepFew(t *rapid.T) {
	c, few, node := m.anyChannel(t), rapid.IntRange(1, 5).Draw(t, "kept"), m.node(t)
	if m.deleted[c.ID] {
		return // the rules of the domain do not find it
	}
	keep := func(count *int) {
		p := core.ChannelPatch{KeepCount: core.Patch[int]{Set: true, Value: count}}
		must(node.UpdateChannel(t.Context(), c.ID, p, nil, m.now, nil))
	}
	succeed(t, "purge deleted channels", node.Prune(t.Context(), m.now)) // the latest change may be in one
	want := m.kept(t, c.ID, few)
	keep(&few)
	succeed(t, "prune", node.Prune(t.Context(), m.now))
	keep(nil)
	if diff := cmp.Diff(want, m.published(t, c.ID)); diff != "" {
		t.Errorf("notifications of a channel that keeps %d (-want +got):\n%s", few, diff)
	}
	m.notes = slices.DeleteFunc(m.notes, func(n *modelNote) bool {
		return n.Channel.ID == c.ID && n.published &&
			!slices.ContainsFunc(want, func(kept publishedRow) bool { return kept.ID == n.ID })
	})
}

func (m *feedModel) suspendChannel(t *rapid.T) {
	c := m.anyChannel(t)
	_, _, err := m.node(t).Suspend(t.Context(), core.SuspendableChannel, c.ID, core.Suspension{Reason: "r", At: m.now})
	if expect(t, "suspend a channel", !m.deleted[c.ID], err); err == nil {
		m.suspended[c.ID] = true
	}
}

func (m *feedModel) unsuspendChannel(t *rapid.T) {
	c := m.anyChannel(t)
	_, err := m.node(t).Unsuspend(t.Context(), core.SuspendableChannel, c.ID)
	if expect(t, "end the suspension of a channel", !m.deleted[c.ID], err); err == nil {
		delete(m.suspended, c.ID)
	}
}

func (m *feedModel) suspendPublisher(t *rapid.T) {
	_, _, err := m.node(t).Suspend(t.Context(), core.SuspendablePublisher, m.publisher,
		core.Suspension{Reason: "r", At: m.now})
	succeed(t, "suspend the publisher", err)
	m.suspended[m.publisher] = true
}

func (m *feedModel) unsuspendPublisher(t *rapid.T) {
	must(m.node(t).Unsuspend(t.Context(), core.SuspendablePublisher, m.publisher))
	delete(m.suspended, m.publisher)
}

// TestAPublishIsOnTheNextPageOfEveryNode publishes on one node while pages are read on another: whatever was published
// before a page is requested is on it.
func TestAPublishIsOnTheNextPageOfEveryNode(t *testing.T) {
	t.Parallel()
	w, other := newModelWorld(t)
	channels := []core.ChannelRef{w.channel, w.anotherChannel(t)}
	for _, c := range channels {
		must(w.Subscribe(t.Context(), w.subscriber, c.ID, w.now))
	}
	const rounds = 50
	var all sync.WaitGroup
	for _, channel := range channels {
		all.Go(func() {
			for range rounds {
				at := time.Now()
				n := core.Notification{ID: core.NewID(), Channel: channel, Title: "now", Importance: core.Normal,
					PublishedAt: &at, Visible: true}
				must3(w.Publish(t.Context(), n, core.Idempotency{}))
				page := core.FeedFilter{Page: core.Page{Limit: 11}}
				data, _, _, err := readFeed(t.Context(), other, w.subscriber, page)
				if err != nil {
					t.Errorf("feed: %v", err)
				}
				// Others may have filled the page meanwhile, but only with newer ones.
				if slices.ContainsFunc(data, func(x core.Notification) bool { return x.PublishedAt.Before(at) }) &&
					!slices.ContainsFunc(data, func(x core.Notification) bool { return x.ID == n.ID }) {
					t.Error("page of another node after a publish: got older notifications without it, want it there")
				}
			}
		})
	}
	all.Wait()
}
