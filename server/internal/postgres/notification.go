package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// stripes is how many rows a channel's counts are spread over.
const stripes = 8

// Stripe returns a stripe at random.
func Stripe() int { return rand.IntN(stripes) } //nolint:gosec // only spreads load

// Publish implements core.NotificationStore in one statement, unless there is an external id: then the answer may be
// an older notification, and the key must keep that one.
func (s *Store) Publish(ctx context.Context, n core.Notification, key core.Idempotency) (core.Notification, core.Creation, error) {
	if n.ExternalID != "" {
		return s.publishOnce(ctx, n, key)
	}
	args, err := publishArgs(n, key)
	if err != nil {
		return n, 0, err
	}
	var fresh, inserted int
	err = s.hotRow(ctx, insertNotification, args...).Scan(&fresh, &inserted)
	switch {
	case key.Wanted() && isLockTimeout(err):
		return n, 0, core.ErrKeyInFlight()
	case err != nil:
		return n, 0, Error(err)
	case fresh == 0:
		creation, err := replay(ctx, s.db, key, &n)
		return n, creation, err
	default:
		return n, core.Created, nil
	}
}

func (s *Store) publishOnce(ctx context.Context, n core.Notification, key core.Idempotency) (out core.Notification, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &out, func() (creation core.Creation, err error) {
			out, creation, err = publish(ctx, tx, n)
			return creation, err
		})
		return err
	})
	return out, creation, err
}

// publish stores a notification in a transaction, or finds the one that has its external id.
func publish(ctx context.Context, tx Tx, n core.Notification) (core.Notification, core.Creation, error) {
	args, err := publishArgs(n, core.Idempotency{})
	if err != nil {
		return n, 0, err
	}
	var fresh, inserted int
	if err := tx.hotRow(ctx, insertNotification, args...).Scan(&fresh, &inserted); err != nil {
		return n, 0, Error(err)
	}
	if inserted == 0 {
		existing, err := notificationWhere(ctx, tx, nil, "n.channel_id = ? and n.external_id = ?", n.Channel.ID, n.ExternalID)
		return existing, core.Existing, err
	}
	return n, core.Created, nil
}

// Replay implements core.NotificationStore.
func (s *Store) Replay(ctx context.Context, key core.Idempotency) (n core.Notification, creation core.Creation, err error) {
	creation, err = replayWanted(ctx, s.db, key, &n)
	return n, creation, err
}

// insertNotification tells whether the idempotency key is fresh (or none is wanted), and how many were inserted.
const insertNotification = `
	with key as (
		insert into idempotency_keys (caller, key, route, body_hash, answer)
		select $1::text, $2::text, $3::text, $4::bytea, $5::text where $6::boolean on conflict (caller, route, key) do nothing returning 1
	), fresh as (
		select 1 where not $7::boolean or exists (select from key)
	), inserted as (
		insert into notifications (id, channel_id, title, body, image, icon, link, importance, data, external_id,
			visible, pending, published_at, scheduled_at, expires_at)
		select $8::uuid, $9::uuid, $10::text, $11::text, $12::text, $13::text, $14::text, $15::text, $16::jsonb, $17::text,
			$18::boolean, $19::boolean, $20::timestamptz, $21::timestamptz, $22::timestamptz from fresh
		on conflict (channel_id, external_id) where external_id is not null do nothing
		returning channel_id, visible
	), counted as (
		insert into channel_counts as k (channel_id, stripe, visible) select channel_id, $23::smallint, 1 from inserted where visible
		on conflict (channel_id, stripe) do update set visible = k.visible + 1
	)
	select (select count(*) from fresh), (select count(*) from inserted)`

func publishArgs(n core.Notification, key core.Idempotency) ([]any, error) {
	answer, err := keptAnswer(n, key)
	if err != nil {
		return nil, err
	}
	data, err := dataColumn(n.Data)
	return []any{key.Caller, key.Key, key.Route, key.BodyHash, answer, key.Wanted(), key.Wanted(),
		n.ID, n.Channel.ID, n.Title, n.Body, null(n.Image), null(n.Icon), null(n.Link), string(n.Importance), data, null(n.ExternalID),
		n.Visible, n.PublishedAt != nil, n.PublishedAt, n.ScheduledAt, n.ExpiresAt, Stripe()}, err
}

func keptAnswer(n core.Notification, key core.Idempotency) (string, error) {
	if !key.Wanted() {
		return "", nil
	}
	b, err := json.Marshal(n)
	return string(b), err
}

