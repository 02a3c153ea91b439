package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// PublishBatchInput is the input for notifications that are published together.
type PublishBatchInput struct {
	Notifications []PublishInput
}

// Published is what became of a notification of a batch.
type Published struct {
	ID       ID   `json:"id"`
	Existing bool `json:"existing,omitempty"` // the channel had one with its external id, which has this ID
}

// Validate implements Input.
func (in PublishBatchInput) Validate(r *Rules, now time.Time) []FieldError {
	return in.faults(func(n PublishInput) []FieldError { return n.Validate(r, now) })
}

func (in PublishBatchInput) faults(validate func(PublishInput) []FieldError) []FieldError {
	externalIDs := make([]string, len(in.Notifications))
	for i, n := range in.Notifications {
		externalIDs[i] = n.ExternalID
	}
	return rules.Batch(externalIDs, func(i int) rules.Faults { return validate(in.Notifications[i]) })
}

// PublishBatch publishes notifications to a channel to which the caller may publish: all of them or, if one has a
// fault, none.
func (s *Notifications) PublishBatch(
	ctx context.Context, caller Caller, publisherSlug, slug string, in PublishBatchInput, key Idempotency,
) ([]Published, Creation, error) {
	channel, err := s.publishable(ctx, caller, publisherSlug, slug)
	if err != nil {
		return nil, 0, err
	}
	now := s.now()
	for i := range in.Notifications {
		in.Notifications[i].expireDemonstration(channel, now)
	}
	err = invalid(in.faults(func(n PublishInput) []FieldError { return n.faultsIn(channel, s.rules, now) }))
	if err != nil {
		// A repeated request gets the first response, even if its times have passed since.
		if all, creation, replayErr := s.store.ReplayBatch(ctx, key); replayErr == nil {
			return all, creation, nil
		}
		return nil, 0, err
	}
	all := make([]Notification, len(in.Notifications))
	for i, n := range in.Notifications {
		all[i] = newNotification(channel, n, now)
	}
	return s.writer.PublishBatch(ctx, all, key)
}
