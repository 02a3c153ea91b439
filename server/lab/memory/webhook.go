package memory

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

var _ interface {
	core.WebhookStore
	core.EventStore
} = (*Store)(nil)

type eventRow struct {
	core.ReceivedEvent
	webhookID core.ID
}

func (s *Store) webhooksOf(channelID core.ID) []*core.SealedWebhook {
	return s.webhooks.where(func(w *core.SealedWebhook) bool { return w.ChannelID == channelID })
}

// sealed returns a webhook with the time of its latest event.
func (s *Store) sealed(w *core.SealedWebhook) core.SealedWebhook {
	shown := *w
	shown.LastEventAt = nil
	for _, e := range s.eventsOf(w.ID) {
		if shown.LastEventAt == nil || shown.LastEventAt.Before(e.ReceivedAt) {
			shown.LastEventAt = &e.ReceivedAt
		}
	}
	return shown
}

func (s *Store) webhook(channelID, id core.ID) (*core.SealedWebhook, error) {
	w, err := s.webhooks.get(id)
	if err != nil || w.ChannelID != channelID {
		return nil, core.NotFound()
	}
	return w, nil
}

// auditWebhook records a change of a webhook.
func (s *Store) auditWebhook(ctx context.Context, w core.SealedWebhook) {
	s.audit(ctx, s.channels[w.ChannelID].Publisher.ID, w.ID, w.Name)
}

// CreateWebhook implements core.WebhookStore.
func (s *Store) CreateWebhook(
	ctx context.Context, w core.SealedWebhook, key core.Idempotency,
) (core.SealedWebhook, core.Creation, error) {
	defer s.lock()()
	creation, err := once(s, key, &w, func() (core.Creation, error) {
		c, err := s.openChannel(w.ChannelID, nil)
		if err == nil {
			err = s.checkStorage(c.Publisher.ID)
		}
		if err == nil {
			err = s.checkCap(core.CapWebhooks, len(s.webhooksOf(w.ChannelID)))
		}
		if err != nil {
			return 0, err
		}
		s.webhooks[w.ID] = new(w)
		s.auditWebhook(ctx, w)
		return core.Created, nil
	})
	return w, creation, err
}

// Webhook implements core.WebhookStore.
func (s *Store) Webhook(_ context.Context, channelID, id core.ID) (core.SealedWebhook, error) {
	defer s.lock()()
	w, err := s.webhook(channelID, id)
	if err != nil {
		return core.SealedWebhook{}, err
	}
	return s.sealed(w), nil
}

// Webhooks implements core.WebhookStore.
func (s *Store) Webhooks(_ context.Context, channelID core.ID, page core.Page) ([]core.SealedWebhook, int64, error) {
	defer s.lock()()
	return paged(s.webhooksOf(channelID), page, s.sealed)
}

// WebhookByAddress implements core.WebhookStore.
func (s *Store) WebhookByAddress(_ context.Context, hash []byte) (core.SealedWebhook, core.ChannelRef, error) {
	defer s.lock()()
	w, err := s.webhooks.first(func(w *core.SealedWebhook) bool { return bytes.Equal(w.AddressHash, hash) })
	if err != nil {
		return core.SealedWebhook{}, core.ChannelRef{}, err
	}
	c, found := s.channels[w.ChannelID], *w
	found.PublisherID, found.AccountID = c.Publisher.ID, s.account(c.Publisher.ID)
	return found, s.ref(c), nil
}

// WebhookByName implements core.WebhookStore.
func (s *Store) WebhookByName(_ context.Context, channelID core.ID, name string) (core.SealedWebhook, error) {
	defer s.lock()()
	for _, w := range slices.Backward(s.webhooksOf(channelID)) {
		if w.Name == name {
			return s.sealed(w), nil
		}
	}
	return core.SealedWebhook{}, core.NotFound()
}

// UpdateWebhook implements core.WebhookStore.
func (s *Store) UpdateWebhook(
	ctx context.Context, channelID, id core.ID, now time.Time, key core.Idempotency,
	change func(*core.SealedWebhook) error,
) (w core.SealedWebhook, creation core.Creation, err error) {
	defer s.lock()()
	creation, err = once(s, key, &w, func() (core.Creation, error) {
		r, err := s.webhook(channelID, id)
		if err != nil {
			return 0, err
		}
		w = s.sealed(r)
		if err := change(&w); err != nil {
			return 0, err
		}
		w.UpdatedAt = nextVersion(r.UpdatedAt, now)
		*r = w
		s.auditWebhook(ctx, w)
		return core.Created, nil
	})
	return w, creation, err
}

