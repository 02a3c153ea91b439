package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type operatorLinkRow struct {
	bun.BaseModel `bun:"table:operator_links,alias:l"`

	SecretHash []byte    `bun:"secret_hash,pk"`
	Only       bool      `bun:"only_one"`
	ExpiresAt  time.Time `bun:"expires_at"`
}

var _ core.OperatorLinkStore = (*Store)(nil)

// CreateOperatorLink implements core.OperatorLinkStore.
func (s *Store) CreateOperatorLink(ctx context.Context, hash []byte, l core.OperatorLink) error {
	_, err := s.db.NewInsert().Model(&operatorLinkRow{SecretHash: hash, Only: l.Only, ExpiresAt: l.ExpiresAt}).Exec(ctx)
	return Error(err)
}

// CheckOperatorLink implements core.OperatorLinkStore.
func (s *Store) CheckOperatorLink(ctx context.Context, hash []byte, now time.Time) error {
	valid, err := s.db.NewSelect().Model((*operatorLinkRow)(nil)).Where("secret_hash = ?", hash).
		Where("expires_at > ?", now).Exists(ctx)
	if err == nil && !valid {
		return core.ErrNoOperatorLink()
	}
	return Error(err)
}

// HasOperator implements core.OperatorLinkStore.
func (s *Store) HasOperator(ctx context.Context) (bool, error) {
	has, err := s.db.NewSelect().Model((*subscriberRow)(nil)).Where("operator_at is not null").Exists(ctx)
	return has, Error(err)
}

// becomeOperator uses a link, and makes a new person an operator. No other link that was made before is valid then,
// because each node prints one.
func becomeOperator(ctx context.Context, tx Tx, r *subscriberRow, hash []byte, now time.Time) error {
	if err := lockName(ctx, tx, "operator links"); err != nil {
		return err
	}
	var links []operatorLinkRow
	err := tx.NewDelete().Model(&links).Where("secret_hash = ?", hash).Where("expires_at > ?", now).
		Returning("*").Scan(ctx)
	if err != nil {
		return err
	}
	if len(links) == 0 {
		return core.ErrNoOperatorLink()
	}
	if _, err := tx.NewDelete().Model((*operatorLinkRow)(nil)).Where("true").Exec(ctx); err != nil {
		return err
	}
	if links[0].Only {
		_, err := tx.NewUpdate().Model((*subscriberRow)(nil)).Set("operator_at = null").
			Where("operator_at is not null").Exec(ctx)
		if err != nil {
			return err
		}
	}
	r.OperatorAt = &now
	if _, err := tx.NewUpdate().Model(r).Column("operator_at").WherePK().Exec(ctx); err != nil {
		return err
	}
	return audit(ctx, tx, core.AuditEntry{Actor: core.Actor{Kind: core.ActorPerson, ID: r.ID}, ObjectID: r.ID,
		Object: r.Name})
}
