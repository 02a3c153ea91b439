package live_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/live"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
	"github.com/sininho/sininho/server/lab/writertest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// world is a database with a channel and a subscriber to it, and the nodes that stream from it.
type world struct {
	*postgres.Store
	*delivery.Writer
	db         *postgres.DB
	t          *testing.T
	url        string
	channel    core.ChannelRef
	subscriber core.ID
	session    core.ID
	nodes      int

	placing sync.Mutex
	placed  int64 // position that was signalled
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func now() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

func newWorld(t *testing.T) *world {
	t.Helper()
	url := pgtest.URL(t)
	db := must(postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 10}))
	t.Cleanup(func() { _ = db.Close() })
	w := &world{Store: postgres.NewStore(db), Writer: writertest.New(t, db, now), db: db, t: t, url: url}
	w.channel = w.newChannel("agenda")
	w.subscriber = must(
		w.SignIn(t.Context(), core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"},
			core.SignUp{Open: true}, now()),
	).ID
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, now()))
	w.session = core.NewID()
	if err := w.CreateSession(t.Context(),
		core.Session{ID: w.session, SubscriberID: w.subscriber, CreatedAt: now(), SeenAt: now()},
		w.session[:]); err != nil {
		t.Fatalf("create a session: %v", err)
	}
	return w
}

