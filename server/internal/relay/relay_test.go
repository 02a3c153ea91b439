package relay_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/relay"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/leaktest"
	"github.com/sininho/sininho/server/lab/natstest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func connect(t *testing.T, url string) *relay.Relay {
	t.Helper()
	r, err := relay.Connect(url, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(r.Close)
	return r
}

// listen returns what a relay receives, and how its connection changes.
func listen(t *testing.T, r *relay.Relay) (signals <-chan core.Signal, connected <-chan bool) {
	t.Helper()
	s, c := make(chan core.Signal, 10), make(chan bool, 10)
	ctx, stop := context.WithCancel(context.Background())
	var listening sync.WaitGroup
	listening.Go(func() { r.Listen(ctx, func(on bool) { c <- on }, func(got core.Signal) { s <- got }) })
	t.Cleanup(func() { stop(); listening.Wait() })
	return s, c
}

func TestSignalsReachTheirSubscribers(t *testing.T) {
	t.Parallel()
	url := natstest.Start(t).URL
	a, b := connect(t, url), connect(t, url)
	person, stranger, channel := core.NewID(), core.NewID(), core.NewID()
	b.Subscribe(person)
	b.Subscribe(channel)
	b.Flush()
	signals, _ := listen(t, b)
	read := core.Signal{Reader: &person, Read: &core.ReadEvent{NotificationID: &channel}}
	followed := core.Signal{Followed: &person}
	deleted, signedOut := core.Signal{Reset: &channel}, core.Signal{SignedOut: &stranger}
	rest := a.Send([]core.Signal{
		{Reader: &stranger, Read: &core.ReadEvent{}}, read, followed, deleted, signedOut,
		{Position: 6, ChannelIDs: []core.ID{stranger}}, {Position: 7, ChannelIDs: []core.ID{channel, stranger}},
	})
	if diff := cmp.Diff([]core.Signal{followed, deleted, signedOut}, rest); diff != "" {
		t.Errorf("signals that must go through the database (-want +got):\n%s", diff)
	}
	for _, want := range []core.Signal{read, followed, {Position: 7}} {
		if diff := cmp.Diff(want, <-signals); diff != "" {
			t.Errorf("signal (-want +got):\n%s", diff)
		}
	}
	b.Unsubscribe(person)
	b.Flush()
	a.Send([]core.Signal{read, {Position: 8, ChannelIDs: []core.ID{channel}}})
	check.Equal(t, "position of the first signal after unsubscribing", (<-signals).Position, 8)
}

// TestWithoutTheServer starts before the server does, and goes on after it has restarted.
func TestWithoutTheServer(t *testing.T) {
	t.Parallel()
	s := natstest.Start(t)
	s.Stop()
	r := connect(t, s.URL)
	id := core.NewID()
	r.Subscribe(id)
	signals, connected := listen(t, r)
	signal := core.Signal{Position: 1, ChannelIDs: []core.ID{id}}
	for range 2 {
		for <-connected {
		}
		check.Equal(t, "signals left for the database without a connection", len(r.Send([]core.Signal{signal})), 1)
		s.Start()
		for !<-connected {
		}
		check.Equal(t, "signals left for the database with a connection", len(r.Send([]core.Signal{signal})), 0)
		check.Equal(t, "position received", (<-signals).Position, 1)
		s.Stop()
	}
}

func TestWrongAddresses(t *testing.T) {
	t.Parallel()
	guarded := natstest.Start(t, func(o *server.Options) { o.Username, o.Password = "sininho", "secret" })
	for _, url := range []string{"", "localhost", "http://localhost:4222", "nats://", "nats://a,postgres://b", "%",
		guarded.URL} {
		if r, err := relay.Connect(url, slog.New(slog.DiscardHandler)); err == nil {
			r.Close()
			t.Errorf("connect to %q: got no error", url)
		}
	}
	connect(t, "nats://sininho:secret@"+guarded.URL[len("nats://"):])
}
