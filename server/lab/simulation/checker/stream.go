package checker

import (
	"maps"
	"slices"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// stream is everything that one reader of a stream received, over all its connections.
type stream struct {
	name            string
	person, channel string // of a feed's stream, or of a channel's
	segments        []segment
	messages        []history.Event
	from, to        int64 // positions
}

// segment is a connection of a stream that was answered. It covers the changes after one position, up to the one at
// which the next begins.
type segment struct {
	node           string
	requested, end time.Duration
	after          int64
}

const (
	published = "notification"
	corrected = "corrected"
	withdrawn = "withdrawn"
)

// checkStreams checks that each stream has every visible change once, in order, without a gap where it was resumed.
func (j *judge) checkStreams() {
	streams := map[string]*stream{}
	for _, e := range j.events {
		if e.Type == history.Note {
			j.readStream(streams, e)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		s := streams[name]
		j.checkMessages(s)
		j.checkGaps(s)
	}
	for _, e := range j.all(history.Awaited) {
		if s := streams[e.Process]; s == nil || s.to < e.Position {
			j.breach("stream gaps", "%s has not come to %d", e.Process, e.Position)
		}
	}
}

// readStream adds an event of the history to its stream.
func (j *judge) readStream(streams map[string]*stream, e history.Event) {
	s := streams[e.Process]
	switch e.Kind {
	case history.Connect:
		if s == nil {
			s = &stream{name: e.Process, person: e.Person, channel: e.Channel}
			streams[e.Process] = s
		}
		s.segments = append(s.segments, segment{node: e.Node, requested: e.At, end: never, after: -1})
	case history.Hello:
		s.segments[len(s.segments)-1].after = e.Position
		if len(s.segments) == 1 {
			s.from, s.to = e.Position, e.Position
		} else if e.Position != s.to {
			j.breach("resumes", "%s resumed at %d, and was to at %d", s.name, e.Position, s.to)
		}
	case history.Message:
		s.messages = append(s.messages, e)
		if e.Position <= s.to {
			j.breach("stream order", "%s at %d after %d on %s", e.Title, e.Position, s.to, s.name)
		}
		s.to = max(s.to, e.Position)
	case history.Cut:
		if last := len(s.segments) - 1; s.segments[last].after < 0 {
			s.segments = s.segments[:last] // it had no response
		} else {
			s.segments[last].end = e.At
		}
	}
}

// checkMessages checks each message of a stream by itself.
func (j *judge) checkMessages(s *stream) {
	for _, m := range s.messages {
		r := j.rows[m.ID]
		if m.Event == "reset" {
			j.breach("resets", "%s was reset at %d", s.name, m.Position)
			continue
		}
		if r == nil {
			j.breach("phantom", "%s %s on %s", m.Title, m.ID, s.name)
			continue
		}
		if s.channel != "" && s.channel != r.Channel {
			j.breach("stream contents", "%s of %s on %s", m.Title, r.Channel, s.name)
		}
		if s.person != "" && !j.follow(s.person, r.Channel).between(j.requested(s, m), m.At).may(true) {
			j.breach("stream contents", "%s on %s, who does not follow %s", r.Title, s.name, r.Channel)
		}
		if want := j.eventsAt(r, m.Position); !slices.Contains(want, m.Event) {
			j.breach("stream contents", "%s of %s at %d on %s, want one of %q", m.Event, r.Title, m.Position, s.name,
				want)
		}
		if m.Event == withdrawn {
			continue
		}
		if v := r.title.between(0, m.At); !v.may(m.Title) {
			j.breach("corrections", "%s on %s, want one of %v", m.Title, s.name, v)
		}
		if m.Position == r.Latest && m.Title != r.Title {
			j.breach("corrections", "%s at %d on %s, want %s", m.Title, m.Position, s.name, r.Title)
		}
	}
}

// requested returns when the connection on which a message came was requested.
func (j *judge) requested(s *stream, m history.Event) (at time.Duration) {
	for _, g := range s.segments {
		if g.requested <= m.At {
			at = g.requested
		}
	}
	return at
}

// eventsAt returns the events that a stream may have at a place for a notification. One that expires may do so before
// it could be published. It may be corrected after that, and is shown again if it has not expired by the clock of the
// node that corrects it.
func (j *judge) eventsAt(r *row, place int64) []string {
	expires := r.label.expires != nil
	switch {
	case expires && j.ahead > 0 && place < r.Latest:
		return []string{published, corrected, withdrawn}
	case place == r.Latest && !r.Visible:
		return []string{withdrawn}
	case place == r.Position && expires:
		return []string{published, withdrawn}
	case place == r.Position:
		return []string{published}
	case place <= r.Position || place > r.Latest:
		return nil
	case expires:
		return []string{corrected, withdrawn}
	default:
		return []string{corrected}
	}
}

// checkGaps checks that a stream has each change that it must have.
func (j *judge) checkGaps(s *stream) {
	has := map[int64]bool{}
	for _, m := range s.messages {
		has[m.Position] = true
	}
	for _, r := range j.rows {
		if s.channel != "" && s.channel != r.Channel || r.Published == nil {
			continue
		}
		j.checkBegin(s, r)
		for _, place := range due(r) {
			if place > s.from && place <= s.to && !has[place] && j.covers(s, r, place) {
				j.breach("stream gaps", "%s at %d is not on %s, which has %d to %d", r.Title, place, s.name, s.from, s.to)
			}
		}
	}
}

// checkBegin checks that a stream begins before what was published after its first block was there.
func (j *judge) checkBegin(s *stream, r *row) {
	if r.label.schedule != nil {
		return
	}
	for _, e := range j.all(history.Hello) {
		if e.Process == s.name {
			if r.label.from > e.At && r.Position <= e.Position {
				j.breach("stream gaps", "%s at %d was published after %s had begun at %d", r.Title, r.Position, s.name,
					e.Position)
			}
			return
		}
	}
}

// due returns the places of the changes that a stream must have: of the publication, if the notification is still
// visible, and of the latest change.
func due(r *row) []int64 {
	if r.Visible {
		return slices.Compact([]int64{r.Position, r.Latest})
	}
	return []int64{r.Latest}
}

// covers reports whether a stream was surely for the channel of a notification when it came to a place.
func (j *judge) covers(s *stream, r *row, place int64) bool {
	if s.channel != "" {
		return true
	}
	var at segment // the last that began before the place
	for _, g := range s.segments {
		if g.after < place {
			at = g
		}
	}
	return j.knows(s, at, r)
}

// knows reports whether the stream of a feed surely knew on a connection that its reader follows a channel. It knows
// what they followed before they connected, and from then on what they followed at the same node.
func (j *judge) knows(s *stream, g segment, r *row) bool {
	follows := j.follow(s.person, r.Channel)
	if follows.between(g.requested, g.end).must(true) {
		return true
	}
	for _, o := range j.ops { // at o.to itself, a value from before the follow is still possible
		if o.Kind == history.Follow && o.done() && o.Person == s.person && o.Channel == r.Channel && o.Node == g.node &&
			o.from > g.requested && o.to < r.label.from && follows.between(o.to+1, g.end).must(true) {
			return true
		}
	}
	return false
}