// renewWebhooks renews the webhooks of a publisher, except those of demonstration channels.
func (s *Store) renewWebhooks(publisherID core.ID, renew core.Renewal, now time.Time) {
	for _, w := range s.webhooks {
		if c := s.channels[w.ChannelID]; c.Publisher.ID == publisherID && !c.Demonstration {
			renew(w)
			w.UpdatedAt = nextVersion(w.UpdatedAt, now)
		}
	}
}

// DeleteWebhook implements core.WebhookStore.
func (s *Store) DeleteWebhook(ctx context.Context, channelID, id core.ID, seen *time.Time) error {
	defer s.lock()()
	w, err := s.webhook(channelID, id)
	if err == nil {
		err = core.CheckSeen(seen, w.UpdatedAt)
	}
	if err != nil {
		return err
	}
	delete(s.webhooks, id)
	s.auditWebhook(ctx, *w)
	return nil
}

func (s *Store) eventsOf(webhookID core.ID) (of []*eventRow) {
	for _, e := range s.events {
		if e.webhookID == webhookID {
			of = append(of, e)
		}
	}
	return of
}

// publishedEvent returns the event that was published with the id or the body of another, or nil.
func (s *Store) publishedEvent(webhookID core.ID, e core.ReceivedEvent) *eventRow {
	for _, o := range s.eventsOf(webhookID) {
		if o.NotificationID != nil && (o.ID == e.ID || e.BodyHash != nil && bytes.Equal(o.BodyHash, e.BodyHash)) {
			return o
		}
	}
	return nil
}

// keep stores an event, and reports whether there was none with its id.
func (s *Store) keep(webhookID core.ID, e core.ReceivedEvent) core.Creation {
	for _, o := range s.eventsOf(webhookID) {
		if o.ID == e.ID {
			o.ReceivedEvent = e
			return core.Existing
		}
	}
	s.events = append(s.events, &eventRow{e, webhookID})
	return core.Created
}

// shown returns an event as it is read.
func (r *eventRow) shown() core.ReceivedEvent {
	e := r.ReceivedEvent
	e.BodyHash = nil
	return e
}

// KeepEvent implements core.EventStore.
func (s *Store) KeepEvent(
	_ context.Context, webhookID core.ID, e core.ReceivedEvent,
) (core.ReceivedEvent, core.Creation, error) {
	defer s.lock()()
	w, err := s.webhooks.get(webhookID)
	if err == nil {
		err = s.checkStorage(s.channels[w.ChannelID].Publisher.ID)
	}
	if err != nil {
		return e, 0, err
	}
	if before := s.publishedEvent(webhookID, core.ReceivedEvent{ID: e.ID}); before != nil {
		return before.shown(), core.Replayed, nil
	}
	return e, s.keep(webhookID, e), nil
}

// PublishEvent implements core.Writer.
func (s *Store) PublishEvent(
	ctx context.Context, webhookID core.ID, e core.ReceivedEvent, n core.Notification,
) (core.ReceivedEvent, core.Creation, error) {
	defer s.lock()()
	if _, err := s.webhooks.get(webhookID); err != nil {
		return e, 0, err
	}
	if before := s.publishedEvent(webhookID, e); before != nil {
		return before.shown(), core.Replayed, nil
	}
	by := core.OriginOf(ctx).Actor()
	if by.Kind == core.ActorSystem {
		by = core.Actor{Kind: core.ActorWebhook, ID: webhookID}
	}
	row, creation, err := s.put(n, by)
	if err != nil {
		return e, 0, err
	}
	e.NotificationID = &row.ID
	s.keep(webhookID, e)
	return e, creation, nil
}

// Event implements core.EventStore.
func (s *Store) Event(_ context.Context, webhookID core.ID, eventID string) (core.ReceivedEvent, error) {
	defer s.lock()()
	for _, e := range s.eventsOf(webhookID) {
		if e.ID == eventID {
			return e.shown(), nil
		}
	}
	return core.ReceivedEvent{}, core.NotFound()
}

// Events implements core.EventStore.
func (s *Store) Events(_ context.Context, webhookID core.ID, page core.Page) ([]core.ReceivedEvent, int64, error) {
	defer s.lock()()
	rows := newest(s.eventsOf(webhookID), func(e *eventRow) time.Time { return e.ReceivedAt })
	return paged(rows, page, func(e *eventRow) core.ReceivedEvent {
		shown := e.shown()
		shown.Payload, shown.Headers = nil, nil
		return shown
	})
}
