package core

import (
	"context"
	"encoding/json"
	"time"
)

// Funnel counts the devices of a notification by outcome. Each device is counted in Targeted and in exactly one of
// Suppressed, Accepted, Failed, Expired and Pending.
type Funnel struct {
	Targeted   int64  `json:"targeted"` // found so far
	Pending    int64  `json:"pending"`  // not sent yet, or held until quiet hours end
	Accepted   int64  `json:"accepted"`
	Suppressed Causes `json:"suppressed"`
	Failed     Causes `json:"failed"`
	Expired    Causes `json:"expired"`
	Displayed  int64  `json:"displayed"` // people, not devices
	Opened     int64  `json:"opened"`
	Finished   bool   `json:"finished"` // every device has been found and has its outcome
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

// Count adds devices with an outcome to the funnel.
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

func counted(causes Causes, cause string, devices int64) Causes {
	if causes == nil {
		causes = Causes{}
	}
	causes[cause] += devices
	return causes
}

// Close sets Pending and Finished once all outcomes have been counted; expanded means that every device has been found.
func (f *Funnel) Close(expanded bool) {
	f.Pending = f.Targeted - f.Accepted - f.Suppressed.Total() - f.Failed.Total() - f.Expired.Total()
	f.Finished = expanded && f.Pending == 0
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

// FunnelStore counts deliveries.
type FunnelStore interface {
	// Funnel counts at a single moment; it fails with CodeNotFound when the channel has no such notification.
	Funnel(ctx context.Context, channelID, notificationID ID) (Funnel, error)
	// ChannelFunnel counts at a single moment too. It returns only the parts in which something was dispatched, in
	// order of time.
	ChannelFunnel(ctx context.Context, channelID ID, t FunnelTime) ([]FunnelPart, error)
}

// Funnel returns the funnel of a notification in a channel whose publisher the caller may read.
func (s *Notifications) Funnel(ctx context.Context, caller Caller, publisherSlug, slug string, id ID) (Funnel, error) {
	channel, err := editable(ctx, s.Store, caller, publisherSlug, slug, ScopeRead)
	if err != nil {
		return Funnel{}, err
	}
	return s.Store.Funnel(ctx, channel.ID, id)
}
