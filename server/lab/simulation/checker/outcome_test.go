package checker_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/checker"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

// ana follows the channel c, and has the device d with the address a.
var ana = []step{did(follow), as("d", registers("ana", "i", "a")), device("d", "ana", "i", "a", "")}

// afterAna returns steps after those of ana.
func afterAna(steps ...step) []step { return append(append([]step(nil), ana...), steps...) }

// outcome is an outcome of the notification id-1 on a device, with its cause.
func outcome(device, outcome string) step {
	return func(s *story) {
		v := history.Value{Device: device}
		v.Outcome, v.Cause, _ = strings.Cut(outcome, " ")
		s.final(history.Event{Kind: history.Delivery, ID: "id-1", Value: v})
	}
}

// dispatch is the finished dispatch of the notification id-1.
func dispatch(total, accepted int) step {
	return func(s *story) {
		s.final(history.Event{Kind: history.Dispatch, ID: "id-1",
			Value: history.Value{Finished: true, Total: total, Accepted: accepted}})
	}
}

// push is one of the notification id-1.
func push(address string) step {
	return func(s *story) {
		s.final(history.Event{Kind: history.Push, ID: "id-1", Value: history.Value{Address: address, Tag: "id-1"}})
	}
}

// notAccepted is a delivery to the device d that ends otherwise than accepted, and accepted one with its push.
func notAccepted(what string) step {
	return func(s *story) {
		outcome("d", what)(s)
		dispatch(1, 0)(s)
	}
}

func accepted(s *story) {
	outcome("d", "accepted")(s)
	dispatch(1, 1)(s)
	push("a")(s)
}

// bell sets the bell of ana for the channel c.
func bell(as string) step {
	e := by("ana", history.Bell, "c")
	e.Bell = as
	return did(e)
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	muted := by("ana", history.Mute, "c")
	muted.Muted = true
	important := func(s *story) {
		published(1, "one", history.Value{Important: true})(s)
		row(1, "one")(s)
	}
	withdrawn := func(s *story) {
		published(1, "one", history.Value{})(s)
		did(on(history.Withdraw, history.Value{}))(s)
		row(1, "one", gone(2))(s)
	}
	expires := func(s *story) {
		published(1, "one", history.Value{Expires: wall(time.Hour)})(s)
		row(1, "one")(s)
	}
	tell(t, []tale{
		{"an accepted push", "", afterAna(one, accepted)},
		{"a bell that is off", "", afterAna(bell("none"), one, notAccepted("suppressed bell"))},
		{"a bell for what is important", "", afterAna(bell("important"), one, notAccepted("suppressed bell"))},
		{"a bell for what is important, which this is", "", afterAna(bell("important"), important, accepted)},
		{"no bell for what is important", "outcomes",
			afterAna(bell("important"), important, notAccepted("suppressed bell"))},
		{"a muted channel", "", afterAna(did(muted), one, notAccepted("suppressed muted"))},
		{"an unknown address", "", afterAna(unknown("a"), one, notAccepted("failed unregistered"))},
		{"an address of another sender", "", afterAna(unknown("a"), one, notAccepted("failed sender_mismatch"))},
		{"an address that is none", "", afterAna(unknown("a"), one, notAccepted("failed invalid"))},
		{"an address that was said to be none", "outcomes", afterAna(one, notAccepted("failed invalid"))},
		{"a device that is gone", "", afterAna(unknown("a"), one, notAccepted("failed retired"))},
		{"a device that was removed", "", afterAna(did(removes("d")), one, notAccepted("failed retired"))},
		{"a removed device with an unknown address", "outcomes",
			afterAna(did(removes("d")), one, notAccepted("failed unregistered"))},
		{"a withdrawal", "", afterAna(withdrawn, notAccepted("expired withdrawn"))},
		{"an expiry", "", afterAna(expires, notAccepted("expired expired"))},
		{"two outcomes", "outcomes",
			afterAna(one, outcome("d", "accepted"), outcome("d", "accepted"), dispatch(2, 2), push("a"))},

		{"a push before a withdrawal", "", afterAna(withdrawn, push("a"), notAccepted("expired withdrawn"))},
		{"a push before an expiry", "", afterAna(expires, push("a"), notAccepted("expired expired"))},
		{"a push before the address was unknown", "",
			afterAna(unknown("a"), one, push("a"), notAccepted("failed unregistered"))},
		{"a push before a removal", "", afterAna(did(removes("d")), one, push("a"), notAccepted("failed retired"))},
		{"a push though the bell is off", "pushes", afterAna(as("e", registers("ana", "k", "b")),
			device("e", "ana", "k", "b", ""), unknown("b"), bell("none"), one, push("a"), notAccepted("suppressed bell"))},
		{"a push to another address", "pushes", afterAna(one, accepted, push("b"))},
	})
}

