package core

import (
	"context"
	"time"
)

// HealthKept is how long the figures about the nodes and their queue are kept.
const HealthKept = 48 * time.Hour

// Health is how the installation was doing in a period.
type Health struct {
	HealthPeriod
	Totals HealthTotals
	Queue  QueueSample // now
	Nodes  []NodeHealth
	Parts  []HealthPart // oldest first; one without figures is missing
}

// HealthTotals are whom the installation reaches now, and what kept it from that lately.
type HealthTotals struct {
	People          int64 // with an account or without one
	WithoutAccount  int64
	Channels        int64
	PrivateChannels int64
	Devices         int64      // that ring
	LastPushAt      *time.Time // nil if none was accepted as long as figures are kept
	FailedLastHour  Causes
	FailedLastDay   Causes
	Paused          []ServicePause // some
}

// ServicePause is a push service that is not pushed to for a while.
type ServicePause struct{ Service, Cause string }

// HealthPeriod is a period in parts of the same length.
type HealthPeriod struct {
	From, Until time.Time
	Part        time.Duration
}

// QueueSample is what waits to be sent.
type QueueSample struct {
	Jobs   int64         // of finding devices and sending
	Oldest time.Duration // since the oldest of them was inserted
	Events int64         // outbound events
}

// NodeCounts are numbers of what a node did in some time.
type NodeCounts struct {
	Published int64  // notifications
	Accepted  int64  // pushes
	Failed    Causes // outcomes of devices
	Expired   Causes // likewise
	Retried   Causes // pushes that are sent again later
	Requests  int64  // to the API
	Errors    int64  // of those, with a status of 500 or more
}

// Since returns what was counted after before.
func (c NodeCounts) Since(before NodeCounts) NodeCounts {
	return NodeCounts{
		Published: c.Published - before.Published, Accepted: c.Accepted - before.Accepted,
		Failed: c.Failed.since(before.Failed), Expired: c.Expired.since(before.Expired),
		Retried:  c.Retried.since(before.Retried),
		Requests: c.Requests - before.Requests, Errors: c.Errors - before.Errors,
	}
}

// since returns the causes that were counted after before.
func (c Causes) since(before Causes) (more Causes) {
	for cause, n := range c {
		if n > before[cause] {
			more = counted(more, cause, n-before[cause])
		}
	}
	return more
}

// NodeSample is what a node did since its last sample, and how many live streams it has.
type NodeSample struct {
	NodeCounts
	Node    string
	At      time.Time
	Streams int
}

// NodeHealth is what a node did in a period.
type NodeHealth struct {
	Node             string
	SeenAt           time.Time // its latest sample
	Streams          int64     // then
	Requests, Errors int64
}

// HealthPart is a part of a period. What is not counted is the highest value in it.
type HealthPart struct {
	NodeCounts
	QueueSample
	At      time.Time
	Streams int64 // of all nodes together
}

// NewHealthPeriod returns the period of some hours until now: in minutes up to three hours, otherwise in five minutes.
func NewHealthPeriod(hours int, now time.Time) HealthPeriod {
	part := time.Minute
	if hours > 3 {
		part = 5 * time.Minute
	}
	return HealthPeriod{From: now.Add(-time.Duration(hours) * time.Hour).Truncate(part), Until: now, Part: part}
}

// HealthStore keeps samples of the nodes and of what waits.
type HealthStore interface {
	// AddNodeSample stores what a node did.
	AddNodeSample(ctx context.Context, s NodeSample) error
	// SampleQueue stores what waits, unless another node did so in the same minute.
	SampleQueue(ctx context.Context, now time.Time) error
	// Health returns the figures of a period, of one node unless node is empty.
	Health(ctx context.Context, p HealthPeriod, node string) (Health, error)
}
