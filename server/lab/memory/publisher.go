package memory

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.PublisherStore
	core.StorageStore
} = (*Store)(nil)

// publisher returns what is shown of a publisher.
func (s *Store) publisher(p *core.Publisher, reader *core.ID) core.Publisher {
	shown := *p
	shown.Role = ""
	if reader != nil {
		shown.Role = s.role(p.ID, *reader)
	}
	for _, c := range s.channels {
		if !c.deleted && c.Publisher.ID == p.ID && c.Visibility == core.Public && !s.ref(c).Suspended {
			shown.ChannelCount++
			shown.SubscriberCount += s.followers(c.ID)
		}
	}
	return shown
}

// Publisher implements core.PublisherStore.
func (s *Store) Publisher(_ context.Context, id core.ID) (core.Publisher, error) {
	defer s.lock()()
	p, err := s.publishers.get(id)
	if err != nil {
		return core.Publisher{}, err
	}
	return s.publisher(p, nil), nil
}

// PublisherBySlug implements core.PublisherStore.
func (s *Store) PublisherBySlug(_ context.Context, slug string) (core.Publisher, error) {
	defer s.lock()()
	p, err := s.publishers.first(func(p *core.Publisher) bool { return p.Slug == slug })
	if err != nil {
		return core.Publisher{}, err
	}
	return s.publisher(p, nil), nil
}

// Role implements core.PublisherStore.
func (s *Store) Role(_ context.Context, publisherID, subscriberID core.ID) (core.Role, error) {
	defer s.lock()()
	return s.role(publisherID, subscriberID), nil
}

// IsMember implements core.PublisherStore.
func (s *Store) IsMember(_ context.Context, subscriberID core.ID) (bool, error) {
	defer s.lock()()
	return slices.ContainsFunc(s.members, func(m *memberRow) bool { return m.id == subscriberID }), nil
}

// Publishers implements core.PublisherStore.
func (s *Store) Publishers(_ context.Context, f core.PublisherFilter) ([]core.Publisher, int64, error) {
	defer s.lock()()
	rows := s.publishers.where(func(p *core.Publisher) bool {
		return (f.ID == nil || p.ID == *f.ID) && (f.All || p.Suspension == nil) &&
			(!f.Suspended || p.Suspension != nil) && (f.Member == nil || s.role(p.ID, *f.Member) != "") &&
			matches(f.Search, p.Name, p.Slug, p.Description)
	})
	slices.SortStableFunc(rows, func(a, b *core.Publisher) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return paged(rows, f.Page, func(p *core.Publisher) core.Publisher { return s.publisher(p, f.Reader) })
}

// CreatePublisher implements core.PublisherStore.
func (s *Store) CreatePublisher(
	ctx context.Context, p core.Publisher, owner core.ID, key core.Idempotency,
) (core.Publisher, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &p, func() (core.Creation, error) {
		if _, err := s.publishers.first(func(o *core.Publisher) bool { return o.Slug == p.Slug }); err == nil {
			return 0, core.ErrPublisherSlugTaken()
		}
		if _, ok := s.subscribers[owner]; !ok {
			return 0, core.ErrSessionEnded()
		}
		if err := s.checkCap(core.CapPublishers, s.owned(owner)); err != nil {
			return 0, err
		}
		s.publishers[p.ID] = &p
		s.members = append(s.members, &memberRow{p.ID, owner, core.RoleOwner, p.CreatedAt})
		s.audit(ctx, p.ID, p.ID, p.Slug)
		return core.Created, nil
	})
	return p, creation, err
}

// UpdatePublisher implements core.PublisherStore.
func (s *Store) UpdatePublisher(
	ctx context.Context, id core.ID, p core.PublisherPatch, seen *time.Time, now time.Time,
) (core.Publisher, error) {
	defer s.lock()()
	r, err := s.publishers.get(id)
	if err == nil {
		err = core.CheckSeen(seen, r.UpdatedAt)
	}
	if err != nil {
		return core.Publisher{}, err
	}
	patch(&r.Name, p.Name)
	patch(&r.Description, p.Description)
	replace(&r.Website, p.Website)
	replace(&r.Avatar, p.Avatar)
	r.UpdatedAt = nextVersion(r.UpdatedAt, now)
	s.audit(ctx, id, id, r.Slug)
	return s.publisher(r, nil), nil
}

// DeletePublisher implements core.PublisherStore.
func (s *Store) DeletePublisher(ctx context.Context, id core.ID, seen *time.Time) error {
	defer s.lock()()
	p, err := s.publishers.get(id)
	if err == nil {
		err = core.CheckSeen(seen, p.UpdatedAt)
	}
	if err == nil && s.hasChannels(id) {
		err = core.ErrHasChannels()
	}
	if err != nil {
		return err
	}
	s.removePublisher(id)
	s.audit(ctx, id, id, p.Slug)
	return nil
}

func (s *Store) hasChannels(publisherID core.ID) bool {
	_, err := s.channels.first(func(c *channelRow) bool { return !c.deleted && c.Publisher.ID == publisherID })
	return err == nil
}

func (s *Store) removePublisher(id core.ID) {
	delete(s.publishers, id)
	s.members = slices.DeleteFunc(s.members, func(m *memberRow) bool { return m.publisherID == id })
	for _, k := range s.apiKeys.where(func(k *apiKeyRow) bool { return k.PublisherID == id }) {
		delete(s.apiKeys, k.ID)
	}
}

// storage is the length of the texts of a publisher's notifications and webhook events, and of its pictures.
func (s *Store) storage(publisherID core.ID) core.Storage {
	used := core.Storage{Quota: s.StorageQuota}
	if quota := s.quotas[publisherID]; quota != nil {
		used.Quota = *quota
	}
	for _, n := range s.notifications {
		if s.channels[n.Channel.ID].Publisher.ID == publisherID {
			used.Used += int64(len(n.Title) + len(n.Body))
		}
	}
	for _, p := range s.pictures {
		if p.PublisherID == publisherID {
			used.Used += p.Bytes()
		}
	}
	return used
}

// checkStorage fails when the publisher of a channel has used up its quota.
func (s *Store) checkStorage(publisherID core.ID) error {
	if s.storage(publisherID).IsFull() {
		return core.ErrQuotaExceeded()
	}
	return nil
}

// Storage implements core.StorageStore.
func (s *Store) Storage(_ context.Context, publisherID core.ID) (core.Storage, error) {
	defer s.lock()()
	return s.storage(publisherID), nil
}

// SetQuota implements core.StorageStore.
func (s *Store) SetQuota(ctx context.Context, publisherID core.ID, quota *int64) (core.Storage, error) {
	defer s.lock()()
	p, err := s.publishers.get(publisherID)
	if err != nil {
		return core.Storage{}, err
	}
	s.quotas[publisherID] = quota
	s.audit(ctx, p.ID, p.ID, p.Slug)
	return s.storage(publisherID), nil
}

// InstallationStorage implements core.StorageStore.
func (s *Store) InstallationStorage(context.Context) (core.InstallationStorage, error) {
	defer s.lock()()
	all := core.InstallationStorage{Quota: s.StorageQuota}
	for _, p := range s.publishers.where(func(*core.Publisher) bool { return true }) {
		all.Largest = append(all.Largest, core.PublisherStorage{ID: p.ID, Slug: p.Slug, Name: p.Name,
			Storage: s.storage(p.ID)})
	}
	slices.SortStableFunc(all.Largest, func(a, b core.PublisherStorage) int { return cmp.Compare(b.Used, a.Used) })
	all.Largest = all.Largest[:min(len(all.Largest), core.LargestPublishers)]
	return all, nil
}
