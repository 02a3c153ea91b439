package core

import (
	"context"
	"encoding/json"
	"time"
)

// DeliverySummary counts the devices of a notification by outcome. Each device is counted in Targeted and in exactly
// one of Suppressed, Accepted, Failed, Expired and Pending.
type DeliverySummary struct {
	Targeted   int64  `json:"targeted"` // found so far
	Pending    int64  `json:"pending"`  // not sent yet, or held until quiet hours end
	Accepted   int64  `json:"accepted"`
	Suppressed Causes `json:"suppressed"`
	Failed     Causes `json:"failed"`
	Expired    Causes `json:"expired"`
	Displayed  int64  `json:"displayed"` // people, not devices
	Opened     int64  `json:"opened"`
	Finished   bool   `json:"finished"` // every device has been found and has its outcome

	PublishedBy Actor `json:"-"` // only for the publisher; zero when it was not recorded
}

// Causes maps each cause to a number of devices.
type Causes map[string]int64

// MarshalJSON encodes nil as an empty object instead of null.
func (c Causes) MarshalJSON() ([]byte, error) {
	if c == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]int64(c))
}

// Total returns the number of devices of all causes.
func (c Causes) Total() (devices int64) {
	for _, of := range c {
		devices += of
	}
	return devices
}

// Count adds devices with an outcome to the summary.
func (d *DeliverySummary) Count(outcome Outcome, cause string, devices int64) {
	switch outcome {
	case Accepted:
		d.Accepted += devices
	case Suppressed:
		d.Suppressed = counted(d.Suppressed, cause, devices)
	case Failed:
		d.Failed = counted(d.Failed, cause, devices)
	case Expired:
		d.Expired = counted(d.Expired, cause, devices)
	}
}

func counted(causes Causes, cause string, devices int64) Causes {
	if causes == nil {
		causes = Causes{}
	}
	causes[cause] += devices
	return causes
}

// Close sets Pending and Finished once all outcomes have been counted; found means that every device has been found.
func (d *DeliverySummary) Close(found bool) {
	d.Pending = d.Targeted - d.Accepted - d.Suppressed.Total() - d.Failed.Total() - d.Expired.Total()
	d.Finished = found && d.Pending == 0
}

// countedPerSecond limits how often a large dispatch is counted: to this many deliveries per second on average.
const countedPerSecond = 20_000

// CheckFinishedIn returns how long to wait before checking again whether a dispatch is finished, by its age and the
// number of devices found so far. The wait grows with age, because old dispatches are held or slow, and with size,
// because counting deliveries takes time.
func CheckFinishedIn(age time.Duration, targeted int64) time.Duration {
	wait := 10 * time.Minute
	switch {
	case age < time.Minute:
		wait = time.Second
	case age < 10*time.Minute:
		wait = 10 * time.Second
	case age < time.Hour:
		wait = time.Minute
	}
	return max(wait, time.Duration(targeted/countedPerSecond)*time.Second)
}

// DeliverySummaryStore counts deliveries.
type DeliverySummaryStore interface {
	// DeliverySummary counts at a single moment; it fails with CodeNotFound when the channel has no such notification.
	DeliverySummary(ctx context.Context, channelID, notificationID ID) (DeliverySummary, error)
	// ChannelDeliverySummary counts at a single moment too. It returns only the parts in which something was
	// dispatched, in order of time.
	ChannelDeliverySummary(ctx context.Context, channelID ID, t SummaryPeriod) ([]DeliverySummaryPart, error)
	// Reach counts the followers of a channel. It takes no longer for many, so it may estimate by a sample.
	Reach(ctx context.Context, channelID ID, now time.Time) (Reach, error)
}

// DeliverySummary returns the summary of a notification in a channel whose publisher the caller may read. Only people
// learn who published it; an API key learns in which way.
func (s *Notifications) DeliverySummary(ctx context.Context, caller Caller, publisherSlug, slug string,
	id ID) (DeliverySummary, error) {
	channel, err := editable(ctx, s.store, caller, publisherSlug, slug, ScopeRead)
	if err != nil {
		return DeliverySummary{}, err
	}
	sum, err := s.store.DeliverySummary(ctx, channel.ID, id)
	if caller.Is(CallerPublisher) {
		sum.PublishedBy = Actor{Kind: sum.PublishedBy.Kind}
	}
	return sum, err
}
