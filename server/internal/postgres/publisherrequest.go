package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type publisherRequestRow struct {
	bun.BaseModel `bun:"table:publisher_requests,alias:r"`

	SubscriberID core.ID                     `bun:"subscriber_id,pk"`
	ID           core.ID                     `bun:"id"`
	Slug         string                      `bun:"slug"`
	Name         string                      `bun:"name"`
	Reason       string                      `bun:"reason"`
	Status       core.PublisherRequestStatus `bun:"status"`
	Answer       string                      `bun:"answer"`
	CreatedAt    time.Time                   `bun:"created_at"`
	AnsweredAt   *time.Time                  `bun:"answered_at"`
	Asked        int                         `bun:"asked"`
	Since        time.Time                   `bun:"since"`
	AskerName    string                      `bun:"asker_name,scanonly"`
	AskerEmail   string                      `bun:"asker_email,scanonly"`
}

// withdrawn is the status of a request that the person has withdrawn, which is as if there were none.
const withdrawn core.PublisherRequestStatus = "withdrawn"

func (r publisherRequestRow) request() core.PublisherRequest {
	return core.PublisherRequest{
		ID: r.ID, Asker: core.Subscriber{ID: r.SubscriberID, Name: r.AskerName, Email: r.AskerEmail}, Slug: r.Slug,
		Name: r.Name, Reason: r.Reason, Status: r.Status, Answer: r.Answer, CreatedAt: r.CreatedAt,
		AnsweredAt: r.AnsweredAt,
	}
}

func selectPublisherRequests(db bun.IDB) *bun.SelectQuery {
	return db.NewSelect().Model((*publisherRequestRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr("s.name as asker_name, s.email as asker_email").
		Join("join subscribers s on s.id = r.subscriber_id").Where("r.status <> ?", withdrawn)
}

func publisherRequestWhere(ctx context.Context, db bun.IDB, where string, id core.ID) (core.PublisherRequest, error) {
	var r publisherRequestRow
	err := selectPublisherRequests(db).Model(&r).Where(where, id).Scan(ctx)
	return r.request(), Error(err)
}

// PutPublisherRequest implements core.PublisherRequestStore. It locks the person, so that concurrent requests keep to
// the limit, and that a suspension at the same time is seen.
func (s *Store) PutPublisherRequest(
	ctx context.Context, in core.PublisherRequest,
) (out core.PublisherRequest, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := lockPerson(ctx, tx, in.Asker.ID); err != nil {
			return err
		}
		if err := lockActive(ctx, tx, core.SuspendableSubscriber, in.Asker.ID); err != nil {
			return err
		}
		row := publisherRequestRow{SubscriberID: in.Asker.ID, ID: in.ID, Slug: in.Slug, Name: in.Name,
			Reason: in.Reason, Status: in.Status, CreatedAt: in.CreatedAt, Asked: 1, Since: in.CreatedAt}
		before := publisherRequestRow{SubscriberID: in.Asker.ID}
		err := tx.NewSelect().Model(&before).WherePK().For("update").Scan(ctx)
		switch {
		case errors.Is(err, sql.ErrNoRows):
		case err != nil:
			return err
		case before.request().Same(in):
			out, err = publisherRequestWhere(ctx, tx, "r.subscriber_id = ?", in.Asker.ID)
			return err
		default:
			if row.Asked, row.Since, err = in.Count(before.Asked, before.Since); err != nil {
				return err
			}
		}
		if err := putPublisherRequest(ctx, tx, row); err != nil {
			return err
		}
		out, err = publisherRequestWhere(ctx, tx, "r.subscriber_id = ?", in.Asker.ID)
		return err
	})
	return out, err
}

