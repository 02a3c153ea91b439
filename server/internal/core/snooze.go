package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// SnoozedAtMost is how far ahead a notification may be postponed.
const SnoozedAtMost = 366 * 24 * time.Hour

// checkSnooze checks a patch that postpones a notification or takes that back.
func (f *Feed) checkSnooze(ctx context.Context, c Caller, id ID, p ReceiptPatch, now time.Time) error {
	const pointer = "#/snoozedUntil"
	var found faults
	if p.Read != nil || p.Archived != nil {
		found.Add(pointer, "alone", rules.Text{EN: "cannot be changed together with others",
			PT: "não pode ser alterado com outros"})
	}
	until := p.SnoozedUntil.Value
	switch {
	case until == nil:
	case !until.After(now):
		found.Add(pointer, "past", rules.Text{EN: "is not in the future", PT: "não está no futuro"})
	case until.After(now.Add(SnoozedAtMost)):
		found.Add(pointer, "too_far", rules.Text{EN: "is more than a year ahead", PT: "está a mais de um ano"})
	default:
		n, err := f.store.FeedNotification(ctx, c.SubscriberID, id)
		if err != nil {
			return err
		}
		if n.ExpiresAt != nil && !until.Before(*n.ExpiresAt) {
			found.Add(pointer, "expired", rules.Text{EN: "is when the notification has already expired",
				PT: "é quando a notificação já expirou"})
		}
	}
	return invalid(found.Faults)
}

// Returned is a notification that is back in a subscriber's feed because its time has come.
type Returned struct {
	SubscriberID, NotificationID ID
	// InFeed is whether they still see it: they follow the channel, which is not suspended, and it was not withdrawn.
	InFeed     bool
	Bell       Bell
	MutedUntil *time.Time
}

// Rings reports whether it is pushed. The person has asked for this notification, so a bell for important ones lets it
// through; a silent or muted one does not.
func (r Returned) Rings(now time.Time) bool {
	return r.InFeed && r.Bell != BellNone && (r.MutedUntil == nil || !r.MutedUntil.After(now))
}

// NewReturn returns one push for notifications, newest first, that are back since the given time, in a language. It is
// urgent, because the person has chosen the time.
func NewReturn(back []Notification, at time.Time, in Language) Push {
	p := NewSummary(back, at, in)
	p.High, p.Again = true, true
	return p
}
