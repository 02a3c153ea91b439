package delivery

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Correct implements core.Writer.
func (w *Writer) Correct(
	ctx context.Context, channelID, id core.ID, change func(*core.Notification) error,
) (n core.Notification, err error) {
	err = w.alone(ctx, func(ctx context.Context, tx postgres.Tx) ([]positioned, error) {
		if n, err = postgres.LockNotification(ctx, tx, channelID, id); err != nil {
			return nil, err
		}
		was := n
		if err := change(&n); errors.Is(err, core.ErrUnchanged) {
			return nil, nil
		} else if err != nil {
			return nil, err
		}
		if n.TextBytes() > was.TextBytes() {
			if err := postgres.CheckStorage(ctx, tx, channelID, w.StorageQuota); err != nil {
				return nil, err
			}
		}
		if err := postgres.UpdateNotification(ctx, tx, n); err != nil {
			return nil, err
		}
		if err := postgres.AuditNotification(ctx, tx, n, ""); err != nil || n.PublishedAt == nil {
			return nil, err
		}
		return givePositions(ctx, tx, []move{newMove(was, n)}, w.Now())
	})
	return n, err
}

// WithdrawAny implements core.Withdrawer.
func (w *Writer) WithdrawAny(ctx context.Context, id core.ID, reason string) error {
	found, err := postgres.NotificationByID(ctx, w.DB, id)
	if err != nil {
		return err
	}
	return w.alone(ctx, func(ctx context.Context, tx postgres.Tx) ([]positioned, error) {
		n, err := postgres.LockNotification(ctx, tx, found.Channel.ID, id)
		if err != nil || n.WithdrawnAt != nil {
			return nil, err
		}
		was := n
		n.WithdrawnAt, n.Visible = new(w.Now()), false
		if err := postgres.UpdateNotification(ctx, tx, n); err != nil {
			return nil, err
		}
		if err := postgres.AuditNotification(ctx, tx, n, reason); err != nil || n.PublishedAt == nil {
			return nil, err
		}
		return givePositions(ctx, tx, []move{newMove(was, n)}, w.Now())
	})
}

// move is a change of a notification that gets a position on the stream.
type move struct {
	ID        core.ID
	Published bool // now
	Shown     int  // 1 when it becomes visible, -1 when it ceases to be
}

func newMove(was, is core.Notification) move {
	m := move{ID: is.ID, Published: was.PublishedAt == nil}
	switch {
	case is.Visible && !was.Visible:
		m.Shown = 1
	case was.Visible && !is.Visible:
		m.Shown = -1
	}
	return m
}

// givePositions gives changed notifications their positions, in the order of the moves, and updates the counts of their
// channels. One that is visible again is published on the stream a second time, so its publication moves too. One that
// is published now gets a dispatch.
func givePositions(ctx context.Context, tx postgres.Tx, moves []move, now time.Time) (all []positioned, err error) {
	if len(moves) == 0 {
		return nil, nil
	}
	ids, published, shown := make([]core.ID, len(moves)), make([]bool, len(moves)), make([]int, len(moves))
	for i, m := range moves {
		ids[i], published[i] = m.ID, m.Published
		shown[i] = m.Shown
	}
	// Raw, because it numbers and updates the same rows.
	err = tx.NewRaw(`
		with v as (
			select v.id, v.published, v.shown, v.place, n.channel_id, n.ordinal, n.published_at
			from unnest(?::uuid[], ?::boolean[], ?::integer[]) with ordinality v (id, published, shown, place)
			join notifications n on n.id = v.id
		), heads as (
			insert into channel_heads as h (channel_id, ordinal, visible, hidden, version, published_at)
			select channel_id, count(*) filter (where published), sum(shown),
				coalesce(max(ordinal) filter (where shown < 0), 0), 1, max(published_at)
			from v group by channel_id order by channel_id
			on conflict (channel_id) do update set ordinal = h.ordinal + excluded.ordinal,
				visible = h.visible + excluded.visible, hidden = greatest(h.hidden, excluded.hidden),
				version = h.version + 1, published_at = greatest(h.published_at, excluded.published_at)
			returning channel_id, ordinal
		), numbered as (
			select v.*, h.ordinal + 1 - row_number() over (partition by v.channel_id, v.published order by v.place desc)
				as next_ordinal
			from v join heads h using (channel_id) order by v.place
		), positioned as materialized (
			select n.*, nextval('stream_positions') as next_position from numbered n
		)
		update notifications n set stream_position = p.next_position,
			position = case when p.published or p.shown > 0 then p.next_position else n.position end,
			ordinal = coalesce(n.ordinal, p.next_ordinal)
		from positioned p where n.id = p.id
		returning n.id, n.channel_id, p.next_position as position, p.published, n.visible`,
		pgdialect.Array(ids), pgdialect.Array(published), pgdialect.Array(shown)).Scan(ctx, &all)
	if err != nil {
		return nil, err
	}
	if err := raiseHidden(ctx, tx, all); err != nil {
		return nil, err
	}
	return all, dispatch(ctx, tx, all, now)
}

// raiseHidden updates the channels of notifications that expired before they could be published. A channel's hidden is
// at least the number of its latest publication that is not visible.
func raiseHidden(ctx context.Context, tx bun.IDB, all []positioned) error {
	var channels []core.ID
	for _, p := range all {
		if p.Published && !p.Visible {
			channels = append(channels, p.ChannelID)
		}
	}
	if len(channels) == 0 {
		return nil
	}
	_, err := tx.NewUpdate().Table("channel_heads").Set("hidden = ordinal").
		Where("channel_id = any (?::uuid[])", pgdialect.Array(channels)).Exec(ctx)
	return err
}
