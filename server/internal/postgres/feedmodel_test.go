package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// modelSteps is how many random changes are made. After each, pages are compared with the model.
const modelSteps = 400

// TestPagesAgreeWithAModel makes random changes by two nodes that share a database. After each, pages of the feed and
// of a channel's list, and counts, are compared with a plain query and a model of receipts, on both nodes.
func TestPagesAgreeWithAModel(t *testing.T) {
	t.Parallel()
	m := newFeedModel(t)
	for i := range modelSteps {
		if m.suspended[m.publisher] && m.dice.IntN(3) == 0 {
			m.togglePublisher(t)
		}
		step := m.steps[m.dice.IntN(len(m.steps))]
		m.now = m.now.Add(time.Duration(m.dice.IntN(3)) * time.Second) // some times are equal
		step.do(t)
		for node, store := range m.nodes {
			for _, compare := range []func(*testing.T, *postgres.Store){
				m.compareFeeds, m.compareUnread, m.compareLists, m.compareCounts,
			} {
				if compare(t, store); t.Failed() {
					t.Fatalf("after step %d, %s: node %d differs from the model (seed %d)", i, step.name, node, m.seed)
				}
			}
		}
	}
}

// feedModel is a person who follows some of many channels, on two nodes.
type feedModel struct {
	*world
	nodes    []*postgres.Store
	seed     uint64
	dice     *rand.Rand
	channels []core.ChannelRef
	made     []core.Notification
	steps    []modelStep

	readUpTo map[core.ID]int64     // of followed channels, the last publication when all were read
	readAt   map[core.ID]time.Time // when that was
	receipts map[core.ID]modelReceipt

	publisher core.ID
	suspended map[core.ID]bool // channels, and the publisher of all
}

// modelReceipt is what the person did with one notification.
type modelReceipt struct {
	read     *bool // nil: as the channel
	readAt   *time.Time
	archived bool
}

type modelStep struct {
	name string
	do   func(t *testing.T)
}

func newFeedModel(t *testing.T) *feedModel {
	t.Helper()
	w := newWorld(t)
	other := must(postgres.Open(t.Context(), postgres.Config{URL: w.url, Connections: 5}))
	t.Cleanup(func() { _ = other.Close() })
	m := &feedModel{world: w, nodes: []*postgres.Store{w.Store, postgres.NewStore(other)}, seed: rand.Uint64()}
	m.dice = rand.New(rand.NewPCG(m.seed, 0))
	m.readUpTo, m.readAt, m.receipts = map[core.ID]int64{}, map[core.ID]time.Time{}, map[core.ID]modelReceipt{}
	vila := must(w.PublisherBySlug(t.Context(), "vila"))
	m.publisher, m.suspended = vila.ID, map[core.ID]bool{}
	for i := range 20 {
		in := core.ChannelInput{Slug: fmt.Sprint("canal-", i), Name: "Canal", CategoryID: w.category(t, "cidade"),
			Visibility: core.Public}
		c := must3(w.CreateChannel(t.Context(), core.NewID(), vila.ID, in, w.now, core.Idempotency{}))
		m.channels = append(m.channels, c.ChannelRef)
		if i < 15 {
			m.follow(t, w.Store, c.ID)
		}
	}
	m.steps = []modelStep{
		{"publish", m.publishOne}, {"publish", m.publishOne}, {"publish", m.publishOne}, {"schedule", m.scheduleOne},
		{"correct", m.changeOne(func(n *core.Notification) { n.Title += "!" })},
		{"withdraw", m.changeOne(func(n *core.Notification) { n.Visible, n.WithdrawnAt = false, &m.now })},
		{"let expire", m.changeOne(func(n *core.Notification) { n.ExpiresAt = new(m.now.Add(2 * time.Second)) })},
		{"show again", m.changeOne(func(n *core.Notification) {
			n.Visible, n.ExpiresAt = n.WithdrawnAt == nil && n.PublishedAt != nil, nil
		})},
		{"release", func(t *testing.T) { t.Helper(); must(m.Release(t.Context())) }},
		{"read", m.markOne(core.ReceiptPatch{Read: new(true)})},
		{"mark unread", m.markOne(core.ReceiptPatch{Read: new(false)})},
		{"archive", m.markOne(core.ReceiptPatch{Archived: new(true)})},
		{"restore", m.markOne(core.ReceiptPatch{Archived: new(false)})},
		{"open", m.openOne}, {"read all", m.readEverything}, {"read a channel", m.readChannel},
		{"keep few", m.keepFew}, {"follow", m.followOne}, {"unfollow", m.unfollowOne}, {"rename", m.renameOne},
		{"suspend a channel", m.suspendChannel}, {"end the suspension of a channel", m.unsuspendChannel},
		{"suspend or unsuspend the publisher", m.togglePublisher},
	}
	return m
}

