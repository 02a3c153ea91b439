package simulation

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/embeddedpg"
	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/natstest"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

// run is one run of a draw.
type run struct {
	t       *testing.T
	draw    *draw
	cluster *cluster.Cluster
	history *history.Recorder
	db      *database

	links, signals []*cluster.Link // of each node to the database
	clocks         []string        // files
	own            *cluster.Postgres
	gone           map[int]fault // devices that the push service does not know
	channelIDs     []string
	known          ids
	stopped        chan struct{} // closed when the callers are to stop
	healed         bool

	publishers []*publisher
	followers  []*follower
	streams    []*stream
}

func nodeName(i int) string { return fmt.Sprintf("node-%d", i) }

func (r *run) url(node int) string { return "http://" + r.cluster.Nodes[node].Addr + "/api/v1" }

// over reports whether the callers are to stop.
func (r *run) over() bool {
	select {
	case <-r.stopped:
		return !r.healed
	default:
		return false
	}
}

// sleep waits, but not beyond the end of the load.
func (r *run) sleep(d time.Duration) {
	select {
	case <-r.stopped:
	case <-time.After(d):
	}
}

func newRun(t *testing.T, d *draw) *run {
	t.Helper()
	r := &run{t: t, draw: d, stopped: make(chan struct{}), gone: map[int]fault{}}
	url := ""
	if d.OwnPostgres {
		dir := filepath.Join(t.TempDir(), "postgres")
		copyPostgres(t, dir)
		r.own = cluster.NewPostgres(t, embeddedpg.Config{Dir: dir, Settings: ownSettings})
		url = r.own.URL()
	} else {
		url = pgtest.URL(t)
	}
	r.cluster = cluster.New(t, binary, url)
	r.cluster.Environment["DATABASE_CONNECTIONS"] = "12"
	if d.NATS {
		r.cluster.Environment["NATS_URL"] = natstest.Start(t).URL
	}
	r.db = &database{r: r}
	t.Cleanup(r.db.close)
	r.cluster.CreatePublisher()
	r.db.exec(fmt.Sprintf(`
		insert into channels (id, publisher_id, category_id, slug, name, visibility)
		select gen_random_uuid(), publisher_id, category_id, 'canal-' || i, 'Canal', 'public'
		from channels, generate_series(0, %d) i where slug = 'novidades'`, channelCount-1))
	r.db.exec(fmt.Sprintf(`
		insert into subscribers (id, email, name, locale, timezone)
		select gen_random_uuid(), 'person-' || i || '@example.com', 'person-' || i, 'pt', 'Europe/Lisbon'
		from generate_series(0, %d) i`, followerCount-1))
	for i := range channelCount {
		r.channelIDs = append(r.channelIDs, one[string](r.db, "select id::text from channels where slug = $1", channel(i)))
	}
	r.startNodes(url)
	return r
}

// startNodes starts the nodes, each with links and a clock of its own.
func (r *run) startNodes(url string) {
	r.t.Helper()
	dir := r.t.TempDir()
	for i := range nodeCount {
		link, signals := cluster.NewLink(r.t, url), cluster.NewLink(r.t, url)
		r.links, r.signals = append(r.links, link), append(r.signals, signals)
		r.clocks = append(r.clocks, filepath.Join(dir, nodeName(i)+".clock"))
		n := r.cluster.Node()
		n.Environment = map[string]string{"DATABASE_URL": link.Through(url), "DATABASE_DIRECT_URL": signals.Through(url),
			"CLOCK_FILE": r.clocks[i]}
		n.Launch()
	}
	for _, n := range r.cluster.Nodes {
		n.WaitReady()
	}
}

// session signs a person in, and returns the cookie.
func (r *run) session(person string) string {
	r.t.Helper()
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	secret := base64.RawURLEncoding.EncodeToString(random[:])
	r.db.exec(`
		insert into sessions (id, secret_hash, subscriber_id, created_at, seen_at)
		select gen_random_uuid(), $1, id, now(), now() from subscribers where name = $2`,
		core.HashSecret(secret), person)
	return "__Host-sininho=" + secret
}

// simulate runs a draw, and returns its history.
func simulate(t *testing.T, d *draw) []history.Event {
	t.Helper()
	r := newRun(t, d)
	r.history = history.NewRecorder()
	r.note(history.Begun, history.Value{Published: new(time.Now())})
	for i := range d.Publishers {
		r.publishers = append(r.publishers, r.publisher(fmt.Sprint("publisher-", i)))
	}
	for i := range d.Followers {
		r.followers = append(r.followers, r.follower(i))
	}
	for _, s := range d.Streams {
		r.streams = append(r.streams, r.stream(streamName(s), s))
	}
	ctx, stop := context.WithCancel(t.Context())
	reading := r.load(ctx)
	r.heal()
	r.settle()
	r.observe(ctx)
	stop()
	reading.Wait()
	r.rows()
	return r.history.Events()
}

func streamName(d streamDraw) string {
	if d.Person >= 0 {
		return "stream of " + person(d.Person)
	}
	return "stream of " + channel(d.Channel)
}

func (r *run) note(kind string, v history.Value) {
	r.history.Add(history.Event{Type: history.Note, Kind: kind, Value: v})
}

// load runs callers and faults for the length of the draw. The streams go on.
func (r *run) load(ctx context.Context) (reading *sync.WaitGroup) {
	for i, f := range r.followers {
		f.begin(i)
	}
	var callers sync.WaitGroup
	for i, p := range r.publishers {
		callers.Go(func() { r.follow(r.draw.Publishers[i], p.do) })
	}
	for i, f := range r.followers {
		callers.Go(func() { r.follow(r.draw.Followers[i], f.do) })
	}
	for _, faults := range [][]fault{r.draw.Processes, r.draw.Network, r.draw.Pushes, r.draw.Clocks} {
		callers.Go(func() { r.breakAll(faults) })
	}
	reading = new(sync.WaitGroup)
	for _, s := range r.streams {
		reading.Go(func() {
			r.sleep(s.draw.Begin)
			go s.cutBy(ctx)
			s.read(ctx)
		})
	}
	time.Sleep(r.draw.Length) // the one thing that a draw decides about time
	close(r.stopped)
	callers.Wait()
	return reading
}

// follow does steps until the end of the load.
func (r *run) follow(steps []step, do func(step)) {
	for _, s := range steps {
		r.sleep(s.Pause)
		if r.over() {
			return
		}
		do(s)
	}
}

// begin follows some channels and registers devices.
func (f *follower) begin(i int) {
	for c := range channelCount {
		if i < 2 || c == i%channelCount {
			f.do(step{Do: history.Follow, Channel: c, Node: i})
		}
	}
	for d := range deviceCount {
		f.register(i+d, i*deviceCount+d)
	}
}

// ownSettings make a PostgreSQL cheap that survives its own death, but not that of the machine.
var ownSettings = map[string]string{"fsync": "off", "full_page_writes": "off", "max_wal_size": "64MB",
	"shared_buffers": "32MB"}

// setClock makes a node's clock wrong by that much.
func (r *run) setClock(node int, offset time.Duration) {
	path := r.clocks[node]
	if err := os.WriteFile(path+".new", []byte(offset.String()), 0o600); err != nil {
		r.t.Errorf("set a clock: %v", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		r.t.Errorf("set a clock: %v", err)
	}
}
