package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/sampledata"
	"github.com/sininho/sininho/server/lab/writertest"
)

const (
	// planScale is the share of the standard set that is loaded. The planner is made to believe that it is the whole.
	planScale = 0.02
	// largeTable is how many rows make a table that no statement may scan, except that lists of channels are sorted by
	// what changes all the time.
	largeTable = 10_000
	// sortMemory is about the same share of PostgreSQL's default for a sort. A larger one spills to disk.
	sortMemory = "80kB"
	// pageRows is how many rows a page may need, whole, however large the tables are. They fit into the default.
	pageRows = 1000
	// unjoinedRows is how many rows a join may read in vain. More mean that it goes through a list for each row.
	unjoinedRows = 100
)

// TestPlans runs the statements of the busy operations against sample data. None may scan a large table, sort more than
// fits into memory, or read many rows in vain for each row of a join. In the end an index is missing, and the scan must
// be found.
func TestPlans(t *testing.T) {
	t.Parallel()
	p := newPlans(t)
	p.operate(t)
	for _, s := range p.statements() {
		for _, fault := range p.faults(t, s) {
			t.Errorf("%s:\n%s", fault, s.sql)
		}
	}
	p.scrape(t)
	must(p.pool.Exec(t.Context(), "drop index notifications_stream_idx"))
	var found []string
	for _, s := range p.statements() {
		found = append(found, p.faults(t, s)...)
	}
	if want := "sequential scan of notifications"; !slices.Contains(found, want) {
		t.Errorf("faults without the index of the stream: got %q, want %q", found, want)
	}
}

// plans collects the statements of a store.
type plans struct {
	store *postgres.Store
	db    *postgres.DB
	pool  *pgxpool.Pool // its statements are not collected
	data  *sampledata.Set
	large map[string]bool

	mu      sync.Mutex
	seen    map[string]statement
	listing bool // of channels
}

type statement struct {
	sql     string
	args    []any
	listing bool
}

func newPlans(t *testing.T) *plans {
	t.Helper()
	url := pgtest.URL(t)
	p := &plans{seen: map[string]statement{}, large: map[string]bool{}}
	p.pool = must(pgxpool.New(t.Context(), url))
	t.Cleanup(p.pool.Close)
	config := sampledata.Config{Sizes: sampledata.Standard().Scale(planScale), Seed: 1, Now: time.Now()}
	p.data = must(sampledata.Load(t.Context(), p.pool, config))
	succeed(t, "analyze", sampledata.Settle(t.Context(), p.pool))
	p.enlarge(t)
	p.db = must(postgres.OpenTraced(t.Context(), postgres.Config{URL: url, Connections: 10}, p))
	t.Cleanup(func() { _ = p.db.Close() })
	p.store = postgres.NewStore(p.db)
	return p
}

// enlarge makes the planner believe that the tables have as many rows as the standard set.
func (p *plans) enlarge(t *testing.T) {
	t.Helper()
	rows, err := p.pool.Query(t.Context(), `
		update pg_class set reltuples = reltuples / $1 where relnamespace = 'public'::regnamespace and reltuples > 0
		returning relname, relkind = 'r' and reltuples >= $2`, planScale, largeTable)
	succeed(t, "enlarge the tables", err)
	defer rows.Close()
	for rows.Next() {
		var name string
		var large bool
		succeed(t, "enlarge the tables", rows.Scan(&name, &large))
		p.large[name] = large
	}
	succeed(t, "enlarge the tables", rows.Err())
	for _, name := range []string{"notifications", "subscriptions", "receipts", "subscribers", "devices", "dispatches",
		"channels"} {
		if !p.large[name] {
			t.Fatalf("table %s: got a small one, want a large one", name)
		}
	}
}

