package core

import (
	"context"
	"time"
)

// moderationStore is what moderation needs of the store.
type moderationStore interface {
	SuspensionStore
	StorageStore
	ChannelStore
	viewersStore
	// SubscribersByEmail returns the accounts with an email address, in any case, or the suspended ones for an empty
	// address, the newest first.
	SubscribersByEmail(ctx context.Context, email string, page Page) (data []Subscriber, total int64, err error)
}

// Withdrawer withdraws notifications. Writer implements it.
type Withdrawer interface {
	// WithdrawAny withdraws the notification with an id, of any channel, for a reason that is kept in the audit log. It
	// changes nothing if it was withdrawn before, and fails with CodeNotFound when there is none.
	WithdrawAny(ctx context.Context, id ID, reason string) error
}

// Moderation suspends channels, publishers and accounts, and withdraws notifications, for operators.
type Moderation struct {
	store     moderationStore
	writer    Withdrawer
	operators Operators
	announce  Announcer
	now       func() time.Time
}

// NewModeration returns the service for moderation.
func NewModeration(
	store moderationStore, writer Withdrawer, operators Operators, announce Announcer, now func() time.Time,
) *Moderation {
	return &Moderation{store: store, writer: writer, operators: operators, announce: announce, now: now}
}

// SuspendChannel suspends a channel, or changes the reason.
func (m *Moderation) SuspendChannel(
	ctx context.Context, c Caller, publisherSlug, slug string, in SuspensionInput,
) (Suspension, error) {
	id, err := m.channel(ctx, c, publisherSlug, slug)
	if err != nil {
		return Suspension{}, err
	}
	return m.suspend(ctx, SuspendableChannel, id, in)
}

// UnsuspendChannel ends the suspension of a channel.
func (m *Moderation) UnsuspendChannel(ctx context.Context, c Caller, publisherSlug, slug string) error {
	id, err := m.channel(ctx, c, publisherSlug, slug)
	if err != nil {
		return err
	}
	return m.unsuspend(ctx, SuspendableChannel, id)
}

// SuspendPublisher suspends a publisher with all its channels, API keys and webhooks, or changes the reason.
func (m *Moderation) SuspendPublisher(
	ctx context.Context, c Caller, slug string, in SuspensionInput,
) (Suspension, error) {
	id, err := m.publisher(ctx, c, slug)
	if err != nil {
		return Suspension{}, err
	}
	return m.suspend(ctx, SuspendablePublisher, id, in)
}

// UnsuspendPublisher ends the suspension of a publisher. Channels that were suspended themselves stay so.
func (m *Moderation) UnsuspendPublisher(ctx context.Context, c Caller, slug string) error {
	id, err := m.publisher(ctx, c, slug)
	if err != nil {
		return err
	}
	return m.unsuspend(ctx, SuspendablePublisher, id)
}

// SuspendSubscriber signs a person out everywhere, and keeps them from signing in, or changes the reason.
func (m *Moderation) SuspendSubscriber(ctx context.Context, c Caller, id ID, in SuspensionInput) (Suspension, error) {
	if err := m.check(ctx, c); err != nil {
		return Suspension{}, err
	}
	person, err := m.store.Subscriber(ctx, id)
	if err != nil {
		return Suspension{}, err
	}
	if m.operators.Has(person) {
		return Suspension{}, &Error{Code: CodeInvalid, Reason: "operator",
			Detail: Text{EN: "An operator cannot be suspended. Remove the address from OPERATOR_EMAILS first, or use " +
				"`sininho-server operator-link --only`.",
				PT: "Um operador não pode ser suspenso. Primeiro retire o endereço de OPERATOR_EMAILS, ou use " +
					"`sininho-server operator-link --only`."}}
	}
	return m.suspend(ctx, SuspendableSubscriber, id, in)
}

// UnsuspendSubscriber lets a person sign in again. Their access tokens work again.
func (m *Moderation) UnsuspendSubscriber(ctx context.Context, c Caller, id ID) error {
	if err := m.check(ctx, c); err != nil {
		return err
	}
	if _, err := m.store.Subscriber(ctx, id); err != nil {
		return err
	}
	return m.unsuspend(ctx, SuspendableSubscriber, id)
}

// Channels returns the channels of any kind that match a search or, for an empty one, the suspended channels, newest
// first.
func (m *Moderation) Channels(ctx context.Context, c Caller, search Search, page Page) ([]Channel, int64, error) {
	if err := m.check(ctx, c); err != nil {
		return nil, 0, err
	}
	return m.store.Channels(ctx, ChannelFilter{
		Search: search, All: true, Suspended: search.Empty(), Sort: SortNewest, Page: page})
}

// Publishers returns the publishers that match a search or, for an empty one, the suspended publishers, by name.
func (m *Moderation) Publishers(ctx context.Context, c Caller, search Search, page Page) ([]Publisher, int64, error) {
	if err := m.check(ctx, c); err != nil {
		return nil, 0, err
	}
	return m.store.Publishers(ctx, PublisherFilter{Search: search, All: true, Suspended: search.Empty(), Page: page})
}

// Subscribers returns the accounts with an email address or, for an empty one, the suspended accounts, newest first.
func (m *Moderation) Subscribers(ctx context.Context, c Caller, email string, page Page) ([]Subscriber, int64, error) {
	if err := m.check(ctx, c); err != nil {
		return nil, 0, err
	}
	return m.store.SubscribersByEmail(ctx, email, page)
}

// Withdraw withdraws a notification of any channel.
func (m *Moderation) Withdraw(ctx context.Context, c Caller, id ID, in SuspensionInput) error {
	if err := m.check(ctx, c); err != nil {
		return err
	}
	if err := invalid(in.Validate(nil, m.now())); err != nil {
		return err
	}
	return m.writer.WithdrawAny(ctx, id, in.Reason)
}

func (m *Moderation) check(ctx context.Context, c Caller) error {
	return m.operators.Check(ctx, c, m.store.Subscriber)
}

func (m *Moderation) channel(ctx context.Context, c Caller, publisherSlug, slug string) (ID, error) {
	if err := m.check(ctx, c); err != nil {
		return ID{}, err
	}
	channel, _, err := m.store.ChannelRef(ctx, publisherSlug, slug)
	return channel.ID, err
}

func (m *Moderation) publisher(ctx context.Context, c Caller, slug string) (ID, error) {
	if err := m.check(ctx, c); err != nil {
		return ID{}, err
	}
	p, err := m.store.PublisherBySlug(ctx, slug)
	return p.ID, err
}

func (m *Moderation) suspend(ctx context.Context, what Suspendable, id ID, in SuspensionInput) (Suspension, error) {
	now := m.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return Suspension{}, err
	}
	s, changed, err := m.store.Suspend(ctx, what, id, Suspension{Reason: in.Reason, At: now})
	if err != nil {
		return s, err
	}
	m.report(ctx, changed)
	return s, nil
}

func (m *Moderation) unsuspend(ctx context.Context, what Suspendable, id ID) error {
	changed, err := m.store.Unsuspend(ctx, what, id)
	if err != nil {
		return err
	}
	m.report(ctx, changed)
	return nil
}

// report notifies the streams of all nodes.
func (m *Moderation) report(ctx context.Context, changed Suspended) {
	for _, id := range changed.ChannelIDs {
		m.announce.ChannelReset(ctx, id)
	}
	for _, id := range changed.Credentials {
		m.announce.SignedOut(ctx, id)
	}
}
