package checker_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// reader reads a stream of a person's feed or of a channel, at the node n.
type reader history.Event

func newReader(name, person, channel string) reader {
	return reader{Process: name, Person: person, Channel: channel, Node: "n"}
}

func (r reader) note(kind string, v history.Value, id string) step {
	return func(s *story) {
		e := history.Event(r)
		e.Kind, e.Value, e.ID = kind, v, id
		s.note(e)
	}
}

// asks requests the stream, begins is the first block of the response, and opens is both.
func (r reader) asks(s *story) { r.note(history.Connect, history.Value{}, "")(s) }

func (r reader) begins(position int64) step {
	return r.note(history.Hello, history.Value{Position: position}, "")
}

func (r reader) opens(position int64) step {
	return func(s *story) {
		r.asks(s)
		r.begins(position)(s)
	}
}

func (r reader) shows(event string, n int, title string, position int64) step {
	return r.note(history.Message, history.Value{Event: event, Title: title, Position: position}, fmt.Sprint("id-", n))
}

func (r reader) ends(s *story) { r.note(history.Cut, history.Value{}, "")(s) }

// notification shows a publication, in the words of the stream.
func (r reader) notification(n int, title string) step {
	return r.shows("notification", n, title, int64(n))
}

var (
	own    = newReader("own", "ana", "")
	public = newReader("public", "", "c")
)

func TestStreams(t *testing.T) {
	t.Parallel()
	showsOne, showsTwo := public.notification(1, "one"), public.notification(2, "two")
	showsThree := public.notification(3, "three")
	expired := published(1, "one", history.Value{Expires: wall(0)})
	tell(t, []tale{
		{"a stream that begins late", "", []step{one, two, public.opens(2), three, showsThree}},
		{"a stream that ends early", "", []step{public.opens(0), one, showsOne, public.ends, two}},
		{"a stream without what belongs to another channel", "",
			[]step{public.opens(0), one, showsOne, twoElsewhere, three, showsThree}},
		{"a stream that begins after what is published then", "stream gaps", []step{public.opens(1), one, two, showsTwo}},
		{"a stream that begins as something is published", "", []step{public.opens(1), meanwhile, one, two, showsTwo}},
		{"a stream that resumes further on", "resumes, stream gaps",
			[]step{public.opens(0), one, showsOne, public.ends, two, public.opens(2), three, showsThree}},
		{"a stream that resumes further on than the beginning", "resumes, stream gaps",
			[]step{public.opens(0), public.ends, one, two, public.opens(2), three, showsThree}},
		{"a stream without the publication of what was corrected", "stream gaps", []step{public.opens(0),
			published(1, "one", history.Value{}), did(on(history.Correct, history.Value{Title: "one~better"})),
			public.shows("corrected", 1, "one~better", 2), row(1, "one~better", changed(2))}},
		{"a stream without the publication of what was withdrawn", "", []step{public.opens(0),
			published(1, "one", history.Value{}), did(on(history.Withdraw, history.Value{})),
			public.shows("withdrawn", 1, "", 2), row(1, "one", gone(2))}},
		{"a stream without what expired before its publication", "stream gaps",
			[]step{public.opens(0), expired, row(1, "one", gone(1)), two, showsTwo}},
	})
}

func TestStreamOfAFeed(t *testing.T) {
	t.Parallel()
	showsOne, showsTwo := own.notification(1, "one"), own.notification(2, "two")
	showsThree := own.notification(3, "three")
	otherNode := follow
	otherNode.Node = "m"
	tell(t, []tale{
		{"a gap of the first connection", "stream gaps", []step{did(follow), own.opens(0), one, two, showsTwo, own.ends,
			did(unfollow), own.asks, own.ends, own.opens(2)}},
		{"a gap of the second connection", "stream gaps",
			[]step{own.opens(0), own.ends, did(otherNode), own.opens(0), one, two, showsTwo}},
		{"no gap while she did not follow", "", []step{did(follow), own.opens(0), one, showsOne, own.ends, did(unfollow),
			own.opens(1), two, did(otherNode), three, showsThree}},
		{"a gap where the stream resumed", "resumes, stream gaps", []step{did(follow), own.opens(0), one, showsOne,
			own.ends, two, did(unfollow), own.opens(2), did(otherNode), three, showsThree}},
		{"what was unfollowed before this connection", "stream contents", []step{did(follow), own.opens(0), own.ends,
			did(unfollow), one, own.asks, meanwhile, own.begins(0), meanwhile, showsOne}},
	})
}

