package sininho

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
)

// MaxBatch is how many notifications PublishBatch takes at once.
const MaxBatch = rules.MaxBatch

// BatchResult is the result of publishing a batch.
type BatchResult struct {
	// Notifications has the result of each notification, in the order in which they were given.
	Notifications []BatchedNotification
	// Replayed reports whether the response is that of an earlier request with the same idempotency key.
	Replayed bool
}

// BatchedNotification is the result of publishing one notification of a batch.
type BatchedNotification struct {
	// ID is that of the new notification, or of the existing one.
	ID string
	// Existing reports whether the channel already had the ExternalID, so that nothing was published.
	Existing bool
}

// PublishBatch publishes 1 to [MaxBatch] notifications to a channel, in their order: all of them or, if it fails, none.
// Their texts may have about 2 MiB together, and their external ids must differ. For each notification, the result is
// that of [NotificationsService.Publish], but many are published much faster.
//
// It fails as Publish does; the pointers of faults begin with the place in the batch: "#/notifications/3/title".
func (s *NotificationsService) PublishBatch(
	ctx context.Context, channel string, in []PublishInput, opts ...CallOption,
) (*BatchResult, error) {
	address, err := ParseAddress(channel)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	body := api.NotificationBatch{Notifications: make([]api.NotificationInput, len(in))}
	var f faults
	for i, n := range in {
		f.inBatch(i, n.checkText())
		body.Notifications[i] = n.toAPI()
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	resp, err := s.api.PublishNotifications(ctx, address.Publisher, address.Channel,
		&api.PublishNotificationsParams{IdempotencyKey: &c.key}, body)
	out, err := decode[api.NotificationBatchResult](resp, err)
	if err != nil {
		return nil, err
	}
	result := &BatchResult{Replayed: resp.Header.Get("Idempotency-Replayed") == "true"}
	for _, n := range out.Data {
		result.Notifications = append(result.Notifications,
			BatchedNotification{ID: n.ID.String(), Existing: n.Outcome == api.NotificationResultOutcomeExisting})
	}
	return result, nil
}