// newChannel creates a channel that nobody follows.
func (w *world) newChannel(slug string) core.ChannelRef {
	w.t.Helper()
	category := must(w.EnsureCategory(w.t.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(w.EnsurePublisher(w.t.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	c, _, err := w.CreateChannel(w.t.Context(), core.NewID(), publisher,
		core.ChannelInput{Slug: slug, Name: slug, CategoryID: category, Visibility: core.Public}, now(),
		core.Idempotency{})
	if err != nil {
		w.t.Fatalf("create a channel: %v", err)
	}
	return c.ChannelRef
}

// node is one server's streams, over HTTP.
type node struct {
	*live.Hub
	url    string
	client *http.Client
	stop   func()
}

func (w *world) node() *node {
	w.t.Helper()
	return w.nodeWith(func(*live.Hub) {})
}

// nodeWith runs a node whose hub is modified by change before it starts.
func (w *world) nodeWith(change func(*live.Hub)) *node {
	w.t.Helper()
	heard := make(chan struct{}, 10)
	h := &live.Hub{Source: w.Store, Log: slog.New(slog.DiscardHandler),
		Encode: func(n core.Notification) []byte { return must(json.Marshal(n.Title)) },
		Listen: func(ctx context.Context, ready func(), hear func(core.Signal)) error {
			return postgres.Listen(ctx, w.url, func() { ready(); heard <- struct{}{} }, hear)
		}}
	change(h)
	if err := h.Start(w.t.Context()); err != nil {
		w.t.Fatalf("start the hub: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); h.Run(ctx) }()
	<-heard
	mux := http.NewServeMux()
	mux.HandleFunc("/feed", func(rw http.ResponseWriter, r *http.Request) {
		_ = h.ServeFeed(rw, r, w.subscriber, request(r, w.session))
	})
	mux.HandleFunc("/channel", func(rw http.ResponseWriter, r *http.Request) {
		_ = h.ServeChannel(rw, r, w.channel.ID, request(r, core.ID{}))
	})
	mux.HandleFunc("/channel-by-credential", func(rw http.ResponseWriter, r *http.Request) {
		_ = h.ServeChannel(rw, r, w.channel.ID, request(r, w.session))
	})
	mux.HandleFunc("/channels/{id}", func(rw http.ResponseWriter, r *http.Request) {
		_ = h.ServeChannel(rw, r, uuid.MustParse(r.PathValue("id")), request(r, core.ID{}))
	})
	s := httptest.NewUnstartedServer(mux)
	if w.nodes++; w.nodes%2 == 1 {
		s.Start()
	} else { // over HTTP/2, where streams keep their handler
		s.EnableHTTP2 = true
		s.StartTLS()
	}
	n := &node{Hub: h, url: s.URL, client: s.Client(), stop: func() { cancel(); <-done }}
	w.t.Cleanup(func() { n.stop(); s.CloseClientConnections(); s.Close() })
	return n
}

// request returns what a handler passes on.
func request(r *http.Request, credential core.ID) core.StreamRequest {
	return core.StreamRequest{CredentialID: credential, LastEventID: r.Header.Get("Last-Event-ID"), Ended: func() {}}
}

func (w *world) publish(titles ...string) (last core.Notification) {
	w.t.Helper()
	return w.publishTo(w.channel, titles...)
}

func (w *world) publishTo(channel core.ChannelRef, titles ...string) (last core.Notification) {
	w.t.Helper()
	for _, title := range titles {
		at := now()
		n := core.Notification{
			ID: core.NewID(), Channel: channel, Title: title, Importance: core.Normal,
			PublishedAt: &at, Visible: true,
		}
		last, _, _ = w.Publish(w.t.Context(), n, core.Idempotency{})
	}
	return last
}

// place signals that the stream has grown, and returns its latest position.
func (w *world) place(n *node) (last int64) {
	w.t.Helper()
	w.placing.Lock()
	defer w.placing.Unlock()
	last = must(w.StreamPosition(w.t.Context()))
	var channelIDs []core.ID
	for _, p := range must(w.Positions(w.t.Context(), w.placed, 1_000)) {
		channelIDs = append(channelIDs, p.ChannelID)
	}
	w.placed = last
	n.Positioned(w.t.Context(), last, channelIDs)
	return last
}

// reader is a client of a stream.
type reader struct {
	t    *testing.T
	body *bufio.Reader
	end  func()
	id   string
}

func (w *world) connect(n *node, path, lastEventID string) *reader {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	req := must(http.NewRequestWithContext(ctx, http.MethodGet, n.url+path, nil))
	if lastEventID != "" {
		req.Header.Set("Last-Event-ID", lastEventID)
	}
	res, err := n.client.Do(req) //nolint:bodyclose // r.end closes it
	if err != nil {
		w.t.Fatalf("request: %v", err)
	}
	r := &reader{t: w.t, body: bufio.NewReader(res.Body), end: func() { cancel(); _ = res.Body.Close() }}
	w.t.Cleanup(r.end)
	return r
}

// open connects to a stream and reads its first block, which sets only the position.
func (w *world) open(n *node, path, lastEventID string) *reader {
	w.t.Helper()
	r := w.connect(n, path, lastEventID)
	if kind, data := r.event(); kind != "" || data != "" {
		w.t.Fatalf("first block after %q: got the event %q %s, want none", lastEventID, kind, data)
	}
	return r
}

// event reads one block and returns its kind and data. The test fails when the stream ends.
func (r *reader) event() (kind, data string) {
	r.t.Helper()
	for {
		line, err := r.body.ReadString('\n')
		if err != nil {
			r.t.Fatalf("the stream ended: %v", err)
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "id":
			r.id = value
		case "event":
			kind = value
		case "data":
			data = value
		case "":
			return kind, data
		}
	}
}

func (r *reader) expect(events ...string) {
	r.t.Helper()
	for _, want := range events {
		kind, data := r.event()
		if got := kind + " " + data; got != want {
			r.t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestLiveOnEveryNode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.node(), w.node()
	readers := []*reader{w.open(a, "/feed", ""), w.open(b, "/feed", ""), w.open(b, "/channel", "")}
	w.publish("one", "two")
	w.place(a)
	for _, r := range readers {
		r.expect(`notification "one"`, `notification "two"`)
		if r.id != "2" {
			t.Errorf("stands at %q", r.id)
		}
	}
}

func TestReplayWithoutGapOrRepetition(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.node(), w.node()
	first := w.open(a, "/feed", "")
	w.publish("1", "2")
	w.place(a)
	first.expect(`notification "1"`, `notification "2"`)
	first.end()
	three := w.publish("3", "4")
	w.place(b)
	must(
		w.Correct(t.Context(), w.channel.ID, three.ID,
			func(n *core.Notification) error { n.Title = "4, corrected"; return nil }),
	)
	w.place(a)
	again := w.open(b, "/feed", first.id)
	again.expect(`notification "3"`, `notification "4, corrected"`, `corrected "4, corrected"`)
	w.publish("5")
	w.place(a)
	again.expect(`notification "5"`)
}

func TestCorrectedAndWithdrawn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.node()
	r := w.open(a, "/channel", "")
	n := w.publish("one")
	w.place(a)
	r.expect(`notification "one"`)
	must(
		w.Correct(t.Context(), w.channel.ID, n.ID,
			func(n *core.Notification) error { n.Title = "uno"; return nil }),
	)
	w.place(a)
	r.expect(`corrected "uno"`)
	must(
		w.Correct(t.Context(), w.channel.ID, n.ID,
			func(n *core.Notification) error { n.Visible = false; return nil }),
	)
	w.place(a)
	r.expect(fmt.Sprintf(`withdrawn {"channelId":"%s","id":"%s"}`, w.channel.ID, n.ID))
}

func TestReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.node()
	first := w.open(a, "/feed", "")
	w.publish("one")
	w.place(a)
	first.expect(`notification "one"`)
	for _, last := range []string{"nonsense", "-1", "999999999"} {
		r := w.connect(a, "/feed", last)
		r.expect("reset {}")
		if r.id != "1" {
			t.Errorf("position that comes with the reset after %q: got %q, want 1", last, r.id)
		}
	}
}

func TestReadFollowsToEveryNode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.node(), w.node()
	feed := w.open(b, "/feed", "")
	id := core.NewID()
	a.Read(t.Context(), w.subscriber, core.ReadEvent{NotificationID: &id})
	feed.expect(fmt.Sprintf(`read {"notificationId":"%s"}`, id))
	archived := true
	a.Read(t.Context(), w.subscriber, core.ReadEvent{NotificationID: &id, Archived: &archived})
	feed.expect(fmt.Sprintf(`read {"notificationId":"%s","archived":true}`, id))
	a.Read(t.Context(), w.subscriber, core.ReadEvent{ChannelID: &w.channel.ID})
	feed.expect(fmt.Sprintf(`read {"channelId":"%s"}`, w.channel.ID))
}

func TestADeletedChannel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.node(), w.node()
	feed, channel := w.open(b, "/feed", ""), w.open(b, "/channel", "")
	a.ChannelReset(t.Context(), w.channel.ID)
	feed.expect("reset {}")
	if line, err := channel.body.ReadString('\n'); err == nil {
		t.Errorf("its stream goes on: %q", line)
	}
}

func TestAChannelThatSomebodyHasLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.node(), w.node()
	feed, channel := w.open(b, "/feed", ""), w.open(b, "/channel", "")
	a.ChannelLeft(t.Context(), w.channel.ID)
	if line, err := channel.body.ReadString('\n'); err == nil {
		t.Errorf("its stream goes on: %q", line)
	}
	a.Read(t.Context(), w.subscriber, core.ReadEvent{})
	feed.expect("read {}") // others stay
}

func TestFollowingChangesTheStream(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.node(), w.node()
	feed, channel := w.open(b, "/feed", ""), w.open(b, "/channel", "")
	if err := w.Unsubscribe(t.Context(), w.subscriber, w.channel.ID, now()); err != nil {
		t.Fatalf("unsubscribe: %v", err)
	}
	a.Followed(t.Context(), w.subscriber)
	feed.expect("reset {}")                             // whose client may show what it must not show any more
	a.Read(t.Context(), w.subscriber, core.ReadEvent{}) // arrives after the signal about following
	feed.expect("read {}")
	w.publish("not followed")
	w.place(a)
	channel.expect(`notification "not followed"`)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, now()))
	a.Followed(t.Context(), w.subscriber)
	a.Read(t.Context(), w.subscriber, core.ReadEvent{})
	feed.expect("read {}")
	w.publish("followed")
	w.place(a)
	feed.expect(`notification "followed"`)
}

func TestShutdownEndsStreamsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.node()
	r := w.open(a, "/feed", "")
	began := time.Now()
	a.stop()
	if _, err := r.body.ReadString('\n'); err == nil || time.Since(began) > time.Minute {
		t.Errorf("stream after the node stopped: got %v after %s, want its end within a minute", err, time.Since(began))
	}
}

