package memory

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.EventEndpointStore
	core.FailingEndpointStore
	core.HealthStore
	core.ReportStore
	core.AuditStore
} = (*Store)(nil)

type endpointRow struct {
	core.EventEndpoint
	secrets core.EventSecrets
}

func endpoint(r *endpointRow) core.EventEndpoint { return r.EventEndpoint }

func (s *Store) endpointsOf(publisherID core.ID) []*endpointRow {
	return s.endpoints.where(func(r *endpointRow) bool { return r.PublisherID == publisherID })
}

func (s *Store) endpoint(publisherID, id core.ID) (*endpointRow, error) {
	r, err := s.endpoints.get(id)
	if err != nil || r.PublisherID != publisherID {
		return nil, core.NotFound()
	}
	return r, nil
}

// EventEndpoints implements core.EventEndpointStore.
func (s *Store) EventEndpoints(
	_ context.Context, publisherID core.ID, page core.Page,
) ([]core.EventEndpoint, int64, error) {
	defer s.lock()()
	return paged(s.endpointsOf(publisherID), page, endpoint)
}

// EventEndpoint implements core.EventEndpointStore.
func (s *Store) EventEndpoint(_ context.Context, publisherID, id core.ID) (core.EventEndpoint, error) {
	defer s.lock()()
	r, err := s.endpoint(publisherID, id)
	if err != nil {
		return core.EventEndpoint{}, err
	}
	return r.EventEndpoint, nil
}

// CreateEventEndpoint implements core.EventEndpointStore.
func (s *Store) CreateEventEndpoint(
	ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, key core.Idempotency,
) (core.EventEndpoint, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &e, func() (core.Creation, error) {
		if err := s.checkCap(core.CapEventEndpoints, len(s.endpointsOf(e.PublisherID))); err != nil {
			return 0, err
		}
		s.endpoints[e.ID] = &endpointRow{e, secrets}
		s.audit(ctx, e.PublisherID, e.ID, e.Name)
		return core.Created, nil
	})
	return e, creation, err
}

// UpdateEventEndpoint implements core.EventEndpointStore.
func (s *Store) UpdateEventEndpoint(
	ctx context.Context, publisherID, id core.ID, now time.Time, key core.Idempotency,
	change func(*core.EventEndpoint, *core.EventSecrets) error,
) (e core.EventEndpoint, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = once(s, key, &e, func() (core.Creation, error) {
		r, err := s.endpoint(publisherID, id)
		if err != nil {
			return 0, err
		}
		changed := *r
		if err := change(&changed.EventEndpoint, &changed.secrets); err != nil {
			return 0, err
		}
		changed.UpdatedAt = nextVersion(r.UpdatedAt, now)
		*r = changed
		e = r.EventEndpoint
		s.audit(ctx, publisherID, id, e.Name)
		return core.Created, nil
	})
	return e, creation, err
}

// DeleteEventEndpoint implements core.EventEndpointStore.
func (s *Store) DeleteEventEndpoint(ctx context.Context, publisherID, id core.ID, seen *time.Time) error {
	defer s.lock()()
	r, err := s.endpoint(publisherID, id)
	if err == nil {
		err = core.CheckSeen(seen, r.UpdatedAt)
	}
	if err != nil {
		return err
	}
	delete(s.endpoints, id)
	maps.DeleteFunc(s.deliveries, func(_ core.ID, d *core.EventDelivery) bool { return d.EndpointID == id })
	s.audit(ctx, publisherID, id, r.Name)
	return nil
}

// Secrets returns the secrets of an endpoint.
func (s *Store) Secrets(endpointID core.ID) core.EventSecrets {
	defer s.lock()()
	return s.endpoints[endpointID].secrets
}

// AddEventDelivery implements core.EventEndpointStore.
func (s *Store) AddEventDelivery(_ context.Context, d core.EventDelivery) error {
	defer s.lock()()
	r, err := s.endpoints.get(d.EndpointID)
	if err == nil {
		s.deliveries[d.ID], r.PausedUntil = &d, nil
	}
	return err
}

// PaceChallenge implements core.EventEndpointStore.
func (s *Store) PaceChallenge(_ context.Context, paces ...core.ChallengePace) error {
	defer s.lock()()
	before := maps.Clone(s.Paces)
	for _, p := range paces {
		if !s.takeTurn(p) {
			s.Paces = before
			return core.ErrTooManyChallenges(p.Every)
		}
	}
	return nil
}

// UnpaceChallenge implements core.EventEndpointStore.
func (s *Store) UnpaceChallenge(_ context.Context, paces ...core.ChallengePace) error {
	defer s.lock()()
	for _, p := range paces {
		s.Paces[p.Name] = s.Paces[p.Name].Add(-p.Every)
	}
	return nil
}

