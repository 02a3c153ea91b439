package checker_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

// page reads a page that has everything there is.
func page(e history.Event, limit int, items ...history.Item) step {
	e.Limit = limit
	return answered(e, history.Value{Total: len(items), Unread: len(items), Items: items}, "")
}

// more reads a page of ana's feed, of which there are more.
func more(total, limit int, items ...history.Item) step {
	e := by("ana", history.Feed, "")
	e.Limit = limit
	return answered(e, history.Value{Total: total, Unread: total, Items: items}, "")
}

func TestPages(t *testing.T) {
	t.Parallel()
	s := newStory()
	first, second, third := s.item(1, "one", false), s.item(2, "two", false), s.item(3, "three", false)
	twin := second
	twin.Published = first.Published
	atOnce := func(s *story) {
		published(2, "two", history.Value{})(s)
		row(2, "two", func(e *history.Event) { e.Published = &first.Published })(s)
	}
	feed, list := by("ana", history.Feed, ""), by("", history.List, "c")
	tell(t, []tale{
		{"a full page", "", []step{did(follow), one, two, three, more(3, 2, third, second)}},
		{"a page that is not full and lacks the oldest", "missing",
			[]step{did(follow), one, two, three, more(3, 3, third, second)}},
		{"a full page that lacks the second", "missing",
			[]step{did(follow), one, two, three, more(3, 2, third, first)}},
		{"two of the same time", "", []step{did(follow), one, atOnce, page(feed, 9, twin, first)}},
		{"two of the same time in the wrong order", "order",
			[]step{did(follow), one, atOnce, page(feed, 9, first, twin)}},
		{"one that is there twice", "duplicate, order, totals, unread counts",
			[]step{did(follow), one, page(feed, 9, first, first)}},
		{"the list of a channel", "", []step{one, twoElsewhere, page(list, 9, first)}},
		{"a list with what belongs to another channel", "not due, totals",
			[]step{one, twoElsewhere, page(list, 9, second, first)}},
		{"the feed of somebody who follows nothing", "", []step{one, page(feed, 9)}},
		{"a feed with what its reader does not follow", "not due, totals, unread counts", []step{one, page(feed, 9, first)}},
	})
}

// TestVisibleSince judges from when on a notification must, and may, be in the feed of ana, who follows the channel.
func TestVisibleSince(t *testing.T) {
	t.Parallel()
	const noon = time.Hour
	item := newStory().item(1, "one", false)
	item.Published = *wall(noon)
	atNoon := publishedAt(noon)
	with, without := page(by("ana", history.Feed, ""), 9, item), page(by("ana", history.Feed, ""), 9)
	asked, ok := spanning(publishing("one", history.Value{}), "id-1")
	acknowledged := published(1, "one", history.Value{})
	again := answered(publishing("one", history.Value{}), history.Value{Status: 201, Replayed: true}, "id-1")
	scheduled := published(1, "one", history.Value{Scheduled: wall(noon)})
	expires := published(1, "one", history.Value{Expires: wall(noon)})
	fast := noted(history.Fault, history.Value{Offset: time.Minute})
	const missing, notDue = "missing, totals, unread counts", "not due, totals, unread counts"
	tell(t, []tale{
		{"a feed without and with what is being published", "",
			[]step{did(follow), asked, without, with, ok, row(1, "one", atNoon)}},
		{"a feed without what is published", missing, []step{did(follow), acknowledged, without, row(1, "one", atNoon)}},
		{"a feed without what is published twice", missing,
			[]step{did(follow), acknowledged, without, again, row(1, "one", atNoon)}},
		{"a feed without what a stream has shown", missing, []step{did(follow), own.opens(0), public.opens(0),
			lost(publishing("one", history.Value{})), own.shows("notification", 1, "one", 1), without,
			public.shows("notification", 1, "one", 1), row(1, "one", atNoon)}},
		{"a feed before what is scheduled", "", []step{did(follow), scheduled, without, row(1, "one", atNoon)}},
		{"a feed with what is scheduled for later", notDue, []step{did(follow), scheduled, with, row(1, "one", atNoon)}},
		{"a feed with what a fast clock published early", "",
			[]step{fast, did(follow), scheduled, until(noon - time.Second), with, row(1, "one", atNoon)}},
		{"a feed right after what was scheduled", "",
			[]step{did(follow), scheduled, until(noon + time.Second), without, with, row(1, "one", atNoon)}},
		{"a feed without what expires later", missing,
			[]step{did(follow), expires, without, until(2 * noon), row(1, "one", atNoon, gone(1))}},
		{"a feed around the time at which something expires", "",
			[]step{did(follow), expires, with, until(noon + time.Second), with, without, row(1, "one", atNoon, gone(1))}},
		{"a feed without what a fast clock expired early", "", []step{fast, did(follow), expires,
			until(noon - time.Second), without, until(2 * noon), row(1, "one", atNoon, gone(1))}},
	})
}
