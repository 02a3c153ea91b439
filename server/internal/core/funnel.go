package core

import "context"

// Funnel is what became of a notification, on how many devices: each is in Targeted and in exactly one of Suppressed,
// Accepted, Failed, Expired and Pending.
type Funnel struct {
	Targeted                    int64 // found so far
	Pending                     int64 // still to be sent, or held until quiet hours end
	Accepted                    int64
	Suppressed, Failed, Expired map[string]int64 // by cause
	Displayed, Opened           int64            // people, not devices
	Finished                    bool             // every device has been found and has its outcome
}

// Count takes devices with an outcome into the funnel.
func (f *Funnel) Count(outcome Outcome, cause string, devices int64) {
	switch outcome {
	case Accepted:
		f.Accepted += devices
	case Suppressed:
		f.Suppressed = counted(f.Suppressed, cause, devices)
	case Failed:
		f.Failed = counted(f.Failed, cause, devices)
	case Expired:
		f.Expired = counted(f.Expired, cause, devices)
	}
}

func counted(causes map[string]int64, cause string, devices int64) map[string]int64 {
	if causes == nil {
		causes = map[string]int64{}
	}
	causes[cause] += devices
	return causes
}

// Close tells what is pending when all outcomes have been counted; expanded says that every device has been found.
func (f *Funnel) Close(expanded bool) {
	f.Pending = f.Targeted - f.Accepted
	for _, causes := range []map[string]int64{f.Suppressed, f.Failed, f.Expired} {
		for _, devices := range causes {
			f.Pending -= devices
		}
	}
	f.Finished = expanded && f.Pending == 0
}

// FunnelStore counts deliveries.
type FunnelStore interface {
	// Funnel is of one moment; CodeNotFound when there is no such notification in that channel.
	Funnel(ctx context.Context, channelID, notificationID ID) (Funnel, error)
}

// Funnel answers what became of a notification of a channel whose publisher the caller may see into.
func (s *Notifications) Funnel(ctx context.Context, caller Caller, publisherSlug, slug string, id ID) (Funnel, error) {
	channel, err := editable(ctx, s.Store, caller, publisherSlug, slug, ScopeRead)
	if err != nil {
		return Funnel{}, err
	}
	return s.Store.Funnel(ctx, channel.ID, id)
}
