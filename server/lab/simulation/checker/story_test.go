package checker_test

import (
	"fmt"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// story writes a history in which the promise is kept, step by step.
type story struct {
	events []history.Event
	at     time.Duration
	op     int
	wall   time.Time
}

func newStory() *story {
	s := &story{wall: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	s.note(history.Event{Kind: history.Begun, Value: history.Value{Published: &s.wall}})
	return s
}

func (s *story) add(e history.Event) {
	s.at += time.Millisecond
	e.At = s.at
	s.events = append(s.events, e)
}

func (s *story) note(e history.Event)  { e.Type = history.Note; s.add(e) }
func (s *story) final(e history.Event) { e.Type = history.Final; s.add(e) }

// do adds an operation that succeeds.
func (s *story) do(e history.Event, v history.Value, id string) { s.complete(e, history.OK, v, id) }

func (s *story) complete(e history.Event, as history.Type, v history.Value, id string) {
	s.op++
	e.Op, e.Type = s.op, history.Invoke
	s.add(e)
	e.Type, e.Value, e.ID = as, v, id
	s.add(e)
}

func (s *story) publish(title, id string, v history.Value) {
	v.Key, v.Title = title, title
	s.do(history.Event{Process: "p", Kind: history.Publish, Channel: "c", Value: v}, history.Value{Status: 201}, id)
}

func (s *story) person(kind, id string) {
	s.do(history.Event{Process: "ana", Kind: kind, Person: "ana", Channel: "c", ID: id}, history.Value{Status: 200}, id)
}

// stream adds a message to a stream of the channel and to one of a feed.
func (s *story) message(event, title, id string, position int64) {
	for _, e := range []history.Event{{Process: "public", Channel: "c"}, {Process: "own", Person: "ana"}} {
		e.Kind, e.ID = history.Message, id
		e.Value = history.Value{Event: event, Title: title, Position: position}
		s.note(e)
	}
}

func (s *story) connect(key string, position int64) {
	for _, e := range []history.Event{{Process: "public", Channel: "c"}, {Process: "own", Person: "ana"}} {
		if key != "" {
			e.Kind = history.Cut
			s.note(e)
		}
		e.Kind, e.Key = history.Connect, key
		s.note(e)
		e.Kind, e.Value = history.Hello, history.Value{Position: position}
		s.note(e)
	}
}

// published is when a notification was published, by its number.
func (s *story) published(n int) time.Time { return s.wall.Add(time.Duration(n) * time.Millisecond) }

func (s *story) item(n int, title string, read bool) history.Item {
	return history.Item{ID: fmt.Sprint("id-", n), Title: title, Read: read, Published: s.published(n)}
}

// told tells the whole story: ana follows the channel and publishes are corrected, withdrawn, read and archived while
// two streams are cut and resumed.
func told() []history.Event {
	s := newStory()
	s.person(history.Follow, "")
	s.do(history.Event{Process: "ana", Kind: history.Register, Person: "ana",
		Value: history.Value{Key: "i", Address: "a"}}, history.Value{Device: "d", Status: 201}, "")
	s.connect("", 0)
	s.publish("one", "id-1", history.Value{ExternalID: "x"})
	s.message("notification", "one", "id-1", 1)
	s.publish("two", "id-2", history.Value{})
	s.message("notification", "two", "id-2", 2)
	s.connect("2", 2)
	s.publish("three", "id-3", history.Value{Important: true})
	s.complete(history.Event{Process: "p", Kind: history.Publish, Channel: "c",
		Value: history.Value{Key: "unknown", Title: "unknown"}}, history.Info, history.Value{}, "")
	s.complete(history.Event{Process: "p", Kind: history.Publish, Channel: "c",
		Value: history.Value{Key: "refused", Title: "refused"}}, history.Fail, history.Value{Status: 422}, "")
	s.message("notification", "three", "id-3", 3)
	s.do(history.Event{Process: "p", Kind: history.Correct, Channel: "c", ID: "id-1",
		Value: history.Value{Title: "one~better"}}, history.Value{Status: 200}, "id-1")
	s.message("corrected", "one~better", "id-1", 4)
	s.do(history.Event{Process: "p", Kind: history.Withdraw, Channel: "c", ID: "id-2"}, history.Value{Status: 204}, "")
	s.message("withdrawn", "", "id-2", 5)
	s.person(history.Read, "id-1")
	s.publish("four", "id-4", history.Value{})
	s.message("notification", "four", "id-4", 6)
	s.person(history.Archive, "id-4")
	for _, e := range []string{"public", "own"} {
		s.note(history.Event{Kind: history.Awaited, Process: e, Value: history.Value{Position: 6}})
	}
	s.note(history.Event{Kind: history.Healed})
	s.read()
	s.note(history.Event{Kind: history.Stopped, Node: "n", Value: history.Value{Length: time.Second}})
	s.note(history.Event{Kind: history.Restarted})
	s.rows()
	return s.events
}

func (s *story) read() {
	page := history.Value{Limit: 10}
	one, three := s.item(1, "one~better", true), s.item(3, "three", false)
	s.do(history.Event{Kind: history.Feed, Person: "ana", Value: page},
		history.Value{Total: 2, Unread: 1, Items: []history.Item{three, one}}, "")
	s.do(history.Event{Kind: history.UnreadFeed, Person: "ana", Value: page},
		history.Value{Total: 1, Unread: 1, Items: []history.Item{three}}, "")
	one.Read = false
	s.do(history.Event{Kind: history.List, Channel: "c", Value: page},
		history.Value{Total: 3, Items: []history.Item{s.item(4, "four", false), three, one}}, "")
	s.do(history.Event{Kind: history.Subscriptions, Person: "ana"},
		history.Value{Items: []history.Item{{Channel: "c", Bell: "all", Unread: 1}}}, "")
	s.do(history.Event{Kind: history.Channel, Channel: "c"}, history.Value{Total: 1}, "")
}

func (s *story) rows() {
	for _, n := range []struct {
		number           int
		title, external  string
		position, latest int64
		visible          bool
	}{
		{1, "one~better", "x", 1, 4, true}, {2, "two", "", 2, 5, false}, {3, "three", "", 3, 3, true},
		{4, "four", "", 6, 6, true},
	} {
		id := fmt.Sprint("id-", n.number)
		published := s.published(n.number)
		s.final(history.Event{Kind: history.Notification, Channel: "c", ID: id, Value: history.Value{Title: n.title,
			ExternalID: n.external, Position: n.position, Latest: n.latest, Visible: n.visible, Published: &published}})
		s.final(history.Event{Kind: history.Delivery, ID: id, Value: history.Value{Device: "d", Outcome: "accepted"}})
		s.final(history.Event{Kind: history.Dispatch, ID: id,
			Value: history.Value{Finished: true, Total: 1, Accepted: 1}})
		s.final(history.Event{Kind: history.Push, ID: id, Value: history.Value{Address: "a", Tag: id}})
	}
	s.final(history.Event{Kind: history.Device, Person: "ana", Value: history.Value{Device: "d", Address: "a", Key: "i"}})
}
