package live

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// source is a source without changes, at a position.
type source struct {
	Source
	position int64
	reads    atomic.Int64
	ended    atomic.Bool // every session
	followed core.ID
}

func (s *source) StreamPosition(context.Context) (int64, error) { return s.position, nil }

func (s *source) Positions(context.Context, int64, int) ([]core.ChangePosition, error) {
	s.reads.Add(1)
	return nil, nil
}

func (s *source) Changes(context.Context, int64, int, int, []core.ID) ([]core.Change, error) {
	s.reads.Add(1)
	return nil, nil
}

func (s *source) FollowedChannels(context.Context, core.ID) ([]core.ID, error) {
	if s.ended.Load() {
		return nil, errors.New("the session has ended")
	}
	return []core.ID{s.followed}, nil
}

func startHub(t *testing.T, s Source) *Hub {
	t.Helper()
	h := &Hub{Source: s, Log: slog.New(slog.DiscardHandler)}
	if err := h.Start(t.Context()); err != nil {
		t.Fatalf("start the hub: %v", err)
	}
	return h
}

// TestASlowReaderIsCut expects a stream to end when its client is more than the buffer behind.
func TestASlowReaderIsCut(t *testing.T) {
	t.Parallel()
	s := &stream{}
	isCut := func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.isCut
	}
	for range buffered {
		s.offer(frame{})
	}
	check.Equal(t, "a stream with a full buffer is cut", isCut(), false)
	s.offer(frame{})
	check.Equal(t, "a stream with more than its buffer is cut", isCut(), true)
}

// TestReplayHasALimit expects a reset instead of a replay for a client that is too far behind, and neither for one that
// has missed nothing.
func TestReplayHasALimit(t *testing.T) {
	t.Parallel()
	for last, want := range map[string]string{"0": "reset", "1": "replay", strconv.Itoa(replayed + 1): ""} {
		s := &source{position: replayed + 1}
		h := startHub(t, s)
		ctx, disconnect := context.WithCancel(t.Context())
		disconnect() // the stream ends after what was missed
		w := newRecorder()
		q := core.StreamRequest{LastEventID: last, Ended: func() {}}
		if err := h.ServeChannel(w, request(ctx), core.NewID(), q); err != nil {
			t.Fatalf("serve after %s: %v", last, err)
		}
		check.Equal(t, "position "+last+" leads to a reset", strings.Contains(w.Body.String(), "event: reset"), want == "reset")
		check.Equal(t, "position "+last+" leads to a replay", s.reads.Load() > 0, want == "replay")
	}
}

// TestAnEndedStreamIsForgotten expects the hub to keep nothing of a stream whose client has disconnected.
func TestAnEndedStreamIsForgotten(t *testing.T) {
	t.Parallel()
	h := startHub(t, &source{followed: core.NewID()})
	ctx, disconnect := context.WithCancel(t.Context())
	disconnect()
	ended := 0
	q := core.StreamRequest{CredentialID: core.NewID(), Ended: func() { ended++ }}
	if err := h.ServeFeed(newRecorder(), request(ctx), core.NewID(), q); err != nil {
		t.Fatalf("serve a feed: %v", err)
	}
	if err := h.ServeChannel(newRecorder(), request(ctx), core.NewID(), q); err != nil {
		t.Fatalf("serve a channel: %v", err)
	}
	check.Equal(t, "ends that were reported", ended, 2)
	check.Equal(t, "channels with streams", len(h.channels), 0)
	check.Equal(t, "readers with streams", len(h.readers), 0)
	check.Equal(t, "credentials with streams", len(h.credentials), 0)
}

// TestAStreamEndsWithItsSession expects a stream to end when its followed channels are read again after its session has
// ended, even if the signal of the sign-out was lost.
func TestAStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	s := &source{followed: core.NewID()}
	h := startHub(t, s)
	subscriber, served := core.NewID(), make(chan error, 1)
	q := core.StreamRequest{CredentialID: core.NewID(), Ended: func() {}}
	w := newRecorder()
	go func() { served <- h.ServeFeed(w, request(t.Context()), subscriber, q) }()
	<-w.written
	h.refollow(t.Context(), subscriber)
	select {
	case err := <-served:
		t.Fatalf("the stream of a valid session ended: %v", err)
	default:
	}
	s.ended.Store(true)
	h.refollow(t.Context(), subscriber)
	select {
	case err := <-served:
		check.Equal(t, "error of the stream of an ended session", err, nil)
	case <-time.After(time.Minute):
		t.Error("the stream of an ended session is still open after a minute")
	}
}

