package core

import (
	"maps"
	"sync"
)

// Meter counts what this node does, until Take. A nil Meter counts nothing.
type Meter struct {
	mu     sync.Mutex
	counts NodeCounts
}

// NodeCounts are numbers of what a node did in some time.
type NodeCounts struct {
	Published int64  // notifications
	Accepted  int64  // pushes
	Failed    Causes // likewise
	Expired   Causes
	Retried   Causes // attempts that are made again later
	Requests  int64  // to the API
	Errors    int64  // of those, with a status of 500 or more
}

// count changes the counts.
func (m *Meter) count(change func(c *NodeCounts)) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	change(&m.counts)
}

// Published counts notifications that were published.
func (m *Meter) Published(notifications int) {
	m.count(func(c *NodeCounts) { c.Published += int64(notifications) })
}

// Pushed counts outcomes of pushes.
func (m *Meter) Pushed(outcomes []Delivery) {
	m.count(func(c *NodeCounts) {
		for _, d := range outcomes {
			switch d.Outcome {
			case Accepted:
				c.Accepted++
			case Failed:
				c.Failed = counted(c.Failed, d.Cause, 1)
			case Expired:
				c.Expired = counted(c.Expired, d.Cause, 1)
			case Suppressed: // nothing was pushed
			}
		}
	})
}

// Retried counts a push that is attempted again later.
func (m *Meter) Retried(cause string) {
	m.count(func(c *NodeCounts) { c.Retried = counted(c.Retried, cause, 1) })
}

// firstServerError is the lowest status of a failure of the server.
const firstServerError = 500

// Responded counts a request to the API.
func (m *Meter) Responded(status int) {
	m.count(func(c *NodeCounts) {
		c.Requests++
		if status >= firstServerError {
			c.Errors++
		}
	})
}

// Take returns the counts and begins again.
func (m *Meter) Take() (taken NodeCounts) {
	m.count(func(c *NodeCounts) { taken, *c = *c, NodeCounts{} })
	return taken
}

// Return adds counts that were taken and could not be stored.
func (m *Meter) Return(taken NodeCounts) {
	m.count(func(c *NodeCounts) { c.add(taken) })
}

func (c *NodeCounts) add(more NodeCounts) {
	c.Published += more.Published
	c.Accepted += more.Accepted
	c.Failed = sum(c.Failed, more.Failed)
	c.Expired = sum(c.Expired, more.Expired)
	c.Retried = sum(c.Retried, more.Retried)
	c.Requests += more.Requests
	c.Errors += more.Errors
}

// sum returns the sum for each cause.
func sum(a, b Causes) Causes {
	all := maps.Clone(a)
	for cause, n := range b {
		all = counted(all, cause, n)
	}
	return all
}
