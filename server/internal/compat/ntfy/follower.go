package ntfy

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/compat"
)

// follower turns the events of one channel into messages.
type follower struct {
	topic  topic
	names  string // of all topics of the subscription
	filter filter
	out    sink
	now    func() time.Time
	beats  bool         // it passes on heartbeats
	begin  func() error // when the stream has begun

	seen map[uuid.UUID]string // messages that were sent, with their sequences
}

// maxSeen is how many messages a follower remembers.
const maxSeen = 2000

// errReset ends a subscription whose channel can no longer be followed as it was.
var errReset = errors.New("reset")

// event returns an event that is no message.
func (f *follower) event(kind string) message {
	return message{ID: newID(), Time: f.now().Unix(), Event: kind, Topic: f.names}
}

// old sends a message of the history.
func (f *follower) old(n api.Notification) error {
	f.remember(n)
	return f.send(newMessage(f.topic, n))
}

func (f *follower) send(m message) error {
	if !f.filter.passes(m) {
		return nil
	}
	return f.out.send(m)
}

func (f *follower) remember(n api.Notification) {
	if f.seen == nil || len(f.seen) >= maxSeen {
		f.seen = map[uuid.UUID]string{}
	}
	f.seen[n.ID] = sequenceOf(n)
}

// receive turns an event of the stream into a message. What was published after the stream had begun and was in the
// history too is not sent twice.
func (f *follower) receive(e compat.Event) error {
	switch e.Kind {
	case compat.Begun:
		return f.begin()
	case compat.Heartbeat:
		if !f.beats {
			return nil
		}
		return f.out.send(f.event(eventKeepalive))
	case "notification", "corrected":
		return f.published(e)
	case "withdrawn":
		return f.withdrawn(e)
	case "reset":
		return errReset
	default:
		return nil
	}
}

func (f *follower) published(e compat.Event) error {
	var n api.Notification
	if err := json.Unmarshal(e.Data, &n); err != nil {
		return err
	}
	if _, seen := f.seen[n.ID]; seen && e.Kind == "notification" {
		return nil
	}
	f.remember(n)
	m := newMessage(f.topic, n)
	if e.Kind == "corrected" {
		m.SequenceID = sequenceOf(n)
	}
	return f.send(m)
}

func (f *follower) withdrawn(e compat.Event) error {
	var n struct{ ID uuid.UUID }
	if err := json.Unmarshal(e.Data, &n); err != nil {
		return err
	}
	m := message{ID: n.ID.String(), Time: f.now().Unix(), Event: eventDelete, Topic: f.topic.String(),
		SequenceID: n.ID.String()}
	if sequence, ok := f.seen[n.ID]; ok {
		m.SequenceID = sequence
	}
	delete(f.seen, n.ID)
	return f.out.send(m)
}
