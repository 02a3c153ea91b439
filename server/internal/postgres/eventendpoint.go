package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type eventEndpointRow struct {
	bun.BaseModel `bun:"table:event_endpoints,alias:e"`

	ID             core.ID          `bun:"id,pk"`
	PublisherID    core.ID          `bun:"publisher_id"`
	URL            string           `bun:"url"`
	Name           string           `bun:"name"`
	Events         []core.EventType `bun:"events,array"`
	Enabled        bool             `bun:"enabled"`
	DisabledAt     *time.Time       `bun:"disabled_at"`
	DisabledReason string           `bun:"disabled_reason,nullzero"`
	FailingSince   *time.Time       `bun:"failing_since"`
	ConfirmedURL   string           `bun:"confirmed_url,nullzero"`
	ConfirmedAt    *time.Time       `bun:"confirmed_at"`
	Failures       int              `bun:"failures"`
	PausedUntil    *time.Time       `bun:"paused_until"`
	CreatedAt      time.Time        `bun:"created_at"`
	UpdatedAt      time.Time        `bun:"updated_at"`

	SecretSealed         []byte     `bun:"secret_sealed"`
	PreviousSecretSealed []byte     `bun:"previous_secret_sealed"`
	PreviousSecretUntil  *time.Time `bun:"previous_secret_until"`
	ChallengeHash        []byte     `bun:"challenge_hash"`
	ChallengedAt         *time.Time `bun:"challenged_at"`
}

func (r eventEndpointRow) eventEndpoint() core.EventEndpoint {
	return core.EventEndpoint{
		ID: r.ID, PublisherID: r.PublisherID, URL: r.URL, Name: r.Name, Events: r.Events, Enabled: r.Enabled,
		DisabledAt: r.DisabledAt, DisabledReason: r.DisabledReason, FailingSince: r.FailingSince,
		ConfirmedURL: r.ConfirmedURL, ConfirmedAt: r.ConfirmedAt, Failures: r.Failures, PausedUntil: r.PausedUntil,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

func (r eventEndpointRow) secrets() core.EventSecrets {
	return core.EventSecrets{
		Sealed: r.SecretSealed, PreviousSealed: r.PreviousSecretSealed, PreviousUntil: r.PreviousSecretUntil,
		ChallengeHash: r.ChallengeHash, ChallengedAt: r.ChallengedAt,
	}
}

func newEventEndpointRow(e core.EventEndpoint, secrets core.EventSecrets) eventEndpointRow {
	return eventEndpointRow{
		ID: e.ID, PublisherID: e.PublisherID, URL: e.URL, Name: e.Name, Events: e.Events, Enabled: e.Enabled,
		DisabledAt: e.DisabledAt, DisabledReason: e.DisabledReason, FailingSince: e.FailingSince,
		ConfirmedURL: e.ConfirmedURL, ConfirmedAt: e.ConfirmedAt, Failures: e.Failures, PausedUntil: e.PausedUntil,
		CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
		SecretSealed: secrets.Sealed, PreviousSecretSealed: secrets.PreviousSealed,
		PreviousSecretUntil: secrets.PreviousUntil, ChallengeHash: secrets.ChallengeHash,
		ChallengedAt: secrets.ChallengedAt,
	}
}

// EventEndpoints implements core.EventEndpointStore.
func (s *Store) EventEndpoints(ctx context.Context, publisherID core.ID, page core.Page) (
	[]core.EventEndpoint, int64, error,
) {
	q := s.db.NewSelect().Where("publisher_id = ?", publisherID).Order("created_at", "id")
	return list(ctx, q, page, eventEndpointRow.eventEndpoint)
}

// EventEndpoint implements core.EventEndpointStore.
func (s *Store) EventEndpoint(ctx context.Context, publisherID, id core.ID) (core.EventEndpoint, error) {
	row := eventEndpointRow{ID: id}
	err := s.db.NewSelect().Model(&row).WherePK().Where("publisher_id = ?", publisherID).Scan(ctx)
	return row.eventEndpoint(), Error(err)
}

// CreateEventEndpoint implements core.EventEndpointStore. It locks the publisher, so that concurrent requests cannot
// exceed the limit of endpoints.
func (s *Store) CreateEventEndpoint(
	ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, key core.Idempotency,
) (made core.EventEndpoint, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &made, func() (core.Creation, error) {
			made = e
			if err := s.insertEventEndpoint(ctx, tx, e, secrets); err != nil {
				return 0, err
			}
			entry := core.AuditEntry{PublisherID: e.PublisherID, ObjectID: e.ID, Object: e.Name}
			return core.Created, audit(ctx, tx, entry)
		})
		return err
	})
	return made, creation, err
}

