package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/core"
)

// notifyChannel is the channel on which nodes tell each other what to look at.
const notifyChannel = "sininho"

type streamRow struct {
	notificationRow
	Position       *int64
	StreamPosition int64
}

// StreamPosition answers the position of the latest change on the stream.
func (s *Store) StreamPosition(ctx context.Context) (int64, error) {
	var p int64
	err := s.db.NewRaw("select coalesce(max(stream_position), 0) from notifications").Scan(ctx, &p)
	return p, mapError(err)
}

// Changes answers what changed after a position, in order; channelIDs limits it to those channels unless nil.
func (s *Store) Changes(ctx context.Context, after int64, limit int, channelIDs []core.ID) ([]core.Change, error) {
	where, args := "", []any{after}
	if channelIDs != nil {
		where, args = " and n.channel_id = any (?::uuid[])", append(args, uuidArray(channelIDs))
	}
	var rows []streamRow
	err := s.db.NewRaw(`
		select`+notificationColumns+`, n.position, n.stream_position
		from notifications n join channels c on c.id = n.channel_id join publishers p on p.id = c.publisher_id
		where n.stream_position > ?`+where+`
		order by n.stream_position limit ?`, append(args, limit)...).Scan(ctx, &rows)
	if err != nil {
		return nil, mapError(err)
	}
	out := make([]core.Change, len(rows))
	for i, r := range rows {
		out[i] = core.Change{Position: r.StreamPosition, PublishedPosition: *r.Position, Notification: r.notification()}
	}
	return out, nil
}

// Tell sends a signal to every node that listens, this one included.
func (s *Store) Tell(ctx context.Context, signal core.Signal) error {
	payload, err := json.Marshal(signal)
	if err != nil {
		return err
	}
	_, err = s.db.NewRaw("select pg_notify(?, ?)", notifyChannel, string(payload)).Exec(ctx)
	return mapError(err)
}

// Listen receives the signals of all nodes on a connection of its own until it breaks or ctx is done. ready is called
// once it hears.
func Listen(ctx context.Context, url string, ready func(), hear func(core.Signal)) error {
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
			hear(signal)
		}
	}
}