func putPublisherRequest(ctx context.Context, tx Tx, row publisherRequestRow) error {
	taken, err := tx.NewSelect().Model((*publisherRow)(nil)).Where("p.slug = ?", row.Slug).Exists(ctx)
	if err == nil && taken {
		err = core.ErrPublisherSlugTaken()
	}
	if err != nil {
		return err
	}
	q := tx.NewInsert().Model(&row).On("conflict (subscriber_id) do update")
	for _, column := range []string{
		"id", "slug", "name", "reason", "status", "answer", "created_at", "answered_at", "asked", "since",
	} {
		q = q.Set("? = excluded.?", bun.Ident(column), bun.Ident(column))
	}
	_, err = q.Exec(ctx)
	return err
}

// PublisherRequestOf implements core.PublisherRequestStore.
func (s *Store) PublisherRequestOf(ctx context.Context, subscriberID core.ID) (core.PublisherRequest, error) {
	return publisherRequestWhere(ctx, s.db, "r.subscriber_id = ?", subscriberID)
}

// PublisherRequest returns a request by its id.
func (s *Store) PublisherRequest(ctx context.Context, id core.ID) (core.PublisherRequest, error) {
	return publisherRequestWhere(ctx, s.db, "r.id = ?", id)
}

// WithdrawPublisherRequest implements core.PublisherRequestStore.
func (s *Store) WithdrawPublisherRequest(ctx context.Context, subscriberID core.ID, now time.Time) error {
	return affected(s.db.NewUpdate().Model((*publisherRequestRow)(nil)).Set("slug = '', name = '', reason = ''").
		Set("status = ?", withdrawn).Set("answered_at = ?", now).
		Where("r.subscriber_id = ?", subscriberID).Where("r.status = ?", core.PublisherPending).Exec(ctx))
}

// PublisherRequests implements core.PublisherRequestStore.
func (s *Store) PublisherRequests(ctx context.Context, page core.Page) ([]core.PublisherRequest, int64, error) {
	q := selectPublisherRequests(s.db).Where("r.status = 'pending'").Order("r.id")
	return list(ctx, q, page, publisherRequestRow.request)
}

// AnswerPublisherRequest implements core.PublisherRequestStore. email sends the answer to the person.
func (s *Store) AnswerPublisherRequest(ctx context.Context, id core.ID, a core.PublisherAnswer, now time.Time,
	email func(ctx context.Context, tx Tx, id core.ID) error) (out core.PublisherRequest, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		asked, err := publisherRequestWhere(ctx, tx, "r.id = ?", id)
		if err != nil {
			return err
		}
		if err := lockPerson(ctx, tx, asked.Asker.ID); err != nil { // as for a new request
			return err
		}
		out, err = publisherRequestWhere(ctx, tx, "r.id = ?", id)
		if err != nil || out.Status != core.PublisherPending {
			return err
		}
		p := core.Publisher{}
		if a.Status == core.PublisherApproved {
			if p, err = s.approve(ctx, tx, out, now); err != nil {
				return err
			}
		}
		err = affected(tx.NewUpdate().Model((*publisherRequestRow)(nil)).Set("status = ?", a.Status).
			Set("answer = ?", a.Answer).Set("answered_at = ?", now).
			Where("r.id = ?", id).Where("r.status = ?", core.PublisherPending).Exec(ctx))
		if err != nil {
			return err
		}
		out.Status, out.Answer, out.AnsweredAt = a.Status, a.Answer, &now
		if err := email(ctx, tx, id); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: p.ID, ObjectID: id, Object: p.Slug,
			Detail: map[string]string{"status": string(a.Status)}})
	})
	return out, err
}

// approve creates the publisher of a request. The caller has locked the person.
func (s *Store) approve(ctx context.Context, tx Tx, r core.PublisherRequest, now time.Time) (core.Publisher, error) {
	if err := lockActive(ctx, tx, core.SuspendableSubscriber, r.Asker.ID); err != nil {
		return core.Publisher{}, err
	}
	p := r.Publisher(now)
	err := s.insertPublisher(ctx, tx, p, r.Asker.ID)
	if core.IsCode(err, core.CodeInvalid) {
		err = core.ErrAskerOwnsTooMany()
	}
	return p, err
}
