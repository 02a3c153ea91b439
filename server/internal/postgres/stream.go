package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// notifyChannel is the channel of the signals between nodes.
const notifyChannel = "sininho"

// streamRow is a notification at one place of the stream.
type streamRow struct {
	notificationRow
	Position *int64 `bun:"position,scanonly"` // of its publication
	Place    int64  `bun:"place,scanonly"`
}

func (r streamRow) change() core.Change {
	c := core.Change{Position: r.Place, Kind: core.ChangeCorrected, Notification: r.notification()}
	switch {
	case !r.Visible, r.Position == nil: // without a position it is visible again, and its publication is still to come
		c.Kind = core.ChangeWithdrawn
	case *r.Position == r.Place:
		c.Kind = core.ChangePublished
	}
	return c
}

const streamPosition = "select coalesce(max(stream_position), 0) from notifications"

// StreamPosition returns the position of the latest change on the stream.
func (s *Store) StreamPosition(ctx context.Context) (position int64, err error) {
	err = s.db.hotRow(ctx, streamPosition).Scan(&position)
	return position, Error(err)
}

// Changes returns the next changes of channels after a position, in order. A notification that has changed since its
// publication is there twice, so that the kind of a stream event depends only on its position, and not on the events
// its reader has received. One that is withdrawn is there only as withdrawn.
func (s *Store) Changes(
	ctx context.Context, after int64, limit, bytes int, channelIDs []core.ID,
) ([]core.Change, error) {
	rows, err := Hot[streamRow](ctx, s.db, changes, after, limit, UUIDs(channelIDs), bytes)
	return converted(rows, streamRow.change), Error(err)
}

// channelShown is isShown for the channel of a notification.
const channelShown = `
	not coalesce((select x.suspended from channels x where x.id = channel_id and x.suspended), false)`

// changes merges two ordered lists of up to $2 changes after $1, and reads only the rows of the result whole, up to the
// one with which they have $4 bytes.
const changes = `
	with latest as (
		select id, stream_position as place from notifications
		where stream_position > $1::bigint and channel_id = any ($3::uuid[]) and ` + channelShown + `
		order by stream_position limit $2::bigint
	), publications as (
		select id, position as place from notifications
		where position > $1::bigint and position < stream_position and visible and channel_id = any ($3::uuid[])
			and ` + channelShown + `
		order by position limit $2::bigint
	)
	select` + notificationColumns + `, ` + noReader + `, n.position, e.place
	from (
		select e.*, coalesce(sum(` + shownBytes + `) over (
			order by e.place rows between unbounded preceding and 1 preceding), 0) as bytes_then
		from (
			select * from latest union all select * from publications order by place limit $2::bigint
		) e
		join notifications n on n.id = e.id
	) e
	join notifications n on n.id = e.id
	join channels c on c.id = n.channel_id
	join publishers p on p.id = c.publisher_id
	where e.bytes_then < $4::bigint
	order by e.place`

// shownBytes is the length of the texts that a change of notification n has.
const shownBytes = "case when n.visible then " + notificationBytes + " else 0 end"

// Positions returns where the next changes after a position are, in order: those that Changes returns, without reading
// the notifications.
func (s *Store) Positions(ctx context.Context, after int64, limit int) ([]core.ChangePosition, error) {
	positions, err := Hot[core.ChangePosition](ctx, s.db, `
		select place as position, id as notification_id, channel_id, bytes from (
			(select stream_position as place, id, channel_id, `+shownBytes+` as bytes from notifications n
			where stream_position > $1::bigint order by stream_position limit $2::bigint)
			union all
			(select position, id, channel_id, `+shownBytes+` from notifications n
			where position > $1::bigint and position < stream_position and visible
			order by position limit $2::bigint)
		) e order by place limit $2::bigint`, after, limit)
	return positions, Error(err)
}

// ChangesOf returns the changes of notifications after a position, in order, as Changes does.
func (s *Store) ChangesOf(ctx context.Context, after int64, notificationIDs []core.ID) ([]core.Change, error) {
	rows, err := Hot[streamRow](ctx, s.db, `
		select`+notificationColumns+`, `+noReader+`, n.position, n.stream_position as place
		from notifications n
		join channels c on c.id = n.channel_id
		join publishers p on p.id = c.publisher_id
		where n.id = any ($1::uuid[]) and n.stream_position > $2::bigint and not c.suspended`,
		UUIDs(notificationIDs), after)
	if err != nil {
		return nil, Error(err)
	}
	for _, r := range rows {
		if r.Visible && r.Position != nil && after < *r.Position && *r.Position < r.Place {
			r.Place = *r.Position // its publication
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(a, b streamRow) int { return cmp.Compare(a.Place, b.Place) })
	return converted(rows, streamRow.change), nil
}

// Notify sends signals in order to every listening node, including this one. Of equal signals it sends only the last.
func (s *Store) Notify(ctx context.Context, signals []core.Signal) error {
	texts, err := payloads(signals)
	if err != nil || len(texts) == 0 {
		return err
	}
	// Raw, because no builder calls a function alone. One statement is a transaction of its own. PostgreSQL commits
	// transactions that notify one after the other, so this one does not wait for the disk: signals need not survive a
	// crash, because streams are cut with the database.
	_, err = s.db.NewRaw(`
		with transaction as materialized (select set_config('synchronous_commit', 'off', true))
		select pg_notify(?, payload) from transaction, unnest(?::text[]) payload`,
		notifyChannel, pgdialect.Array(texts)).Exec(ctx)
	return Error(err)
}

// payloads encodes signals and keeps the last of equal ones. PostgreSQL would keep the first, so that a notification
// that was archived, restored and archived again would end restored.
func payloads(signals []core.Signal) ([]string, error) {
	seen := make(map[string]bool, len(signals))
	texts := make([]string, 0, len(signals))
	for _, signal := range slices.Backward(signals) {
		payload, err := json.Marshal(signal)
		if err != nil {
			return nil, err
		}
		if text := string(payload); !seen[text] {
			seen[text] = true
			texts = append(texts, text)
		}
	}
	slices.Reverse(texts)
	return texts, nil
}

// Listen receives the signals of all nodes on a connection of its own, until the connection breaks or ctx is done. It
// calls ready once no further signal is missed.
func Listen(ctx context.Context, url string, ready func(), receive func(core.Signal)) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(ctx)
	}()
	if _, err := conn.Exec(ctx, "listen "+notifyChannel); err != nil {
		return err
	}
	ready()
	for {
		n, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		var signal core.Signal
		if json.Unmarshal([]byte(n.Payload), &signal) == nil {
			receive(signal)
		}
	}
}