func dataColumn(data map[string]string) (any, error) {
	if len(data) == 0 {
		return nil, nil
	}
	b, err := json.Marshal(data)
	return string(b), err
}

// notificationColumns are those of notifications n, channels c and publishers p.
const notificationColumns = `
	n.id, n.title, n.body, coalesce(n.image, '') as image, coalesce(n.icon, '') as icon, coalesce(n.link, '') as link,
	n.importance, n.data, coalesce(n.external_id, '') as external_id, n.visible,
	n.published_at, n.scheduled_at, n.expires_at, n.edited_at, n.withdrawn_at,
	c.id as channel_id, c.slug as channel_slug, c.name as channel_name, coalesce(c.icon, '') as channel_icon, p.slug as publisher_slug`

// IsRead is true when a reader with subscription s and receipt r has read n; readState is since when.
const IsRead = "coalesce(r.read, n.ordinal <= s.read_ordinal, false)"
const readState = `case when ` + IsRead + ` then coalesce(r.read_at, s.read_at) end as read_at`

type notificationRow struct {
	ID            core.ID
	Title         string
	Body          string
	Image         string
	Icon          string
	Link          string
	Importance    core.Importance
	Data          map[string]string `bun:"type:jsonb"`
	ExternalID    string
	Visible       bool
	PublishedAt   *time.Time
	ScheduledAt   *time.Time
	ExpiresAt     *time.Time
	EditedAt      *time.Time
	WithdrawnAt   *time.Time
	ChannelID     core.ID
	ChannelSlug   string
	ChannelName   string
	ChannelIcon   string
	PublisherSlug string
	ReadAt        *time.Time
}

func (r notificationRow) notification() core.Notification {
	return core.Notification{
		ID:      r.ID,
		Channel: core.ChannelRef{ID: r.ChannelID, PublisherSlug: r.PublisherSlug, Slug: r.ChannelSlug, Name: r.ChannelName, Icon: r.ChannelIcon},
		Title:   r.Title, Body: r.Body, Image: r.Image, Icon: r.Icon, Link: r.Link, Importance: r.Importance, Data: r.Data,
		ExternalID: r.ExternalID, Visible: r.Visible, PublishedAt: r.PublishedAt, ScheduledAt: r.ScheduledAt,
		ExpiresAt: r.ExpiresAt, EditedAt: r.EditedAt, WithdrawnAt: r.WithdrawnAt, ReadAt: r.ReadAt,
	}
}

func notifications(rows []notificationRow) []core.Notification {
	out := make([]core.Notification, len(rows))
	for i, r := range rows {
		out[i] = r.notification()
	}
	return out
}

// oneNotification selects notifications; the argument is the reader's id or NULL. It is for bun.
var oneNotification = selectNotifications("?")

// hotNotifications is oneNotification for pgx.
var hotNotifications = selectNotifications("$1")

func selectNotifications(reader string) string {
	return `
	select` + notificationColumns + `, ` + readState + `
	from notifications n
	join channels c on c.id = n.channel_id
	join publishers p on p.id = c.publisher_id
	left join subscriptions s on s.subscriber_id = ` + reader + `::uuid and s.channel_id = n.channel_id
	left join receipts r on r.subscriber_id = s.subscriber_id and r.notification_id = n.id
	where `
}

func notificationWhere(ctx context.Context, db bun.IDB, reader *core.ID, where string, args ...any) (core.Notification, error) {
	var r notificationRow
	err := db.NewRaw(oneNotification+where, append([]any{reader}, args...)...).Scan(ctx, &r)
	if err != nil {
		return core.Notification{}, Error(err)
	}
	return r.notification(), nil
}

// NotificationByID finds a notification for its dispatch, visible or not.
func NotificationByID(ctx context.Context, db bun.IDB, id core.ID) (core.Notification, error) {
	return notificationWhere(ctx, db, nil, "n.id = ?", id)
}

// NotificationsByID finds notifications for their dispatches, visible or not, newest first.
func NotificationsByID(ctx context.Context, db bun.IDB, ids []core.ID) ([]core.Notification, error) {
	var rows []notificationRow
	err := db.NewRaw(oneNotification+"n.id = any (?::uuid[]) order by n.published_at desc, n.id desc", nil, uuidArray(ids)).Scan(ctx, &rows)
	if err != nil {
		return nil, Error(err)
	}
	return notifications(rows), nil
}

// Notification implements core.NotificationStore.
func (s *Store) Notification(ctx context.Context, channelID, id core.ID, reader *core.ID) (core.Notification, error) {
	return notificationWhere(ctx, s.db, reader, "n.channel_id = ? and n.id = ?", channelID, id)
}