// slowSource responds to the first question for followed channels after release, with what was true before.
type slowSource struct {
	*source
	before         core.ID
	asked, release chan struct{}
	later          atomic.Bool
}

func (s *slowSource) FollowedChannels(ctx context.Context, id core.ID) (followed []core.ID, err error) {
	followed, err = s.source.FollowedChannels(ctx, id)
	if s.later.CompareAndSwap(false, true) {
		close(s.asked)
		<-s.release
		followed = []core.ID{s.before}
	}
	return followed, err
}

// TestAFollowWhileAStreamBegins follows a channel while a new stream reads what is followed. The stream does not go
// back to what it was before.
func TestAFollowWhileAStreamBegins(t *testing.T) {
	t.Parallel()
	s := &slowSource{source: &source{followed: core.NewID()}, before: core.NewID(), asked: make(chan struct{}),
		release: make(chan struct{})}
	h := startHub(t, s)
	ctx, disconnect := context.WithCancel(t.Context())
	subscriber, served, w := core.NewID(), make(chan error, 1), newRecorder()
	q := core.StreamRequest{CredentialID: core.NewID(), Ended: func() {}}
	go func() { served <- h.ServeFeed(w, request(ctx), subscriber, q) }()
	<-s.asked
	h.refollow(t.Context(), subscriber)
	close(s.release)
	<-w.written
	h.mu.Lock()
	check.Equal(t, "streams of the channel that is followed now", len(h.channels[s.followed]), 1)
	check.Equal(t, "streams of the channel of before", len(h.channels[s.before]), 0)
	h.mu.Unlock()
	disconnect()
	check.Equal(t, "error of the stream", <-served, nil)
}

func request(ctx context.Context) *http.Request {
	return httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
}

// recorder records a response, accepts deadlines and signals its first write.
type recorder struct {
	*httptest.ResponseRecorder
	written chan struct{}
}

func newRecorder() *recorder { return &recorder{httptest.NewRecorder(), make(chan struct{}, 1)} }

func (r *recorder) SetWriteDeadline(time.Time) error { return nil }

func (r *recorder) Write(b []byte) (int, error) {
	select {
	case r.written <- struct{}{}:
	default:
	}
	return r.ResponseRecorder.Write(b)
}

// TestPolling expects the hub to read changes every second as soon as it cannot listen for signals, and rarely
// otherwise.
func TestPolling(t *testing.T) {
	for name, c := range map[string]struct {
		listen      func(ctx context.Context, ready func(), handle func(core.Signal)) error
		least, most int64
	}{
		"without signals": {
			func(context.Context, func(), func(core.Signal)) error { return errors.New("no connection") }, 55, 65,
		},
		"without signals after the first half second": {func() func(context.Context, func(), func(core.Signal)) error {
			var once sync.Once
			return func(_ context.Context, ready func(), _ func(core.Signal)) error {
				once.Do(func() { ready(); time.Sleep(time.Second / 2) })
				return errors.New("no connection")
			}
		}(), 55, 65},
		"with signals": {func(ctx context.Context, ready func(), _ func(core.Signal)) error {
			ready()
			<-ctx.Done()
			return ctx.Err()
		}, 5, 8},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &source{}
				h := startHub(t, s)
				put(h.channels, core.ID{1}, &stream{}) // otherwise nothing is read
				h.Listen = c.listen
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				h.Run(ctx)
				if got := s.reads.Load(); got < c.least || got > c.most {
					t.Errorf("reads in a minute: got %d, want %d to %d", got, c.least, c.most)
				}
			})
		})
	}
}

// TestAPanicCutsOneStream writes to a stream without a connection, which panics. The streams after it are served.
func TestAPanicCutsOneStream(t *testing.T) {
	t.Parallel()
	h := startHub(t, &source{})
	broken, other := &stream{socket: &socket{}, queue: []frame{{bytes: []byte("x")}}}, &stream{socket: &socket{}}
	d := h.shards[0]
	d.due = []*stream{broken, other}
	d.serve()
	if !broken.isCut {
		t.Error("stream that panicked: got an open one, want it cut")
	}
	if !other.placed {
		t.Error("stream after it: got it skipped, want it served")
	}
}
