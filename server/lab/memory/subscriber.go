package memory

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.SubscriberStore
	core.IdentityStore
} = (*Store)(nil)

type subscriberRow struct {
	core.Subscriber
	onboarding core.Onboarding
}

type identityRow struct {
	core.Identity
	subscriberID core.ID
}

// Subscriber implements core.SubscriberStore.
func (s *Store) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	defer s.lock()()
	r, err := s.subscribers.get(id)
	if err != nil {
		return core.Subscriber{}, err
	}
	return r.Subscriber, nil
}

// newSubscriber adds what is the same for every new person.
func newSubscriber(s core.Subscriber, now time.Time) *subscriberRow {
	s.Timezone, s.BellDefault, s.DigestAt = "Europe/Lisbon", core.BellAll, core.DefaultDigestAt
	s.CreatedAt, s.UpdatedAt = now, now
	return &subscriberRow{Subscriber: s, onboarding: core.Onboarding{CategoryIDs: []core.ID{}}}
}

// SignIn implements core.SubscriberStore.
func (s *Store) SignIn(
	_ context.Context, p core.Profile, up core.SignUp, now time.Time,
) (core.Subscriber, error) {
	defer s.lock()()
	if i, err := s.findIdentity(p); err == nil {
		i.UsedAt = &now
		return s.subscribers[i.subscriberID].Subscriber, nil
	}
	if s.addressKnown(core.ID{}, p) {
		return core.Subscriber{}, core.ErrKnownAddress()
	}
	if !up.Open && !s.Invited[p.Email] {
		return core.Subscriber{}, core.ErrUninvited()
	}
	r := newSubscriber(core.Subscriber{ID: core.NewID(), Email: p.Email, Name: p.Name, Avatar: p.Avatar,
		Locale: p.Locale}, now)
	s.subscribers[r.ID] = r
	s.addIdentity(r.ID, p, now)
	return r.Subscriber, nil
}

func (s *Store) findIdentity(p core.Profile) (*identityRow, error) {
	return s.identities.first(func(i *identityRow) bool { return i.Issuer == p.Issuer && i.Subject == p.Subject })
}

func (s *Store) addIdentity(subscriberID core.ID, p core.Profile, now time.Time) {
	id := core.NewID()
	s.identities[id] = &identityRow{subscriberID: subscriberID, Identity: core.Identity{ID: id, Issuer: p.Issuer,
		Subject: p.Subject, Email: p.Email, CreatedAt: now, UsedAt: &now}}
}

// addressKnown reports whether somebody else has the address at another issuer.
func (s *Store) addressKnown(subscriberID core.ID, p core.Profile) bool {
	_, err := s.identities.first(func(i *identityRow) bool {
		return i.subscriberID != subscriberID && i.Issuer != p.Issuer && strings.EqualFold(i.Email, p.Email)
	})
	return err == nil
}

func (s *Store) identitiesOf(subscriberID core.ID) []*identityRow {
	return s.identities.where(func(i *identityRow) bool { return i.subscriberID == subscriberID })
}

// Identities implements core.IdentityStore.
func (s *Store) Identities(_ context.Context, subscriberID core.ID) ([]core.Identity, error) {
	defer s.lock()()
	data, _, err := paged(s.identitiesOf(subscriberID), core.Page{}, func(i *identityRow) core.Identity {
		return i.Identity
	})
	return data, err
}

// AddIdentity implements core.IdentityStore.
func (s *Store) AddIdentity(_ context.Context, subscriberID core.ID, p core.Profile, now time.Time) error {
	defer s.lock()()
	i, err := s.findIdentity(p)
	switch {
	case err == nil && i.subscriberID == subscriberID:
		return nil
	case err == nil:
		return core.ErrIdentityTaken()
	case s.addressKnown(subscriberID, p):
		return core.ErrKnownAddress()
	case len(s.identitiesOf(subscriberID)) >= core.MaxIdentities:
		return core.ErrTooManyIdentities()
	}
	s.addIdentity(subscriberID, p, now)
	s.setAddress(subscriberID, now)
	return nil
}

// RemoveIdentity implements core.IdentityStore.
func (s *Store) RemoveIdentity(_ context.Context, subscriberID, id core.ID, offered []string, now time.Time) error {
	defer s.lock()()
	i, err := s.identities.get(id)
	if err != nil || i.subscriberID != subscriberID {
		return core.NotFound()
	}
	delete(s.identities, id)
	if !s.hasWayIn(subscriberID, offered) {
		s.identities[id] = i
		return core.ErrLastIdentity()
	}
	s.setAddress(subscriberID, now)
	return nil
}

// UpdateSubscriber implements core.SubscriberStore.
func (s *Store) UpdateSubscriber(
	_ context.Context, id core.ID, in core.SubscriberPatch, seen *time.Time, now time.Time,
) (core.Subscriber, error) {
	defer s.lock()()
	r, err := s.subscribers.get(id)
	if err == nil {
		err = core.CheckSeen(seen, r.UpdatedAt)
	}
	if err != nil {
		return core.Subscriber{}, err
	}
	in.Apply(&r.Subscriber)
	r.UpdatedAt = nextVersion(r.UpdatedAt, now)
	return r.Subscriber, nil
}

