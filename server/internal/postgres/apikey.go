package postgres

import (
	"cmp"
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type apiKeyRow struct {
	bun.BaseModel `bun:"table:api_keys,alias:k"`

	ID          core.ID      `bun:"id,pk"`
	PublisherID core.ID      `bun:"publisher_id"`
	Name        string       `bun:"name"`
	Hint        string       `bun:"hint"`
	SecretHash  []byte       `bun:"secret_hash"`
	Scopes      []core.Scope `bun:"scopes,array"`
	ExpiresAt   *time.Time   `bun:"expires_at"`
	LastUsedAt  *time.Time   `bun:"last_used_at"`
	CreatedAt   time.Time    `bun:"created_at"`
	RotatedAt   *time.Time   `bun:"rotated_at"`
	RevokedAt   *time.Time   `bun:"revoked_at"`
	CreatedBy   *core.ID     `bun:"created_by"`
}

// createdKey is a key with its creator.
type createdKey struct {
	apiKeyRow     `bun:",extend"`
	CreatorName   string `bun:"creator_name,scanonly"`
	CreatorMember bool   `bun:"creator_member,scanonly"`
}

func (r createdKey) apiKey() core.APIKey {
	k := r.apiKeyRow.apiKey()
	if r.CreatedBy != nil {
		k.CreatedBy = &core.KeyCreator{ID: *r.CreatedBy, Name: r.CreatorName, Member: r.CreatorMember}
	}
	return k
}

// foundAPIKey is a key with what decides whether it is accepted.
type foundAPIKey struct {
	apiKeyRow
	suspensionRow         // of the publisher
	AccountID     core.ID // likewise
}

func (r foundAPIKey) apiKey() core.APIKey {
	k := r.apiKeyRow.apiKey()
	k.AccountID, k.Suspension = r.AccountID, r.suspension()
	return k
}

func (r apiKeyRow) apiKey() core.APIKey {
	return core.APIKey{
		ID: r.ID, PublisherID: r.PublisherID, Name: r.Name, Hint: r.Hint, Scopes: r.Scopes,
		ExpiresAt: r.ExpiresAt, LastUsedAt: r.LastUsedAt, CreatedAt: r.CreatedAt, RotatedAt: r.RotatedAt,
	}
}

// APIKeyBySecret implements core.APIKeyStore. It updates the time of the last use once a minute, so that a busy key
// costs no write per request.
func (s *Store) APIKeyBySecret(ctx context.Context, hash []byte, now time.Time) (core.APIKey, error) {
	k, err := s.apiKeys.get(ctx, string(hash))
	if err != nil || k.ExpiresAt != nil && !k.ExpiresAt.After(now) {
		return core.APIKey{}, cmp.Or(err, error(core.NotFound()))
	}
	if k.Suspension == nil && (k.LastUsedAt == nil || now.Sub(*k.LastUsedAt) > time.Minute) {
		row := apiKeyRow{ID: k.ID, LastUsedAt: &now}
		_, err = s.db.NewUpdate().Model(&row).Column("last_used_at").WherePK().
			Where("last_used_at is null or last_used_at < ?", now.Add(-time.Minute)).Exec(ctx)
	}
	return k, Error(err)
}

// findAPIKeys finds the keys that are not revoked, by the hashes of their secrets.
func (s *Store) findAPIKeys(ctx context.Context, secrets []string) (map[string]core.APIKey, error) {
	rows, err := Hot[foundAPIKey](ctx, s.db, `
		select k.id, k.publisher_id, k.name, k.hint, k.secret_hash, k.scopes, k.expires_at, k.last_used_at,
			k.created_at, k.rotated_at, k.revoked_at, k.created_by, p.suspended_at, p.suspension_reason, p.account_id
		from api_keys k cross join lateral (
			select suspended_at, suspension_reason, coalesce(account_id, id) as account_id
			from publishers where id = k.publisher_id limit 1) p
		where k.secret_hash = any ($1::bytea[]) and k.revoked_at is null`, hashes(secrets))
	found := make(map[string]core.APIKey, len(rows))
	for _, r := range rows {
		found[string(r.SecretHash)] = r.apiKey()
	}
	return found, err
}

// APIKeys implements core.APIKeyStore.
func (s *Store) APIKeys(ctx context.Context, publisherID core.ID, page core.Page) ([]core.APIKey, int64, error) {
	q := s.db.NewSelect().Model((*createdKey)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr("coalesce(s.name, '') as creator_name, m.subscriber_id is not null as creator_member").
		Join("left join subscribers s on s.id = k.created_by").
		Join("left join publisher_members m on m.publisher_id = k.publisher_id and m.subscriber_id = k.created_by").
		Where("k.publisher_id = ?", publisherID).Where("k.revoked_at IS NULL").Order("k.created_at DESC", "k.id DESC")
	return list(ctx, q, page, createdKey.apiKey)
}

// CreateAPIKey implements core.APIKeyStore.
func (s *Store) CreateAPIKey(ctx context.Context, k core.APIKey, hash []byte, key core.Idempotency) (
	core.APIKey, core.Creation, error,
) {
	var creation core.Creation
	err := s.tx(ctx, func(ctx context.Context, tx Tx) (err error) {
		creation, err = Once(ctx, tx, key, &k, func() (core.Creation, error) {
			if err := recheckCaller(ctx, tx, k.PublisherID, core.RoleOwner); err != nil {
				return 0, err
			}
			if err := insertAPIKey(ctx, tx, k, hash); err != nil {
				return 0, err
			}
			theirs := validKeys(tx, k.PublisherID, k.CreatedAt).Where("rotated_at IS NULL")
			if err := s.checkCap(ctx, tx, core.CapAPIKeys, k.PublisherID, theirs); err != nil {
				return 0, err
			}
			return core.Created, auditAPIKey(ctx, tx, k)
		})
		return err
	})
	return k, creation, err
}

func validKeys(tx Tx, publisherID core.ID, now time.Time) *bun.SelectQuery {
	return tx.NewSelect().Model((*apiKeyRow)(nil)).Where("publisher_id = ?", publisherID).
		Where("revoked_at IS NULL").Where("expires_at IS NULL OR expires_at > ?", now)
}

// auditAPIKey records a change of an API key.
func auditAPIKey(ctx context.Context, tx Tx, k core.APIKey) error {
	return audit(ctx, tx, core.AuditEntry{PublisherID: k.PublisherID, ObjectID: k.ID, Object: k.Name})
}

// ReplayAPIKey implements core.APIKeyStore.
func (s *Store) ReplayAPIKey(ctx context.Context, key core.Idempotency) (
	k core.APIKey, creation core.Creation, err error,
) {
	creation, err = Replay(ctx, s.db, key, &k)
	return k, creation, err
}

func insertAPIKey(ctx context.Context, db bun.IDB, k core.APIKey, hash []byte) error {
	row := apiKeyRow{
		ID: k.ID, PublisherID: k.PublisherID, Name: k.Name, Hint: k.Hint, SecretHash: hash, Scopes: k.Scopes,
		ExpiresAt: k.ExpiresAt, CreatedAt: k.CreatedAt,
	}
	if k.CreatedBy != nil {
		row.CreatedBy = &k.CreatedBy.ID
	}
	_, err := db.NewInsert().Model(&row).Exec(ctx)
	return Error(err)
}

// RotateAPIKey implements core.APIKeyStore. As many rotated keys may still be valid as keys that were not rotated.
func (s *Store) RotateAPIKey(
	ctx context.Context, publisherID, id core.ID, hash []byte, key core.Idempotency,
	rotate func(*core.APIKey) (core.APIKey, error),
) (k core.APIKey, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &k, func() (core.Creation, error) {
			if err := recheckCaller(ctx, tx, publisherID, core.RoleOwner); err != nil {
				return 0, err
			}
			k, err = rotateAPIKey(ctx, tx, publisherID, id, rotate)
			if err != nil {
				return 0, err
			}
			if err := insertAPIKey(ctx, tx, k, hash); err != nil {
				return 0, err
			}
			rotated := validKeys(tx, publisherID, k.CreatedAt).Where("rotated_at IS NOT NULL")
			if err := s.checkCap(ctx, tx, core.CapAPIKeys, publisherID, rotated); err != nil {
				return 0, err
			}
			return core.Created, auditAPIKey(ctx, tx, k)
		})
		return err
	})
	return k, creation, err
}

