package delivery

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/internal/rescue"
)

const (
	groupSize    = 500             // publishes in one transaction
	groupBytes   = 4 << 20         // of their texts
	groupTimeout = 8 * time.Second // for one transaction
)

// enqueue queues a publish, and starts a goroutine that writes unless there is one.
func (s *Stream) enqueue(ctx context.Context, p *publish) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, p)
	if !s.writing {
		s.writing = true
		go s.write(context.WithoutCancel(ctx))
	}
}

// write writes groups until nothing is queued. Every request waits for it to end, so a shutdown that waits for the
// requests waits for this too.
func (s *Stream) write(ctx context.Context) {
	for {
		s.mu.Lock()
		group := s.nextGroup()
		if len(group) == 0 {
			s.writing = false
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		s.writeGroup(ctx, group)
	}
}

// nextGroup takes publishes from the queue in their order. The second of two with the same key or external id is left
// for a later group, in which it finds the first.
func (s *Stream) nextGroup() (group []*publish) {
	type external struct {
		channel core.ID
		id      string
	}
	keys, externals := map[[3]string]bool{}, map[external]bool{}
	size := 0
	var left []*publish
	for _, p := range s.queue {
		k, e := [3]string{p.key.Caller, p.key.Route, p.key.Key}, external{p.n.Channel.ID, p.n.ExternalID}
		if len(group) == groupSize || size > groupBytes || keys[k] || externals[e] {
			left = append(left, p)
			continue
		}
		keys[k], externals[e] = p.key.Wanted(), p.n.ExternalID != ""
		size += len(p.n.Title) + len(p.n.Body) + len(p.response)
		group = append(group, p)
	}
	s.queue = left
	return group
}

// errNotWritten is the error of a publish whose group panicked.
var errNotWritten = errors.New("the notification was not written")

// writeGroup stores a group and reports the results. When PostgreSQL refuses it, each publish is tried alone, so that
// only the one that is at fault fails. After any other error nobody knows what was committed.
func (s *Stream) writeGroup(ctx context.Context, group []*publish) {
	defer func() {
		for _, p := range group {
			close(p.done)
		}
	}()
	for _, p := range group {
		p.err = errNotWritten
	}
	rescue.Run(ctx, s.Log, func(ctx context.Context) {
		err := s.commit(ctx, group)
		for _, p := range group {
			if p.err = err; refused(err) && len(group) > 1 {
				p.err = s.commit(ctx, []*publish{p})
			}
			if p.key.Wanted() && postgres.IsLockTimeout(p.err) {
				p.err = core.ErrKeyInFlight()
			}
		}
	})
}

// refused reports whether PostgreSQL refused what it was given, and so has stored nothing.
func refused(err error) bool {
	var pg *pgconn.PgError
	var domain *core.Error
	return errors.As(err, &pg) || errors.As(err, &domain) && domain.Code != core.CodeUnavailable
}

func (s *Stream) commit(ctx context.Context, group []*publish) error {
	ctx, cancel := context.WithTimeout(ctx, groupTimeout)
	defer cancel()
	_, err := s.locked(ctx, func(ctx context.Context, tx postgres.Tx) ([]placed, error) {
		return insertGroup(ctx, tx, group)
	})
	return err
}