// TestFollowWhileConnected has the stream of ana's feed lack a notification that was published after she followed.
func TestFollowWhileConnected(t *testing.T) {
	t.Parallel()
	otherNode, otherPerson, otherChannel := follow, by("rui", history.Follow, "c"), by("ana", history.Follow, "d")
	otherNode.Node = "m"
	showsTwo := own.notification(2, "two")
	begin, end := spanning(follow, "")
	tell(t, []tale{
		{"a follow at the same node", "stream gaps", []step{own.opens(0), did(follow), one, two, showsTwo}},
		{"a follow at another node", "", []step{own.opens(0), did(otherNode), one, two, showsTwo}},
		{"another operation at the same node", "",
			[]step{own.opens(0), did(otherNode), did(read), one, two, showsTwo}},
		{"a refused follow at the same node", "",
			[]step{own.opens(0), did(otherNode), failed(follow), one, two, showsTwo}},
		{"a follow of somebody else at the same node", "",
			[]step{own.opens(0), did(otherNode), did(otherPerson), one, two, showsTwo}},
		{"a follow of another channel at the same node", "",
			[]step{own.opens(0), did(otherNode), did(otherChannel), one, two, showsTwo}},
		{"a follow as the stream is requested", "",
			[]step{own.asks, meanwhile, begin, own.begins(0), end, one, two, showsTwo}},
		{"a follow as it is published", "", []step{own.opens(0), did(follow), meanwhile, one, two, showsTwo}},
		{"a follow at the same node, and a later one at another", "",
			[]step{own.opens(0), did(follow), did(unfollow), did(otherNode), one, two, showsTwo}},
		{"a follow that is taken back", "", []step{own.opens(0), did(follow), one, two, showsTwo, did(unfollow)}},
	})
}

// TestMessages judges what a stream may show at a place.
func TestMessages(t *testing.T) {
	t.Parallel()
	const noon = time.Hour
	lasting, expiring := published(1, "one", history.Value{}), published(1, "one", history.Value{Expires: wall(noon)})
	late := published(1, "one", history.Value{Scheduled: wall(noon), Expires: wall(noon)})
	fast := noted(history.Fault, history.Value{Offset: time.Minute})
	better := did(on(history.Correct, history.Value{Title: "one~better"}))
	best := did(on(history.Correct, history.Value{Title: "one~best"}))
	// shows publishes something and corrects it twice, and then shows what the stream has at its three places.
	shows := func(publish step, first, second, third string) []step {
		return []step{public.opens(0), publish, better, best, public.shows(first, 1, "one", 1),
			public.shows(second, 1, "one~better", 2), public.shows(third, 1, "one~best", 3)}
	}
	ends := func(steps []step, changes ...func(e *history.Event)) []step {
		return append(steps, until(2*noon), row(1, "one~best", append(changes, publishedAt(noon))...))
	}
	tell(t, []tale{
		{"a notification that is corrected twice", "",
			ends(shows(lasting, "notification", "corrected", "corrected"), changed(3))},
		{"a notification that was gone for a while", "stream contents",
			ends(shows(lasting, "notification", "withdrawn", "corrected"), changed(3))},
		{"a notification that comes as gone", "stream contents",
			ends(shows(lasting, "withdrawn", "corrected", "corrected"), changed(3))},
		{"a notification that comes as corrected", "stream contents",
			ends(shows(lasting, "corrected", "corrected", "corrected"), changed(3))},
		{"a notification that was gone for a while by a fast clock", "stream contents",
			append([]step{fast}, ends(shows(lasting, "notification", "withdrawn", "corrected"), changed(3))...)},

		{"a notification that is corrected and expires", "",
			ends(shows(expiring, "notification", "corrected", "withdrawn"), gone(3))},
		{"a notification that expires before its publication", "",
			ends(shows(late, "withdrawn", "withdrawn", "withdrawn"), gone(3))},
		{"a notification that is published twice", "stream contents",
			ends(shows(expiring, "notification", "notification", "withdrawn"), gone(3))},
		{"a notification that is published again by a slow clock", "",
			append([]step{fast}, ends(shows(expiring, "withdrawn", "notification", "withdrawn"), gone(3))...)},
		{"a notification that is published when it is gone", "stream contents",
			append([]step{fast}, ends(shows(expiring, "notification", "corrected", "notification"), gone(3))...)},

		{"a place before the publication", "stream contents", []step{public.opens(0), two,
			public.shows("corrected", 2, "two", 1), public.notification(2, "two")}},
		{"a place after the last change", "stream contents", []step{public.opens(0), one,
			public.notification(1, "one"), public.shows("corrected", 1, "one", 2)}},
		{"a title that nobody gave", "corrections", []step{public.opens(0), lasting, better,
			public.notification(1, "zero"), public.shows("corrected", 1, "one~better", 2),
			row(1, "one~better", changed(2))}},
	})
}
