package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type accessTokenRow struct {
	bun.BaseModel `bun:"table:access_tokens,alias:t"`

	ID           core.ID      `bun:"id,pk"`
	SubscriberID core.ID      `bun:"subscriber_id"`
	ParentID     *core.ID     `bun:"parent_id"`
	Name         string       `bun:"name"`
	Hint         string       `bun:"hint"`
	SecretHash   []byte       `bun:"secret_hash"`
	Scopes       []core.Scope `bun:"scopes,array"`
	ExpiresAt    *time.Time   `bun:"expires_at"`
	LastUsedAt   *time.Time   `bun:"last_used_at"`
	CreatedAt    time.Time    `bun:"created_at"`
	RevokedAt    *time.Time   `bun:"revoked_at"`
}

func (r accessTokenRow) accessToken() core.AccessToken {
	return core.AccessToken{
		ID: r.ID, SubscriberID: r.SubscriberID, ParentID: r.ParentID, Name: r.Name, Hint: r.Hint, Scopes: r.Scopes,
		ExpiresAt: r.ExpiresAt, LastUsedAt: r.LastUsedAt, CreatedAt: r.CreatedAt, RevokedAt: r.RevokedAt,
	}
}

// AccessTokenBySecret implements core.AccessTokenStore. It updates the time of the last use once a minute, so that a
// busy token costs no write per request.
func (s *Store) AccessTokenBySecret(ctx context.Context, hash []byte, now time.Time) (core.AccessToken, error) {
	var t core.AccessToken
	var r suspensionRow
	err := s.db.hotRow(ctx, `
		select t.id, t.subscriber_id, t.scopes, t.expires_at, t.last_used_at, s.suspended_at, s.suspension_reason
		from access_tokens t join subscribers s on s.id = t.subscriber_id
		where t.secret_hash = $1 and t.revoked_at is null and t.expires_at > $2`, hash, now).
		Scan(&t.ID, &t.SubscriberID, &t.Scopes, &t.ExpiresAt, &t.LastUsedAt, &r.SuspendedAt, &r.SuspensionReason)
	t.Suspension = r.suspension()
	if err == nil && t.Suspension == nil && (t.LastUsedAt == nil || now.Sub(*t.LastUsedAt) > time.Minute) {
		row := accessTokenRow{ID: t.ID, LastUsedAt: &now}
		_, err = s.db.NewUpdate().Model(&row).Column("last_used_at").WherePK().
			Where("last_used_at is null or last_used_at < ?", now.Add(-time.Minute)).Exec(ctx)
	}
	return t, Error(err)
}

// CreateAccessToken implements core.AccessTokenStore.
func (s *Store) CreateAccessToken(ctx context.Context, t core.AccessToken, hash []byte, key core.Idempotency) (
	core.AccessToken, core.Creation, error,
) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = Once(ctx, tx, key, &t, func() (core.Creation, error) {
			if err := lockParent(ctx, tx, t); err != nil {
				return 0, err
			}
			if err := s.insertAccessToken(ctx, tx, t, hash); err != nil {
				return 0, err
			}
			return core.Created, auditAccessToken(ctx, tx, t.SubscriberID, t.ID, t.Name)
		})
		return err
	})
	return t, creation, err
}

// lockParent keeps the token's parent from being revoked, and fails when it was.
func lockParent(ctx context.Context, tx Tx, t core.AccessToken) error {
	if t.ParentID == nil {
		return nil
	}
	if err := lockTokens(ctx, tx, t.SubscriberID); err != nil {
		return err
	}
	valid, err := tx.NewSelect().Model((*accessTokenRow)(nil)).
		Where("id = ?", *t.ParentID).Where("revoked_at IS NULL").Exists(ctx)
	if err == nil && !valid {
		err = core.ErrTokenRevoked()
	}
	return err
}

// lockTokens keeps others from creating tokens with a person's tokens, and from revoking them. It locks the person,
// because no lock of a token finds those that its descendants create meanwhile.
func lockTokens(ctx context.Context, tx Tx, subscriberID core.ID) error {
	return lockPerson(ctx, tx, subscriberID)
}

func (s *Store) insertAccessToken(ctx context.Context, tx Tx, t core.AccessToken, hash []byte) error {
	row := accessTokenRow{
		ID: t.ID, SubscriberID: t.SubscriberID, Name: t.Name, Hint: t.Hint, SecretHash: hash,
		ParentID: t.ParentID, Scopes: t.Scopes, ExpiresAt: t.ExpiresAt, CreatedAt: t.CreatedAt,
	}
	if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
		return Error(err)
	}
	theirs := tx.NewSelect().Model((*accessTokenRow)(nil)).
		Where("subscriber_id = ?", t.SubscriberID).
		Where("revoked_at IS NULL").Where("expires_at > ?", t.CreatedAt)
	return s.checkCap(ctx, tx, core.CapAccessTokens, t.SubscriberID, theirs)
}

// ReplayAccessToken implements core.AccessTokenStore.
func (s *Store) ReplayAccessToken(ctx context.Context, key core.Idempotency) (
	t core.AccessToken, creation core.Creation, err error,
) {
	creation, err = Replay(ctx, s.db, key, &t)
	return t, creation, err
}

// AccessTokens implements core.AccessTokenStore.
func (s *Store) AccessTokens(ctx context.Context, subscriberID core.ID, page core.Page) (
	[]core.AccessToken, int64, error,
) {
	q := s.db.NewSelect().Where("subscriber_id = ?", subscriberID).Where("revoked_at IS NULL").
		Order("created_at DESC", "id DESC")
	return list(ctx, q, page, accessTokenRow.accessToken)
}

// RevokeAccessToken implements core.AccessTokenStore. Its statement is raw because it is recursive.
func (s *Store) RevokeAccessToken(
	ctx context.Context, subscriberID, id core.ID, now time.Time,
) (revoked []core.ID, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockTokens(ctx, tx, subscriberID); err != nil {
			return err
		}
		var r accessTokenRow
		err := tx.NewSelect().Model(&r).Where("id = ?", id).Where("subscriber_id = ?", subscriberID).Scan(ctx)
		if err != nil {
			return err
		}
		err = tx.NewRaw(`
			with recursive family as (
				select ?::uuid as id
				union all
				select t.id from access_tokens t join family f on t.parent_id = f.id
			)
			update access_tokens t set revoked_at = coalesce(t.revoked_at, ?) from family f where t.id = f.id
			returning t.id`, id, now).Scan(ctx, &revoked)
		if err != nil {
			return err
		}
		_, err = retireDevices(tx, core.RetiredSignedOut, now).
			Where("access_token_id = any (?::uuid[])", UUIDs(revoked)).Exec(ctx)
		if err != nil {
			return err
		}
		return auditAccessToken(ctx, tx, subscriberID, id, r.Name)
	})
	return revoked, err
}
