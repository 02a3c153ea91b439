package delivery

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	groupSize  = 500             // publishes in one transaction
	groupBytes = 4 << 20         // of their texts
	mostQueued = 10_000          // publishes that wait; more are refused
	retryTime  = 3 * time.Second // for the publishes of a refused group, each tried alone
)

// enqueue queues a publish, and starts a writer unless one is waiting for the lock.
func (s *Stream) enqueue(p *publish) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) >= mostQueued {
		return core.Unavailable(errors.New("too many publishes are waiting"))
	}
	s.queue = append(s.queue, p)
	s.Metrics.Queued(len(s.queue))
	s.startWriter()
	return nil
}

// startWriter needs s.mu. Each writer writes one group, and begins while the group before it commits. Its context is
// that of no request, because it writes for many.
func (s *Stream) startWriter() {
	if !s.waiting && len(s.queue) > 0 {
		s.waiting = true
		go s.write(context.Background())
	}
}

// write waits for the stream's lock, stores what is queued by then, and reports the results. When PostgreSQL refuses a
// group because of a publish, each is tried alone, so that only the one at fault fails. A shutdown that waits for the
// requests waits for this too, except for those whose callers have given up.
func (s *Stream) write(ctx context.Context) {
	var group []*publish
	start, taken := time.Now(), false
	err := s.commit(ctx, func() []*publish {
		group, taken = s.take(s.nextGroup), true
		return group
	})
	if !taken {
		group = s.take(s.wholeQueue) // no lock, or no connection: all that wait get the error
	}
	s.Metrics.Group(len(group), time.Since(start))
	until := time.Now().Add(retryTime)
	for _, p := range group {
		switch {
		case len(group) == 1 || !isRefused(err):
			p.finish(err)
		case time.Now().After(until): // others wait
			p.finish(core.Unavailable(err))
		default:
			p.finish(s.commit(ctx, func() []*publish { return []*publish{p} }))
		}
	}
}

// take takes publishes from the queue by next, which is called with s.mu. The next writer then waits for the lock.
func (s *Stream) take(next func() []*publish) []*publish {
	s.mu.Lock()
	defer s.mu.Unlock()
	group := next()
	s.waiting = false
	s.Metrics.Queued(len(s.queue))
	s.startWriter()
	return group
}

func (s *Stream) wholeQueue() []*publish {
	all := s.queue
	s.queue = nil
	return all
}

// nextGroup takes publishes from the queue in their order, and drops those whose callers have given up. The second of
// two with the same key or external id is left for a later group, in which it finds the first.
func (s *Stream) nextGroup() (group []*publish) {
	type external struct {
		channel core.ID
		id      string
	}
	keys, externals := map[[3]string]bool{}, map[external]bool{}
	size := 0
	var left []*publish
	for _, p := range s.queue {
		if p.ctx.Err() != nil {
			continue
		}
		k, e := [3]string{p.key.Caller, p.key.Route, p.key.Key}, external{p.n.Channel.ID, p.n.ExternalID}
		if len(group) == groupSize || size > groupBytes || keys[k] || externals[e] {
			left = append(left, p)
			continue
		}
		keys[k], externals[e] = p.key.Wanted(), p.n.ExternalID != ""
		size += p.size()
		group = append(group, p)
	}
	s.queue = left
	return group
}

// size returns about how many bytes are written.
func (p *publish) size() int { return textSize(p.n) + len(p.response) }

// textSize returns how many bytes the texts of a notification have.
func textSize(n core.Notification) int {
	size := len(n.Title) + len(n.Body) + len(n.Image) + len(n.Icon) + len(n.Link)
	for name, value := range n.Data {
		size += len(name) + len(value)
	}
	return size
}

// errNotWritten is the error of a publish whose transaction panicked.
var errNotWritten = errors.New("the notification was not written")

// commit stores the group that take returns under the stream's lock.
func (s *Stream) commit(ctx context.Context, take func() []*publish) error {
	err := errNotWritten
	guard.Run(ctx, s.Log, func(ctx context.Context) {
		_, err = s.locked(ctx, func(ctx context.Context, tx postgres.Tx) ([]placed, error) {
			return insertGroup(ctx, tx, take(), s.StorageQuota, s.Now())
		})
	})
	return err
}

// finish returns the result to the caller.
func (p *publish) finish(err error) {
	if p.err = err; isKeyHeld(err) {
		p.err = core.ErrKeyInFlight()
	}
	close(p.done)
}

// isRefused reports whether PostgreSQL refused what it was given, and has stored nothing. It is false of errors that
// have to do with the server or the connection, after which nobody knows what was committed.
func isRefused(err error) bool {
	var domain *core.Error
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		switch pg.Code[:2] {
		case "22", "23", "40", "54": // data, constraint, serialization, limit
			return true
		}
		return postgres.IsLockTimeout(err)
	}
	return errors.As(err, &domain) && domain.Code != core.CodeUnavailable
}

// isKeyHeld reports whether another transaction holds an idempotency key.
func isKeyHeld(err error) bool {
	var pg *pgconn.PgError
	return postgres.IsLockTimeout(err) && errors.As(err, &pg) && strings.Contains(pg.Where, "idempotency_keys")
}