// anyNode returns a node by chance.
func (m *feedModel) anyNode() *postgres.Store { return m.nodes[m.dice.IntN(len(m.nodes))] }

func (m *feedModel) anyChannel() core.ChannelRef { return m.channels[m.dice.IntN(len(m.channels))] }

// anyMade returns one of the latest notifications; with none it returns an id that does not exist.
func (m *feedModel) anyMade() core.Notification {
	if len(m.made) == 0 {
		return core.Notification{ID: core.NewID(), Channel: m.channels[0]}
	}
	latest := m.made[max(0, len(m.made)-60):]
	return latest[m.dice.IntN(len(latest))]
}

func (m *feedModel) publishOne(t *testing.T) {
	t.Helper()
	m.channel = m.anyChannel()
	m.made = append(m.made, m.publish(t, fmt.Sprint(len(m.made))))
}

func (m *feedModel) scheduleOne(t *testing.T) {
	t.Helper()
	m.channel = m.anyChannel()
	m.made = append(m.made, m.schedule(t, fmt.Sprint(len(m.made)), m.now.Add(3*time.Second)))
}

// changeOne returns a step that changes a notification, visible or not.
func (m *feedModel) changeOne(change func(*core.Notification)) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		n := m.anyMade()
		_, err := m.Correct(t.Context(), n.Channel.ID, n.ID, func(n *core.Notification) error { change(n); return nil })
		m.succeedUnlessMissing(t, "change", err)
	}
}

func (m *feedModel) markOne(p core.ReceiptPatch) func(t *testing.T) {
	return func(t *testing.T) {
		t.Helper()
		n := m.anyMade()
		got, err := m.anyNode().UpdateReceipt(t.Context(), m.subscriber, n.ID, p, m.now)
		if m.succeedUnlessMissing(t, "mark", err); err == nil {
			m.mark(n.ID, p)
			if diff := cmp.Diff(m.row(t, n.ID).ReadAt, got.ReadAt); diff != "" {
				t.Errorf("time at which the marked notification was read (-want +got):\n%s", diff)
			}
		}
	}
}

// mark changes a receipt of the model. The first times are kept.
func (m *feedModel) mark(id core.ID, p core.ReceiptPatch) {
	r := m.receipts[id]
	if p.Read != nil {
		r.read = p.Read
		if !*p.Read {
			r.readAt = nil
		} else if r.readAt == nil {
			r.readAt = new(m.now)
		}
	}
	if p.Archived != nil {
		r.archived = *p.Archived
	}
	m.receipts[id] = r
}

func (m *feedModel) openOne(t *testing.T) {
	t.Helper()
	n, event := m.anyMade(), []core.FeedEvent{core.Displayed, core.Opened}[m.dice.IntN(2)]
	_, err := m.anyNode().RecordFeedEvent(t.Context(), m.subscriber, n.ID, event, m.now)
	if m.succeedUnlessMissing(t, "open", err); err == nil && event == core.Opened {
		m.mark(n.ID, core.ReceiptPatch{Read: new(true)})
	}
}

