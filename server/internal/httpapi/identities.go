package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListIdentities lists what the caller signs in with.
func (a *server) ListIdentities(
	ctx context.Context, _ gen.ListIdentitiesRequestObject,
) (gen.ListIdentitiesResponseObject, error) {
	list, err := a.Sessions.Identities(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.ListIdentities200JSONResponse{Data: convert(list, a.toAPIIdentity)}, nil
}

// AddIdentity begins to add an identity to the caller's account.
func (a *server) AddIdentity(
	ctx context.Context, in gen.AddIdentityRequestObject,
) (gen.AddIdentityResponseObject, error) {
	c := callOf(ctx)
	if in.Body.Kind == api.IdentityInputKindEmail { // as beginEmailSignIn: it emails an address that anyone can type
		if err := a.limiter.take(c.out.Header(), joins, party{network: core.NetworkOf(c.client)}, 1); err != nil {
			return nil, err
		}
	}
	location, cookie, err := a.Sessions.BeginAdding(c.request, networkName(c), c.caller, fromAPIIdentityInput(*in.Body))
	if err != nil {
		return nil, err
	}
	out := gen.AddIdentity200JSONResponse{Body: api.Destination{URL: location}}
	if cookie != nil { // otherwise the page says why it has failed
		out.Headers.SetCookie = new(cookie.String())
	}
	return out, nil
}

func fromAPIIdentityInput(in api.IdentityInput) core.IdentityInput {
	return core.IdentityInput{Kind: core.SignInKind(in.Kind), Provider: value(in.Provider), Email: value(in.Email),
		Redirect: value(in.Redirect)}
}

// RemoveIdentity removes one of the caller's identities.
func (a *server) RemoveIdentity(
	ctx context.Context, in gen.RemoveIdentityRequestObject,
) (gen.RemoveIdentityResponseObject, error) {
	if err := a.Sessions.RemoveIdentity(ctx, callOf(ctx).caller, in.ID); err != nil {
		return nil, err
	}
	return gen.RemoveIdentity204Response{}, nil
}

func (a *server) toAPIIdentity(i core.Identity) api.Identity {
	by := a.Sessions.MethodOf(i.Issuer)
	out := api.Identity{ID: i.ID, Provider: optional(by.Provider), Name: by.Name, Email: i.Email,
		CreatedAt: i.CreatedAt.UTC(), UsedAt: utc(i.UsedAt)}
	if by.Kind != "" {
		out.Kind = new(api.SignInMethodKind(by.Kind))
	}
	return out
}

func toAPIExportedIdentity(i core.Identity) api.ExportedIdentity {
	return api.ExportedIdentity{Issuer: i.Issuer, Subject: i.Subject, Email: i.Email, CreatedAt: i.CreatedAt.UTC(),
		UsedAt: utc(i.UsedAt)}
}
