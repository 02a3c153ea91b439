package checker_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/checker"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

func TestAKeptPromiseHasNoBreach(t *testing.T) {
	t.Parallel()
	if got := checker.Check(told()); len(got) > 0 {
		t.Errorf("breaches of a history in which the promise is kept: got %v, want none", got)
	}
}

// match selects events of a history.
type match func(e history.Event) bool

func kind(as history.Type, kind string, more ...match) match {
	return func(e history.Event) bool {
		return e.Type == as && e.Kind == kind && !slices.ContainsFunc(more, func(m match) bool { return !m(e) })
	}
}

func id(id string) match        { return func(e history.Event) bool { return e.ID == id } }
func process(name string) match { return func(e history.Event) bool { return e.Process == name } }
func at(position int64) match   { return func(e history.Event) bool { return e.Position == position } }

// change changes the first event that matches.
func change(m match, fn func(e *history.Event)) func([]history.Event) []history.Event {
	return func(events []history.Event) []history.Event {
		i := slices.IndexFunc(events, m)
		fn(&events[i])
		return events
	}
}

// drop drops all events that match.
func drop(m match) func([]history.Event) []history.Event {
	return func(events []history.Event) []history.Event { return slices.DeleteFunc(events, m) }
}

// again adds the first event that matches once more, changed, right after it.
func again(m match, fn func(e *history.Event)) func([]history.Event) []history.Event {
	return func(events []history.Event) []history.Event {
		i := slices.IndexFunc(events, m)
		e := events[i]
		fn(&e)
		return slices.Insert(events, i+1, e)
	}
}

// without drops an item of the first page that matches, with its share of the counts.
func without(m match, item string, unread int) func([]history.Event) []history.Event {
	return change(m, func(e *history.Event) {
		e.Items = slices.DeleteFunc(slices.Clone(e.Items), func(i history.Item) bool { return i.ID == item })
		e.Total--
		e.Unread -= unread
	})
}

func same(*history.Event) {}