func (m *feedModel) readEverything(t *testing.T) {
	t.Helper()
	succeed(t, "read all", m.anyNode().ReadAll(t.Context(), m.subscriber, nil, m.now))
	for channelID := range m.readUpTo { // those followed
		if !m.hidden(channelID) {
			m.pass(t, channelID)
		}
	}
}

func (m *feedModel) readChannel(t *testing.T) {
	t.Helper()
	c := m.anyChannel()
	err := m.anyNode().ReadAll(t.Context(), m.subscriber, &c.ID, m.now)
	if m.succeedUnlessMissing(t, "read a channel", err); err == nil && !m.hidden(c.ID) {
		m.pass(t, c.ID)
	}
}

// pass marks all of a channel as read in the model.
func (m *feedModel) pass(t *testing.T, channelID core.ID) {
	t.Helper()
	m.readUpTo[channelID] = m.count(t,
		"select coalesce(max(ordinal), 0) from notifications where channel_id = $1", channelID)
	m.readAt[channelID] = m.now
	for _, n := range m.made {
		if r := m.receipts[n.ID]; n.Channel.ID == channelID && r.read != nil && !*r.read {
			m.mark(n.ID, core.ReceiptPatch{Read: new(true)})
		}
	}
}

// keepFew has a node delete the oldest notifications of channels with more than a few, and checks that nothing else is
// deleted.
func (m *feedModel) keepFew(t *testing.T) {
	t.Helper()
	few := 2 + m.dice.IntN(6)
	left := map[core.ID][]core.ID{}
	for _, n := range m.stored(t) { // newest first
		left[n.ChannelID] = append(left[n.ChannelID], n.ID)
	}
	node := m.anyNode()
	node.Retention.Count = few
	succeed(t, "prune", node.Prune(t.Context(), m.now))
	node.Retention.Count = 0
	got := map[core.ID][]core.ID{}
	for _, n := range m.stored(t) {
		got[n.ChannelID] = append(got[n.ChannelID], n.ID)
	}
	last := must(m.StreamPosition(t.Context()))
	for id, all := range left {
		kept := m.count(t, "select count(*) from notifications where channel_id = $1 and stream_position = $2", id, last)
		if want := all[:min(few, len(all))]; kept == 0 && !slices.Equal(got[id], want) {
			t.Errorf("notifications of a channel that keeps %d: got %v, want %v", few, got[id], want)
		}
	}
}

func (m *feedModel) followOne(t *testing.T) {
	t.Helper()
	if c := m.anyChannel(); !m.hidden(c.ID) {
		m.follow(t, m.anyNode(), c.ID)
	}
}

// hidden reports whether a channel is hidden from its followers.
func (m *feedModel) hidden(channelID core.ID) bool {
	return m.suspended[channelID] || m.suspended[m.publisher]
}

func (m *feedModel) suspendChannel(t *testing.T) {
	t.Helper()
	c := m.anyChannel()
	suspension := core.Suspension{Reason: "r", At: m.now}
	_, _, err := m.anyNode().Suspend(t.Context(), core.SuspendableChannel, c.ID, suspension)
	succeed(t, "suspend a channel", err)
	m.suspended[c.ID] = true
}

func (m *feedModel) unsuspendChannel(t *testing.T) {
	t.Helper()
	for id := range m.suspended {
		if id != m.publisher {
			must(m.anyNode().Unsuspend(t.Context(), core.SuspendableChannel, id))
			delete(m.suspended, id)
			return
		}
	}
}

// togglePublisher suspends the publisher for few steps, because nothing else is seen meanwhile.
func (m *feedModel) togglePublisher(t *testing.T) {
	t.Helper()
	if m.suspended[m.publisher] {
		must(m.anyNode().Unsuspend(t.Context(), core.SuspendablePublisher, m.publisher))
		delete(m.suspended, m.publisher)
		return
	}
	_, _, err := m.anyNode().Suspend(t.Context(), core.SuspendablePublisher, m.publisher,
		core.Suspension{Reason: "r", At: m.now})
	succeed(t, "suspend the publisher", err)
	m.suspended[m.publisher] = true
}

