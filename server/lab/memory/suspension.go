package memory

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

var _ core.SuspensionStore = (*Store)(nil)

// suspension returns where the suspension of an object is kept.
func (s *Store) suspension(what core.Suspendable, id core.ID) (**core.Suspension, error) {
	switch what {
	case core.SuspendableChannel:
		if c, err := s.openChannel(id, nil); err == nil {
			return &c.Suspension, nil
		}
	case core.SuspendablePublisher:
		if p, ok := s.publishers[id]; ok {
			return &p.Suspension, nil
		}
	default:
		if r, ok := s.subscribers[id]; ok {
			return &r.Suspension, nil
		}
	}
	return nil, core.NotFound()
}

// suspend sets or ends a suspension, and returns what changed.
func (s *Store) suspend(at **core.Suspension, to *core.Suspension, what core.Suspendable, id core.ID) core.Suspended {
	var changed core.Suspended
	was := map[core.ID]bool{}
	for _, c := range s.channels {
		was[c.ID] = s.ref(c).Suspended
	}
	*at = to
	isOther := func(c *channelRow) bool { return !c.deleted && was[c.ID] != s.ref(c).Suspended }
	for _, c := range s.channels.where(isOther) {
		changed.ChannelIDs = append(changed.ChannelIDs, c.ID)
	}
	if what == core.SuspendablePublisher {
		for _, k := range s.apiKeys.where(func(k *apiKeyRow) bool { return k.PublisherID == id && !k.revoked }) {
			changed.Credentials = append(changed.Credentials, k.ID)
		}
	}
	return changed
}

// Suspend implements core.SuspensionStore.
func (s *Store) Suspend(
	ctx context.Context, what core.Suspendable, id core.ID, in core.Suspension,
) (core.Suspension, core.Suspended, error) {
	defer s.lock()()
	at, err := s.suspension(what, id)
	if err != nil {
		return core.Suspension{}, core.Suspended{}, err
	}
	if *at != nil {
		in.At = (*at).At
	}
	changed := s.suspend(at, &in, what, id)
	if what == core.SuspendableSubscriber {
		changed.Credentials = s.signOut(id, s.now())
	}
	s.audit(ctx, s.auditedPublisher(what, id), id, "")
	return in, changed, nil
}

// Unsuspend implements core.SuspensionStore.
func (s *Store) Unsuspend(ctx context.Context, what core.Suspendable, id core.ID) (core.Suspended, error) {
	defer s.lock()()
	at, err := s.suspension(what, id)
	if err != nil || *at == nil {
		return core.Suspended{}, err
	}
	s.audit(ctx, s.auditedPublisher(what, id), id, "")
	return s.suspend(at, nil, what, id), nil
}

func (s *Store) auditedPublisher(what core.Suspendable, id core.ID) core.ID {
	switch what {
	case core.SuspendableChannel:
		return s.channels[id].Publisher.ID
	case core.SuspendablePublisher:
		return id
	default:
		return core.ID{}
	}
}

// ChannelSuspension implements core.SuspensionStore.
func (s *Store) ChannelSuspension(_ context.Context, channelID core.ID) (core.Suspendable, core.Suspension, error) {
	defer s.lock()()
	return s.channelSuspension(channelID)
}

func (s *Store) channelSuspension(channelID core.ID) (core.Suspendable, core.Suspension, error) {
	if c, ok := s.channels[channelID]; ok {
		if p := s.publishers[c.Publisher.ID]; p != nil && p.Suspension != nil {
			return core.SuspendablePublisher, *p.Suspension, nil
		}
		if c.Suspension != nil {
			return core.SuspendableChannel, *c.Suspension, nil
		}
	}
	return "", core.Suspension{}, core.NotFound()
}
