package main

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/sampledata"
)

// list is the largest of the channels that somebody follows.
type list struct {
	*world
	person  sampledata.Person
	channel core.ID
	path    string
}

// lists are the measurements of one channel's list, as a visitor and as somebody who follows the channel.
func (w *world) lists() []*measurement {
	l := &list{world: w}
	return []*measurement{
		{name: "list of a channel, visitor", prepare: l.prepare, ours: l.visit,
			limit: w.query(readers, readers, l.rows),
			rows:  []*Row{{What: "list of a channel, visitor", Figure: "rate", Unit: "/s", Bar: atLeast(0.5)}}},
		{name: "list of a channel, follower", prepare: l.prepare, ours: l.follow,
			limit: w.query(readers, readers, l.rowsOfFollower),
			rows:  []*Row{{What: "list of a channel, follower", Figure: "rate", Unit: "/s", Bar: atLeast(0.5)}}},
	}
}

func (l *list) prepare(ctx context.Context) (err error) {
	if l.person, err = l.data.Reader(feedChannels); err != nil {
		return err
	}
	var publisher, slug string
	err = l.pool.QueryRow(ctx, `
		select c.id, p.slug, c.slug from subscriptions s
		join channels c on c.id = s.channel_id join publishers p on p.id = c.publisher_id
		join channel_heads h on h.channel_id = c.id
		where s.subscriber_id = $1 order by h.visible desc limit 1`, l.person.ID).Scan(&l.channel, &publisher, &slug)
	l.path = channelPath(publisher, slug) + "/notifications"
	return err
}

func (l *list) visit(ctx context.Context, length time.Duration) (figures, error) {
	return load(ctx, readers, length, func(ctx context.Context, _ int) (client, error) {
		c, err := dial(ctx, l.server.URL)
		if err != nil {
			return client{}, err
		}
		return c.getting(l.path), nil
	})
}

func (l *list) follow(ctx context.Context, length time.Duration) (figures, error) {
	return l.get(ctx, length, l.person, l.path)
}

func (l *list) rows(ctx context.Context, pool *pgxpool.Pool) error {
	return wantRows(readRows(ctx, pool, `
		select `+pageColumns+` from notifications n
		join channels c on c.id = n.channel_id join publishers p on p.id = c.publisher_id
		where n.channel_id = $1 and n.visible order by n.published_at desc, n.id desc limit 10`, l.channel))
}

func (l *list) rowsOfFollower(ctx context.Context, pool *pgxpool.Pool) error {
	return wantRows(readRows(ctx, pool, `
		select `+pageColumns+`, `+pageReadAt+` from notifications n
		join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = $2
		left join receipts r on r.subscriber_id = $2 and r.notification_id = n.id
		join channels c on c.id = n.channel_id join publishers p on p.id = c.publisher_id
		where n.channel_id = $1 and n.visible order by n.published_at desc, n.id desc limit 10`, l.channel, l.person.ID))
}

func wantRows[T any](rows []T, err error) error {
	if err == nil && len(rows) == 0 {
		err = errors.New("the limit read no rows")
	}
	return err
}