func (m *feedModel) follow(t *testing.T, node *postgres.Store, channelID core.ID) {
	t.Helper()
	must(node.Subscribe(t.Context(), m.subscriber, channelID, m.now))
	if _, followed := m.readUpTo[channelID]; !followed {
		m.pass(t, channelID)
	}
}

func (m *feedModel) unfollowOne(t *testing.T) {
	t.Helper()
	c := m.anyChannel()
	succeed(t, "unfollow", m.anyNode().Unsubscribe(t.Context(), m.subscriber, c.ID, m.now))
	delete(m.readUpTo, c.ID)
}

func (m *feedModel) renameOne(t *testing.T) {
	t.Helper()
	p := core.ChannelPatch{Name: new(fmt.Sprint("Canal ", m.dice.IntN(100)))}
	must(m.anyNode().UpdateChannel(t.Context(), m.anyChannel().ID, p, nil, m.now, nil))
}

func (*feedModel) succeedUnlessMissing(t *testing.T, what string, err error) {
	t.Helper()
	if !core.IsCode(err, core.CodeNotFound) {
		succeed(t, what, err)
	}
}

// modelPage is what a reader sees of a page.
type modelPage struct {
	Rows          []modelRow
	Total, Unread int64
}

type modelRow struct {
	Title, Channel string
	ReadAt         *time.Time
}

func newModelPage(list []core.Notification, total, unread int64) modelPage {
	page := modelPage{Total: total, Unread: unread}
	for _, n := range list {
		page.Rows = append(page.Rows, modelRow{n.Title, n.Channel.Name, n.ReadAt})
	}
	return page
}

// storedRow is a visible notification, as stored.
type storedRow struct {
	ID, ChannelID  core.ID
	Title, Channel string
	Ordinal        int64
}

// stored reads the visible notifications, newest first.
func (m *feedModel) stored(t *testing.T) []storedRow {
	t.Helper()
	rows := must(m.db.Pool().Query(t.Context(), `
		select n.id, n.channel_id, n.title, c.name as channel, n.ordinal
		from notifications n join channels c on c.id = n.channel_id
		where n.visible order by n.published_at desc, n.id desc`))
	return must(pgx.CollectRows(rows, pgx.RowToStructByName[storedRow]))
}

// read returns when the person has read a notification of a channel that they follow, by the model.
func (m *feedModel) read(n storedRow) *time.Time {
	r := m.receipts[n.ID]
	upTo, followed := m.readUpTo[n.ChannelID]
	if !followed || r.read != nil && !*r.read || r.read == nil && n.Ordinal > upTo {
		return nil
	}
	if r.readAt != nil {
		return r.readAt
	}
	return new(m.readAt[n.ChannelID])
}

// page returns the notifications that meet a condition as the person sees them, and counts them.
func (m *feedModel) page(t *testing.T, condition func(storedRow) bool) (page modelPage) {
	t.Helper()
	for _, n := range m.stored(t) {
		if !condition(n) {
			continue
		}
		row := modelRow{n.Title, n.Channel, m.read(n)}
		page.Rows = append(page.Rows, row)
		page.Total++
		if row.ReadAt == nil {
			page.Unread++
		}
	}
	return page
}

// row returns one notification as the person sees it.
func (m *feedModel) row(t *testing.T, id core.ID) modelRow {
	t.Helper()
	return m.page(t, func(n storedRow) bool { return n.ID == id }).Rows[0]
}

// inFeed is true of the notifications in the feed.
func (m *feedModel) inFeed(n storedRow) bool {
	_, followed := m.readUpTo[n.ChannelID]
	return followed && !m.hidden(n.ChannelID) && !m.receipts[n.ID].archived
}

