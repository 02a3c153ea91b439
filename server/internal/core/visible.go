package core

import "context"

// viewersStore finds out who a caller is.
type viewersStore interface {
	PublisherStore
	Subscriber(ctx context.Context, id ID) (Subscriber, error)
	// IsFollower reports whether a person follows a channel.
	IsFollower(ctx context.Context, channelID, subscriberID ID) (bool, error)
}

type channelViewersStore interface {
	viewersStore
	ChannelRef(ctx context.Context, publisherSlug, slug string) (ChannelRef, ID, error)
}

// checkVisible refuses callers who may not see a channel: a suspended one is for its publisher's callers and operators,
// and a private one does not exist for anybody but its followers and its publisher's callers.
func checkVisible(
	ctx context.Context, store viewersStore, operators Operators, c Caller, channel ChannelRef, publisherID ID,
) error {
	if channel.Private {
		if err := checkInvited(ctx, store, c, channel.ID, publisherID); err != nil {
			return err
		}
	}
	if !channel.Suspended {
		return nil
	}
	return checkInsider(ctx, store, operators, c, publisherID)
}

// checkInvited refuses all but the followers of a private channel and its publisher's callers.
func checkInvited(ctx context.Context, store viewersStore, c Caller, channelID, publisherID ID) error {
	if c.Is(CallerVisitor) {
		return NotFound()
	}
	if c.Is(CallerSubscriber) {
		if follows, err := store.IsFollower(ctx, channelID, c.SubscriberID); err != nil || follows {
			return err
		}
	}
	return authorize(ctx, store, c, publisherID, ScopeRead)
}

// visibleChannel returns a channel that the caller may see, and its publisher's id.
func visibleChannel(
	ctx context.Context, store channelViewersStore, operators Operators, c Caller, publisherSlug, slug string,
) (ChannelRef, ID, error) {
	channel, publisherID, err := store.ChannelRef(ctx, publisherSlug, slug)
	if err != nil {
		return channel, publisherID, notVisible(ctx, store, c, err)
	}
	return channel, publisherID, checkVisible(ctx, store, operators, c, channel, publisherID)
}

// notVisible returns the error of a look-up. When there is no channel it looks for what a private one would need, so
// that the time of the response does not tell the two apart.
func notVisible(ctx context.Context, store viewersStore, c Caller, err error) error {
	if IsCode(err, CodeNotFound) {
		return checkInvited(ctx, store, c, ID{}, ID{})
	}
	return err
}

// checkInsider refuses all but a publisher's callers and operators, because the publisher or its channel is suspended.
func checkInsider(ctx context.Context, store viewersStore, operators Operators, c Caller, publisherID ID) error {
	err := authorize(ctx, store, c, publisherID)
	if err == nil || !IsCode(err, CodeNotFound) && !IsCode(err, CodeUnauthenticated) {
		return err
	}
	if c.Is(CallerSubscriber) {
		s, err := store.Subscriber(ctx, c.SubscriberID)
		if err != nil || operators.Has(s) {
			return err
		}
	}
	return ErrHidden()
}
