package checker_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/simulation/history"
)

func external(id string) func(e *history.Event) { return func(e *history.Event) { e.ExternalID = id } }

func place(p int64) func(e *history.Event) {
	return func(e *history.Event) { e.Position, e.Latest = p, p }
}

func TestPublishes(t *testing.T) {
	t.Parallel()
	x, replayed := history.Value{ExternalID: "x"}, history.Value{Status: 201, Replayed: true}
	batch := history.Event{Process: "q", Kind: history.Batch, Channel: "c", Value: history.Value{Key: "b",
		Items: []history.Item{{Title: "one"}, {Title: "two", ExternalID: "x"}}}}
	ids := func(items ...history.Item) history.Value { return history.Value{Status: 200, Items: items} }
	tell(t, []tale{
		{"a response once more", "", []step{one, answered(publishing("one", history.Value{}), replayed, "id-1")}},
		{"a batch", "", []step{answered(batch, ids(history.Item{ID: "id-1"}, history.Item{ID: "id-2"}), ""),
			row(1, "one"), row(2, "two", external("x"))}},
		{"a batch with something that existed", "", []step{published(2, "zero", x),
			answered(batch, ids(history.Item{ID: "id-1"}, history.Item{ID: "id-2", Existing: true}), ""),
			row(1, "one"), row(2, "zero", external("x"))}},
		{"a batch that was answered in part", "lost", []step{answered(batch, ids(history.Item{ID: "id-1"}), ""),
			row(1, "one")}},
		{"an external id that two have", "external ids", []step{lost(publishing("one", x)), lost(publishing("two", x)),
			row(1, "one", external("x")), row(2, "two", external("x"))}},
		{"two notifications at the first place", "places",
			[]step{one, published(2, "two", history.Value{}), row(2, "two", place(1))}},
		{"a phantom that nobody sees", "phantom", []step{did(follow),
			page(by("ana", history.Feed, ""), 9), row(1, "one")}},
		{"a 503 that says when to try again", "",
			[]step{func(s *story) { s.complete(follow, history.Info, history.Value{Status: 503}, "") }}},
		{"an error 500 and then a loss", "lost, responses", []step{published(1, "one", history.Value{}),
			func(s *story) { s.complete(follow, history.Info, history.Value{Status: 500}, "") }}},
	})
}

func TestVisible(t *testing.T) {
	t.Parallel()
	const noon = time.Hour
	expires := published(1, "one", history.Value{Expires: wall(noon)})
	scheduled := published(1, "one", history.Value{Scheduled: wall(noon)})
	withdraw := on(history.Withdraw, history.Value{})
	fast := noted(history.Fault, history.Value{Offset: time.Minute})
	slow := noted(history.Fault, history.Value{Offset: -time.Minute})
	tell(t, []tale{
		{"a notification that is visible until it expires", "", []step{expires, until(noon), row(1, "one")}},
		{"a notification that is visible longer", "visible",
			[]step{expires, until(noon + time.Millisecond), row(1, "one")}},
		{"a notification that is gone when it expires", "visible", []step{expires, until(noon), row(1, "one", gone(1))}},
		{"a notification that is gone when it has expired", "",
			[]step{expires, until(noon + time.Millisecond), row(1, "one", gone(1))}},
		{"a notification that is gone a minute early", "visible",
			[]step{fast, slow, expires, until(noon - time.Minute), row(1, "one", gone(1))}},
		{"a notification that a fast clock expired early", "",
			[]step{fast, slow, expires, until(noon - time.Minute + time.Millisecond), row(1, "one", gone(1))}},
		{"a notification that was withdrawn before its publication", "",
			[]step{scheduled, did(withdraw), row(1, "one", never)}},
		{"a notification that could not be withdrawn", "lost", []step{one, failed(withdraw)}},
		{"a correction that was lost", "corrections", []step{published(1, "one", history.Value{}),
			did(on(history.Correct, history.Value{Title: "one~better"})), row(1, "one", changed(2))}},
	})
}
