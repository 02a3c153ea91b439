package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// ModerationService suspends channels, publishers and accounts, and withdraws notifications (API: /admin). It needs the
// access token of an operator. The guide moderation.md says what a suspension does.
type ModerationService struct{ api *api.Client }

// Suspension says why and since when something is suspended.
type Suspension struct {
	// Reason is shown to the owner. It has 1 to 1,000 characters.
	Reason      string    `json:"reason"`
	SuspendedAt time.Time `json:"suspendedAt"`
}

// Account is a person's account, as operators see it.
type Account struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Email     string    `json:"email"` // empty without one
	CreatedAt time.Time `json:"createdAt"`
	// Suspension is nil unless the account is suspended.
	Suspension *Suspension `json:"suspension,omitempty"`
}

// SuspendChannel hides a channel from everyone but its publisher and operators, and refuses to publish to it. For a
// suspended channel it changes the reason.
func (s *ModerationService) SuspendChannel(ctx context.Context, channel, reason string) (*Suspension, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	body, err := because(reason)
	if err != nil {
		return nil, err
	}
	return decode[Suspension](s.api.SuspendChannel(ctx, address.Publisher, address.Channel, body))
}

// UnsuspendChannel ends the suspension of a channel. It changes nothing when there is none.
func (s *ModerationService) UnsuspendChannel(ctx context.Context, channel string) error {
	address, err := ParseAddress(channel)
	if err != nil {
		return err
	}
	return check(s.api.UnsuspendChannel(ctx, address.Publisher, address.Channel))
}

// SuspendPublisher suspends a publisher with all its channels, and refuses its API keys. For a suspended publisher it
// changes the reason.
func (s *ModerationService) SuspendPublisher(ctx context.Context, publisher, reason string) (*Suspension, error) {
	slug, err := parseSlug(publisher)
	if err != nil {
		return nil, err
	}
	body, err := because(reason)
	if err != nil {
		return nil, err
	}
	return decode[Suspension](s.api.SuspendPublisher(ctx, slug, body))
}

// UnsuspendPublisher ends the suspension of a publisher. Channels that were suspended themselves stay suspended.
func (s *ModerationService) UnsuspendPublisher(ctx context.Context, publisher string) error {
	slug, err := parseSlug(publisher)
	if err != nil {
		return err
	}
	return check(s.api.UnsuspendPublisher(ctx, slug))
}

// SuspendAccount signs a person out everywhere and refuses their access tokens; signing in shows the reason. For a
// suspended account it changes the reason.
func (s *ModerationService) SuspendAccount(ctx context.Context, id, reason string) (*Suspension, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	body, err := because(reason)
	if err != nil {
		return nil, err
	}
	return decode[Suspension](s.api.SuspendSubscriber(ctx, parsed, body))
}

// UnsuspendAccount lets a person sign in again. It changes nothing when the account is not suspended.
func (s *ModerationService) UnsuspendAccount(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.UnsuspendSubscriber(ctx, parsed))
}

// Channels iterates over the channels that match a search as in [ChannelListOptions], also unlisted and suspended ones,
// newest first; if it is empty, over the suspended channels. The iteration ends at the first error.
func (s *ModerationService) Channels(ctx context.Context, search string) iter.Seq2[Channel, error] {
	q := optional(search)
	return listed(func(c Channel) string { return c.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAllChannels(ctx, &api.ListAllChannelsParams{Limit: limit, Offset: offset, Q: q})
	})
}

// Publishers iterates over the publishers that match a search, also suspended ones, by name; if it is empty, over the
// suspended publishers. The iteration ends at the first error.
func (s *ModerationService) Publishers(ctx context.Context, search string) iter.Seq2[Publisher, error] {
	q := optional(search)
	return listed(func(p Publisher) string { return p.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListAllPublishers(ctx, &api.ListAllPublishersParams{Limit: limit, Offset: offset, Q: q})
	})
}

// Accounts iterates over the accounts with an email address or, if it is empty, over the suspended accounts, newest
// first. The iteration ends at the first error.
func (s *ModerationService) Accounts(ctx context.Context, email string) iter.Seq2[Account, error] {
	var f faults
	if email != "" {
		f.email("email", email)
	}
	if err := f.err(); err != nil {
		return failed[Account](err)
	}
	only := optional(email)
	return listed(func(a Account) string { return a.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.FindSubscribers(ctx, &api.FindSubscribersParams{Limit: limit, Offset: offset, Email: only})
	})
}

// Withdraw removes a notification of any channel from every feed. The reason is in the audit log of its publisher.
// Withdrawing it again changes nothing.
func (s *ModerationService) Withdraw(ctx context.Context, id, reason string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	body, err := because(reason)
	if err != nil {
		return err
	}
	return check(s.api.WithdrawByOperator(ctx, parsed, body))
}

func because(reason string) (api.SuspensionInput, error) {
	var f faults
	f.text("reason", reason)
	return api.SuspensionInput{Reason: reason}, f.err()
}
