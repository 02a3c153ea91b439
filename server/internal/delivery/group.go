package delivery

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/group"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/postgres"
)

const (
	groupSize = 500 // publishes in one transaction
	// groupBytes is about how many bytes of texts a group has. They are sent at once with the statement that takes the
	// stream's lock, which others wait for until they have arrived.
	groupBytes = 256 << 10
	mostQueued = 10_000          // publishes that wait; more are refused
	retryTime  = 3 * time.Second // for the publishes of a refused group, each tried alone
)

// publish is a publication that shares a transaction with others, and why it failed.
type publish struct {
	*postgres.Publication
	err error
}

func (w *Writer) newGroup() *group.Group[*publish] {
	return &group.Group[*publish]{Run: w.write, Next: nextGroup, Most: mostQueued, Waiting: w.Metrics.Queued}
}

// write stores publishes for their callers, in the context of none of them. A panic fails what is not stored yet.
func (w *Writer) write(all []*publish) {
	for _, p := range all {
		p.err = errNotWritten
	}
	guard.Run(context.Background(), w.Log, func(ctx context.Context) { w.writeAll(ctx, all) })
}

// errNotWritten is the error of a publish that was not written because of a panic.
var errNotWritten = errors.New("the notification was not written")

// writeAll stores publishes. When PostgreSQL refuses a group because of one of them, each is tried alone, so that only
// the one at fault fails.
func (w *Writer) writeAll(ctx context.Context, all []*publish) {
	start := time.Now()
	err := w.store(ctx, all)
	w.Metrics.Group(len(all), time.Since(start))
	until := time.Now().Add(retryTime)
	for i, p := range all {
		switch {
		case err == nil, !p.IsFresh(): // some may have been stored before the rest was refused
			p.err = nil
		case len(all) == 1 || !isRefused(err):
			p.err = err
		case time.Now().After(until): // others wait
			p.err = core.Unavailable(err)
		default:
			p.err = w.store(ctx, all[i:i+1])
		}
		if isKeyHeld(p.err) {
			p.err = core.ErrKeyInFlight()
		}
	}
}

// store stores publishes in one transaction. Few are repeated, or have an external id that exists, and few channels
// have no head yet: that is found out when the transaction fails or leaves something out, and the rest is tried again.
// At most three tries fail or leave some out: for a duplicate, missing heads, and a duplicate that came meanwhile.
func (w *Writer) store(ctx context.Context, all []*publish) (err error) {
	rest := make([]*postgres.Publication, len(all))
	for i, p := range all {
		rest[i] = p.Publication
	}
	headed := false
	for range 3 {
		if err = w.commit(ctx, rest); err != nil && !postgres.IsDuplicate(err) {
			return err
		}
		switch {
		case err != nil:
			err = postgres.FindExisting(ctx, w.DB, rest)
		case !headed && len(postgres.Fresh(rest)) > 0:
			headed = true
			err = w.DB.MakeHeads(ctx, rest)
		default:
			return nil
		}
		if err != nil {
			return err
		}
		rest = postgres.Fresh(rest)
	}
	return w.commit(ctx, rest)
}

func (w *Writer) commit(ctx context.Context, all []*postgres.Publication) error {
	if len(all) == 0 {
		return nil
	}
	if err := w.DB.Publish(ctx, all, w.StorageQuota, w.Now()); err != nil {
		return err
	}
	w.report(ctx, positionedOf(all))
	return nil
}

// nextGroup takes publishes in their order. The second of two with the same key or external id is left for a later
// group, in which it finds the first.
func nextGroup(waiting []*group.Call[*publish]) (taken, left []*group.Call[*publish]) {
	type external struct {
		channel core.ID
		id      string
	}
	keys, externals := map[[3]string]bool{}, map[external]bool{}
	size := 0
	for _, c := range waiting {
		p := c.Item
		k := [3]string{p.Key.Caller, p.Key.Route, p.Key.Key}
		e := external{p.Notification.Channel.ID, p.Notification.ExternalID}
		if len(taken) == groupSize || size > groupBytes || keys[k] || externals[e] {
			left = append(left, c)
			continue
		}
		keys[k], externals[e] = p.Key.Wanted(), e.id != ""
		size += p.Notification.TextBytes()
		taken = append(taken, c)
	}
	return taken, left
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