// TestLostSignals cuts the connection on which a node receives signals about reads and sign-outs. Authenticated streams
// are dropped, so that their clients reconnect.
func TestLostSignals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.node()
	feed, channel := w.open(a, "/feed", ""), w.open(a, "/channel", "")
	own := w.open(a, "/channel-by-credential", "")
	if _, err := w.db.Pool().Exec(t.Context(), `select pg_terminate_backend(pid) from pg_stat_activity
		where query = 'listen sininho' and datname = current_database()`); err != nil {
		t.Fatalf("end the listening connections: %v", err)
	}
	for _, r := range []*reader{feed, own} {
		if line, err := r.body.ReadString('\n'); err == nil {
			t.Errorf("authenticated stream after the lost connection: got %q, want its end", line)
		}
	}
	w.publish("one")
	w.place(a)
	channel.expect(`notification "one"`)
}

func TestNoStreamWithoutSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.node()
	if err := w.EndSession(t.Context(), w.subscriber, w.session, now()); err != nil {
		t.Fatalf("end the session: %v", err)
	}
	r := httptest.NewRequest(http.MethodGet, "/feed", nil)
	if err := a.ServeFeed(httptest.NewRecorder(), r, w.subscriber, request(r, w.session)); !core.IsCode(err,
		core.CodeUnauthenticated) {
		t.Errorf("serve the feed of an ended session: got %v, want %s", err, core.CodeUnauthenticated)
	}
}
