package checker_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/checker"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

// tale is a short history, with the rules that it breaches in the order in which they are reported.
type tale struct {
	name, breaches string
	steps          []step
}

// step is a part of a tale.
type step func(s *story)

// tell checks that each tale breaches its rules, and no others.
func tell(t *testing.T, tales []tale) {
	t.Helper()
	for _, c := range tales {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			found := checker.Check(events(c.steps))
			var rules []string
			for _, b := range found {
				rules = append(rules, b.Rule)
			}
			if got := strings.Join(slices.Compact(rules), ", "); got != c.breaches {
				t.Errorf("rules that %s breaches: got %q in %v, want %q", c.name, got, found, c.breaches)
			}
		})
	}
}

func events(steps []step) []history.Event {
	s := newStory()
	for _, do := range steps {
		do(s)
	}
	return s.events
}

// by is an operation of somebody on a channel, at the node n.
func by(person, kind, channel string) history.Event {
	return history.Event{Process: person, Node: "n", Kind: kind, Person: person, Channel: channel}
}

// on is an operation on the notification id-1.
func on(kind string, v history.Value) history.Event {
	return history.Event{Process: "ana", Node: "n", Kind: kind, Person: "ana", Channel: "c", ID: "id-1", Value: v}
}

// publishing asks to publish a title to the channel c.
func publishing(title string, v history.Value) history.Event {
	v.Key, v.Title = title, title
	return history.Event{Process: "p", Kind: history.Publish, Channel: "c", Value: v}
}

// did is an operation that succeeds, failed one that does not, and lost one without a response.
func did(e history.Event) step {
	return func(s *story) { s.complete(e, history.OK, history.Value{}, e.ID) }
}

func failed(e history.Event) step {
	return func(s *story) { s.complete(e, history.Fail, history.Value{Status: 404}, e.ID) }
}

func lost(e history.Event) step {
	return func(s *story) { s.complete(e, history.Info, history.Value{}, e.ID) }
}

// answered is an operation that succeeds with a response.
func answered(e history.Event, v history.Value, id string) step {
	return func(s *story) { s.do(e, v, id) }
}

// spanning returns the invocation and the success of an operation, between which others may be.
func spanning(e history.Event, id string) (begin, end step) {
	begin = func(s *story) {
		s.op++
		e.Op, e.Type = s.op, history.Invoke
		s.add(e)
	}
	end = func(s *story) {
		done := e
		done.Type, done.ID = history.OK, id
		s.add(done)
	}
	return begin, end
}

// published publishes a title to the channel c as the notification with a number.
func published(n int, title string, v history.Value) step {
	return func(s *story) { s.publish(title, fmt.Sprint("id-", n), v) }
}

// row is a notification as it is in the end: published to the channel c at the place of its number, if nothing is
// changed.
func row(n int, title string, changes ...func(e *history.Event)) step {
	return func(s *story) {
		published := s.published(n)
		e := history.Event{Kind: history.Notification, Channel: "c", ID: fmt.Sprint("id-", n), Value: history.Value{
			Title: title, Position: int64(n), Latest: int64(n), Visible: true, Published: &published}}
		for _, change := range changes {
			change(&e)
		}
		s.final(e)
	}
}

// changed changes a row to one whose latest change has a place, gone to one that is no longer visible since then,
// publishedAt to one that was published at a time, and never to one that was not published at all.
func changed(latest int64) func(e *history.Event) {
	return func(e *history.Event) { e.Latest = latest }
}

func gone(latest int64) func(e *history.Event) {
	return func(e *history.Event) { e.Visible, e.Latest = false, latest }
}

func publishedAt(at time.Duration) func(e *history.Event) {
	return func(e *history.Event) { e.Published = wall(at) }
}

func never(e *history.Event) { e.Visible, e.Published, e.Position, e.Latest = false, nil, 0, 0 }

// one, two and three publish a notification, which stays as it is.
func one(s *story)   { stays(s, 1, "one") }
func two(s *story)   { stays(s, 2, "two") }
func three(s *story) { stays(s, 3, "three") }

// twoElsewhere publishes two to the channel d.
func twoElsewhere(s *story) {
	e := publishing("two", history.Value{})
	e.Channel = "d"
	s.do(e, history.Value{Status: 201}, "id-2")
	row(2, "two", func(e *history.Event) { e.Channel = "d" })(s)
}

func stays(s *story, n int, title string) {
	published(n, title, history.Value{})(s)
	row(n, title)(s)
}

// noted is something that happens without an operation.
func noted(kind string, v history.Value) step {
	return func(s *story) { s.note(history.Event{Kind: kind, Value: v}) }
}

// until has the next event happen at a time, and meanwhile at that of the last one.
func until(at time.Duration) step { return func(s *story) { s.at = at - time.Millisecond } }

func meanwhile(s *story) { s.at -= time.Millisecond }

// wall returns a time of a story by the clock of the wall.
func wall(at time.Duration) *time.Time { return new(newStory().wall.Add(at)) }
