package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListSessions lists the browsers in which the caller is signed in.
func (a *server) ListSessions(
	ctx context.Context, in gen.ListSessionsRequestObject,
) (gen.ListSessionsResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.Sessions.List(ctx, c.caller, page)
	if err != nil {
		return nil, err
	}
	return gen.ListSessions200JSONResponse{
		Body:    api.SessionPage{Data: convert(data, c.toAPISession), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListSessions200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// EndSession signs the caller out of one browser.
func (a *server) EndSession(
	ctx context.Context, in gen.EndSessionRequestObject,
) (gen.EndSessionResponseObject, error) {
	if err := a.Sessions.End(ctx, callOf(ctx).caller, in.ID); err != nil {
		return nil, err
	}
	return gen.EndSession204Response{}, nil
}

// EndOtherSessions signs the caller out of all browsers but the one that the request was sent from.
func (a *server) EndOtherSessions(
	ctx context.Context, _ gen.EndOtherSessionsRequestObject,
) (gen.EndOtherSessionsResponseObject, error) {
	if err := a.Sessions.EndOthers(ctx, callOf(ctx).caller); err != nil {
		return nil, err
	}
	return gen.EndOtherSessions204Response{}, nil
}

func (c *call) toAPISession(s core.Session) api.SessionInfo {
	return api.SessionInfo{
		ID: s.ID, Browser: optional(s.Client.Browser), System: optional(s.Client.System),
		Network: optional(s.Client.Network), Current: s.ID == c.caller.SessionID, CreatedAt: s.CreatedAt.UTC(),
		LastSeenAt: s.SeenAt.UTC(), ExpiresAt: s.EndsAt().UTC(),
	}
}
