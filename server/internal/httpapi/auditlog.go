package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListAuditLog lists the audit log of a publisher.
func (a *server) ListAuditLog(
	ctx context.Context, in gen.ListAuditLogRequestObject,
) (gen.ListAuditLogResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.AuditLog.Publisher(ctx, c.caller, in.PublisherSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListAuditLog200JSONResponse{
		Body:    api.AuditEntryPage{Data: convert(data, a.Pictures.toAPIAuditEntry), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListAuditLog200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// ListAllAuditLog lists the audit log.
func (a *server) ListAllAuditLog(
	ctx context.Context, in gen.ListAllAuditLogRequestObject,
) (gen.ListAllAuditLogResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.AuditLog.All(ctx, c.caller, value(in.Params.Publisher), page)
	if err != nil {
		return nil, err
	}
	return gen.ListAllAuditLog200JSONResponse{
		Body:    api.AuditEntryPage{Data: convert(data, a.Pictures.toAPIAuditEntry), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListAllAuditLog200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

func (pics Pictures) toAPIAuditEntry(e core.AuditEntry) api.AuditEntry {
	out := api.AuditEntry{
		ID: e.ID, At: e.At.UTC(), Action: e.Action,
		Actor:         toAPIActor(e.Actor),
		Object:        api.AuditObject{ID: optional(e.ObjectID), Name: e.Object},
		PublisherSlug: optional(e.PublisherSlug), PublisherName: optional(e.PublisherName),
		Network: optional(e.Network), RequestID: optional(e.RequestID),
	}
	if e.Channel != nil {
		out.Channel = new(pics.toAPIChannelRef(*e.Channel))
	}
	if len(e.Detail) > 0 {
		out.Detail = new(api.AuditDetail(e.Detail))
	}
	return out
}

func toAPIActor(a core.Actor) api.AuditActor {
	return api.AuditActor{Kind: api.AuditActorKind(a.Kind), ID: optional(a.ID), TokenID: optional(a.TokenID),
		Name: optional(a.Name)}
}
