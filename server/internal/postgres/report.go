package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type reportRow struct {
	bun.BaseModel `bun:"table:reports,alias:r"`

	ID             core.ID             `bun:"id,pk"`
	ReporterID     core.ID             `bun:"reporter_id"`
	ChannelID      core.ID             `bun:"channel_id"`
	NotificationID *core.ID            `bun:"notification_id"`
	PublisherSlug  string              `bun:"publisher_slug"`
	ChannelSlug    string              `bun:"channel_slug"`
	Title          string              `bun:"title,nullzero"`
	Category       core.ReportCategory `bun:"category"`
	Text           string              `bun:"text"`
	Status         core.ReportStatus   `bun:"status"`
	CreatedAt      time.Time           `bun:"created_at"`
	UpdatedAt      time.Time           `bun:"updated_at"`
	ClosedAt       *time.Time          `bun:"closed_at"`
	ReporterName   string              `bun:"reporter_name,scanonly"`
	ReporterEmail  string              `bun:"reporter_email,scanonly"`
}

func (r reportRow) report() core.Report {
	return core.Report{
		ID: r.ID, Reporter: core.Subscriber{ID: r.ReporterID, Name: r.ReporterName, Email: r.ReporterEmail},
		ChannelID: r.ChannelID, NotificationID: r.NotificationID, PublisherSlug: r.PublisherSlug,
		ChannelSlug: r.ChannelSlug, Title: r.Title, Category: r.Category, Text: r.Text, Status: r.Status,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ClosedAt: r.ClosedAt,
	}
}

// PutReport implements core.ReportStore. It locks the reporter, so that concurrent requests keep to the limit.
func (s *Store) PutReport(ctx context.Context, in core.Report) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockPerson(ctx, tx, in.Reporter.ID); err != nil {
			return err
		}
		res, err := tx.NewUpdate().Model((*reportRow)(nil)).Set("category = ?", in.Category).Set("text = ?", in.Text).
			Set("updated_at = ?", in.UpdatedAt).Where("reporter_id = ?", in.Reporter.ID).Where("status = 'open'").
			Where("channel_id = ?", in.ChannelID).
			Where("notification_id is not distinct from ?::uuid", in.NotificationID).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n > 0 {
			return err
		}
		open, err := tx.NewSelect().Model((*reportRow)(nil)).Where("reporter_id = ?", in.Reporter.ID).
			Where("status = 'open'").Count(ctx)
		if err != nil {
			return err
		}
		if open >= core.MaxOpenReports {
			return core.ErrTooManyReports()
		}
		_, err = tx.NewInsert().Model(&reportRow{
			ID: in.ID, ReporterID: in.Reporter.ID, ChannelID: in.ChannelID, NotificationID: in.NotificationID,
			PublisherSlug: in.PublisherSlug, ChannelSlug: in.ChannelSlug, Title: in.Title, Category: in.Category,
			Text: in.Text, Status: in.Status, CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
		}).Exec(ctx)
		return err
	})
}

func selectReports(db bun.IDB) *bun.SelectQuery {
	return db.NewSelect().Model((*reportRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr("s.name as reporter_name, s.email as reporter_email").
		Join("join subscribers s on s.id = r.reporter_id")
}

// Reports implements core.ReportStore.
func (s *Store) Reports(ctx context.Context, status core.ReportStatus, page core.Page) ([]core.Report, int64, error) {
	q := selectReports(s.db).Order("r.id")
	if status != "" {
		q = q.Where("r.status = ?", status)
	}
	return list(ctx, q, page, reportRow.report)
}

// CloseReport implements core.ReportStore.
func (s *Store) CloseReport(ctx context.Context, id core.ID, status core.ReportStatus, now time.Time) (
	closed core.Report, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var r reportRow
		if err := selectReports(tx).Model(&r).Where("r.id = ?", id).For("update of r").Scan(ctx); err != nil {
			return err
		}
		if r.Status != core.ReportOpen {
			closed = r.report()
			return nil
		}
		r.Status, r.ClosedAt, r.UpdatedAt = status, &now, now
		_, err := tx.NewUpdate().Model(&r).Column("status", "closed_at", "updated_at").WherePK().Exec(ctx)
		if err != nil {
			return err
		}
		closed = r.report()
		return audit(ctx, tx, core.AuditEntry{ObjectID: id, Object: r.PublisherSlug + "/" + r.ChannelSlug,
			Detail: map[string]string{"status": string(status)}})
	})
	return closed, err
}
