package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// NotificationByExternalID finds the notification of a channel with an external id, visible or not.
func NotificationByExternalID(
	ctx context.Context, db bun.IDB, channelID core.ID, externalID string, reader *core.ID,
) (core.Notification, error) {
	return notification(ctx, selectNotifications(db, reader).
		Where("n.channel_id = ?", channelID).Where("n.external_id = ?", externalID))
}

// Replay implements core.NotificationStore.
func (s *Store) Replay(
	ctx context.Context, key core.Idempotency, again core.Notification,
) (core.Notification, core.Creation, error) {
	return ReplayPublish(ctx, s.db, key, again)
}

// ReplayBatch implements core.NotificationStore.
func (s *Store) ReplayBatch(
	ctx context.Context, key core.Idempotency,
) (all []core.Published, creation core.Creation, err error) {
	creation, err = Replay(ctx, s.db, key, &all)
	return all, creation, err
}

// dataColumn returns the data of a notification as JSON, or nil when there is none.
func dataColumn(data map[string]string) (*string, error) {
	if len(data) == 0 {
		return nil, nil
	}
	b, err := json.Marshal(data)
	return new(string(b)), err
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
	ReadAt       *time.Time `bun:"read_at,scanonly"`
	ArchivedAt   *time.Time `bun:"archived_at,scanonly"`
	SnoozedUntil *time.Time `bun:"snoozed_until,scanonly"`
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
		WithdrawnAt: r.WithdrawnAt, ReadAt: r.ReadAt, ArchivedAt: r.ArchivedAt, SnoozedUntil: r.SnoozedUntil,
	}
}

// notificationColumns are the columns of notificationRow, except those of readState, for a raw statement with
// notifications n, channels c and publishers p. pgx scans no NULL into a string.
const notificationColumns = `
	n.id, n.channel_id, n.title, n.body, coalesce(n.image, '') as image, coalesce(n.icon, '') as icon,
	coalesce(n.link, '') as link, n.importance, n.data, coalesce(n.external_id, '') as external_id, n.visible,
	n.published_at, n.scheduled_at, n.expires_at, n.edited_at, n.withdrawn_at, ` + channelRefColumns

func selectNotifications(db bun.IDB, reader *core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*notificationRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr(channelRefColumns).ColumnExpr(readState).
		Join("join channels c on c.id = n.channel_id").Join("join publishers p on p.id = c.publisher_id").
		Join(joinReader("?0::uuid"), reader)
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
	err := selectNotifications(db, nil).Model(&rows).Where("n.id = any (?::uuid[])", UUIDs(ids)).
		Order("n.published_at desc", "n.id desc").Scan(ctx)
	return converted(rows, notificationRow.notification), Error(err)
}

// Notification implements core.NotificationStore.
func (s *Store) Notification(ctx context.Context, channelID, id core.ID, reader *core.ID) (core.Notification, error) {
	q := selectNotifications(s.db, reader).Where("n.channel_id = ?", channelID).Where("n.id = ?", id)
	return notification(ctx, q)
}

// NotificationByExternalID implements core.NotificationStore.
func (s *Store) NotificationByExternalID(
	ctx context.Context, channelID core.ID, externalID string, reader *core.ID,
) (core.Notification, error) {
	return NotificationByExternalID(ctx, s.db, channelID, externalID, reader)
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

// LockNotification finds a notification that is to be changed.
func LockNotification(ctx context.Context, tx Tx, channelID, id core.ID) (core.Notification, error) {
	return notification(ctx, selectNotifications(tx, nil).
		Where("n.channel_id = ?", channelID).Where("n.id = ?", id).For("no key update of n"))
}

// UpdateNotification stores what can change of a notification, except its place on the stream.
func UpdateNotification(ctx context.Context, tx Tx, n core.Notification) error {
	_, err := tx.NewUpdate().Model(new(newNotificationRow(n))).WherePK().
		ExcludeColumn("id", "channel_id", "external_id").Exec(ctx)
	return err
}
