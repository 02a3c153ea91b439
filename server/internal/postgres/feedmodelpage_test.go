package postgres_test

import (
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

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
	ID, ChannelID        core.ID
	Title, Body, Channel string
	Importance           core.Importance
	Ordinal              int64
}

// stored reads the visible notifications, newest first. They must be those of the model.
func (m *feedModel) stored(t *rapid.T) []storedRow {
	t.Helper()
	rows := must(m.db.Pool().Query(t.Context(), `
		select n.id, n.channel_id, n.title, n.body, c.name as channel, n.importance, n.ordinal
		from notifications n join channels c on c.id = n.channel_id
		where n.visible and c.publisher_id = $1 and c.deleted_at is null
		order by n.published_at desc, n.id desc`, m.publisher))
	stored := must(pgx.CollectRows(rows, pgx.RowToStructByName[storedRow]))
	want, got := map[core.ID]string{}, map[core.ID]string{}
	for _, n := range m.notes {
		if n.visible && !m.deleted[n.Channel.ID] {
			want[n.ID] = n.Title
		}
	}
	for _, row := range stored {
		got[row.ID] = row.Title
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("titles of the visible notifications (-want +got):\n%s", diff)
	}
	return stored
}

// publishedRow is a notification that was published, visible or not, as stored.
type publishedRow struct {
	ID      core.ID
	Visible bool
	Latest  bool // no change on the stream is later
}

// published reads the notifications of a channel that were published, oldest first.
func (m *feedModel) published(t *rapid.T, channelID core.ID) []publishedRow {
	t.Helper()
	rows := must(m.db.Pool().Query(t.Context(), `
		select id, visible, stream_position = (select max(stream_position) from notifications) as latest
		from notifications where channel_id = $1 and ordinal is not null order by ordinal`, channelID))
	return must(pgx.CollectRows(rows, pgx.RowToStructByName[publishedRow]))
}

// kept returns those that a channel keeps that is to have few visible ones: it loses the oldest, up to the latest
// change at most.
func (m *feedModel) kept(t *rapid.T, channelID core.ID, few int) []publishedRow {
	t.Helper()
	rows := m.published(t, channelID)
	visible := 0
	for _, row := range rows {
		if row.Visible {
			visible++
		}
	}
	for ; visible > few && !rows[0].Latest; rows = rows[1:] {
		if rows[0].Visible {
			visible--
		}
	}
	return rows
}

// read returns when a person has read a notification of a channel that they follow, by the model.
func (r *modelReader) read(n storedRow) *time.Time {
	receipt := r.receipts[n.ID]
	upTo, followed := r.readUpTo[n.ChannelID]
	if !followed || receipt.read != nil && !*receipt.read || receipt.read == nil && n.Ordinal > upTo {
		return nil
	}
	if receipt.readAt != nil {
		return receipt.readAt
	}
	return new(r.readAt[n.ChannelID])
}

// page returns the notifications that meet a condition as a person sees them, and counts them.
func (m *feedModel) page(t *rapid.T, r *modelReader, condition func(storedRow) bool) (page modelPage) {
	t.Helper()
	for _, n := range m.stored(t) {
		if !condition(n) {
			continue
		}
		row := modelRow{n.Title, n.Channel, r.read(n)}
		page.Rows = append(page.Rows, row)
		page.Total++
		if row.ReadAt == nil {
			page.Unread++
		}
	}
	return page
}

// row returns one notification as a person sees it.
func (m *feedModel) row(t *rapid.T, r *modelReader, id core.ID) modelRow {
	t.Helper()
	return m.page(t, r, func(n storedRow) bool { return n.ID == id }).Rows[0]
}

// inFeed returns the condition of the notifications in a person's feed.
func (m *feedModel) inFeed(r *modelReader) func(storedRow) bool {
	return func(n storedRow) bool {
		_, followed := r.readUpTo[n.ChannelID]
		receipt := r.receipts[n.ID]
		return followed && !m.hidden(n.ChannelID) && !receipt.archived && receipt.snoozed == nil
	}
}

// cut returns the page of a plain query's rows.
func (p modelPage) cut(page core.Page) modelPage {
	p.Rows = slices.Clip(p.Rows[min(page.Offset, len(p.Rows)):min(page.Offset+page.Limit, len(p.Rows))])
	if len(p.Rows) == 0 {
		p.Rows = nil
	}
	return p
}

var modelPages = []core.Page{{Limit: 11}, {Limit: 1}, {Limit: 3, Offset: 2}, {Limit: 30}}

// compareOne compares what one person sees on one node.
func (m *feedModel) compareOne(t *rapid.T) {
	node, r, page := m.node(t), m.reader(t), rapid.SampledFrom(modelPages).Draw(t, "page")
	comparisons := map[string]func(*rapid.T, *postgres.Store, *modelReader, core.Page){
		"feed": m.compareFeed, "unread": m.compareUnread, "list": m.compareList, "counts": m.compareCounts,
		"selection": m.compareSelection,
	}
	name := rapid.SampledFrom([]string{"feed", "unread", "list", "counts", "selection"}).Draw(t, "comparison")
	comparisons[name](t, node, r, page)
}

// compareAll compares what everybody sees on all nodes.
func (m *feedModel) compareAll(t *rapid.T) {
	for _, node := range m.nodes {
		for _, r := range m.readers {
			m.compareFeed(t, node, r, modelPages[0])
			m.compareUnread(t, node, r, modelPages[0])
			m.compareSelection(t, node, r, modelPages[0])
			m.compareList(t, node, r, modelPages[0])
			m.compareCounts(t, node, r, core.Page{})
		}
	}
}

