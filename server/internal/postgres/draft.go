package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// draftRow is a draft, or a template, which has a name instead of an author.
type draftRow struct {
	bun.BaseModel `bun:"table:drafts,alias:d"`

	ID          core.ID           `bun:"id,pk"`
	ChannelID   core.ID           `bun:"channel_id"`
	PublisherID core.ID           `bun:"publisher_id"`
	AuthorID    core.ID           `bun:"author_id,nullzero"`
	Name        string            `bun:"name,nullzero"`
	Content     core.PublishInput `bun:"content,type:jsonb"`
	Plan        *core.Plan        `bun:"plan,type:jsonb"`
	PlannerID   core.ID           `bun:"planner_id,nullzero"`
	NextAt      *time.Time        `bun:"next_at"`
	MissedAt    *time.Time        `bun:"missed_at"`
	CreatedAt   time.Time         `bun:"created_at"`
	UpdatedAt   time.Time         `bun:"updated_at"`
}

func newDraftRow(d core.Draft) draftRow {
	return draftRow{ID: d.ID, ChannelID: d.ChannelID, AuthorID: d.AuthorID, Name: d.Name, Content: d.Content,
		Plan: d.Plan, PlannerID: d.PlannerID, NextAt: d.NextAt, MissedAt: d.MissedAt, CreatedAt: d.CreatedAt,
		UpdatedAt: d.UpdatedAt}
}

func (r draftRow) draft() core.Draft {
	return core.Draft{DraftOwner: core.DraftOwner{ChannelID: r.ChannelID, AuthorID: r.AuthorID}, ID: r.ID,
		Name: r.Name, Content: r.Content, Plan: r.Plan, PlannerID: r.PlannerID, NextAt: r.NextAt, MissedAt: r.MissedAt,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
}

func isTemplates(of core.DraftOwner) bool { return of.AuthorID == core.ID{} }

func selectDrafts(db bun.IDB, of core.DraftOwner) *bun.SelectQuery {
	q := db.NewSelect().Model((*draftRow)(nil)).Where("d.channel_id = ?", of.ChannelID)
	if isTemplates(of) {
		return q.Where("d.author_id is null")
	}
	return q.Where("d.author_id = ?", of.AuthorID)
}

// auditTemplate records a change of a template. Drafts are their author's own matter.
func auditTemplate(ctx context.Context, tx Tx, d core.Draft) error {
	if !isTemplates(d.DraftOwner) {
		return nil
	}
	return auditChannel(ctx, tx, d.ChannelID, core.AuditEntry{ObjectID: d.ID, Object: d.Name})
}

// CreateDraft implements core.DraftStore.
func (s *Store) CreateDraft(
	ctx context.Context, d core.Draft, key core.Idempotency,
) (made core.Draft, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		made = d
		creation, err = Once(ctx, tx, key, &made, func() (core.Creation, error) {
			if err := s.insertDraft(ctx, tx, d); err != nil {
				return 0, err
			}
			return core.Created, auditTemplate(ctx, tx, d)
		})
		return err
	})
	return made, creation, err
}

func (s *Store) insertDraft(ctx context.Context, tx Tx, d core.Draft) error {
	if err := recheckEditor(ctx, tx, d.ChannelID); err != nil {
		return err
	}
	channel, err := lockChannel(ctx, tx, d.ChannelID, nil)
	if err != nil {
		return err
	}
	if err := CheckStorage(ctx, tx, d.ChannelID, s.StorageQuota); err != nil {
		return err
	}
	row := newDraftRow(d)
	row.PublisherID = channel.PublisherID
	if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
		return err
	}
	if isTemplates(d.DraftOwner) {
		return s.checkCap(ctx, tx, core.CapTemplates, d.ChannelID, selectDrafts(tx, d.DraftOwner))
	}
	return s.checkCap(ctx, tx, core.CapDrafts, d.AuthorID, selectDrafts(tx, d.DraftOwner))
}

// Draft implements core.DraftStore.
func (s *Store) Draft(ctx context.Context, of core.DraftOwner, id core.ID) (core.Draft, error) {
	var r draftRow
	err := selectDrafts(s.db, of).Model(&r).Where("d.id = ?", id).Scan(ctx)
	return r.draft(), Error(err)
}

// Drafts implements core.DraftStore.
func (s *Store) Drafts(ctx context.Context, of core.DraftOwner, page core.Page) ([]core.Draft, int64, error) {
	q := selectDrafts(s.db, of)
	if isTemplates(of) {
		q.Order("d.name", "d.id")
	} else {
		q.Order("d.updated_at desc", "d.id desc")
	}
	return list(ctx, q, page, draftRow.draft)
}

// UpdateDraft implements core.DraftStore.
func (s *Store) UpdateDraft(
	ctx context.Context, of core.DraftOwner, id core.ID, now time.Time, change func(*core.Draft) error,
) (d core.Draft, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := recheckEditor(ctx, tx, of.ChannelID); err != nil {
			return err
		}
		var r draftRow
		if err := selectDrafts(tx, of).Model(&r).Where("d.id = ?", id).For("update").Scan(ctx); err != nil {
			return err
		}
		d = r.draft()
		if err := change(&d); err != nil {
			return err
		}
		d.UpdatedAt = NextVersion(r.UpdatedAt, now)
		err := s.ifRoom(ctx, tx, of.ChannelID, func() error {
			_, err := tx.NewUpdate().Model(new(newDraftRow(d))).
				Column("name", "content", "plan", "planner_id", "next_at", "missed_at", "updated_at").WherePK().
				Exec(ctx)
			return err
		})
		if err != nil {
			return err
		}
		return auditTemplate(ctx, tx, d)
	})
	return d, err
}

// DeleteDraft implements core.DraftStore.
func (s *Store) DeleteDraft(ctx context.Context, of core.DraftOwner, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var r draftRow
		if err := selectDrafts(tx, of).Model(&r).Where("d.id = ?", id).For("update").Scan(ctx); err != nil {
			return err
		}
		if err := core.CheckSeen(seen, r.UpdatedAt); err != nil {
			return err
		}
		if _, err := tx.NewDelete().Model(&r).WherePK().Exec(ctx); err != nil {
			return err
		}
		return auditTemplate(ctx, tx, r.draft())
	})
}