// Notifications implements core.NotificationStore.
func (s *Store) Notifications(ctx context.Context, channel core.ChannelRef, page core.Page, reader *core.ID) ([]core.Notification, int64, *int64, error) {
	after, args := afterCursor(page.After, 3)
	rows, err := hotRows[notificationRow](ctx, s, hotNotifications+"n.channel_id = $2 and n.visible"+after+" order by n.published_at desc, n.id desc"+limit(page),
		append([]any{reader, channel.ID}, args...)...)
	if err != nil {
		return nil, 0, nil, Error(err)
	}
	var total int64
	err = s.hotRow(ctx, "select coalesce(sum(visible), 0)::bigint from channel_counts where channel_id = $1", channel.ID).Scan(&total)
	if err != nil || reader == nil {
		return notifications(rows), total, nil, Error(err)
	}
	var unread int64
	err = s.hotRow(ctx, channelUnread, *reader, channel.ID).Scan(&unread)
	if errors.Is(err, pgx.ErrNoRows) { // not followed
		return notifications(rows), total, nil, nil
	}
	return notifications(rows), total, &unread, Error(err)
}

// Scheduled implements core.NotificationStore.
func (s *Store) Scheduled(ctx context.Context, channel core.ChannelRef, page core.Page) ([]core.Notification, int64, error) {
	const scheduled = "n.channel_id = ? and n.published_at is null and n.withdrawn_at is null"
	var rows []notificationRow
	err := s.db.NewRaw(oneNotification+scheduled+" order by n.scheduled_at, n.id"+limit(page), nil, channel.ID).Scan(ctx, &rows)
	if err != nil {
		return nil, 0, Error(err)
	}
	total, err := s.total(ctx, page, len(rows), "notifications n where "+scheduled, channel.ID)
	return notifications(rows), total, err
}

// afterCursor is the condition that a notification comes after the cursor, whose arguments have numbers from first on.
func afterCursor(c *core.Cursor, first int) (string, []any) {
	if c == nil {
		return "", nil
	}
	condition := fmt.Sprintf(" and (n.published_at, n.id) < ($%d::timestamptz, $%d::uuid)", first, first+1)
	return condition, []any{c.PublishedAt, c.ID}
}

// Correct implements core.NotificationStore.
func (s *Store) Correct(ctx context.Context, channelID, id core.ID, now time.Time, change func(*core.Notification) error) (n core.Notification, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if _, err := tx.NewRaw("select 1 from notifications where channel_id = ? and id = ? for update", channelID, id).Exec(ctx); err != nil {
			return err
		}
		n, err = notificationWhere(ctx, tx, nil, "n.channel_id = ? and n.id = ?", channelID, id)
		if err != nil {
			return err
		}
		was := n.Visible
		if err := change(&n); errors.Is(err, core.ErrUnchanged) {
			return nil
		} else if err != nil {
			return err
		}
		if err := updateNotification(ctx, tx, n); err != nil {
			return err
		}
		return countVisible(ctx, tx, channelID, was, n.Visible)
	})
	return n, err
}

// updateNotification writes all of a notification that can change. One that is visible again, because it expires later,
// loses its position: it gets a new one on the stream, where it is published a second time.
func updateNotification(ctx context.Context, tx Tx, n core.Notification) error {
	data, err := dataColumn(n.Data)
	if err != nil {
		return err
	}
	_, err = tx.NewRaw(`
		update notifications set title = ?, body = ?, image = ?, icon = ?, link = ?, importance = ?, data = ?::jsonb,
			visible = ?, pending = ?, published_at = ?, scheduled_at = ?, expires_at = ?, edited_at = ?, withdrawn_at = ?,
			position = case when visible or not ? then position end
		where id = ?`,
		n.Title, n.Body, null(n.Image), null(n.Icon), null(n.Link), n.Importance, data,
		n.Visible, n.PublishedAt != nil, n.PublishedAt, n.ScheduledAt, n.ExpiresAt, n.EditedAt, n.WithdrawnAt,
		n.Visible, n.ID).Exec(ctx)
	return err
}

func countVisible(ctx context.Context, tx Tx, channelID core.ID, was, is bool) error {
	if was == is {
		return nil
	}
	by := 1
	if was {
		by = -1
	}
	_, err := tx.NewRaw(`
		insert into channel_counts as k (channel_id, stripe, visible) values (?, ?, ?)
		on conflict (channel_id, stripe) do update set visible = k.visible + excluded.visible`, channelID, Stripe(), by).Exec(ctx)
	return err
}
