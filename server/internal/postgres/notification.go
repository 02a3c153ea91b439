package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// Publish implements core.NotificationStore in one statement, unless there is an external id: then the result may be an
// older notification, which is stored with the key.
func (s *Store) Publish(ctx context.Context, n core.Notification, key core.Idempotency) (
	core.Notification, core.Creation, error) {
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

func (s *Store) publishOnce(ctx context.Context, n core.Notification, key core.Idempotency) (
	out core.Notification, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &out, func() (creation core.Creation, err error) {
			out, creation, err = publish(ctx, tx, n)
			return creation, err
		})
		return err
	})
	return out, creation, err
}

// publish stores a notification in a transaction, or finds the one with its external id.
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
		existing, err := notification(ctx, selectNotifications(tx, nil).
			Where("n.channel_id = ?", n.Channel.ID).Where("n.external_id = ?", n.ExternalID))
		return existing, core.Existing, err
	}
	return n, core.Created, nil
}

// Replay implements core.NotificationStore.
func (s *Store) Replay(
	ctx context.Context, key core.Idempotency,
) (n core.Notification, creation core.Creation, err error) {
	creation, err = replayWanted(ctx, s.db, key, &n)
	return n, creation, err
}

// insertNotification returns fresh, 1 if the key is new or there is none, and inserted, the number of rows.
const insertNotification = `
	with key as (
		insert into idempotency_keys (caller, key, route, body_hash, answer)
		select $1::text, $2::text, $3::text, $4::bytea, $5::text where $6::boolean
		on conflict (caller, route, key) do nothing returning 1
	), fresh as (
		select 1 where not $6::boolean or exists (select from key)
	), inserted as (
		insert into notifications (id, channel_id, title, body, image, icon, link, importance, data, external_id,
			visible, pending, published_at, scheduled_at, expires_at)
		select $7::uuid, $8::uuid, $9::text, $10::text, $11::text, $12::text, $13::text, $14::text, $15::jsonb,
			$16::text, $17::boolean, $18::boolean, $19::timestamptz, $20::timestamptz, $21::timestamptz from fresh
		on conflict (channel_id, external_id) where external_id is not null do nothing
		returning channel_id, visible
	), counted as (
		insert into channel_counts as k (channel_id, stripe, visible)
		select channel_id, $22::smallint, 1 from inserted where visible
		on conflict (channel_id, stripe) do update set visible = k.visible + 1
	)
	select (select count(*) from fresh), (select count(*) from inserted)`

// publishArgs are the arguments of insertNotification.
func publishArgs(n core.Notification, key core.Idempotency) ([]any, error) {
	response, err := storedResponse(n, key)
	if err != nil {
		return nil, err
	}
	data, err := dataColumn(n.Data)
	return []any{
		key.Caller, key.Key, key.Route, key.BodyHash, response, key.Wanted(), n.ID, n.Channel.ID, n.Title, n.Body,
		null(n.Image), null(n.Icon), null(n.Link), string(n.Importance), data, null(n.ExternalID), n.Visible,
		n.PublishedAt != nil, n.PublishedAt, n.ScheduledAt, n.ExpiresAt, Stripe(),
	}, err
}

