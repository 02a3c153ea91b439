// Package history is what a simulation writes and its checker reads: one JSON line for each invocation of an operation,
// for its completion, and for everything else that happened.
//
// An operation is invoked, and completes as ok, fail or info. One that failed did not happen. Of one with info nobody
// knows: it may have happened, may happen later, or never.
package history

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Type says what an event is.
type Type string

// The types.
const (
	Invoke Type = "invoke"
	OK     Type = "ok"
	Fail   Type = "fail"
	Info   Type = "info"
	Note   Type = "note" // happened without an invocation: a fault, an event of a stream
	Final  Type = "final"
)

// The kinds of operations, notes and final observations.
const (
	Publish  = "publish"
	Batch    = "batch"
	Correct  = "correct"
	Withdraw = "withdraw"

	Follow   = "follow"
	Unfollow = "unfollow"
	Bell     = "bell"
	Mute     = "mute"
	Read     = "read"
	Unread   = "unread"
	Archive  = "archive"
	Restore  = "restore"
	ReadAll  = "read-all"

	Feed          = "feed"
	UnreadFeed    = "unread-feed"
	List          = "list"
	Subscriptions = "subscriptions"
	Channel       = "channel"

	Register = "register"
	Remove   = "remove"

	Connect = "connect" // a stream is requested
	Hello   = "hello"   // the first block of a stream
	Message = "message" // an event of a stream
	Cut     = "cut"     // a stream has ended
	Awaited = "awaited" // where a stream must have come

	Begun     = "begun" // with the time of the wall's clock
	Fault     = "fault"
	Healed    = "healed"
	Stopped   = "stopped"   // a process that was asked to
	Restarted = "restarted" // after all processes have ended

	Notification = "notification" // a row, at the end
	Delivery     = "delivery"
	Device       = "device"
	Dispatch     = "dispatch"
	Push         = "push"
)

// NoRetryAfter is the problem of a 503 that does not say when to try again.
const NoRetryAfter = "without Retry-After"

// Correction separates the title with which a notification was published from what a correction added.
const Correction = "~"

// InFlight is how long a push may be in flight, or its outcome unrecorded, after something broke.
const InFlight = 10 * time.Second

// Event is a line of a history. Only the fields that belong to its kind are set.
type Event struct {
	At      time.Duration `json:"at"` // since the beginning, by the clock of the simulation
	Process string        `json:"process,omitempty"`
	Op      int           `json:"op,omitempty"` // the same for an invocation and its completion
	Type    Type          `json:"type"`
	Kind    string        `json:"kind"`
	Node    string        `json:"node,omitempty"`

	Person  string `json:"person,omitempty"`
	Channel string `json:"channel,omitempty"`
	ID      string `json:"id,omitempty"` // of a notification
	Value
}

// Value is what is asked for, found or observed.
type Value struct {
	Key        string     `json:"key,omitempty"`
	ExternalID string     `json:"externalId,omitempty"`
	Title      string     `json:"title,omitempty"`
	Important  bool       `json:"important,omitempty"`
	Scheduled  *time.Time `json:"scheduled,omitempty"`
	Expires    *time.Time `json:"expires,omitempty"`
	Items      []Item     `json:"items,omitempty"`
	Bell       string     `json:"bell,omitempty"`
	Muted      bool       `json:"muted,omitempty"`
	Limit      int        `json:"limit,omitempty"` // of a page

	Status   int    `json:"status,omitempty"`
	Existing bool   `json:"existing,omitempty"`
	Replayed bool   `json:"replayed,omitempty"`
	Total    int    `json:"total,omitempty"`
	Unread   int    `json:"unread,omitempty"`
	Problem  string `json:"problem,omitempty"` // why there is no good response

	Device  string `json:"device,omitempty"`
	Address string `json:"address,omitempty"`

	Position int64  `json:"position,omitempty"` // on the stream
	Latest   int64  `json:"latest,omitempty"`   // position of the latest change
	Event    string `json:"event,omitempty"`    // of a stream
	Visible  bool   `json:"visible,omitempty"`
	Outcome  string `json:"outcome,omitempty"`
	Cause    string `json:"cause,omitempty"`
	Finished bool   `json:"finished,omitempty"`
	Accepted int    `json:"accepted,omitempty"`
	Breaks   bool   `json:"breaks,omitempty"` // the fault may lose responses that were under way
	Tag      string `json:"tag,omitempty"`
	Revision string `json:"revision,omitempty"`

	Published *time.Time    `json:"published,omitempty"`
	Length    time.Duration `json:"length,omitempty"`
	Offset    time.Duration `json:"offset,omitempty"` // of a clock
}

// Item is a notification of a batch or a page, or a subscription.
type Item struct {
	ID         string    `json:"id,omitempty"`
	Channel    string    `json:"channel,omitempty"`
	Title      string    `json:"title,omitempty"`
	ExternalID string    `json:"externalId,omitempty"`
	Existing   bool      `json:"existing,omitempty"`
	Read       bool      `json:"read,omitempty"`
	Unread     int       `json:"unread,omitempty"`
	Bell       string    `json:"bell,omitempty"`
	Muted      bool      `json:"muted,omitempty"`
	Published  time.Time `json:"published,omitzero"`
}

// Recorder records events as they happen.
type Recorder struct {
	began time.Time

	mu     sync.Mutex
	events []Event
	ops    int
}

// NewRecorder returns a recorder whose clock begins now.
func NewRecorder() *Recorder { return &Recorder{began: time.Now()} }

// At returns when a time is on the recorder's clock.
func (r *Recorder) At(t time.Time) time.Duration { return t.Sub(r.began) }

// Add records an event that happens now.
func (r *Recorder) Add(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.At = time.Since(r.began)
	r.events = append(r.events, e)
}

// AddAt records an event that happened at a time.
func (r *Recorder) AddAt(at time.Duration, e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.At = at
	r.events = append(r.events, e)
}

// Invoke records an invocation, and returns it with its number.
func (r *Recorder) Invoke(e Event) Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ops++
	e.At, e.Op, e.Type = time.Since(r.began), r.ops, Invoke
	r.events = append(r.events, e)
	return e
}

// Complete records the completion of an invocation.
func (r *Recorder) Complete(invocation Event, as Type, v Value, id string) {
	e := invocation
	e.Type, e.Value, e.ID = as, v, id
	r.Add(e)
}

// Events returns what was recorded.
func (r *Recorder) Events() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Event(nil), r.events...)
}

// WriteFile writes events to a file, one a line.
func WriteFile(path string, events []Event) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	out := json.NewEncoder(w)
	for _, e := range events {
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Parse reads events.
func Parse(in io.Reader) (events []Event, err error) {
	lines := json.NewDecoder(in)
	for {
		var e Event
		switch err := lines.Decode(&e); {
		case errors.Is(err, io.EOF):
			return events, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", len(events)+1, err)
		}
		events = append(events, e)
	}
}
