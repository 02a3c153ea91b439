package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetPublisherStorage shows how much a publisher stores.
func (a *server) GetPublisherStorage(
	ctx context.Context, in gen.GetPublisherStorageRequestObject,
) (gen.GetPublisherStorageResponseObject, error) {
	s, err := a.Publishers.Storage(ctx, callOf(ctx).caller, in.PublisherSlug)
	if err != nil {
		return nil, err
	}
	return gen.GetPublisherStorage200JSONResponse(toAPIStorage(s)), nil
}

// SetStorageQuota sets how much a publisher may store.
func (a *server) SetStorageQuota(
	ctx context.Context, in gen.SetStorageQuotaRequestObject,
) (gen.SetStorageQuotaResponseObject, error) {
	s, err := a.Moderation.SetQuota(ctx, callOf(ctx).caller, in.PublisherSlug, fromAPIStorageQuotaInput(*in.Body))
	if err != nil {
		return nil, err
	}
	return gen.SetStorageQuota200JSONResponse(toAPIStorage(s)), nil
}

// ResetStorageQuota gives a publisher the quota of the installation.
func (a *server) ResetStorageQuota(
	ctx context.Context, in gen.ResetStorageQuotaRequestObject,
) (gen.ResetStorageQuotaResponseObject, error) {
	if err := a.Moderation.ResetQuota(ctx, callOf(ctx).caller, in.PublisherSlug); err != nil {
		return nil, err
	}
	return gen.ResetStorageQuota204Response{}, nil
}

// GetInstallationStorage shows how much is stored.
func (a *server) GetInstallationStorage(
	ctx context.Context, _ gen.GetInstallationStorageRequestObject,
) (gen.GetInstallationStorageResponseObject, error) {
	s, err := a.Moderation.Storage(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.GetInstallationStorage200JSONResponse{
		DatabaseBytes: s.Database, QuotaBytes: optional(s.Quota), Largest: convert(s.Largest, toAPIPublisherStorage),
	}, nil
}

func fromAPIStorageQuotaInput(in api.StorageQuotaInput) core.QuotaInput {
	return core.QuotaInput{Bytes: in.QuotaBytes}
}

func toAPIStorage(s core.Storage) api.Storage {
	return api.Storage{UsedBytes: s.Used, QuotaBytes: optional(s.Quota)}
}

func toAPIPublisherStorage(p core.PublisherStorage) api.PublisherStorage {
	return api.PublisherStorage{Slug: p.Slug, Name: p.Name, UsedBytes: p.Used, QuotaBytes: optional(p.Quota)}
}
