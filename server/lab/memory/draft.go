package memory

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ core.DraftStore = (*Store)(nil)

func (s *Store) draftsOf(of core.DraftOwner) []*core.Draft {
	return s.drafts.where(func(d *core.Draft) bool { return d.DraftOwner == of })
}

func (s *Store) draft(of core.DraftOwner, id core.ID) (*core.Draft, error) {
	d, err := s.drafts.get(id)
	if err != nil || d.DraftOwner != of {
		return nil, core.NotFound()
	}
	return d, nil
}

// forgetDrafts deletes the drafts of a person for a publisher, and that they planned what repeats.
func (s *Store) forgetDrafts(publisherID, authorID core.ID) {
	maps.DeleteFunc(s.drafts, func(_ core.ID, d *core.Draft) bool {
		ours := s.channels[d.ChannelID].Publisher.ID == publisherID
		if ours && d.PlannerID == authorID {
			d.PlannerID = core.ID{}
		}
		return ours && d.AuthorID == authorID
	})
}

// checkName fails when the channel has another template with the name of this one.
func (s *Store) checkName(d core.Draft) error {
	if d.Name != "" && slices.ContainsFunc(s.draftsOf(d.DraftOwner),
		func(o *core.Draft) bool { return o.Name == d.Name && o.ID != d.ID }) {
		return core.ErrTemplateNameTaken()
	}
	return nil
}

// auditTemplate records a change of a template.
func (s *Store) auditTemplate(ctx context.Context, d core.Draft) {
	if d.Name != "" {
		s.audit(ctx, s.channels[d.ChannelID].Publisher.ID, d.ID, d.Name)
	}
}

// CreateDraft implements core.DraftStore.
func (s *Store) CreateDraft(
	ctx context.Context, d core.Draft, key core.Idempotency,
) (core.Draft, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &d, func() (core.Creation, error) {
		c, err := s.openChannel(d.ChannelID, nil)
		if err == nil {
			err = s.checkStorage(c.Publisher.ID)
		}
		if err == nil {
			err = s.checkName(d)
		}
		limit := core.CapDrafts
		if d.Name != "" {
			limit = core.CapTemplates
		}
		if err == nil {
			err = s.checkCap(limit, len(s.draftsOf(d.DraftOwner)))
		}
		if err != nil {
			return 0, err
		}
		s.drafts[d.ID] = new(d)
		s.auditTemplate(ctx, d)
		return core.Created, nil
	})
	return d, creation, err
}

// Draft implements core.DraftStore.
func (s *Store) Draft(_ context.Context, of core.DraftOwner, id core.ID) (core.Draft, error) {
	defer s.lock()()
	d, err := s.draft(of, id)
	if err != nil {
		return core.Draft{}, err
	}
	return *d, nil
}

// Drafts implements core.DraftStore.
func (s *Store) Drafts(_ context.Context, of core.DraftOwner, page core.Page) ([]core.Draft, int64, error) {
	defer s.lock()()
	rows := newest(s.draftsOf(of), func(d *core.Draft) time.Time { return d.UpdatedAt })
	slices.SortStableFunc(rows, func(a, b *core.Draft) int { return strings.Compare(a.Name, b.Name) })
	return paged(rows, page, same)
}

// UpdateDraft implements core.DraftStore.
func (s *Store) UpdateDraft(
	ctx context.Context, of core.DraftOwner, id core.ID, now time.Time, change func(*core.Draft) error,
) (d core.Draft, err error) {
	defer s.lock()()
	r, err := s.draft(of, id)
	if err != nil {
		return d, err
	}
	d = *r
	if err := change(&d); err != nil {
		return d, err
	}
	if err := s.checkName(d); err != nil {
		return d, err
	}
	d.UpdatedAt = nextVersion(r.UpdatedAt, now)
	*r = d
	s.auditTemplate(ctx, d)
	return d, nil
}

// DeleteDraft implements core.DraftStore.
func (s *Store) DeleteDraft(ctx context.Context, of core.DraftOwner, id core.ID, seen *time.Time) error {
	defer s.lock()()
	d, err := s.draft(of, id)
	if err == nil {
		err = core.CheckSeen(seen, d.UpdatedAt)
	}
	if err != nil {
		return err
	}
	delete(s.drafts, id)
	s.auditTemplate(ctx, *d)
	return nil
}
