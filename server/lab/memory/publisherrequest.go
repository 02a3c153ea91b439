package memory

import (
	"cmp"
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ core.PublisherRequestStore = (*Store)(nil)

// publisherRequestRow is the request of a person, by their id. A withdrawn one keeps only its counts.
type publisherRequestRow struct {
	core.PublisherRequest

	asked int
	since time.Time
}

func (s *Store) publisherRequest(r *publisherRequestRow) core.PublisherRequest {
	shown := r.PublisherRequest
	p := s.subscribers[r.Asker.ID]
	shown.Asker = core.Subscriber{ID: p.ID, Name: p.Name, Email: p.Email}
	return shown
}

func (s *Store) slugTaken(slug string) bool {
	_, err := s.publishers.first(func(p *core.Publisher) bool { return p.Slug == slug })
	return err == nil
}

// PutPublisherRequest implements core.PublisherRequestStore.
func (s *Store) PutPublisherRequest(_ context.Context, in core.PublisherRequest) (core.PublisherRequest, error) {
	defer s.lock()()
	if _, err := s.subscribers.get(in.Asker.ID); err != nil {
		return core.PublisherRequest{}, err
	}
	row := &publisherRequestRow{PublisherRequest: in, asked: 1, since: in.CreatedAt}
	if before, ok := s.publisherRequests[in.Asker.ID]; ok {
		if before.Same(in) {
			return s.publisherRequest(before), nil
		}
		var err error
		if row.asked, row.since, err = in.Count(before.asked, before.since); err != nil {
			return core.PublisherRequest{}, err
		}
	}
	if s.slugTaken(in.Slug) {
		return core.PublisherRequest{}, core.ErrPublisherSlugTaken()
	}
	s.publisherRequests[in.Asker.ID] = row
	return s.publisherRequest(row), nil
}

// PublisherRequestOf implements core.PublisherRequestStore.
func (s *Store) PublisherRequestOf(_ context.Context, subscriberID core.ID) (core.PublisherRequest, error) {
	defer s.lock()()
	r, err := s.publisherRequests.get(subscriberID)
	if err != nil || r.Status == "" {
		return core.PublisherRequest{}, cmp.Or(err, error(core.NotFound()))
	}
	return s.publisherRequest(r), nil
}

// WithdrawPublisherRequest implements core.PublisherRequestStore.
func (s *Store) WithdrawPublisherRequest(_ context.Context, subscriberID core.ID, now time.Time) error {
	defer s.lock()()
	r, err := s.publisherRequests.get(subscriberID)
	if err != nil || r.Status != core.PublisherPending {
		return core.NotFound()
	}
	r.PublisherRequest = core.PublisherRequest{AnsweredAt: &now}
	return nil
}

// PublisherRequests implements core.PublisherRequestStore.
func (s *Store) PublisherRequests(_ context.Context, page core.Page) ([]core.PublisherRequest, int64, error) {
	defer s.lock()()
	byID := table[publisherRequestRow]{}
	for _, r := range s.publisherRequests {
		byID[r.ID] = r
	}
	rows := byID.where(func(r *publisherRequestRow) bool { return r.Status == core.PublisherPending })
	return paged(rows, page, s.publisherRequest)
}

// AnswerPublisherRequest implements core.PublisherRequestStore.
func (s *Store) AnswerPublisherRequest(
	ctx context.Context, id core.ID, a core.PublisherAnswer, now time.Time,
) (core.PublisherRequest, error) {
	defer s.lock()()
	r, err := s.publisherRequests.first(func(r *publisherRequestRow) bool { return r.ID == id && r.Status != "" })
	if err != nil || r.Status != core.PublisherPending {
		if err != nil {
			return core.PublisherRequest{}, err
		}
		return s.publisherRequest(r), nil
	}
	p := core.Publisher{}
	if a.Status == core.PublisherApproved {
		if p, err = s.approve(r, now); err != nil {
			return core.PublisherRequest{}, err
		}
	}
	r.Status, r.Answer, r.AnsweredAt = a.Status, a.Answer, &now
	s.audit(ctx, p.ID, id, p.Slug)
	return s.publisherRequest(r), nil
}

// approve creates the publisher of a request.
func (s *Store) approve(r *publisherRequestRow, now time.Time) (p core.Publisher, err error) {
	if suspension := s.subscribers[r.Asker.ID].Suspension; suspension != nil {
		return p, core.ErrSuspended(core.SuspendableSubscriber, *suspension)
	}
	if s.slugTaken(r.Slug) {
		return p, core.ErrPublisherSlugTaken()
	}
	if s.checkCap(core.CapPublishers, s.owned(r.Asker.ID)) != nil {
		return p, core.ErrAskerOwnsTooMany()
	}
	p = r.Publisher(now)
	s.publishers[p.ID] = &p
	s.members = append(s.members, &memberRow{p.ID, r.Asker.ID, core.RoleOwner, now})
	return p, nil
}
