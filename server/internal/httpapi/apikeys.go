package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListAPIKeys lists a publisher's API keys.
func (a *server) ListAPIKeys(
	ctx context.Context, in gen.ListAPIKeysRequestObject,
) (gen.ListAPIKeysResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	c := callOf(ctx)
	data, total, err := a.APIKeys.List(ctx, c.caller, in.PublisherSlug, page)
	if err != nil {
		return nil, err
	}
	return gen.ListAPIKeys200JSONResponse{
		Body:    api.APIKeyPage{Data: convert(data, toAPIAPIKey), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListAPIKeys200ResponseHeaders{Link: c.NextOffset(page, len(data), total)},
	}, nil
}

// CreateAPIKey creates an API key.
func (a *server) CreateAPIKey(
	ctx context.Context, in gen.CreateAPIKeyRequestObject,
) (gen.CreateAPIKeyResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	k, secret, creation, err := a.APIKeys.Create(ctx, callOf(ctx).caller, in.PublisherSlug,
		fromAPIAPIKeyInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	return gen.CreateAPIKey201JSONResponse{
		Body: toAPIAPIKeySecret(k, secret),
		Headers: gen.CreateAPIKey201ResponseHeaders{
			Location: apiKeyLocation(in.PublisherSlug, k), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// RotateAPIKey creates an API key that replaces an existing one.
func (a *server) RotateAPIKey(
	ctx context.Context, in gen.RotateAPIKeyRequestObject,
) (gen.RotateAPIKeyResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	k, secret, creation, err := a.APIKeys.Rotate(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID,
		fromAPIAPIKeyRotation(*in.Body), key)
	if err != nil {
		return nil, err
	}
	return gen.RotateAPIKey201JSONResponse{
		Body: toAPIAPIKeySecret(k, secret),
		Headers: gen.RotateAPIKey201ResponseHeaders{
			Location: apiKeyLocation(in.PublisherSlug, k), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// RevokeAPIKey revokes an API key.
func (a *server) RevokeAPIKey(
	ctx context.Context, in gen.RevokeAPIKeyRequestObject,
) (gen.RevokeAPIKeyResponseObject, error) {
	if err := a.APIKeys.Revoke(ctx, callOf(ctx).caller, in.PublisherSlug, in.ID); err != nil {
		return nil, err
	}
	return gen.RevokeAPIKey204Response{}, nil
}

func apiKeyLocation(publisherSlug string, k core.APIKey) *string {
	return new(prefix + "/publishers/" + publisherSlug + "/api-keys/" + k.ID.String())
}

func fromAPIAPIKeyInput(in api.APIKeyInput) core.APIKeyInput {
	return core.APIKeyInput{Name: in.Name, ExpiresAt: utc(in.ExpiresAt),
		Scopes: convert(in.Scopes, func(s api.Scope) core.Scope { return core.Scope(s) })}
}

func fromAPIAPIKeyRotation(in api.APIKeyRotation) core.APIKeyRotation {
	return core.APIKeyRotation{OldExpiresAt: utc(in.OldExpiresAt)}
}

func toAPIScopes(scopes []core.Scope) []api.Scope {
	return convert(scopes, func(s core.Scope) api.Scope { return api.Scope(s) })
}

func toAPIAPIKey(k core.APIKey) api.APIKey {
	return api.APIKey{ID: k.ID, Name: k.Name, Hint: k.Hint, Scopes: toAPIScopes(k.Scopes), ExpiresAt: utc(k.ExpiresAt),
		LastUsedAt: utc(k.LastUsedAt), RotatedAt: utc(k.RotatedAt), CreatedAt: k.CreatedAt.UTC(),
		CreatedBy: toAPIKeyCreator(k.CreatedBy)}
}

func toAPIKeyCreator(p *core.KeyCreator) *api.APIKeyCreator {
	if p == nil {
		return nil
	}
	return &api.APIKeyCreator{ID: optional(p.ID), Name: optional(p.Name), Member: p.Member}
}

func toAPIAPIKeySecret(k core.APIKey, secret string) api.APIKeySecret {
	return api.APIKeySecret{
		ID: k.ID, Name: k.Name, Hint: k.Hint, Secret: optional(secret), Scopes: toAPIScopes(k.Scopes),
		ExpiresAt: utc(k.ExpiresAt), CreatedAt: k.CreatedAt.UTC(),
	}
}
