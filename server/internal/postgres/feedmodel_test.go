package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// modelSteps is how many random changes are made. Between them each page is compared with a plain query.
const modelSteps = 400

// TestPagesAgreeWithPlainQueries makes random changes by two nodes that share a database. After each, pages of the feed
// and of a channel's list are compared with plain queries, on both nodes.
func TestPagesAgreeWithPlainQueries(t *testing.T) {
	t.Parallel()
	m := newFeedModel(t)
	for i := range modelSteps {
		step := m.steps[m.dice.IntN(len(m.steps))]
		m.now = m.now.Add(time.Duration(m.dice.IntN(3)) * time.Second) // some times are equal
		step.do(t)
		for node, store := range m.nodes {
			if m.compareFeeds(t, store); !t.Failed() {
				m.compareLists(t, store)
			}
			if t.Failed() {
				t.Fatalf("after step %d, %s: node %d differs from the plain query (seed %d)", i, step.name, node, m.seed)
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
	vila := must(w.PublisherBySlug(t.Context(), "vila"))
	for i := range 20 {
		in := core.ChannelInput{Slug: fmt.Sprint("canal-", i), Name: "Canal", CategoryID: w.category(t, "cidade"),
			Visibility: core.Public}
		c := must3(w.CreateChannel(t.Context(), core.NewID(), vila.ID, in, w.now, core.Idempotency{}))
		m.channels = append(m.channels, c.ChannelRef)
		if i < 15 {
			must(w.Subscribe(t.Context(), w.subscriber, c.ID, w.now))
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
		{"follow", m.followOne}, {"unfollow", m.unfollowOne}, {"rename", m.renameOne},
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
		_, err := m.anyNode().UpdateReceipt(t.Context(), m.subscriber, m.anyMade().ID, p, m.now)
		m.succeedUnlessMissing(t, "mark", err)
	}
}

func (m *feedModel) openOne(t *testing.T) {
	t.Helper()
	event := []core.FeedEvent{core.Displayed, core.Opened}[m.dice.IntN(2)]
	_, err := m.anyNode().RecordFeedEvent(t.Context(), m.subscriber, m.anyMade().ID, event, m.now)
	m.succeedUnlessMissing(t, "open", err)
}

func (m *feedModel) readEverything(t *testing.T) {
	t.Helper()
	succeed(t, "read all", m.anyNode().ReadAll(t.Context(), m.subscriber, nil, m.now))
}

func (m *feedModel) readChannel(t *testing.T) {
	t.Helper()
	c := m.anyChannel()
	m.succeedUnlessMissing(t, "read a channel", m.anyNode().ReadAll(t.Context(), m.subscriber, &c.ID, m.now))
}

func (m *feedModel) followOne(t *testing.T) {
	t.Helper()
	must(m.anyNode().Subscribe(t.Context(), m.subscriber, m.anyChannel().ID, m.now))
}

func (m *feedModel) unfollowOne(t *testing.T) {
	t.Helper()
	succeed(t, "unfollow", m.anyNode().Unsubscribe(t.Context(), m.subscriber, m.anyChannel().ID, m.now))
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

// plain reads all notifications that meet a condition, newest first, and counts them.
func (m *feedModel) plain(t *testing.T, condition string, args ...any) (page modelPage) {
	t.Helper()
	rows, err := m.db.Pool().Query(t.Context(), `
		select n.title, c.name,
			case when coalesce(r.read, n.ordinal <= s.read_ordinal) then coalesce(r.read_at, s.read_at) end
		from notifications n
		join channels c on c.id = n.channel_id
		left join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = $1
		left join receipts r on r.notification_id = n.id and r.subscriber_id = s.subscriber_id
		where n.visible and `+condition+` order by n.published_at desc, n.id desc`,
		append([]any{m.subscriber}, args...)...)
	succeed(t, "plain query", err)
	defer rows.Close()
	for rows.Next() {
		var row modelRow
		succeed(t, "plain query", rows.Scan(&row.Title, &row.Channel, &row.ReadAt))
		page.Rows = append(page.Rows, row)
		page.Total++
		if row.ReadAt == nil {
			page.Unread++
		}
	}
	succeed(t, "plain query", rows.Err())
	return page
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
	want := m.plain(t, "s.subscriber_id is not null and r.archived_at is null")
	for _, page := range []core.Page{{Limit: 11}, {Limit: 1}, {Limit: 3, Offset: 5}, {Limit: 30}} {
		data, total, unread, err := store.Feed(t.Context(), m.subscriber, core.FeedFilter{Page: page})
		succeed(t, "feed", err)
		if diff := cmp.Diff(want.cut(page), newModelPage(data, total, unread)); diff != "" {
			t.Errorf("feed, limit %d, offset %d (-want +got):\n%s", page.Limit, page.Offset, diff)
		}
	}
}

func (m *feedModel) compareLists(t *testing.T, store *postgres.Store) {
	t.Helper()
	channel := must3(store.ChannelRef(t.Context(), "vila", m.anyChannel().Slug))
	want := m.plain(t, "n.channel_id = $2", channel.ID)
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
