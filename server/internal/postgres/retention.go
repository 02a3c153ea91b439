package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// The limits of one step: a transaction locks what it deletes, and readers and publishers of a channel may wait for it.
const (
	prunedNotifications = 500
	prunedDevices       = 20_000 // to which they were sent, unless one alone has more
	prunedBatches       = 500    // of up to 500 devices
	prunePatience       = 200 * time.Millisecond
)

// pruneNotifications deletes the notifications that no channel keeps any longer. In a channel it deletes from the first
// publication on, so that the numbers of the others stay without gaps, and stops before one that is still being pushed.
// Streams do not announce it, and a replay leaves out what is deleted.
func (s *Store) pruneNotifications(ctx context.Context, now time.Time) error {
	channels, err := s.overfull(ctx, now)
	for _, c := range channels {
		for more := true; more && err == nil; {
			more, err = s.pruneStep(ctx, c, now)
		}
		if core.IsCode(err, core.CodeUnavailable) && ctx.Err() == nil {
			err = nil // somebody has locked a row for long; it is deleted the next time
		}
		if err != nil {
			return fmt.Errorf("notifications of channel %s: %w", c.ID, err)
		}
	}
	return err
}

// overfullChannel is a channel that has more than it keeps.
type overfullChannel struct {
	ID    core.ID `bun:"id"`
	Days  *int    `bun:"days"`
	Count *int64  `bun:"count"`
}

// overfull finds the channels whose oldest notification is too old, or that have too many. It is raw because it looks
// at the oldest of each, off the index.
func (s *Store) overfull(ctx context.Context, now time.Time) (channels []overfullChannel, err error) {
	err = s.db.NewRaw(`
		select c.id, c.days, c.count from (
			select id, least(keep_days, ?0::int) as days, least(keep_count, ?1::int) as count from channels
			where deleted_at is null
		) c
		join channel_heads h on h.channel_id = c.id
		cross join lateral (
			select published_at from notifications where channel_id = c.id and ordinal > h.pruned
			order by ordinal limit 1
		) oldest
		where coalesce(c.days, c.count) is not null and (
			h.visible > c.count or oldest.published_at < ?2::timestamptz - make_interval(days => c.days))`,
		limitOrNull(s.Retention.Days), limitOrNull(s.Retention.Count), now).Scan(ctx, &channels)
	return channels, Error(err)
}

func limitOrNull(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// prunable is one of the oldest notifications of a channel.
type prunable struct {
	ID          core.ID   `bun:"id"`
	Ordinal     int64     `bun:"ordinal"`
	Visible     bool      `bun:"visible"`
	PublishedAt time.Time `bun:"published_at"`
	Devices     int64     `bun:"devices"`
	InUse       bool      `bun:"in_use"`
	Excess      int64     `bun:"excess"`
}

// pruneStep deletes the oldest notifications of a channel in one short transaction, and reports whether more may
// follow. The head of the channel is locked last and briefly, because publishers wait for it.
func (s *Store) pruneStep(ctx context.Context, c overfullChannel, now time.Time) (more bool, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		// The receipts of one notification may be many.
		if err := errors.Join(Unlimited(ctx, tx), limitLocks(ctx, tx, prunePatience)); err != nil {
			return err
		}
		oldest, err := lockOldest(ctx, tx, c)
		if err != nil {
			return err
		}
		ids, visible := c.expired(oldest, now)
		if len(ids) == 0 {
			return nil
		}
		more = true
		if err := purgeNotifications(ctx, tx, ids); err != nil {
			return err
		}
		_, err = tx.NewUpdate().Table("channel_heads").Set("visible = visible - ?", visible).
			Set("pruned = greatest(pruned, ?)", oldest[len(ids)-1].Ordinal).Set("version = version + 1").
			Where("channel_id = ?", c.ID).Exec(ctx)
		if err != nil {
			return err
		}
		_, err = tx.NewDelete().Table("hidden_counts").Where("channel_id = ?", c.ID).
			Where("run < ?::bigint >> 6 * level", oldest[len(ids)-1].Ordinal).Exec(ctx)
		return err
	})
	return more, err
}

// lockOldest is raw because it locks some of the rows that it joins. The latest change on the stream is in use, because
// it says where the stream is.
func lockOldest(ctx context.Context, tx Tx, c overfullChannel) (oldest []prunable, err error) {
	err = tx.NewRaw(`
		select n.id, n.ordinal, n.visible, n.published_at, coalesce(x.targeted, 0) as devices,
			x.finished_at is null and x.notification_id is not null
				or n.stream_position = (select max(stream_position) from notifications) as in_use,
			h.visible - ?0::bigint as excess
		from channel_heads h
		join notifications n on n.channel_id = h.channel_id and n.ordinal > h.pruned
		left join dispatches x on x.notification_id = n.id
		where h.channel_id = ?1 order by n.ordinal limit ?2 for update of n`,
		c.Count, c.ID, prunedNotifications).Scan(ctx, &oldest)
	return oldest, err
}

// expired returns those notifications from the first on that the channel does not keep, and how many are visible.
func (c overfullChannel) expired(oldest []prunable, now time.Time) (ids []core.ID, visible int64) {
	devices := int64(0)
	for _, n := range oldest {
		old := c.Days != nil && n.PublishedAt.Before(now.AddDate(0, 0, -*c.Days))
		tooMany := c.Count != nil && visible < n.Excess
		if devices += n.Devices; n.InUse || !old && !tooMany || devices > prunedDevices && len(ids) > 0 {
			break
		}
		ids = append(ids, n.ID)
		if n.Visible {
			visible++
		}
	}
	return ids, visible
}

// pruneDeliveries deletes what became of old dispatches on each device. Their ids grow with time, so the oldest come
// first in the index. Those that are not finished are left.
func (s *Store) pruneDeliveries(ctx context.Context, now time.Time) error {
	if s.Retention.DeliveryDays == 0 {
		return nil
	}
	before := now.AddDate(0, 0, -s.Retention.DeliveryDays)
	for deleted := int64(1); deleted > 0; {
		// Raw, because it deletes a number of rows.
		result, err := s.db.NewRaw(`
			with oldest as materialized (
				select notification_id, first from delivery_batches where notification_id < ?0
				order by notification_id, first limit ?1
			)
			delete from delivery_batches b using oldest o join dispatches x on x.notification_id = o.notification_id
			where b.notification_id = o.notification_id and b.first = o.first and x.finished_at < ?2`,
			firstID(before), prunedBatches, before).Exec(ctx)
		if err != nil {
			return fmt.Errorf("deliveries: %w", Error(err))
		}
		if deleted, err = result.RowsAffected(); err != nil {
			return err
		}
	}
	return nil
}

// firstID returns the lowest id of a time.
func firstID(at time.Time) (id core.ID) {
	var milliseconds [8]byte
	binary.BigEndian.PutUint64(milliseconds[:], uint64(at.UnixMilli()))
	copy(id[:6], milliseconds[2:])
	return id
}