// DeleteSubscriber implements core.SubscriberStore.
func (s *Store) DeleteSubscriber(
	_ context.Context, id core.ID, renew core.Renewal, now time.Time,
) (ended []core.ID, err error) {
	defer s.lock()()
	if _, err := s.subscribers.get(id); err != nil {
		return nil, err
	}
	var alone, others []core.ID
	var stuck []string
	for _, m := range s.members {
		if m.id != id {
			continue
		}
		p := s.publishers[m.publisherID]
		_, err := s.findMember(p.ID, id, false)
		switch {
		case err == nil || p.Suspension != nil:
			others = append(others, p.ID)
		case len(s.membersOf(p.ID)) > 1 || s.hasChannels(p.ID):
			stuck = append(stuck, p.Slug)
		default:
			alone = append(alone, p.ID)
		}
	}
	if slices.Sort(stuck); len(stuck) > 0 {
		return nil, core.ErrLastOwner(stuck)
	}
	for _, publisherID := range alone {
		s.removePublisher(publisherID)
	}
	for _, publisherID := range others {
		ended = append(ended, s.revokeKeysOf(publisherID, id, now)...)
		s.withdrawInvitationsBy(publisherID, id)
		s.renewWebhooks(publisherID, renew, now)
		s.forgetDrafts(publisherID, id)
	}
	return append(ended, s.forget(id, now)...), nil
}

// forget deletes a person, and returns the credentials that ended.
func (s *Store) forget(id core.ID, now time.Time) (ended []core.ID) {
	s.members = slices.DeleteFunc(s.members, func(m *memberRow) bool { return m.id == id })
	ended = s.signOut(id, now)
	for _, t := range s.tokensOf(id) {
		delete(s.tokens, t.ID)
	}
	for of := range s.subscriptions {
		if of.subscriberID == id {
			delete(s.subscriptions, of)
		}
	}
	for _, i := range s.identitiesOf(id) {
		delete(s.identities, i.ID)
	}
	for _, k := range s.passkeysOf(id) {
		delete(s.passkeys, k.ID)
	}
	delete(s.publisherRequests, id)
	delete(s.subscribers, id)
	return ended
}

// Export implements core.SubscriberStore. It has the short lists and the former subscriptions.
func (s *Store) Export(ctx context.Context, id core.ID, now time.Time) (e core.Export, err error) {
	if e.Subscriber, err = s.Subscriber(ctx, id); err != nil {
		return e, err
	}
	e.Identities, _ = s.Identities(ctx, id)
	e.Passkeys, _ = s.Passkeys(ctx, id)
	e.Onboarding, _ = s.Onboarding(ctx, id)
	e.Devices, _, _ = s.Devices(ctx, id, core.Page{})
	e.Sessions, _, _ = s.Sessions(ctx, id, now, core.Page{})
	e.AccessTokens, _, _ = s.AccessTokens(ctx, id, core.Page{})
	e.Publishers, _, _ = s.Publishers(ctx, core.PublisherFilter{Member: &id, Reader: &id, All: true})
	e.Invitations, _, _ = s.ReceivedInvitations(ctx, id, core.Page{}, now)
	for _, d := range s.drafts.where(func(d *core.Draft) bool { return d.AuthorID == id }) {
		e.Drafts = append(e.Drafts, *d)
	}
	if asked, err := s.PublisherRequestOf(ctx, id); err == nil {
		e.PublisherRequest = &asked
	}
	followed, err := s.Subscriptions(ctx, id, core.Page{})
	e.Subscriptions = followed.Data
	e.FormerSubscriptions = none[core.FormerSubscription]()
	e.Receipts, e.Reports, e.AuditLog = none[core.Receipt](), none[core.Report](), none[core.AuditEntry]()
	return e, err
}

func none[T any]() iter.Seq2[T, error] { return func(func(T, error) bool) {} }

// Onboarding implements core.SubscriberStore.
func (s *Store) Onboarding(_ context.Context, subscriberID core.ID) (core.Onboarding, error) {
	defer s.lock()()
	r, err := s.subscribers.get(subscriberID)
	if err != nil {
		return core.Onboarding{}, err
	}
	return r.onboarding, nil
}

// SaveOnboarding implements core.SubscriberStore.
func (s *Store) SaveOnboarding(
	_ context.Context, subscriberID core.ID, step core.OnboardingStep, categoryIDs []core.ID, now time.Time,
) (core.Onboarding, error) {
	defer s.lock()()
	for _, id := range categoryIDs {
		if _, ok := s.categories[id]; !ok {
			return core.Onboarding{}, core.Invalid(core.FieldError{Pointer: "#/categoryIds", Code: "unknown"})
		}
	}
	r, err := s.subscribers.get(subscriberID)
	if err != nil {
		return core.Onboarding{}, err
	}
	if categoryIDs != nil {
		r.onboarding.CategoryIDs = categoryIDs
	}
	if r.OnboardedAt == nil && step == core.OnboardingDone {
		r.OnboardedAt = &now
	}
	if r.onboarding.Step, r.onboarding.CompletedAt = step, r.OnboardedAt; r.OnboardedAt != nil {
		r.onboarding.Step = core.OnboardingDone
	}
	return r.onboarding, nil
}

// SubscribersByEmail finds the accounts with an email address or, for an empty one, the suspended ones, newest first.
func (s *Store) SubscribersByEmail(
	_ context.Context, email string, page core.Page,
) ([]core.Subscriber, int64, error) {
	defer s.lock()()
	rows := newest(s.subscribers.where(func(r *subscriberRow) bool {
		return email == "" && r.Suspension != nil || email != "" && strings.EqualFold(r.Email, email)
	}), func(r *subscriberRow) time.Time { return r.CreatedAt })
	return paged(rows, page, func(r *subscriberRow) core.Subscriber { return r.Subscriber })
}
