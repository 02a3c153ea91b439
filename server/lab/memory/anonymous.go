package memory

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ core.AnonymousStore = (*Store)(nil)

// CreateAnonymous implements core.AnonymousStore.
func (s *Store) CreateAnonymous(_ context.Context, in core.Language, x core.Session, hash []byte) error {
	defer s.lock()()
	s.subscribers[x.SubscriberID] = newSubscriber(
		core.Subscriber{ID: x.SubscriberID, Anonymous: true, Locale: string(in)}, x.CreatedAt)
	s.sessions[x.ID] = &sessionRow{x, string(hash)}
	return nil
}

// SaveAnonymous implements core.AnonymousStore. Of a channel that both follow it keeps how far the account has read.
func (s *Store) SaveAnonymous(_ context.Context, in core.Saving, now time.Time) (ended []core.ID, err error) {
	defer s.lock()()
	if who, err := s.subscribers.get(in.AnonymousID); err != nil || !who.Anonymous {
		return nil, core.NotFound()
	}
	account := in.Session.SubscriberID
	if _, err := s.subscribers.get(account); err != nil {
		return nil, err
	}
	for of, theirs := range s.subscriptions {
		if of.subscriberID != in.AnonymousID {
			continue
		}
		delete(s.subscriptions, of)
		of.subscriberID = account
		if own := s.subscriptions[of]; own != nil {
			both := core.Subscription{Bell: own.bell, MutedUntil: own.mutedUntil, FollowedAt: own.followedAt}.Both(
				core.Subscription{Bell: theirs.bell, MutedUntil: theirs.mutedUntil, FollowedAt: theirs.followedAt}, now)
			own.bell, own.mutedUntil, own.followedAt = both.Bell, both.MutedUntil, both.FollowedAt
		} else {
			s.subscriptions[of] = theirs
		}
	}
	for _, d := range s.devices.where(func(d *deviceRow) bool { return d.SubscriberID == in.AnonymousID }) {
		d.SubscriberID, d.sessionID = account, in.Session.ID
	}
	s.sessions[in.Session.ID] = &sessionRow{in.Session, string(in.Hash)}
	return s.forget(in.AnonymousID, now), nil
}
