package postgres

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type idempotencyKeyRow struct {
	bun.BaseModel `bun:"table:idempotency_keys,alias:k"`

	ID             core.ID    `bun:"id,pk"`
	BodyHash       []byte     `bun:"body_hash"`
	NotificationID core.ID    `bun:"notification_id,nullzero"`
	PublishedAt    *time.Time `bun:"published_at"`
	Caller         string     `bun:"caller,nullzero"`
	Response       string     `bun:"response,nullzero"` // JSON of the result
	Existing       bool       `bun:"existing"`
	CreatedAt      time.Time  `bun:"created_at,nullzero,default:now()"`
}

func newIdempotencyKeyRow(key core.Idempotency) idempotencyKeyRow {
	return idempotencyKeyRow{ID: KeyID(key), BodyHash: key.BodyHash, Caller: key.Caller}
}

// KeyID returns what a key is stored under: it is shorter than the key with its caller and route.
func KeyID(key core.Idempotency) (id core.ID) {
	hash := sha256.Sum256([]byte(key.Caller + "\n" + key.Route + "\n" + key.Key))
	copy(id[:], hash[:])
	return id
}

// Once runs create and stores its result *made under the key, in the same transaction. If the key was used before, it
// loads the earlier result into *made instead. It waits up to lockTimeout for another request that uses the key. A
// caller that knows the likely result puts it into *made, which saves a statement when create leaves it so.
func Once[T any](
	ctx context.Context, tx bun.IDB, key core.Idempotency, made *T, create func() (core.Creation, error),
) (core.Creation, error) {
	if !key.Wanted() {
		return create()
	}
	likely, err := json.Marshal(made)
	if err != nil {
		return 0, err
	}
	row := newIdempotencyKeyRow(key)
	row.Response = string(likely)
	claimed, err := claimKey(ctx, tx, row)
	if err != nil {
		return 0, err
	}
	if !claimed {
		return Replay(ctx, tx, key, made)
	}
	creation, err := create()
	if err != nil {
		return 0, err
	}
	result, err := json.Marshal(made)
	if err != nil || creation != core.Existing && bytes.Equal(result, likely) {
		return creation, err
	}
	row.Response, row.Existing = string(result), creation == core.Existing
	_, err = tx.NewUpdate().Model(&row).Column("response", "existing").WherePK().Exec(ctx)
	return creation, Error(err)
}

// claimKey reports whether the key was not used before.
func claimKey(ctx context.Context, tx bun.IDB, row idempotencyKeyRow) (bool, error) {
	err := affected(tx.NewInsert().Model(&row).On("CONFLICT (id) DO NOTHING").Exec(ctx))
	switch {
	case IsLockTimeout(err):
		return false, core.ErrKeyInFlight()
	case core.IsCode(err, core.CodeNotFound):
		return false, nil
	default:
		return err == nil, err
	}
}

// Replay loads the result of the first request with the key, which must have had the same body. It fails with
// CodeNotFound when there was none, or the request has no key.
func Replay[T any](ctx context.Context, db bun.IDB, key core.Idempotency, made *T) (core.Creation, error) {
	row, err := findKey(ctx, db, key)
	if err != nil {
		return 0, err
	}
	return replayed(row, made)
}

// ReplayPublish is Replay for a notification. What was published is not stored with the key: again, which is made of
// the repeated request, becomes the first response by its id and its time.
func ReplayPublish(
	ctx context.Context, db bun.IDB, key core.Idempotency, again core.Notification,
) (core.Notification, core.Creation, error) {
	row, err := findKey(ctx, db, key)
	switch {
	case err != nil:
		return again, 0, err
	case row.NotificationID != core.ID{}:
		again.ID, again.PublishedAt, again.Visible = row.NotificationID, row.PublishedAt, row.PublishedAt != nil
		return again, core.Replayed, asShownAt(ctx, db, &again.Channel, row.CreatedAt)
	}
	creation, err := replayed(row, &again)
	return again, creation, err
}

// asShownAt sets the name and icon that a channel had at a time.
func asShownAt(ctx context.Context, db bun.IDB, channel *core.ChannelRef, at time.Time) error {
	err := db.NewSelect().Table("former_channel_names").ColumnExpr("name, coalesce(icon, '')").
		Where("channel_id = ?", channel.ID).Where("until > ?", at).Order("until").Limit(1).
		Scan(ctx, &channel.Name, &channel.Icon)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return Error(err)
}

func replayed[T any](row idempotencyKeyRow, made *T) (core.Creation, error) {
	var first T // *made may hold the repeated request, of which unstored fields would remain
	if err := json.Unmarshal([]byte(row.Response), &first); err != nil {
		return 0, fmt.Errorf("read the stored result of an idempotency key: %w", err)
	}
	*made = first
	if row.Existing {
		return core.ReplayedExisting, nil
	}
	return core.Replayed, nil
}

func findKey(ctx context.Context, db bun.IDB, key core.Idempotency) (idempotencyKeyRow, error) {
	row := newIdempotencyKeyRow(key)
	if !key.Wanted() {
		return row, core.NotFound()
	}
	if err := db.NewSelect().Model(&row).WherePK().Scan(ctx); err != nil {
		return row, Error(err)
	}
	if !bytes.Equal(row.BodyHash, key.BodyHash) {
		return row, core.ErrKeyReused()
	}
	return row, nil
}