// TestNoOutcome judges whether a notification may have no outcome on a device.
func TestNoOutcome(t *testing.T) {
	t.Parallel()
	const noon = time.Hour
	scheduled, expires := history.Value{Scheduled: wall(noon)}, history.Value{Expires: wall(noon)}
	both := history.Value{Scheduled: wall(noon), Expires: wall(noon)}
	tell(t, []tale{
		{"a device that waits for it", "outcomes", afterAna(one)},
		{"a device that is gone", "", afterAna(unknown("a"), one)},
		{"a device that was removed", "", afterAna(did(removes("d")), one)},
		{"a device that comes later", "", []step{did(follow), one, as("d", registers("ana", "i", "a")),
			device("d", "ana", "i", "a", "")}},
		{"a device of somebody who does not follow", "", []step{as("d", registers("rui", "i", "a")), one,
			device("d", "rui", "i", "a", "")}},
		{"a device that comes at the same time", "", []step{did(follow), as("d", registers("ana", "i", "a")),
			meanwhile, one, device("d", "ana", "i", "a", "")}},

		{"what was scheduled", "outcomes", afterAna(published(1, "one", scheduled), row(1, "one", publishedAt(noon)))},
		{"what has expired", "outcomes", afterAna(published(1, "one", expires), until(2*noon), row(1, "one", gone(2)))},
		{"what expired before its publication", "",
			afterAna(published(1, "one", both), until(2*noon), row(1, "one", publishedAt(noon), gone(1)))},
		{"what was withdrawn before its publication", "", afterAna(published(1, "one", scheduled),
			did(on(history.Withdraw, history.Value{})), row(1, "one", never))},
	})
}

func TestRepeats(t *testing.T) {
	t.Parallel()
	const down, late = 5 * time.Second, time.Hour
	kill := noted(history.Fault, history.Value{Breaks: true, Length: down})
	freeze := noted(history.Fault, history.Value{Length: down})
	last := late + down + history.InFlight
	tell(t, []tale{
		{"a push that is repeated", "repeats", afterAna(one, accepted, push("a"))},
		{"a push that is repeated after a crash", "", afterAna(one, accepted, kill, push("a"))},
		{"a push that is repeated in a crash", "", afterAna(one, accepted, kill, meanwhile, push("a"))},
		{"a push that is repeated before a crash", "repeats", afterAna(one, accepted, push("a"), kill)},
		{"a push that is repeated when nothing was lost", "repeats", afterAna(one, accepted, freeze, push("a"))},
		{"a push that was in flight at a crash", "", afterAna(one, outcome("d", "accepted"), dispatch(1, 1), until(late),
			kill, until(last), push("a"), push("a"))},
		{"a push that began after a crash", "repeats", afterAna(one, outcome("d", "accepted"), dispatch(1, 1), until(late),
			kill, until(last+time.Millisecond), push("a"), push("a"))},
		{"a push to each owner of an address", "", afterAna(did(by("rui", history.Follow, "c")),
			as("e", registers("rui", "k", "a")), device("e", "rui", "k", "a", ""), one,
			outcome("d", "accepted"), outcome("e", "accepted"), dispatch(2, 2), push("a"), push("a"))},
	})
}

// TestTexts checks that a breach names what it concerns.
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		want  string
		steps []step
	}{
		{"outcomes: id-1 has 2 on d",
			afterAna(one, outcome("d", "accepted"), outcome("d", "accepted"), dispatch(2, 2), push("a"))},
		{"dispatches: that of one counts 2 devices and 1 accepted, and there are 1 and 1",
			afterAna(one, outcome("d", "accepted"), dispatch(2, 1), push("a"))},
	} {
		found := checker.Check(events(c.steps))
		if len(found) != 1 || found[0].String() != c.want {
			t.Errorf("breaches: got %v, want %s", found, c.want)
		}
	}
}