func storedResponse(n core.Notification, key core.Idempotency) (string, error) {
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

// null returns s, or NULL for "".
func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

type notificationRow struct {
	bun.BaseModel `bun:"table:notifications,alias:n"`

	ID          core.ID           `bun:"id,pk"`
	ChannelID   core.ID           `bun:"channel_id"`
	Title       string            `bun:"title"`
	Body        string            `bun:"body"`
	Image       string            `bun:"image,nullzero"`
	Icon        string            `bun:"icon,nullzero"`
	Link        string            `bun:"link,nullzero"`
	Importance  core.Importance   `bun:"importance"`
	Data        map[string]string `bun:"data,type:jsonb,nullzero"`
	ExternalID  string            `bun:"external_id,nullzero"`
	Visible     bool              `bun:"visible"`
	PublishedAt *time.Time        `bun:"published_at"`
	ScheduledAt *time.Time        `bun:"scheduled_at"`
	ExpiresAt   *time.Time        `bun:"expires_at"`
	EditedAt    *time.Time        `bun:"edited_at"`
	WithdrawnAt *time.Time        `bun:"withdrawn_at"`
	channelRefRow
	ReadAt *time.Time `bun:"read_at,scanonly"`
}

func newNotificationRow(n core.Notification) notificationRow {
	return notificationRow{
		ID: n.ID, ChannelID: n.Channel.ID, Title: n.Title, Body: n.Body, Image: n.Image, Icon: n.Icon, Link: n.Link,
		Importance: n.Importance, Data: n.Data, ExternalID: n.ExternalID, Visible: n.Visible,
		PublishedAt: n.PublishedAt, ScheduledAt: n.ScheduledAt, ExpiresAt: n.ExpiresAt, EditedAt: n.EditedAt,
		WithdrawnAt: n.WithdrawnAt,
	}
}

func (r notificationRow) notification() core.Notification {
	return core.Notification{
		ID: r.ID, Channel: r.ref(r.ChannelID), Title: r.Title, Body: r.Body, Image: r.Image, Icon: r.Icon, Link: r.Link,
		Importance: r.Importance, Data: r.Data, ExternalID: r.ExternalID, Visible: r.Visible,
		PublishedAt: r.PublishedAt, ScheduledAt: r.ScheduledAt, ExpiresAt: r.ExpiresAt, EditedAt: r.EditedAt,
		WithdrawnAt: r.WithdrawnAt, ReadAt: r.ReadAt,
	}
}

// notificationColumns are the columns of notificationRow, except read_at, for a raw statement with notifications n,
// channels c and publishers p. pgx scans no NULL into a string.
const notificationColumns = `
	n.id, n.channel_id, n.title, n.body, coalesce(n.image, '') as image, coalesce(n.icon, '') as icon,
	coalesce(n.link, '') as link, n.importance, n.data, coalesce(n.external_id, '') as external_id, n.visible,
	n.published_at, n.scheduled_at, n.expires_at, n.edited_at, n.withdrawn_at, ` + channelRefColumns

// IsRead is true when a reader with subscription s and receipt r has read notification n.
const IsRead = "coalesce(r.read, n.ordinal <= s.read_ordinal, false)"

// readState is the time since when IsRead is true.
const readState = `case when ` + IsRead + ` then coalesce(r.read_at, s.read_at) end as read_at`

// subscriptionOfReader and receiptOfReader join what IsRead needs of the reader, whose id may be NULL.
const (
	subscriptionOfReader = "left join subscriptions s on s.channel_id = n.channel_id and s.subscriber_id = "
	receiptOfReader      = "left join receipts r on r.subscriber_id = s.subscriber_id and r.notification_id = n.id"
)

func selectNotifications(db bun.IDB, reader *core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*notificationRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr(channelRefColumns).ColumnExpr(readState).
		Join("join channels c on c.id = n.channel_id").Join("join publishers p on p.id = c.publisher_id").
		Join(subscriptionOfReader+"?", reader).Join(receiptOfReader)
}

func notification(ctx context.Context, q *bun.SelectQuery) (core.Notification, error) {
	var r notificationRow
	err := q.Model(&r).Scan(ctx)
	return r.notification(), Error(err)
}

// NotificationByID finds a notification for its dispatch, visible or not.
func NotificationByID(ctx context.Context, db bun.IDB, id core.ID) (core.Notification, error) {
	return notification(ctx, selectNotifications(db, nil).Where("n.id = ?", id))
}

// NotificationsByID finds notifications for their dispatches, visible or not, newest first.
func NotificationsByID(ctx context.Context, db bun.IDB, ids []core.ID) ([]core.Notification, error) {
	var rows []notificationRow
	err := selectNotifications(db, nil).Model(&rows).Where("n.id = any (?::uuid[])", uuidArray(ids)).
		Order("n.published_at desc", "n.id desc").Scan(ctx)
	return converted(rows, notificationRow.notification), Error(err)
}

// Notification implements core.NotificationStore.
func (s *Store) Notification(ctx context.Context, channelID, id core.ID, reader *core.ID) (core.Notification, error) {
	q := selectNotifications(s.db, reader).Where("n.channel_id = ?", channelID).Where("n.id = ?", id)
	return notification(ctx, q)
}

// listNotifications selects the visible notifications of channel $2 for reader $1.
const listNotifications = `
	select` + notificationColumns + `, ` + readState + `
	from notifications n
	join channels c on c.id = n.channel_id
	join publishers p on p.id = c.publisher_id
	` + subscriptionOfReader + `$1::uuid
	` + receiptOfReader + `
	where n.channel_id = $2 and n.visible`

// visibleCount counts the visible notifications of channel $1.
const visibleCount = "select coalesce(sum(visible), 0)::bigint from channel_counts where channel_id = $1"

// Notifications implements core.NotificationStore.
func (s *Store) Notifications(ctx context.Context, channel core.ChannelRef, page core.Page, reader *core.ID) (
	data []core.Notification, total int64, unread *int64, err error) {
	after, args := afterCursor(page.After, 3)
	query := listNotifications + after + " order by n.published_at desc, n.id desc" + limit(page)
	rows, err := hotRows[notificationRow](ctx, s, query, append([]any{reader, channel.ID}, args...)...)
	if err != nil {
		return nil, 0, nil, Error(err)
	}
	data = converted(rows, notificationRow.notification)
	err = s.hotRow(ctx, visibleCount, channel.ID).Scan(&total)
	if err != nil || reader == nil {
		return data, total, nil, Error(err)
	}
	err = s.hotRow(ctx, channelUnread, *reader, channel.ID).Scan(&unread)
	if errors.Is(err, pgx.ErrNoRows) { // not followed
		return data, total, nil, nil
	}
	return data, total, unread, Error(err)
}

// Scheduled implements core.NotificationStore.
func (s *Store) Scheduled(
	ctx context.Context, channel core.ChannelRef, page core.Page,
) ([]core.Notification, int64, error) {
	q := selectNotifications(s.db, nil).Where("n.channel_id = ?", channel.ID).
		Where("n.published_at is null").Where("n.withdrawn_at is null").Order("n.scheduled_at", "n.id")
	return list(ctx, q, page, notificationRow.notification)
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
func (s *Store) Correct(ctx context.Context, channelID, id core.ID, now time.Time,
	change func(*core.Notification) error) (n core.Notification, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		n, err = notification(ctx, selectNotifications(tx, nil).
			Where("n.channel_id = ?", channelID).Where("n.id = ?", id).For("update of n"))
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

// updateNotification stores what can change of a notification. One that is visible again, because it expires later,
// loses its publication position (column position), so that it is published on the stream a second time.
func updateNotification(ctx context.Context, tx Tx, n core.Notification) error {
	_, err := tx.NewUpdate().Model(new(newNotificationRow(n))).WherePK().
		ExcludeColumn("id", "channel_id", "external_id").
		Set("pending = ?", n.PublishedAt != nil).
		Set("position = case when n.visible or not ? then n.position end", n.Visible).Exec(ctx)
	return err
}

func countVisible(ctx context.Context, tx Tx, channelID core.ID, was, is bool) error {
	switch {
	case is && !was:
		return addCounts(ctx, tx, channelCountRow{ChannelID: channelID, Visible: 1})
	case was && !is:
		return addCounts(ctx, tx, channelCountRow{ChannelID: channelID, Visible: -1})
	default:
		return nil
	}
}
