package postgres

import (
	"cmp"
	"context"
	"maps"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type auditRow struct {
	bun.BaseModel `bun:"table:audit_log,alias:a"`

	ID          core.ID           `bun:"id,pk"`
	At          time.Time         `bun:"at,nullzero,default:now()"`
	Action      string            `bun:"action"`
	ActorKind   core.ActorKind    `bun:"actor_kind"`
	ActorID     core.ID           `bun:"actor_id,nullzero"`
	TokenID     core.ID           `bun:"token_id,nullzero"`
	PublisherID core.ID           `bun:"publisher_id,nullzero"`
	ObjectID    core.ID           `bun:"object_id,nullzero"`
	ObjectName  string            `bun:"object_name"`
	Detail      map[string]string `bun:"detail,type:jsonb,nullzero"`
	Network     string            `bun:"network,nullzero"`
	RequestID   string            `bun:"request_id,nullzero"`

	ActorName     *string          `bun:"actor_name,scanonly"`
	PublisherSlug *string          `bun:"publisher_slug,scanonly"`
	PublisherName *string          `bun:"publisher_name,scanonly"`
	Channel       *core.ChannelRef `bun:"channel,type:jsonb,scanonly"`
	Invited       *string          `bun:"invited,scanonly"` // the address of an invitation that has not ended
}

func (r auditRow) entry() core.AuditEntry {
	return core.AuditEntry{
		ID: r.ID, At: r.At, Action: r.Action,
		Actor:       core.Actor{Kind: r.ActorKind, ID: r.ActorID, TokenID: r.TokenID, Name: text(r.ActorName)},
		PublisherID: r.PublisherID, PublisherSlug: text(r.PublisherSlug), PublisherName: text(r.PublisherName),
		Channel: r.Channel, ObjectID: r.ObjectID, Object: cmp.Or(r.ObjectName, text(r.Invited)),
		Detail: r.Detail, Network: r.Network, RequestID: r.RequestID,
	}
}

// Audit records changes in the transaction that makes them. The request says who makes them and by which operation; for
// what the server does itself, their Action is set. What an installation sets up when it starts is not recorded.
func Audit(ctx context.Context, tx bun.IDB, entries ...core.AuditEntry) error {
	return audit(ctx, tx, entries...)
}

// audit records entries by one statement.
func audit(ctx context.Context, tx bun.IDB, entries ...core.AuditEntry) error {
	origin := core.OriginOf(ctx)
	var rows []auditRow
	for _, e := range entries {
		if e.Action = cmp.Or(e.Action, origin.Operation); e.Action != "" {
			rows = append(rows, newAuditRow(origin, e))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.NewInsert().Model(&rows).Exec(ctx)
	return Error(err)
}

func newAuditRow(origin core.Origin, e core.AuditEntry) auditRow {
	actor := origin.Actor()
	if e.Actor.Kind != "" {
		actor = e.Actor
	}
	return auditRow{
		ID: core.NewID(), Action: e.Action, ActorKind: actor.Kind, ActorID: actor.ID, TokenID: actor.TokenID,
		PublisherID: e.PublisherID, ObjectID: e.ObjectID, ObjectName: e.Object, Detail: e.Detail,
		Network: origin.Network, RequestID: origin.RequestID,
	}
}

// auditChannel records a change of something that belongs to a channel, for the owners of its publisher.
func auditChannel(ctx context.Context, tx bun.IDB, channelID core.ID, e core.AuditEntry) error {
	c := channelRow{ID: channelID}
	if err := tx.NewSelect().Model(&c).Column("publisher_id", "slug").WherePK().Scan(ctx); err != nil {
		return err
	}
	e.PublisherID = c.PublisherID
	detail := map[string]string{"channel": c.Slug}
	maps.Copy(detail, e.Detail)
	e.Detail = detail
	return audit(ctx, tx, e)
}

// AuditNotification records a change of a notification, with the reason if an operator gives one. It names it by the
// publisher's own id, because the log outlives a text that was withdrawn.
func AuditNotification(ctx context.Context, tx bun.IDB, n core.Notification, reason string) error {
	e := core.AuditEntry{ObjectID: n.ID, Object: n.ExternalID}
	if reason != "" {
		e.Detail = map[string]string{"reason": reason}
	}
	return auditChannel(ctx, tx, n.Channel.ID, e)
}

// auditMemberships records a change of something of a person that lets them act for publishers, for the owners of each.
func auditMemberships(ctx context.Context, tx bun.IDB, subscriberID core.ID, e core.AuditEntry) error {
	var publishers []core.ID
	err := tx.NewSelect().Model((*memberRow)(nil)).Column("publisher_id").Where("m.subscriber_id = ?", subscriberID).
		Order("publisher_id").Scan(ctx, &publishers)
	if err != nil {
		return err
	}
	entries := make([]core.AuditEntry, len(publishers))
	for i, id := range publishers {
		entries[i] = e
		entries[i].PublisherID = id
	}
	return audit(ctx, tx, entries...)
}

// auditAccessToken records a change of an access token, which acts for the publishers of its person. A program that
// gets its first token has no credential yet, but the person has confirmed it.
func auditAccessToken(ctx context.Context, tx bun.IDB, subscriberID, id core.ID, name string) error {
	e := core.AuditEntry{ObjectID: id, Object: name}
	if origin := core.OriginOf(ctx); origin.Caller.Is(core.CallerVisitor) {
		e.Actor = core.Actor{Kind: core.ActorPerson, ID: subscriberID}
	}
	return auditMemberships(ctx, tx, subscriberID, e)
}

// forgetInLog removes from the log what says more of a person than their id: the name, the names of access tokens and
// passkeys, and the networks.
func forgetInLog(ctx context.Context, tx bun.IDB, id core.ID) error {
	for _, where := range []string{ // one by one, because each has an index
		"object_id = ?",
		"object_id in (select t.id from access_tokens t where t.subscriber_id = ?)",
		"actor_id = ? and action in ('addPasskey', 'removePasskey')", // which may be gone
	} {
		_, err := tx.NewUpdate().Model((*auditRow)(nil)).Set("object_name = ''").Where(where, id).Exec(ctx)
		if err != nil {
			return err
		}
	}
	_, err := tx.NewUpdate().Model((*auditRow)(nil)).Set("network = null").Where("actor_id = ?", id).Exec(ctx)
	return err
}

// auditedChannel is the channel of an entry a: its object, or the one that has the name in its detail, unless it is
// younger than the entry and has the name of one that was deleted.
const auditedChannel = `(
	select jsonb_build_object('id', c.id, 'publisherSlug', o.slug, 'slug', c.slug, 'name', c.name,
		'private', c.visibility = 'private')
	from channels c join publishers o on o.id = c.publisher_id
	where c.id = a.object_id
		or c.publisher_id = a.publisher_id and c.slug = a.detail->>'channel' and c.created_at <= a.at
	limit 1) as channel`

func selectAuditLog(db bun.IDB) *bun.SelectQuery {
	return db.NewSelect().Model((*auditRow)(nil)).ColumnExpr("?TableColumns").
		ColumnExpr("coalesce(s.name, k.name) as actor_name, p.slug as publisher_slug, p.name as publisher_name").
		ColumnExpr("i.email as invited").
		Join("left join subscribers s on s.id = a.actor_id").Join("left join api_keys k on k.id = a.actor_id").
		Join("left join publishers p on p.id = a.publisher_id").
		Join("left join membership_invitations i on i.id = a.object_id and (i.state = ? or i.state = ? and "+
			"i.expires_at > now())", core.InvitationAccepted, core.InvitationPending)
}

// AuditLog implements core.AuditStore.
func (s *Store) AuditLog(ctx context.Context, f core.AuditFilter) ([]core.AuditEntry, int64, error) {
	q := selectAuditLog(s.db).ColumnExpr(auditedChannel).Order("a.id desc")
	if f.PublisherID != nil {
		q = q.Where("a.publisher_id = ?", *f.PublisherID)
	}
	return list(ctx, q, f.Page, auditRow.entry)
}