// TestPlantedBreaches plants a breach of each part of the promise, which the checker must find under its name.
func TestPlantedBreaches(t *testing.T) {
	t.Parallel()
	row := func(n string) match { return kind(history.Final, history.Notification, id(n)) }
	feed, unread, list := kind(history.OK, history.Feed), kind(history.OK, history.UnreadFeed),
		kind(history.OK, history.List)
	message := func(name string, p int64) match { return kind(history.Note, history.Message, process(name), at(p)) }
	outcome, push := kind(history.Final, history.Delivery, id("id-3")), kind(history.Final, history.Push, id("id-3"))
	for _, c := range []struct {
		name, rule string
		plant      func([]history.Event) []history.Event
	}{
		{"an acknowledged notification is not there", "lost", drop(row("id-3"))},
		{"a notification that nobody published", "phantom",
			again(row("id-3"), func(e *history.Event) { e.ID, e.Title, e.Position, e.Latest = "id-9", "nine", 9, 9 })},
		{"a notification that was refused", "phantom",
			again(row("id-3"), func(e *history.Event) { e.ID, e.Title, e.Position, e.Latest = "id-9", "refused", 9, 9 })},
		{"a key with two notifications", "duplicate",
			again(row("id-3"), func(e *history.Event) { e.ID, e.Position, e.Latest = "id-9", 9, 9 })},
		{"a key with two responses", "idempotency", repeat("three", history.Value{Status: 201, Replayed: true}, "id-4")},
		{"a key that creates twice", "created twice", repeat("three", history.Value{Status: 201}, "id-3")},
		{"an external id with another notification", "external ids",
			change(kind(history.OK, history.Publish, id("id-1")), func(e *history.Event) { e.ID = "id-3" })},
		{"an external id that is there twice", "external ids",
			change(row("id-3"), func(e *history.Event) { e.ExternalID = "x" })},
		{"two notifications at one place", "places", change(row("id-4"), func(e *history.Event) { e.Position = 3 })},
		{"a withdrawn notification that is visible", "visible",
			change(row("id-2"), func(e *history.Event) { e.Visible = true })},
		{"a notification that nobody withdrew and is gone", "visible",
			change(row("id-3"), func(e *history.Event) { e.Visible = false })},
		{"a correction that is lost", "corrections", change(row("id-1"), func(e *history.Event) { e.Title = "one" })},
		{"a notification that is not in the feed", "missing", without(feed, "id-3", 1)},
		{"a notification that is twice in the feed", "duplicate", change(feed, func(e *history.Event) {
			e.Items = append(slices.Clone(e.Items), e.Items[len(e.Items)-1])
		})},
		{"a withdrawn notification in the feed", "not due", change(feed, func(e *history.Event) {
			e.Items = slices.Insert(slices.Clone(e.Items), 1, newStory().item(2, "two", false))
		})},
		{"an archived notification in the feed", "not due", change(feed, func(e *history.Event) {
			e.Items = slices.Insert(slices.Clone(e.Items), 0, newStory().item(4, "four", false))
		})},
		{"a feed in the wrong order", "order", change(feed, func(e *history.Event) {
			e.Items = slices.Clone(e.Items)
			slices.Reverse(e.Items)
		})},
		{"an old title in the feed", "corrections", change(feed, func(e *history.Event) {
			e.Items = slices.Clone(e.Items)
			e.Items[1].Title = "one"
		})},
		{"a read mark that is lost", "read marks", change(feed, func(e *history.Event) {
			e.Items = slices.Clone(e.Items)
			e.Items[1].Read = false
		})},
		{"a read notification among the unread", "not due", change(unread, func(e *history.Event) {
			e.Items = append(slices.Clone(e.Items), newStory().item(1, "one~better", false))
		})},
		{"a total that is too high", "totals", change(feed, func(e *history.Event) { e.Total++ })},
		{"a total of a channel that is too low", "totals", change(list, func(e *history.Event) { e.Total-- })},
		{"an unread count that is too high", "unread counts", change(feed, func(e *history.Event) { e.Unread++ })},
		{"an unread count of a channel that is too low", "unread counts",
			change(kind(history.OK, history.Subscriptions), func(e *history.Event) { e.Items[0].Unread = 0 })},
		{"a bell that nobody set", "bells",
			change(kind(history.OK, history.Subscriptions), func(e *history.Event) { e.Items[0].Bell = "none" })},
		{"a follow that is lost", "subscriptions",
			change(kind(history.OK, history.Subscriptions), func(e *history.Event) { e.Items = nil })},
		{"a wrong number of followers", "totals",
			change(kind(history.OK, history.Channel), func(e *history.Event) { e.Total = 2 })},
		{"a gap of a stream", "stream gaps", drop(message("public", 3))},
		{"a gap of a feed's stream", "stream gaps", drop(message("own", 3))},
		{"a correction that is not on a stream", "stream gaps", drop(message("public", 4))},
		{"a withdrawal that is not on a stream", "stream gaps", drop(message("own", 5))},
		{"a stream that is stuck", "stream gaps", drop(message("public", 6))},
		{"a stream that begins too late", "stream gaps",
			change(kind(history.Note, history.Hello, process("public")), func(e *history.Event) { e.Position = 1 })},
		{"a message that comes twice", "stream order", again(message("public", 3), same)},
		{"messages in the wrong order", "stream order", func(events []history.Event) []history.Event {
			i, j := slices.IndexFunc(events, message("public", 3)), slices.IndexFunc(events, message("public", 4))
			events[i], events[j] = events[j], events[i]
			return events
		}},
		{"a stream that resumes elsewhere", "resumes", change(kind(history.Note, history.Hello, process("own"), at(2)),
			func(e *history.Event) { e.Position = 3 })},
		{"a correction that comes as a publication", "stream contents",
			change(message("public", 4), func(e *history.Event) { e.Event = "notification" })},
		{"a notification of a channel that is not followed", "stream contents",
			drop(func(e history.Event) bool { return e.Kind == history.Follow })},
		{"a message that nobody published", "phantom",
			change(message("public", 3), func(e *history.Event) { e.ID = "id-9" })},
		{"a stream that is reset", "resets", change(message("public", 3), func(e *history.Event) { e.Event = "reset" })},
		{"a device without an outcome", "outcomes", drop(outcome)},
		{"a device with two outcomes", "outcomes",
			again(outcome, func(e *history.Event) { e.Outcome, e.Cause = "expired", "expired" })},
		{"an outcome without a reason", "outcomes",
			change(outcome, func(e *history.Event) { e.Outcome, e.Cause = "suppressed", "bell" })},
		{"an outcome of somebody who does not follow", "outcomes",
			drop(func(e history.Event) bool { return e.Kind == history.Follow })},
		{"a dispatch that is not finished", "dispatches",
			change(kind(history.Final, history.Dispatch), func(e *history.Event) { e.Finished = false })},
		{"a dispatch with wrong counts", "dispatches",
			change(kind(history.Final, history.Dispatch), func(e *history.Event) { e.Total = 2 })},
		{"a notification without a dispatch", "dispatches", drop(kind(history.Final, history.Dispatch, id("id-3")))},
		{"an accepted push that was never sent", "pushes", drop(push)},
		{"a push that is repeated though nothing broke", "repeats", again(push, same)},
		{"a push with another tag", "pushes", change(push, func(e *history.Event) { e.Tag = "another" })},
		{"a push to a device that was not to have it", "pushes",
			change(push, func(e *history.Event) { e.Address = "b" })},
		{"a device that was retired without a reason", "devices",
			change(kind(history.Final, history.Device), func(e *history.Event) { e.Cause = "unregistered" })},
		{"a response that is worse than unavailable", "responses",
			change(kind(history.Info, history.Publish), func(e *history.Event) { e.Status = 500 })},
		{"a 503 that does not say when to try again", "responses",
			change(kind(history.Info, history.Publish), func(e *history.Event) {
				e.Status, e.Problem = 503, history.NoRetryAfter
			})},
		{"an expired notification that is visible", "visible",
			change(invoked("three"), func(e *history.Event) { e.Expires = new(newStory().published(3)) })},
		{"a scheduled notification that was not published", "never published",
			change(row("id-3"), func(e *history.Event) { e.Published, e.Visible = nil, false })},
		{"a notification that is published too early", "early",
			change(invoked("three"), func(e *history.Event) { e.Scheduled = new(newStory().wall.Add(time.Hour)) })},
		{"a published notification that cannot be withdrawn", "lost", fail(history.Withdraw)},
		{"a published notification that cannot be corrected", "lost", fail(history.Correct)},
		{"a notification that is said to exist", "existing",
			change(kind(history.OK, history.Publish, id("id-3")), func(e *history.Event) { e.Existing = true })},
		{"a publish with the response of another", "wrong notification",
			change(kind(history.OK, history.Publish, id("id-3")), func(e *history.Event) { e.ID = "id-4" })},
		{"a publish that is acknowledged twice", "created twice", batch("id-3")},
		{"a feed with what nobody published", "phantom", change(feed, func(e *history.Event) {
			e.Items = append(slices.Clone(e.Items), newStory().item(0, "zero", true))
		})},
		{"a total that is too low", "totals", change(feed, func(e *history.Event) { e.Total = 1 })},
		{"an unread count that is too low", "unread counts", change(feed, func(e *history.Event) { e.Unread = 0 })},
		{"an unread count of a channel that is too high", "unread counts",
			change(kind(history.OK, history.Subscriptions), func(e *history.Event) { e.Items[0].Unread = 2 })},
		{"a channel that nobody muted", "bells",
			change(kind(history.OK, history.Subscriptions), func(e *history.Event) { e.Items[0].Muted = true })},
		{"too few followers", "totals",
			change(kind(history.OK, history.Channel), func(e *history.Event) { e.Total = 0 })},
		{"a message on the stream of another channel", "stream contents",
			change(kind(history.Note, history.Connect, process("public")), func(e *history.Event) { e.Channel = "d" })},
		{"an old title on a stream", "corrections",
			change(message("public", 4), func(e *history.Event) { e.Title = "one" })},
		{"a title on a stream that nobody gave", "corrections",
			change(message("public", 3), func(e *history.Event) { e.Title = "zero" })},
		{"a stream that has not come far enough", "stream gaps",
			change(kind(history.Note, history.Awaited), func(e *history.Event) { e.Position = 7 })},
		{"an outcome of nothing", "phantom", again(outcome, func(e *history.Event) { e.ID = "id-9" })},
		{"an outcome on no device", "phantom", again(outcome, func(e *history.Event) { e.Device = "x" })},
		{"a push of nothing", "phantom", again(push, func(e *history.Event) { e.ID, e.Tag = "id-9", "id-9" })},
		{"a suppression by a bell that is on", "outcomes", ended("suppressed", "bell")},
		{"a suppression by no mute", "outcomes", ended("suppressed", "muted")},
		{"a device that is there and unregistered", "outcomes", ended("failed", "unregistered")},
		{"a device that was never retired and is", "outcomes", ended("failed", "retired")},
		{"an expired push of what stays", "outcomes", ended("expired", "expired")},
		{"a push without an accepted outcome", "pushes", ended("failed", "retired")},
		{"a push though the bell is off", "outcomes", rings(history.Bell, history.Value{Bell: "none"})},
		{"a push though the channel is muted", "outcomes", rings(history.Mute, history.Value{Muted: true})},
		{"a push of what is not important", "outcomes", rings(history.Bell, history.Value{Bell: "important"})},
		{"a dispatch with too many accepted", "dispatches",
			change(kind(history.Final, history.Dispatch), func(e *history.Event) { e.Accepted = 2 })},
		{"an address that pages another device", "pushes",
			change(kind(history.Final, history.Device), func(e *history.Event) { e.Address = "b" })},
		{"a node that ends with an error", "stops",
			change(kind(history.Note, history.Stopped), func(e *history.Event) { e.Length, e.Status = 0, 1 })},
		{"a node that stops too late", "stops",
			change(kind(history.Note, history.Stopped), func(e *history.Event) { e.Length = time.Minute })},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := checker.Check(c.plant(told()))
			if !slices.ContainsFunc(got, func(b checker.Breach) bool { return b.Rule == c.rule }) {
				t.Errorf("breaches with %s: got %v, want one of %q", c.name, got, c.rule)
			}
		})
	}
}

