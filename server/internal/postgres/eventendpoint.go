package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

const eventEndpointColumns = `
	id, publisher_id, url, name, events, enabled, disabled_at, coalesce(disabled_reason, '') as disabled_reason, failing_since, created_at, updated_at`

type eventEndpointRow struct {
	ID             core.ID
	PublisherID    core.ID
	URL, Name      string
	Events         []core.EventType `bun:",array"`
	Enabled        bool
	DisabledAt     *time.Time
	DisabledReason string
	FailingSince   *time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// eventSecretsRow is what an endpoint's events are signed with.
type eventSecretsRow struct {
	SecretSealed         []byte
	PreviousSecretSealed []byte
	PreviousSecretUntil  *time.Time
}

func (r eventSecretsRow) secrets() core.EventSecrets {
	return core.EventSecrets{Sealed: r.SecretSealed, PreviousSealed: r.PreviousSecretSealed, PreviousUntil: r.PreviousSecretUntil}
}

// sealedEndpointRow is both.
type sealedEndpointRow struct {
	eventEndpointRow `bun:",extend"`
	eventSecretsRow  `bun:",extend"`
}

// EventEndpoints implements core.EventEndpointStore.
func (s *Store) EventEndpoints(ctx context.Context, publisherID core.ID, page core.Page) ([]core.EventEndpoint, int64, error) {
	var rows []eventEndpointRow
	err := s.db.NewRaw("select"+eventEndpointColumns+" from event_endpoints where publisher_id = ? order by created_at, id"+limit(page), publisherID).Scan(ctx, &rows)
	if err != nil {
		return nil, 0, Error(err)
	}
	data := make([]core.EventEndpoint, len(rows))
	for i, r := range rows {
		data[i] = core.EventEndpoint(r)
	}
	total, err := s.total(ctx, page, len(data), "event_endpoints where publisher_id = ?", publisherID)
	return data, total, err
}

// EventEndpoint implements core.EventEndpointStore.
func (s *Store) EventEndpoint(ctx context.Context, publisherID, id core.ID) (core.EventEndpoint, error) {
	var r eventEndpointRow
	err := s.db.NewRaw("select"+eventEndpointColumns+" from event_endpoints where publisher_id = ? and id = ?", publisherID, id).Scan(ctx, &r)
	if err != nil {
		return core.EventEndpoint{}, Error(err)
	}
	return core.EventEndpoint(r), nil
}

// CreateEventEndpoint implements core.EventEndpointStore. The publisher is locked, so that no two make the last one that
// it may have.
func (s *Store) CreateEventEndpoint(ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, key core.Idempotency) (made core.EventEndpoint, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &made, func() (core.Creation, error) {
			made = e
			return core.Created, insertEventEndpoint(ctx, tx, e, secrets)
		})
		return err
	})
	return made, creation, err
}

func insertEventEndpoint(ctx context.Context, tx Tx, e core.EventEndpoint, secrets core.EventSecrets) error {
	if err := tx.NewRaw("select id from publishers where id = ? for no key update", e.PublisherID).Scan(ctx, new(core.ID)); err != nil {
		return err
	}
	var has int
	if err := tx.NewRaw("select count(*) from event_endpoints where publisher_id = ?", e.PublisherID).Scan(ctx, &has); err != nil {
		return err
	}
	if has >= core.MaxEventEndpoints {
		return core.ErrTooManyEventEndpoints()
	}
	_, err := tx.NewRaw(`
		insert into event_endpoints (id, publisher_id, url, name, events, secret_sealed, created_at, updated_at) values (?, ?, ?, ?, ?, ?, ?, ?)`,
		e.ID, e.PublisherID, e.URL, e.Name, pgdialect.Array(e.Events), secrets.Sealed, e.CreatedAt, e.UpdatedAt).Exec(ctx)
	if err != nil {
		return err
	}
	return knowSubscribers(ctx, tx, e.ID)
}

// UpdateEventEndpoint implements core.EventEndpointStore.
func (s *Store) UpdateEventEndpoint(ctx context.Context, publisherID, id core.ID, now time.Time, key core.Idempotency,
	change func(*core.EventEndpoint, *core.EventSecrets) error) (e core.EventEndpoint, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &e, func() (core.Creation, error) {
			var r sealedEndpointRow
			err := tx.NewRaw("select"+eventEndpointColumns+`, secret_sealed, previous_secret_sealed, previous_secret_until
				from event_endpoints where publisher_id = ? and id = ? for no key update`, publisherID, id).Scan(ctx, &r)
			if err != nil {
				return 0, err
			}
			e = core.EventEndpoint(r.eventEndpointRow)
			secrets, wanted := r.secrets(), slices.Contains(e.Events, core.EventSubscribers)
			if err := change(&e, &secrets); err != nil {
				return 0, err
			}
			if !wanted && slices.Contains(e.Events, core.EventSubscribers) {
				if err := knowSubscribers(ctx, tx, e.ID); err != nil {
					return 0, err
				}
			}
			return core.Created, updateEventEndpoint(ctx, tx, &e, secrets, now)
		})
		return err
	})
	return e, creation, err
}

func updateEventEndpoint(ctx context.Context, tx Tx, e *core.EventEndpoint, secrets core.EventSecrets, now time.Time) error {
	return tx.NewRaw(`
		update event_endpoints set url = ?, name = ?, events = ?, enabled = ?, disabled_at = ?, disabled_reason = ?, failing_since = ?,
			secret_sealed = ?, previous_secret_sealed = ?, previous_secret_until = ?, updated_at = greatest(?, updated_at + interval '1 microsecond')
		where id = ? returning updated_at`,
		e.URL, e.Name, pgdialect.Array(e.Events), e.Enabled, e.DisabledAt, null(e.DisabledReason), e.FailingSince,
		secrets.Sealed, secrets.PreviousSealed, secrets.PreviousUntil, now, e.ID).Scan(ctx, &e.UpdatedAt)
}

// DeleteEventEndpoint implements core.EventEndpointStore.
func (s *Store) DeleteEventEndpoint(ctx context.Context, publisherID, id core.ID, seen *time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := Unlimited(ctx, tx); err != nil { // its log may be long
			return err
		}
		var version time.Time
		err := tx.NewRaw("select updated_at from event_endpoints where publisher_id = ? and id = ? for update", publisherID, id).Scan(ctx, &version)
		if err != nil {
			return err
		}
		if err := core.CheckSeen(seen, version); err != nil {
			return err
		}
		_, err = tx.NewRaw("delete from event_endpoints where id = ?", id).Exec(ctx)
		return err
	})
}

// knowSubscribers makes the numbers of subscribers as they are the ones that an endpoint knows, when it begins to want them.
func knowSubscribers(ctx context.Context, tx Tx, endpointID core.ID) error {
	_, err := tx.NewRaw(`
		insert into told_subscribers (endpoint_id, channel_id, subscribers, told_at)
		select e.id, c.id, coalesce(sum(k.subscribers), 0), '-infinity' from event_endpoints e
		join channels c on c.publisher_id = e.publisher_id left join channel_counts k on k.channel_id = c.id
		where e.id = ? group by e.id, c.id
		on conflict (endpoint_id, channel_id) do update set subscribers = excluded.subscribers, told_at = excluded.told_at`, endpointID).Exec(ctx)
	return err
}
