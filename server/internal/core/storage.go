package core

import (
	"context"
	"errors"
	"time"
)

// Storage is how much a publisher stores.
type Storage struct {
	Used  int64 // bytes
	Quota int64 // bytes; 0 is none
}

// IsFull reports whether nothing more is stored.
func (s Storage) IsFull() bool { return s.Quota > 0 && s.Used >= s.Quota }

// PublisherStorage is how much one of the publishers stores.
type PublisherStorage struct {
	ID   ID
	Slug string
	Name string
	Storage
}

// InstallationStorage is how much is stored.
type InstallationStorage struct {
	Database int64              // bytes of the whole database on disk
	Quota    int64              // bytes of a publisher for which no operator has set another number; 0 is none
	Largest  []PublisherStorage // the publishers that store most
}

// LargestPublishers is how many publishers InstallationStorage has.
const LargestPublishers = 10

const reasonQuota = "quota_exceeded"

// ErrQuotaExceeded returns the error for storing more while the publisher's quota is used up.
func ErrQuotaExceeded() *Error {
	return &Error{Code: CodeInvalid, Reason: reasonQuota, Detail: Text{
		EN: "The publisher's storage is full. Keep notifications for a shorter time, delete channels or webhooks, " +
			"or ask the operator of the server for more.",
		PT: "O armazenamento do publicador está cheio. Guarde as notificações durante menos tempo, apague canais ou " +
			"webhooks, ou peça mais ao operador do servidor.",
	}}
}

// IsQuotaExceeded reports whether an error is ErrQuotaExceeded.
func IsQuotaExceeded(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Reason == reasonQuota
}

// fullRetry is when the sender of a webhook event that does not fit may try again.
const fullRetry = 5 * time.Minute

// repeatable turns ErrQuotaExceeded into one after which the senders of webhook events try again.
func repeatable(err error) error {
	if IsQuotaExceeded(err) {
		return &Error{Code: CodeFull, Reason: reasonQuota, Detail: ErrQuotaExceeded().Detail, RetryAfter: fullRetry}
	}
	return err
}

// MaxQuota is the largest quota that an operator may set, in bytes.
const MaxQuota = 1 << 50

// QuotaInput is the input for the quota of a publisher.
type QuotaInput struct {
	Bytes int64 // 0 is none
}

// Validate implements Input.
func (in QuotaInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	if in.Bytes < 0 || in.Bytes > MaxQuota {
		f.Add("#/quotaBytes", "maximum", Text{EN: "is from 0 to 2^50", PT: "é de 0 a 2^50"})
	}
	return f.Faults
}

// StorageStore knows how much is stored.
type StorageStore interface {
	// Storage returns how much a publisher stores.
	Storage(ctx context.Context, publisherID ID) (Storage, error)
	// SetQuota sets the quota of a publisher, or with nil makes it that of the installation. It fails with CodeNotFound
	// when there is no such publisher.
	SetQuota(ctx context.Context, publisherID ID, bytes *int64) (Storage, error)
	// InstallationStorage returns how much is stored, and which publishers store most.
	InstallationStorage(ctx context.Context) (InstallationStorage, error)
}

// Storage returns how much a publisher stores, to its members, its API keys with ScopeRead, and operators.
func (s *Publishers) Storage(ctx context.Context, c Caller, slug string) (Storage, error) {
	p, err := s.store.PublisherBySlug(ctx, slug)
	if err != nil {
		return Storage{}, err
	}
	if err := authorize(ctx, s.store, c, p.ID, ScopeRead); err != nil {
		if !IsCode(err, CodeNotFound) || !c.Is(CallerSubscriber) ||
			s.operators.Check(ctx, c, s.store.Subscriber) != nil {
			return Storage{}, err
		}
	}
	return s.store.Storage(ctx, p.ID)
}

// SetQuota sets how much a publisher may store.
func (m *Moderation) SetQuota(ctx context.Context, c Caller, slug string, in QuotaInput) (Storage, error) {
	id, err := m.publisher(ctx, c, slug)
	if err != nil {
		return Storage{}, err
	}
	if err := invalid(in.Validate(nil, m.now())); err != nil {
		return Storage{}, err
	}
	return m.store.SetQuota(ctx, id, &in.Bytes)
}

// ResetQuota makes the quota of a publisher that of the installation.
func (m *Moderation) ResetQuota(ctx context.Context, c Caller, slug string) error {
	id, err := m.publisher(ctx, c, slug)
	if err != nil {
		return err
	}
	_, err = m.store.SetQuota(ctx, id, nil)
	return err
}

// Storage returns how much is stored, and which publishers store most.
func (m *Moderation) Storage(ctx context.Context, c Caller) (InstallationStorage, error) {
	if err := m.check(ctx, c); err != nil {
		return InstallationStorage{}, err
	}
	return m.store.InstallationStorage(ctx)
}