// cut returns the page of a plain query's rows.
func (p modelPage) cut(page core.Page) modelPage {
	p.Rows = p.Rows[min(page.Offset, len(p.Rows)):min(page.Offset+page.Limit, len(p.Rows))]
	p.Rows = slices.Clip(p.Rows)
	if len(p.Rows) == 0 {
		p.Rows = nil
	}
	return p
}

func (m *feedModel) compareFeeds(t *testing.T, store *postgres.Store) {
	t.Helper()
	want := m.page(t, m.inFeed)
	for _, page := range []core.Page{{Limit: 11}, {Limit: 1}, {Limit: 3, Offset: 5}, {Limit: 30}} {
		data, total, unread, err := store.Feed(t.Context(), m.subscriber, core.FeedFilter{Page: page})
		succeed(t, "feed", err)
		if diff := cmp.Diff(want.cut(page), newModelPage(data, total, unread)); diff != "" {
			t.Errorf("feed, limit %d, offset %d (-want +got):\n%s", page.Limit, page.Offset, diff)
		}
	}
}

func (m *feedModel) compareUnread(t *testing.T, store *postgres.Store) {
	t.Helper()
	want := m.page(t, func(n storedRow) bool { return m.inFeed(n) && m.read(n) == nil })
	page := core.Page{Limit: 11}
	data, total, unread, err := store.Feed(t.Context(), m.subscriber, core.FeedFilter{Page: page, UnreadOnly: true})
	succeed(t, "unread feed", err)
	if diff := cmp.Diff(want.cut(page), newModelPage(data, total, unread)); diff != "" {
		t.Errorf("unread notifications of the feed (-want +got):\n%s", diff)
	}
}

func (m *feedModel) compareCounts(t *testing.T, store *postgres.Store) {
	t.Helper()
	want := map[core.ID]int64{}
	for id := range m.readUpTo {
		want[id] = 0
	}
	for _, n := range m.stored(t) {
		if m.inFeed(n) && m.read(n) == nil {
			want[n.ChannelID]++
		}
	}
	got := map[core.ID]int64{}
	for _, s := range must3(store.Subscriptions(t.Context(), m.subscriber, core.Page{Limit: len(m.channels)})) {
		got[s.Channel.ID] = s.UnreadCount
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unread notifications of each followed channel (-want +got):\n%s", diff)
	}
}

func (m *feedModel) compareLists(t *testing.T, store *postgres.Store) {
	t.Helper()
	channel := must3(store.ChannelRef(t.Context(), "vila", m.anyChannel().Slug))
	want := m.page(t, func(n storedRow) bool { return n.ChannelID == channel.ID })
	for _, page := range []core.Page{{Limit: 11}, {Limit: 3, Offset: 2}, {Limit: 30}} {
		data, total, unread, err := store.Notifications(t.Context(), channel, page, &m.subscriber)
		succeed(t, "list", err)
		want := want.cut(page)
		if unread == nil { // not followed
			unread = &want.Unread
		}
		if diff := cmp.Diff(want, newModelPage(data, total, *unread)); diff != "" {
			t.Errorf("list of a channel, limit %d, offset %d (-want +got):\n%s", page.Limit, page.Offset, diff)
		}
	}
}

// TestAPublishIsOnTheNextPageOfEveryNode publishes on one node while pages are read on another: whatever was published
// before a page is requested is on it.
func TestAPublishIsOnTheNextPageOfEveryNode(t *testing.T) {
	t.Parallel()
	m := newFeedModel(t)
	const rounds = 50
	var all sync.WaitGroup
	for _, channel := range m.channels[:4] {
		all.Go(func() {
			for range rounds {
				at := time.Now()
				n := core.Notification{ID: core.NewID(), Channel: channel, Title: "now", Importance: core.Normal,
					PublishedAt: &at, Visible: true}
				must3(m.Publish(t.Context(), n, core.Idempotency{}))
				page := core.FeedFilter{Page: core.Page{Limit: 11}}
				data, _, _, err := m.nodes[1].Feed(t.Context(), m.subscriber, page)
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
