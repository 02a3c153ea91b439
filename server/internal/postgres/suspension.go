package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// suspensionRow is the suspension of a channel, a publisher or a person.
type suspensionRow struct {
	SuspendedAt      *time.Time `bun:"suspended_at,scanonly"`
	SuspensionReason *string    `bun:"suspension_reason,scanonly"`
}

func (r suspensionRow) suspension() *core.Suspension {
	if r.SuspendedAt == nil {
		return nil
	}
	return &core.Suspension{Reason: text(r.SuspensionReason), At: *r.SuspendedAt}
}

// suspendable is a table of objects that are suspended, with what the audit log has of each, the lock of a suspension,
// and the lock that keeps one away.
type suspendable struct{ table, name, publisherID, lock, active string }

var suspendables = map[core.Suspendable]suspendable{
	core.SuspendableChannel:    {"channels", "slug", "publisher_id", "no key update", "share"},
	core.SuspendablePublisher:  {"publishers", "slug", "id", "update", "key share"},
	core.SuspendableSubscriber: {"subscribers", "name", "null::uuid", "no key update", "share"},
}

// suspendedRow is a suspended object, locked.
type suspendedRow struct {
	SuspendedAt *time.Time `bun:"suspended_at"`
	Name        string     `bun:"name"`
	PublisherID core.ID    `bun:"publisher_id,nullzero"`
}

// lockSuspendable keeps others from changing an object. Nobody adds a channel to a publisher, or a session to a person,
// meanwhile, and the publisher of a channel is not suspended.
func lockSuspendable(ctx context.Context, tx Tx, what core.Suspendable, id core.ID) (r suspendedRow, err error) {
	o := suspendables[what]
	q := tx.NewSelect().Table(o.table).ColumnExpr("suspended_at, ? as name, "+o.publisherID+" as publisher_id",
		bun.Ident(o.name)).Where("id = ?", id).For(o.lock)
	if what == core.SuspendableChannel {
		q = q.Where("deleted_at is null")
		_, err := tx.NewSelect().Table("publishers").ColumnExpr("1").
			Where("id = (select publisher_id from channels where id = ?)", id).For("share").Exec(ctx)
		if err != nil {
			return r, err
		}
	}
	return r, q.Scan(ctx, &r)
}

// Suspend implements core.SuspensionStore.
func (s *Store) Suspend(ctx context.Context, what core.Suspendable, id core.ID, in core.Suspension) (
	out core.Suspension, changed core.Suspended, err error) {
	out = in
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r, err := lockSuspendable(ctx, tx, what, id)
		if err != nil {
			return err
		}
		if r.SuspendedAt != nil {
			out.At = *r.SuspendedAt
		}
		_, err = tx.NewUpdate().Table(suspendables[what].table).Set("suspended_at = ?", out.At).
			Set("suspension_reason = ?", out.Reason).Where("id = ?", id).Exec(ctx)
		if err != nil {
			return err
		}
		if changed, err = applySuspension(ctx, tx, what, id); err != nil {
			return err
		}
		if what == core.SuspendableSubscriber {
			if changed.Credentials, err = signOutEverywhere(ctx, tx, id, in.At); err != nil {
				return err
			}
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: r.PublisherID, ObjectID: id, Object: r.Name,
			Detail: map[string]string{"reason": in.Reason}})
	})
	return out, changed, err
}

// Unsuspend implements core.SuspensionStore.
func (s *Store) Unsuspend(ctx context.Context, what core.Suspendable, id core.ID) (
	changed core.Suspended, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r, err := lockSuspendable(ctx, tx, what, id)
		if err != nil || r.SuspendedAt == nil {
			return err
		}
		_, err = tx.NewUpdate().Table(suspendables[what].table).Set("suspended_at = null").
			Set("suspension_reason = null").Where("id = ?", id).Exec(ctx)
		if err != nil {
			return err
		}
		if changed, err = applySuspension(ctx, tx, what, id); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: r.PublisherID, ObjectID: id, Object: r.Name})
	})
	return changed, err
}