// rotateAPIKey lets rotate change a key and returns its successor.
func rotateAPIKey(ctx context.Context, tx Tx, publisherID, id core.ID, rotate func(*core.APIKey) (core.APIKey, error)) (
	core.APIKey, error,
) {
	var row apiKeyRow
	err := tx.NewSelect().Model(&row).
		Where("id = ?", id).Where("publisher_id = ?", publisherID).Where("revoked_at IS NULL").For("UPDATE").Scan(ctx)
	if err != nil {
		return core.APIKey{}, err
	}
	old := row.apiKey()
	successor, err := rotate(&old)
	if err != nil {
		return core.APIKey{}, err
	}
	row.ExpiresAt, row.RotatedAt = old.ExpiresAt, old.RotatedAt
	_, err = tx.NewUpdate().Model(&row).Column("expires_at", "rotated_at").WherePK().Exec(ctx)
	return successor, err
}

// RevokeAPIKey implements core.APIKeyStore.
func (s *Store) RevokeAPIKey(ctx context.Context, publisherID, id core.ID, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var r apiKeyRow
		err := tx.NewUpdate().Model(&r).Set("revoked_at = coalesce(revoked_at, ?)", now).
			Where("id = ?", id).Where("publisher_id = ?", publisherID).Returning("?Columns").Scan(ctx)
		if err != nil {
			return err
		}
		return auditAPIKey(ctx, tx, r.apiKey())
	})
}

// revokeKeysOf revokes a publisher's keys that a person created, and returns their ids.
func revokeKeysOf(
	ctx context.Context, tx Tx, publisherID, creator core.ID, now time.Time,
) (revoked []core.ID, err error) {
	_, err = tx.NewUpdate().Model((*apiKeyRow)(nil)).Set("revoked_at = ?", now).
		Where("publisher_id = ?", publisherID).Where("created_by = ?", creator).Where("revoked_at IS NULL").
		Returning("id").Exec(ctx, &revoked)
	return revoked, err
}
