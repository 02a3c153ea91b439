package sininho

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
)

// Storage is how much a publisher stores (API: Storage). The guide limits.md says what is counted.
type Storage struct {
	UsedBytes int64 `json:"usedBytes"`
	// QuotaBytes is nil when there is no limit. While UsedBytes is not below it, publishing fails with
	// CodeQuotaExceeded.
	QuotaBytes *int64 `json:"quotaBytes,omitempty"`
}

// PublisherStorage is how much one of the publishers stores.
type PublisherStorage struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
	Storage
}

// InstallationStorage is how much is stored (API: InstallationStorage).
type InstallationStorage struct {
	// DatabaseBytes is the size of the whole database on disk.
	DatabaseBytes int64 `json:"databaseBytes"`
	// QuotaBytes is the quota of publishers that have none of their own; nil is no limit.
	QuotaBytes *int64 `json:"quotaBytes,omitempty"`
	// Largest are the publishers that store most, at most ten.
	Largest []PublisherStorage `json:"largest"`
}

// Storage returns how much a publisher stores (API: getPublisherStorage). It needs the access token of a member or an
// operator, or an API key with ScopeRead.
func (s *PublishersService) Storage(ctx context.Context, publisher string) (*Storage, error) {
	slug, err := parseSlug(publisher)
	if err != nil {
		return nil, err
	}
	return decode[Storage](s.api.GetPublisherStorage(ctx, slug))
}

// SetQuota sets how many bytes a publisher may store; 0 is no limit (API: setStorageQuota).
func (s *ModerationService) SetQuota(ctx context.Context, publisher string, bytes int64) (*Storage, error) {
	slug, err := parseSlug(publisher)
	if err != nil {
		return nil, err
	}
	return decode[Storage](s.api.SetStorageQuota(ctx, slug, api.StorageQuotaInput{QuotaBytes: bytes}))
}

// ResetQuota gives a publisher the quota of the installation (API: resetStorageQuota).
func (s *ModerationService) ResetQuota(ctx context.Context, publisher string) error {
	slug, err := parseSlug(publisher)
	if err != nil {
		return err
	}
	return check(s.api.ResetStorageQuota(ctx, slug))
}

// Storage returns how much is stored, and which publishers store most (API: getInstallationStorage).
func (s *ModerationService) Storage(ctx context.Context) (*InstallationStorage, error) {
	return decode[InstallationStorage](s.api.GetInstallationStorage(ctx))
}
