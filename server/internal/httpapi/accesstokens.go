package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListAccessTokens lists the caller's access tokens.
func (a *server) ListAccessTokens(
	ctx context.Context, in gen.ListAccessTokensRequestObject,
) (gen.ListAccessTokensResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.AccessTokens.List(ctx, c.caller, page)
	if err != nil {
		return nil, err
	}
	return gen.ListAccessTokens200JSONResponse{
		Body:    api.AccessTokenPage{Data: convert(data, toAPIAccessToken), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListAccessTokens200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateAccessToken creates an access token for the caller.
func (a *server) CreateAccessToken(
	ctx context.Context, in gen.CreateAccessTokenRequestObject,
) (gen.CreateAccessTokenResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	t, secret, creation, err := a.AccessTokens.Create(ctx, callOf(ctx).caller, fromAPIAccessTokenInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	location := prefix + "/subscribers/access-tokens/" + t.ID.String()
	return gen.CreateAccessToken201JSONResponse{
		Body:    toAPIAccessTokenSecret(t, secret),
		Headers: gen.CreateAccessToken201ResponseHeaders{Location: &location, IdempotencyReplayed: replayed(creation)},
	}, nil
}

// RevokeAccessToken revokes one of the caller's access tokens.
func (a *server) RevokeAccessToken(
	ctx context.Context, in gen.RevokeAccessTokenRequestObject,
) (gen.RevokeAccessTokenResponseObject, error) {
	if err := a.AccessTokens.Revoke(ctx, callOf(ctx).caller, in.ID); err != nil {
		return nil, err
	}
	return gen.RevokeAccessToken204Response{}, nil
}

func fromAPIAccessTokenInput(in api.AccessTokenInput) core.AccessTokenInput {
	return core.AccessTokenInput{
		Name: in.Name, Scopes: fromAPITokenScopes(in.Scopes), ExpiresAt: utc(in.ExpiresAt),
	}
}

func fromAPITokenScopes(scopes []api.TokenScopeInput) []core.Scope {
	return convert(scopes, func(s api.TokenScopeInput) core.Scope { return core.Scope(s) })
}

func toAPITokenScopes(scopes []core.Scope) []api.TokenScope {
	return convert(scopes, func(s core.Scope) api.TokenScope { return api.TokenScope(s) })
}

func toAPIAccessToken(t core.AccessToken) api.AccessToken {
	return api.AccessToken{
		ID: t.ID, Name: t.Name, Hint: t.Hint, Scopes: toAPITokenScopes(t.Scopes), ParentID: t.ParentID,
		ExpiresAt: utc(t.ExpiresAt), LastUsedAt: utc(t.LastUsedAt),
		RevokedAt: utc(t.RevokedAt), CreatedAt: t.CreatedAt.UTC(),
	}
}

func toAPIAccessTokenSecret(t core.AccessToken, secret string) api.AccessTokenSecret {
	return api.AccessTokenSecret{
		ID: t.ID, Name: t.Name, Hint: t.Hint, Secret: optional(secret), Scopes: toAPITokenScopes(t.Scopes),
		ExpiresAt: utc(t.ExpiresAt),
		CreatedAt: t.CreatedAt.UTC(),
	}
}