func (s *Store) insertEventEndpoint(ctx context.Context, tx Tx, e core.EventEndpoint, secrets core.EventSecrets) error {
	if err := recheckCaller(ctx, tx, e.PublisherID, core.RoleOwner); err != nil {
		return err
	}
	row := newEventEndpointRow(e, secrets)
	if _, err := tx.NewInsert().Model(&row).Exec(ctx); err != nil {
		return err
	}
	theirs := tx.NewSelect().Model((*eventEndpointRow)(nil)).Where("publisher_id = ?", e.PublisherID)
	if err := s.checkCap(ctx, tx, core.CapEventEndpoints, e.PublisherID, theirs); err != nil {
		return err
	}
	return reportCurrentSubscribers(ctx, tx, e.ID)
}

// lockEventEndpoint keeps others from changing an endpoint.
func lockEventEndpoint(ctx context.Context, tx Tx, publisherID, id core.ID, lock string) (eventEndpointRow, error) {
	row := eventEndpointRow{ID: id}
	err := tx.NewSelect().Model(&row).WherePK().Where("publisher_id = ?", publisherID).For(lock).Scan(ctx)
	return row, err
}

// UpdateEventEndpoint implements core.EventEndpointStore.
func (s *Store) UpdateEventEndpoint(
	ctx context.Context, publisherID, id core.ID, now time.Time, key core.Idempotency,
	change func(*core.EventEndpoint, *core.EventSecrets) error,
) (e core.EventEndpoint, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = Once(ctx, tx, key, &e, func() (core.Creation, error) {
			if e, err = updateEventEndpoint(ctx, tx, publisherID, id, now, change); err != nil {
				return 0, err
			}
			return core.Created, audit(ctx, tx, core.AuditEntry{PublisherID: publisherID, ObjectID: id, Object: e.Name})
		})
		return err
	})
	return e, creation, err
}

func updateEventEndpoint(
	ctx context.Context, tx Tx, publisherID, id core.ID, now time.Time,
	change func(*core.EventEndpoint, *core.EventSecrets) error,
) (e core.EventEndpoint, err error) {
	if err := recheckCaller(ctx, tx, publisherID, core.RoleOwner); err != nil {
		return e, err
	}
	row, err := lockEventEndpoint(ctx, tx, publisherID, id, "NO KEY UPDATE")
	if err != nil {
		return e, err
	}
	e, secrets := row.eventEndpoint(), row.secrets()
	wanted := slices.Contains(e.Events, core.EventSubscribers)
	if err := change(&e, &secrets); err != nil {
		return e, err
	}
	if !wanted && slices.Contains(e.Events, core.EventSubscribers) {
		if err := reportCurrentSubscribers(ctx, tx, id); err != nil {
			return e, err
		}
	}
	e.UpdatedAt = NextVersion(row.UpdatedAt, now)
	row = newEventEndpointRow(e, secrets)
	_, err = tx.NewUpdate().Model(&row).ExcludeColumn("publisher_id", "created_at").WherePK().Exec(ctx)
	return e, err
}

// DeleteEventEndpoint implements core.EventEndpointStore.
func (s *Store) DeleteEventEndpoint(ctx context.Context, publisherID, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // its log may be long
			return err
		}
		row, err := lockEventEndpoint(ctx, tx, publisherID, id, "UPDATE")
		if err != nil {
			return err
		}
		if err := core.CheckSeen(seen, row.UpdatedAt); err != nil {
			return err
		}
		if _, err = tx.NewDelete().Model(&row).WherePK().Exec(ctx); err != nil {
			return err
		}
		return audit(ctx, tx, core.AuditEntry{PublisherID: publisherID, ObjectID: id, Object: row.Name})
	})
}

// reportCurrentSubscribers takes the current numbers of subscribers as reported to an endpoint, which from now on is
// notified of their changes. It is raw because it inserts counts over three tables.
func reportCurrentSubscribers(ctx context.Context, tx Tx, endpointID core.ID) error {
	_, err := tx.NewRaw(`
		insert into reported_subscribers (endpoint_id, channel_id, subscribers, reported_at)
		select e.id, c.id, coalesce(sum(k.subscribers), 0), '-infinity' from event_endpoints e
		join channels c on c.publisher_id = e.publisher_id left join channel_counts k on k.channel_id = c.id
		where e.id = ? group by e.id, c.id
		on conflict (endpoint_id, channel_id) do update
		set subscribers = excluded.subscribers, reported_at = excluded.reported_at`, endpointID).Exec(ctx)
	return err
}
