package memory

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

var _ core.AnonymousStore = (*Store)(nil)

// CreateAnonymous implements core.AnonymousStore.
func (s *Store) CreateAnonymous(_ context.Context, in core.Language, x core.Session, hash []byte) error {
	defer s.lock()()
	s.subscribers[x.SubscriberID] = &subscriberRow{Subscriber: core.Subscriber{ID: x.SubscriberID, Locale: string(in),
		Timezone: "Europe/Lisbon", BellDefault: core.BellAll, CreatedAt: x.CreatedAt, UpdatedAt: x.CreatedAt},
		onboarding: core.Onboarding{CategoryIDs: []core.ID{}}}
	s.sessions[x.ID] = &sessionRow{x, string(hash)}
	return nil
}