// EventDeliveries implements core.EventEndpointStore.
func (s *Store) EventDeliveries(
	_ context.Context, endpointID core.ID, status core.EventDeliveryStatus, page core.Page,
) ([]core.EventDelivery, int64, error) {
	defer s.lock()()
	rows := s.deliveries.where(func(d *core.EventDelivery) bool {
		return d.EndpointID == endpointID && (status == "" || d.Status == status)
	})
	return paged(newest(rows, func(d *core.EventDelivery) time.Time { return d.CreatedAt }), page, same)
}

func (s *Store) delivery(endpointID, id core.ID) (*core.EventDelivery, error) {
	d, err := s.deliveries.get(id)
	if err != nil || d.EndpointID != endpointID {
		return nil, core.NotFound()
	}
	return d, nil
}

// EventDelivery implements core.EventEndpointStore.
func (s *Store) EventDelivery(
	_ context.Context, endpointID, id core.ID,
) (core.EventDelivery, []core.EventAttempt, error) {
	defer s.lock()()
	d, err := s.delivery(endpointID, id)
	if err != nil {
		return core.EventDelivery{}, nil, err
	}
	return *d, s.Attempts[id], nil
}

// UpdateEventDelivery implements core.EventEndpointStore.
func (s *Store) UpdateEventDelivery(
	_ context.Context, endpointID, id core.ID, change func(*core.EventDelivery),
) (core.EventDelivery, error) {
	defer s.lock()()
	d, err := s.delivery(endpointID, id)
	if err != nil {
		return core.EventDelivery{}, err
	}
	change(d)
	s.endpoints[endpointID].PausedUntil = nil
	return *d, nil
}

// FailingEndpoints implements core.FailingEndpointStore.
func (s *Store) FailingEndpoints(_ context.Context, page core.Page) ([]core.FailingEndpoint, int64, error) {
	defer s.lock()()
	rows := s.endpoints.where(func(r *endpointRow) bool { return r.Failing() })
	slices.SortStableFunc(rows, func(a, b *endpointRow) int { return a.FailingSince.Compare(*b.FailingSince) })
	return paged(rows, page, func(r *endpointRow) core.FailingEndpoint {
		return core.FailingEndpoint{EventEndpoint: r.EventEndpoint, PublisherSlug: s.publishers[r.PublisherID].Slug}
	})
}

// AddNodeSample implements core.HealthStore. Samples are not kept.
func (s *Store) AddNodeSample(context.Context, core.NodeSample) error { return nil }

// SampleQueue implements core.HealthStore.
func (s *Store) SampleQueue(context.Context, time.Time) error { return nil }

// Health implements core.HealthStore. It has no figures.
func (s *Store) Health(_ context.Context, p core.HealthPeriod, _ string) (core.Health, error) {
	return core.Health{HealthPeriod: p}, nil
}

func (s *Store) report(r *core.Report) core.Report {
	shown := *r
	if p, ok := s.subscribers[r.Reporter.ID]; ok {
		shown.Reporter = core.Subscriber{ID: p.ID, Name: p.Name, Email: p.Email}
	}
	return shown
}

// PutReport implements core.ReportStore.
func (s *Store) PutReport(_ context.Context, in core.Report) error {
	defer s.lock()()
	if _, err := s.subscribers.get(in.Reporter.ID); err != nil {
		return err
	}
	open := s.reports.where(func(r *core.Report) bool {
		return r.Reporter.ID == in.Reporter.ID && r.Status == core.ReportOpen
	})
	for _, r := range open {
		same := (r.NotificationID == nil) == (in.NotificationID == nil) &&
			(r.NotificationID == nil || *r.NotificationID == *in.NotificationID)
		if r.ChannelID == in.ChannelID && same {
			r.Category, r.Text, r.UpdatedAt = in.Category, in.Text, in.UpdatedAt
			return nil
		}
	}
	if len(open) >= core.MaxOpenReports {
		return core.ErrTooManyReports()
	}
	s.reports[in.ID] = &in
	return nil
}

// Reports implements core.ReportStore.
func (s *Store) Reports(_ context.Context, status core.ReportStatus, page core.Page) ([]core.Report, int64, error) {
	defer s.lock()()
	rows := s.reports.where(func(r *core.Report) bool { return status == "" || r.Status == status })
	return paged(rows, page, s.report)
}

// CloseReport implements core.ReportStore.
func (s *Store) CloseReport(
	ctx context.Context, id core.ID, status core.ReportStatus, now time.Time,
) (core.Report, error) {
	defer s.lock()()
	r, err := s.reports.get(id)
	if err != nil {
		return core.Report{}, err
	}
	if r.Status == core.ReportOpen {
		r.Status, r.ClosedAt, r.UpdatedAt = status, &now, now
		s.audit(ctx, core.ID{}, id, r.PublisherSlug+"/"+r.ChannelSlug)
	}
	return s.report(r), nil
}