// invoked selects the request that publishes a title.
func invoked(title string) match {
	return func(e history.Event) bool { return e.Type == history.Invoke && e.Title == title }
}

// fail makes the operations of a kind fail, as on something that is not there.
func fail(of string) func([]history.Event) []history.Event {
	return change(kind(history.OK, of), func(e *history.Event) { e.Type, e.Status = history.Fail, 404 })
}

// ended changes the outcome of id-3.
func ended(outcome, cause string) func([]history.Event) []history.Event {
	return change(kind(history.Final, history.Delivery, id("id-3")), func(e *history.Event) {
		e.Outcome, e.Cause = outcome, cause
	})
}

// rings adds a change of ana's bell right after she followed the channel.
func rings(of string, v history.Value) func([]history.Event) []history.Event {
	return func(events []history.Event) []history.Event {
		i := slices.IndexFunc(events, kind(history.OK, history.Follow))
		asked := history.Event{At: events[i].At + 1, Process: "ana", Op: 901, Type: history.Invoke, Kind: of, Person: "ana",
			Channel: "c", Value: v}
		done := asked
		done.At, done.Type = asked.At+1, history.OK
		return slices.Insert(events, i+1, asked, done)
	}
}

// batch adds a batch that is said to have created a notification too.
func batch(id string) func([]history.Event) []history.Event {
	return func(events []history.Event) []history.Event {
		i := slices.IndexFunc(events, kind(history.Note, history.Healed))
		asked := history.Event{At: events[i].At, Process: "q", Op: 902, Type: history.Invoke, Kind: history.Batch,
			Channel: "c", Value: history.Value{Key: "b", Items: []history.Item{{Title: "three"}}}}
		done := asked
		done.Type, done.Value = history.OK, history.Value{Status: 200, Items: []history.Item{{ID: id}}}
		return slices.Insert(events, i, asked, done)
	}
}

