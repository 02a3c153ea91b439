package core

import (
	"context"
	"encoding/json"
	"time"
)

// Funnel is what became of a notification, on how many devices: each is in Targeted and in exactly one of Suppressed,
// Accepted, Failed, Expired and Pending.
type Funnel struct {
	Targeted   int64  `json:"targeted"` // found so far
	Pending    int64  `json:"pending"`  // still to be sent, or held until quiet hours end
	Accepted   int64  `json:"accepted"`
	Suppressed Causes `json:"suppressed"`
	Failed     Causes `json:"failed"`
	Expired    Causes `json:"expired"`
	Displayed  int64  `json:"displayed"` // people, not devices
	Opened     int64  `json:"opened"`
	Finished   bool   `json:"finished"` // every device has been found and has its outcome
}

// Causes are numbers of devices by cause.
type Causes map[string]int64

// MarshalJSON never writes null.
func (c Causes) MarshalJSON() ([]byte, error) {
	if c == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(map[string]int64(c))
}

// Total is the number of devices of all causes.
func (c Causes) Total() (devices int64) {
	for _, of := range c {
		devices += of
	}
	return devices
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

func counted(causes Causes, cause string, devices int64) Causes {
	if causes == nil {
		causes = Causes{}
	}
	causes[cause] += devices
	return causes
}

// Close tells what is pending when all outcomes have been counted; expanded says that every device has been found.
func (f *Funnel) Close(expanded bool) {
	f.Pending = f.Targeted - f.Accepted - f.Suppressed.Total() - f.Failed.Total() - f.Expired.Total()
	f.Finished = expanded && f.Pending == 0
}

// countedPerSecond is how many deliveries of one dispatch are counted for each second that passes.
const countedPerSecond = 20_000

// CheckFinishedIn tells when to look again at whether a dispatch is finished that is that old and has found so many
// devices. What is held or slow is looked at ever more rarely, and what is large more rarely than it costs to count it.
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
	// Funnel is of one moment; CodeNotFound when there is no such notification in that channel.
	Funnel(ctx context.Context, channelID, notificationID ID) (Funnel, error)
	// ChannelFunnel is of one moment, too: the parts of the time in which something was dispatched, in order.
	ChannelFunnel(ctx context.Context, channelID ID, t FunnelTime) ([]FunnelPart, error)
}

// Funnel answers what became of a notification of a channel whose publisher the caller may see into.
func (s *Notifications) Funnel(ctx context.Context, caller Caller, publisherSlug, slug string, id ID) (Funnel, error) {
	channel, err := editable(ctx, s.Store, caller, publisherSlug, slug, ScopeRead)
	if err != nil {
		return Funnel{}, err
	}
	return s.Store.Funnel(ctx, channel.ID, id)
}
