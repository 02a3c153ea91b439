package faults

import (
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// attempt is one request to publish, and its response. The key is also the title of the notification.
type attempt struct {
	key        string
	node       string
	began      time.Time
	took       time.Duration
	status     int    // 0: no response
	id         string // of the notification, in a response that acknowledges
	replayed   bool
	retryAfter string
	err        string // why there was no response
}

// acknowledged reports whether the response promises that the notification is published.
func (a attempt) acknowledged() bool { return a.status >= 200 && a.status <= 299 }

// unaccepted reports whether the node had not accepted the connection when it closed its port: the kernel refuses such
// connections, and resets those that were waiting to be accepted.
func (a attempt) unaccepted() bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.EPIPE},
		func(e syscall.Errno) bool { return strings.Contains(a.err, e.Error()) })
}

// ledger holds every attempt of the clients of a test.
type ledger struct {
	mu       sync.Mutex
	attempts []attempt
}

func (l *ledger) add(a attempt) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attempts = append(l.attempts, a)
}

func (l *ledger) all() []attempt {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.attempts)
}

// acknowledged returns the number of keys with an acknowledgement.
func (l *ledger) acknowledged() int {
	keys := map[string]bool{}
	for _, a := range l.all() {
		if a.acknowledged() {
			keys[a.key] = true
		}
	}
	return len(keys)
}

// statuses returns how often each status was received; 0 stands for no response.
func (l *ledger) statuses() map[int]int {
	counts := map[int]int{}
	for _, a := range l.all() {
		counts[a.status]++
	}
	return counts
}

// slowest returns the attempt that took longest.
func (l *ledger) slowest() (slowest attempt) {
	for _, a := range l.all() {
		if a.took > slowest.took {
			slowest = a
		}
	}
	return slowest
}
