package core

import "time"

// BacklogCounted is how many of each kind a [Backlog] counts at most, so that counting always costs little.
const BacklogCounted = 10_000

// Backlog is what waits in the database to be done by any node. Times are by the database's clock.
type Backlog struct {
	Dispatches        int64         // notifications with a device that has no outcome yet
	OldestDispatch    time.Duration // age of the oldest of those that were counted
	Held              int64         // pushes that wait for the end of quiet hours
	Events            int64         // to be posted to event endpoints
	FailingEndpoints  int64         // enabled, but accepted none of the latest events
	PausedEndpoints   int64         // of the failing ones, those that wait for the next attempt
	DisabledEndpoints int64         // by the server, because they failed for days
	PushPaused        time.Duration // for how long nothing is pushed
	PaceBooked        time.Duration // for how long the pace of all nodes is used up
	Search            []SearchBacklog
	EmailsSent        int64 // within a day
	Jobs              []JobBacklog
}

// SearchBacklog is how many notifications are not found by their words yet.
type SearchBacklog struct {
	Part   string // short or long, as their texts are
	Count  int64
	Oldest time.Duration // since the oldest one was published or changed
}

// JobBacklog is how many jobs of a queue are in a state.
type JobBacklog struct {
	Queue, State string
	Count        int64
	Oldest       time.Duration // since the oldest one was ready to run; only of JobsAvailable
}

// JobsAvailable is the state of jobs that wait for a worker.
const JobsAvailable = "available"