// applySuspension hides or shows the channels of which a suspension has begun or ended, and finds the API keys of a
// publisher, whose streams end.
func applySuspension(ctx context.Context, tx Tx, what core.Suspendable, id core.ID) (
	changed core.Suspended, err error) {
	column := map[core.Suspendable]string{
		core.SuspendableChannel: "c.id", core.SuspendablePublisher: "c.publisher_id"}[what]
	if column == "" {
		return changed, nil
	}
	// Raw, because the new value depends on two tables.
	err = tx.NewRaw(`
		update channels c set suspended = not c.suspended
		from publishers p
		where p.id = c.publisher_id and `+column+` = ?
			and c.suspended <> (c.suspended_at is not null or p.suspended_at is not null)
		returning c.id`, id).Scan(ctx, &changed.ChannelIDs)
	if err == nil && what == core.SuspendablePublisher {
		err = tx.NewSelect().Model((*apiKeyRow)(nil)).Column("id").Where("publisher_id = ?", id).
			Where("revoked_at is null").Scan(ctx, &changed.Credentials)
	}
	return changed, err
}

// signOutEverywhere ends the sessions of a person and retires their devices. It returns the ended sessions, and the
// access tokens, whose streams end.
func signOutEverywhere(ctx context.Context, tx Tx, id core.ID, now time.Time) (credentials []core.ID, err error) {
	_, err = tx.NewDelete().Table("sessions").Where("subscriber_id = ?", id).Returning("id").Exec(ctx, &credentials)
	if err != nil {
		return nil, err
	}
	_, err = retireDevices(tx, core.RetiredSignedOut, now).Where("subscriber_id = ?", id).Exec(ctx)
	if err != nil {
		return nil, err
	}
	var tokens []core.ID
	err = tx.NewSelect().Model((*accessTokenRow)(nil)).Column("id").Where("subscriber_id = ?", id).
		Where("revoked_at is null").Scan(ctx, &tokens)
	return append(credentials, tokens...), err
}

// ChannelSuspension implements core.SuspensionStore.
func (s *Store) ChannelSuspension(ctx context.Context, channelID core.ID) (core.Suspendable, core.Suspension, error) {
	for _, of := range []struct {
		what core.Suspendable
		q    *bun.SelectQuery
	}{
		{core.SuspendablePublisher, s.db.NewSelect().Table("publishers").
			Where("id = (select publisher_id from channels where id = ?)", channelID)},
		{core.SuspendableChannel, s.db.NewSelect().Table("channels").Where("id = ?", channelID)},
	} {
		var r suspensionRow
		err := of.q.Column("suspended_at", "suspension_reason").Where("suspended_at is not null").Scan(ctx, &r)
		if err == nil {
			return of.what, *r.suspension(), nil
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return "", core.Suspension{}, Error(err)
		}
	}
	return "", core.Suspension{}, core.NotFound()
}

// lockActive fails when an object is suspended. A suspension or deletion at the same time waits for the transaction,
// and then applies to what was added.
func lockActive(ctx context.Context, tx Tx, what core.Suspendable, id core.ID) error {
	o := suspendables[what]
	var r suspensionRow
	err := tx.NewSelect().Table(o.table).Column("suspended_at", "suspension_reason").Where("id = ?", id).
		For(o.active).Scan(ctx, &r)
	if suspension := r.suspension(); err == nil && suspension != nil {
		err = core.ErrSuspended(what, *suspension)
	}
	return err
}

// SubscribersByEmail finds the accounts with an email address or, for an empty one, the suspended ones, newest first.
func (s *Store) SubscribersByEmail(ctx context.Context, email string, page core.Page) (
	[]core.Subscriber, int64, error) {
	q := s.db.NewSelect().Model((*subscriberRow)(nil)).Order("created_at desc", "id desc")
	if email == "" {
		q = q.Where("suspended_at is not null")
	} else {
		q = q.Where("lower(email) = lower(?)", email)
	}
	return list(ctx, q, page, subscriberRow.subscriber)
}