// repeat adds another request with the key of a publish, and its response.
func repeat(title string, response history.Value, id string) func([]history.Event) []history.Event {
	return func(events []history.Event) []history.Event {
		i := slices.IndexFunc(events, func(e history.Event) bool {
			return e.Type == history.Invoke && e.Title == title
		})
		asked, done := events[i], events[i+1]
		asked.Op, done.Op, done.Value, done.ID = 900, 900, response, id
		return slices.Insert(events, i+2, asked, done)
	}
}

// TestUnknownResults has operations whose results nobody knows, and which may or may not have happened.
func TestUnknownResults(t *testing.T) {
	t.Parallel()
	unknown := func(k, id string) func([]history.Event) []history.Event {
		return change(kind(history.OK, k, func(e history.Event) bool { return e.ID == id || id == "" }),
			func(e *history.Event) { e.Type, e.Value, e.ID = history.Info, history.Value{}, "" })
	}
	for _, c := range []struct {
		name  string
		plant []func([]history.Event) []history.Event
	}{
		{"a publish that happened", []func([]history.Event) []history.Event{unknown(history.Publish, "id-3")}},
		{"a read mark that happened", []func([]history.Event) []history.Event{unknown(history.Read, "id-1")}},
		{"a read mark that did not", []func([]history.Event) []history.Event{unknown(history.Read, "id-1"),
			change(kind(history.OK, history.Feed), func(e *history.Event) { e.Items[1].Read, e.Unread = false, 2 }),
			change(kind(history.OK, history.UnreadFeed), func(e *history.Event) {
				e.Items, e.Total, e.Unread = append(e.Items, newStory().item(1, "one~better", false)), 2, 2
			}),
			change(kind(history.OK, history.Subscriptions), func(e *history.Event) { e.Items[0].Unread = 2 }),
		}},
		{"a correction that did not happen", []func([]history.Event) []history.Event{unknown(history.Correct, "id-1"),
			func(events []history.Event) []history.Event {
				for i := range events {
					for k := range events[i].Items {
						if events[i].Items[k].Title == "one~better" {
							events[i].Items[k].Title = "one"
						}
					}
				}
				return events
			},
			change(kind(history.Final, history.Notification, id("id-1")), func(e *history.Event) {
				e.Title, e.Latest = "one", 1
			}),
			drop(func(e history.Event) bool { return e.Kind == history.Message && e.Position == 4 }),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			events := told()
			for _, plant := range c.plant {
				events = plant(events)
			}
			if got := checker.Check(events); len(got) > 0 {
				t.Errorf("breaches with %s: got %v, want none", c.name, got)
			}
		})
	}
}
