package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
)

// SubscriptionsService manages the channels that the signed-in person follows
// (API: /subscribers/channels). It needs their access token. Each method takes the channel as
// publisher/channel or, to save a request, by its id.
type SubscriptionsService struct{ api *api.Client }

// Subscription is the signed-in person's subscription to a channel.
type Subscription struct {
	Channel ChannelRef `json:"channel"`
	Bell    Bell       `json:"bell"`
	// MutedUntil is zero if the subscription is not muted.
	MutedUntil  time.Time `json:"mutedUntil,omitzero"`
	FollowedAt  time.Time `json:"followedAt"`
	UnreadCount int64     `json:"unreadCount"`
	// Suspended reports whether an operator has suspended the channel. The feed is without it until that ends.
	Suspended bool `json:"suspended,omitzero"`
}

// List iterates over the subscriptions by channel name. The iteration ends at the first error.
func (s *SubscriptionsService) List(ctx context.Context) iter.Seq2[Subscription, error] {
	return listed(func(sub Subscription) string { return sub.Channel.ID },
		func(limit, offset *int32) (*http.Response, error) {
			return s.api.ListSubscriptions(ctx, &api.ListSubscriptionsParams{Limit: limit, Offset: offset})
		})
}

// Follow subscribes to a channel. Its history appears in the feed, none of it as unread. Following
// a channel again changes nothing. A person who unfollowed it within the last 30 days has their
// bell and what they had read and not read again; what was published meanwhile is unread.
func (s *SubscriptionsService) Follow(ctx context.Context, channel string) (*Subscription, error) {
	id, err := findChannel(ctx, s.api, channel)
	if err != nil {
		return nil, err
	}
	return decode[Subscription](s.api.Subscribe(ctx, id))
}

// Unfollow ends the subscription to a channel and removes it from the feed. Its bell and read state
// are kept for 30 days. Unfollowing again changes nothing.
func (s *SubscriptionsService) Unfollow(ctx context.Context, channel string) error {
	id, err := findChannel(ctx, s.api, channel)
	if err != nil {
		return err
	}
	return check(s.api.Unsubscribe(ctx, id))
}

// SubscriptionUpdate holds the fields to change; nil fields stay unchanged.
type SubscriptionUpdate struct {
	Bell *Bell
	// MutedUntil unmutes the subscription if it points to a zero time.
	MutedUntil *time.Time
}

// Update sets which notifications of a channel are pushed, and until when none are. The feed always has all of them.
func (s *SubscriptionsService) Update(
	ctx context.Context, channel string, in SubscriptionUpdate,
) (*Subscription, error) {
	id, err := findChannel(ctx, s.api, channel)
	if err != nil {
		return nil, err
	}
	body := api.SubscriptionPatch{Bell: (*api.Bell)(in.Bell)}
	switch {
	case in.MutedUntil == nil:
	case in.MutedUntil.IsZero():
		body.MutedUntil = nullable.NewNullNullable[time.Time]()
	default:
		body.MutedUntil = nullable.NewNullableWithValue(in.MutedUntil.UTC())
	}
	return decode[Subscription](s.api.UpdateSubscription(ctx, id, body))
}

// findChannel returns the id of a channel given by its id or its address.
func findChannel(ctx context.Context, calls *api.Client, channel string) (uuid.UUID, error) {
	if id, err := parseID(channel); err == nil {
		return id, nil
	}
	address, err := ParseAddress(channel)
	if err != nil {
		return uuid.UUID{}, err
	}
	//nolint:bodyclose // decode closes it
	found, err := decode[Channel](calls.GetChannel(ctx, address.Publisher, address.Channel))
	if err != nil {
		return uuid.UUID{}, err
	}
	return parseID(found.ID)
}