func (m *feedModel) compareFeed(t *rapid.T, node *postgres.Store, r *modelReader, page core.Page) {
	t.Helper()
	want := m.page(t, r, m.inFeed(r)).cut(page)
	data, total, unread, err := readFeed(t.Context(), node, r.id, core.FeedFilter{Page: page})
	succeed(t, "feed", err)
	if diff := cmp.Diff(want, newModelPage(data, total, unread)); diff != "" {
		t.Errorf("feed, limit %d, offset %d (-want +got):\n%s", page.Limit, page.Offset, diff)
	}
}

func (m *feedModel) compareUnread(t *rapid.T, node *postgres.Store, r *modelReader, page core.Page) {
	t.Helper()
	want := m.page(t, r, func(n storedRow) bool { return m.inFeed(r)(n) && r.read(n) == nil }).cut(page)
	data, total, unread, err := readFeed(t.Context(), node, r.id, core.FeedFilter{Page: page, UnreadOnly: true})
	succeed(t, "unread feed", err)
	if diff := cmp.Diff(want, newModelPage(data, total, unread)); diff != "" {
		t.Errorf("unread notifications of the feed (-want +got):\n%s", diff)
	}
}

// compareSelection compares the part of a feed that a filter selects.
func (m *feedModel) compareSelection(t *rapid.T, node *postgres.Store, r *modelReader, page core.Page) {
	t.Helper()
	f := core.FeedFilter{Page: page, UnreadOnly: rapid.Bool().Draw(t, "unread"),
		ImportantOnly: rapid.Bool().Draw(t, "important"), ArchivedOnly: rapid.Bool().Draw(t, "archived"),
		SnoozedOnly: rapid.Bool().Draw(t, "postponed")}
	if rapid.Bool().Draw(t, "of a channel") {
		f.ChannelID = new(m.anyChannel(t).ID)
	}
	q := rapid.SampledFrom([]string{"", "estacao", "SUL est", "no", "!", "#"}).Draw(t, "search")
	f.Search = must(core.ParseSearch(q))
	for must(node.WriteWords(t.Context())).More {
	}
	want := m.page(t, r, func(n storedRow) bool { return m.selects(f, r, n) })
	want.Unread = m.page(t, r, m.inFeed(r)).Unread
	data, total, unread, err := readFeed(t.Context(), node, r.id, f)
	succeed(t, "feed", err)
	if diff := cmp.Diff(want.cut(page), newModelPage(data, total, unread)); diff != "" {
		t.Errorf("feed with %+v (-want +got):\n%s", f, diff)
	}
}

// selects reports whether a filter selects a notification.
func (m *feedModel) selects(f core.FeedFilter, r *modelReader, n storedRow) bool {
	if _, followed := r.readUpTo[n.ChannelID]; !followed || m.hidden(n.ChannelID) || f.Search.Nothing ||
		r.receipts[n.ID].archived != f.ArchivedOnly || (r.receipts[n.ID].snoozed != nil) != f.SnoozedOnly ||
		f.UnreadOnly && r.read(n) != nil ||
		f.ImportantOnly && n.Importance != core.Important || f.ChannelID != nil && n.ChannelID != *f.ChannelID {
		return false
	}
	words := strings.Fields(strings.NewReplacer("ç", "c", "ã", "a").Replace(strings.ToLower(n.Title + " " + n.Body)))
	for _, prefix := range f.Search.Words {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, prefix) }) {
			return false
		}
	}
	return true
}

// compareCounts compares the list of followed channels.
func (m *feedModel) compareCounts(t *rapid.T, node *postgres.Store, r *modelReader, _ core.Page) {
	t.Helper()
	type subscription struct {
		Unread int64
		Bell   core.Bell
	}
	want, got := map[core.ID]subscription{}, map[core.ID]subscription{}
	for id := range r.readUpTo {
		want[id] = subscription{Bell: r.bell[id]}
	}
	for _, n := range m.stored(t) {
		if s := want[n.ChannelID]; m.inFeed(r)(n) && r.read(n) == nil {
			s.Unread++
			want[n.ChannelID] = s
		}
	}
	list, err := node.Subscriptions(t.Context(), r.id, core.Page{Limit: len(m.channels)})
	succeed(t, "subscriptions", err)
	for _, s := range list.Data {
		got[s.Channel.ID] = subscription{s.UnreadCount, s.Bell}
	}
	if diff := cmp.Diff(want, got); diff != "" || list.Total != int64(len(want)) {
		t.Errorf("%d followed channels, with unread notifications and bell (-want +got):\n%s", list.Total, diff)
	}
}

func (m *feedModel) compareList(t *rapid.T, node *postgres.Store, r *modelReader, page core.Page) {
	t.Helper()
	known := m.anyChannel(t)
	channel, _, err := node.ChannelRef(t.Context(), m.slug, known.Slug)
	if expect(t, "channel of a list", !m.deleted[known.ID], err); err != nil {
		return
	}
	want := m.page(t, r, func(n storedRow) bool { return n.ChannelID == channel.ID }).cut(page)
	data, total, unread, err := listOf(t.Context(), node, channel, page, &r.id)
	succeed(t, "list", err)
	if unread == nil { // not followed
		unread = &want.Unread
	}
	if diff := cmp.Diff(want, newModelPage(data, total, *unread)); diff != "" {
		t.Errorf("list of a channel, limit %d, offset %d (-want +got):\n%s", page.Limit, page.Offset, diff)
	}
}