// TraceQueryStart implements pgx.QueryTracer.
func (p *plans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	args := slices.DeleteFunc(slices.Clone(q.Args), func(arg any) bool {
		switch arg.(type) {
		case pgx.QueryExecMode, pgx.QueryResultFormats, pgx.QueryResultFormatsByOID: // options of pgx
			return true
		}
		return false
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.seen[q.SQL] = statement{q.SQL, args, p.listing}
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (*plans) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// statements returns what was run and has a plan.
func (p *plans) statements() (all []statement) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.seen {
		first := strings.ToLower(strings.Fields(s.sql)[0])
		if slices.Contains([]string{"select", "with", "insert", "update", "delete"}, first) {
			all = append(all, s)
		}
	}
	return all
}

// planNode is what matters of a node of a plan.
type planNode struct {
	Type     string     `json:"Node Type"`
	Relation string     `json:"Relation Name"`
	SortedOn string     `json:"Sort Space Type"`
	Rows     float64    `json:"Actual Rows"`
	Loops    float64    `json:"Actual Loops"`
	Unjoined float64    `json:"Rows Removed by Join Filter"` // of a loop
	Plans    []planNode `json:"Plans"`
}

// faults returns what is wrong with the plan of a statement. It runs the statement again, without effect.
func (p *plans) faults(t *testing.T, s statement) []string {
	t.Helper()
	var text []byte
	tx := must(p.pool.Begin(t.Context()))
	defer func() { _, _ = tx.Exec(t.Context(), "deallocate all"); _ = tx.Rollback(t.Context()) }()
	must(tx.Exec(t.Context(), "set local work_mem = '"+sortMemory+"'"))
	err := tx.QueryRow(t.Context(), "explain (analyze, format json) "+s.prepare(t, tx),
		append([]any{pgx.QueryExecModeSimpleProtocol}, s.args...)...).Scan(&text)
	if err != nil {
		t.Errorf("explain: %v:\n%s", err, s.sql)
		return nil
	}
	var explained []struct{ Plan planNode }
	succeed(t, "decode a plan", json.Unmarshal(text, &explained))
	return p.walk(explained[0].Plan, s.listing)
}

// prepare prepares a statement that has arguments, as it is run, and returns what executes it with the same arguments.
func (s statement) prepare(t *testing.T, tx pgx.Tx) (sql string) {
	t.Helper()
	if len(s.args) == 0 {
		return s.sql
	}
	must(tx.Exec(t.Context(), "set local plan_cache_mode = force_generic_plan"))
	must(tx.Exec(t.Context(), "prepare explained as "+s.sql))
	numbers := make([]string, len(s.args))
	for i := range numbers {
		numbers[i] = fmt.Sprint("$", i+1)
	}
	return "execute explained (" + strings.Join(numbers, ", ") + ")"
}

// walk finds the faults of a node and those below.
func (p *plans) walk(n planNode, listing bool) (faults []string) {
	switch {
	case n.Type == "Seq Scan" && p.large[n.Relation] && !(listing && strings.HasPrefix(n.Relation, "channel")):
		faults = append(faults, "sequential scan of "+n.Relation)
	case n.SortedOn == "Disk" && n.Plans[0].Rows > pageRows:
		faults = append(faults, "sort on disk")
	case n.Unjoined*n.Loops > unjoinedRows:
		faults = append(faults, "join that reads many rows for each")
	}
	for _, child := range n.Plans {
		faults = append(faults, p.walk(child, listing)...)
	}
	return faults
}

// operate does what readers, publishers and nodes do most.
func (p *plans) operate(t *testing.T) {
	t.Helper()
	now := time.Now()
	person := must(p.data.Reader(50)).ID
	first := p.data.Channel(1)
	channel, publisherID, err := p.store.ChannelRef(t.Context(), first.Publisher, first.Slug)
	succeed(t, "channel", err)
	p.read(t, person, channel)
	p.browse(t, person, publisherID, channel)
	p.change(t, person, now)
	p.publishing(t, channel, now)
	p.prune(t, now)
}

// scrape reads what waits, beside many jobs, dispatches and events that are done.
func (p *plans) scrape(t *testing.T) {
	t.Helper()
	before := len(p.statements())
	fillBacklog(t, p.pool)
	for _, table := range []string{"river_job", "event_deliveries", "event_endpoints"} {
		p.large[table] = true
	}
	must(p.store.Backlog(t.Context()))
	statements := p.statements()
	if len(statements) != before+1 {
		t.Fatalf("statements of a scrape: got %d, want 1", len(statements)-before)
	}
	for _, s := range statements {
		if !strings.Contains(s.sql, "river_job") {
			continue
		}
		for _, fault := range p.faults(t, s) {
			t.Errorf("%s:\n%s", fault, s.sql)
		}
	}
}

func (p *plans) read(t *testing.T, person core.ID, channel core.ChannelRef) {
	t.Helper()
	data := must4(readFeed(t.Context(), p.store, person, core.FeedFilter{Page: core.Page{Limit: 11}}))
	after := data[len(data)-1].Cursor()
	for _, f := range []core.FeedFilter{
		{Page: core.Page{Limit: 50}}, {Page: core.Page{Limit: 11, After: &after}},
		{Page: core.Page{Limit: 11}, UnreadOnly: true}, {Page: core.Page{Limit: 11, After: &after}, UnreadOnly: true},
	} {
		must4(readFeed(t.Context(), p.store, person, f))
	}
	must(p.store.FeedNotification(t.Context(), person, data[0].ID))
	for _, reader := range []*core.ID{nil, &person} {
		for _, page := range []core.Page{{Limit: 11}, {Limit: 11, After: &after}, {Limit: 50}} {
			_, _, _, err := listOf(t.Context(), p.store, channel, page, reader)
			succeed(t, "list", err)
		}
		must(p.store.Notification(t.Context(), data[0].Channel.ID, data[0].ID, reader))
	}
	must3(p.store.Scheduled(t.Context(), channel, core.Page{Limit: 10}))
	must(p.store.Subscriptions(t.Context(), person, core.Page{Limit: 10}))
	must(p.store.FollowedChannels(t.Context(), p.session(t, person)))
	position := must(p.store.StreamPosition(t.Context()))
	must(p.store.Changes(t.Context(), position-100, 100, 1<<20, nil))
	must(p.store.Changes(t.Context(), position-100, 100, 1<<20, []core.ID{channel.ID}))
}

func (p *plans) session(t *testing.T, person core.ID) (id core.ID) {
	t.Helper()
	err := p.pool.QueryRow(t.Context(), "select id from sessions where subscriber_id = $1", person).Scan(&id)
	succeed(t, "session", err)
	return id
}

func (p *plans) browse(t *testing.T, person, publisherID core.ID, channel core.ChannelRef) {
	t.Helper()
	p.list(t, person)
	must(p.store.Channel(t.Context(), channel.PublisherSlug, channel.Slug, &person))
	must(p.store.ChannelFollowers(t.Context(), channel.ID, 90))
	must3(p.store.Publishers(t.Context(), core.PublisherFilter{Page: core.Page{Limit: 10}}))
	must3(p.store.Categories(t.Context(), core.Page{Limit: 10}))
	must3(p.store.APIKeys(t.Context(), publisherID, core.Page{Limit: 10}))
	must3(p.store.Members(t.Context(), publisherID, core.Page{Limit: 10}))
	must3(p.store.MembershipInvitations(t.Context(), publisherID, core.Page{Limit: 10}, time.Now()))
	must3(p.store.ReceivedInvitations(t.Context(), person, core.Page{Limit: 10}, time.Now()))
	must(p.store.InvitationLocale(t.Context(), "a@example.com", person))
	must(p.store.EmailSignInLocale(t.Context(), core.EmailSignIn{Email: "a@example.com", SubscriberID: &person}))
	must3(p.store.EventEndpoints(t.Context(), publisherID, core.Page{Limit: 10}))
	must3(p.store.Webhooks(t.Context(), channel.ID, core.Page{Limit: 10}))
	must3(p.store.Devices(t.Context(), person, core.Page{Limit: 10}))
	must3(p.store.AccessTokens(t.Context(), person, core.Page{Limit: 10}))
	must(p.store.Subscriber(t.Context(), person))
	must(p.store.Onboarding(t.Context(), person))
	p.export(t, person)
	_, err := p.store.SessionBySecret(t.Context(), []byte("none"))
	wantCode(t, "session of no secret", err, core.CodeNotFound)
}

func (p *plans) export(t *testing.T, person core.ID) {
	t.Helper()
	e := must(p.store.Export(t.Context(), person, time.Now()))
	read(t, e.FormerSubscriptions)
	read(t, e.Receipts)
	read(t, e.Reports)
	read(t, e.AuditLog)
}

func (p *plans) list(t *testing.T, person core.ID) {
	t.Helper()
	p.setListing(true)
	defer p.setListing(false)
	for _, sort := range []core.ChannelSort{core.SortPopular, core.SortTrending, core.SortNewest, core.SortActive} {
		f := core.ChannelFilter{Sort: sort, Page: core.Page{Limit: 10}, Reader: &person}
		must3(p.store.Channels(t.Context(), f))
		f.Search = search(t, "aviso canal")
		must3(p.store.Channels(t.Context(), f))
	}
	must(p.store.WriteChannelWords(t.Context()))
}

func (p *plans) setListing(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.listing = on
}

func (p *plans) change(t *testing.T, person core.ID, now time.Time) {
	t.Helper()
	data := must4(readFeed(t.Context(), p.store, person, core.FeedFilter{Page: core.Page{Limit: 2}}))
	everyone := must(p.store.Subscribe(t.Context(), person, p.data.Channel(0).ID, now)).Channel
	popular, _, _, err := listOf(t.Context(), p.store, everyone, core.Page{Limit: 1}, nil)
	succeed(t, "list", err)
	until := core.Patch[time.Time]{Set: true, Value: &now}
	for _, patch := range []core.ReceiptPatch{{Read: new(true)}, {Read: new(false)}, {Archived: new(true)},
		{SnoozedUntil: until}} {
		must(p.store.UpdateReceipt(t.Context(), person, popular[0].ID, patch, now))
	}
	must4(readFeed(t.Context(), p.store, person, core.FeedFilter{SnoozedOnly: true, Page: core.Page{Limit: 11}}))
	succeed(t, "bring back", p.db.InTx(t.Context(), func(ctx context.Context, tx postgres.Tx) error {
		_, err := postgres.ReturnSnoozed(ctx, tx, 500, now)
		return err
	}))
	must(p.store.RecordOpened(t.Context(), person, data[1].ID, now))
	succeed(t, "read a channel", p.store.ReadAll(t.Context(), person, &data[0].Channel.ID, now))
	succeed(t, "read all", p.store.ReadAll(t.Context(), person, nil, now))
	other := p.data.Channel(300).ID
	for range 2 {
		must(p.store.Subscribe(t.Context(), person, other, now))
	}
	must(p.store.UpdateSubscription(t.Context(), person, other, core.SubscriptionPatch{}))
	succeed(t, "unfollow", p.store.Unsubscribe(t.Context(), person, other, now))
	must(p.store.UpdateChannel(t.Context(), data[0].Channel.ID, core.ChannelPatch{Name: new("x")}, nil, now, nil))
}

// prune prunes what a channel and the deliveries of the installation do not keep. It looks at all channels.
func (p *plans) prune(t *testing.T, now time.Time) {
	t.Helper()
	p.setListing(true)
	defer p.setListing(false)
	few := core.ChannelPatch{KeepCount: core.Patch[int]{Set: true, Value: new(1)}}
	must(p.store.UpdateChannel(t.Context(), p.data.Channel(300).ID, few, nil, now, nil))
	p.store.Retention.DeliveryDays = 360
	succeed(t, "prune", p.store.Prune(t.Context(), now))
}

func (p *plans) publishing(t *testing.T, channel core.ChannelRef, now time.Time) {
	t.Helper()
	writer := writertest.New(t, p.db, func() time.Time { return now })
	n := core.Notification{ID: core.NewID(), Channel: channel, Title: "a", Importance: core.Normal, Visible: true,
		PublishedAt: &now, ExternalID: "e"}
	must3(writer.Publish(t.Context(), n, core.Idempotency{Caller: "c", Route: "r", Key: "k", BodyHash: []byte("h")}))
	must(writer.Correct(t.Context(), channel.ID, n.ID, func(n *core.Notification) error {
		n.ExpiresAt = &now
		return nil
	}))
	must(writer.Release(t.Context()))
	must(delivery.Look(t.Context(), p.db, now))
	must(p.store.DeliverySummary(t.Context(), channel.ID, n.ID))
	must(p.store.ChannelDeliverySummary(t.Context(), channel.ID,
		core.SummaryPeriod{From: now.AddDate(0, 0, -7), Until: now, Interval: "day"}))
	must(p.store.Reach(t.Context(), channel.ID, now))
}

func must4[T, U, V any](v T, _ U, _ V, err error) T { return must(v, err) }
