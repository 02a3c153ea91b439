package postgres_test

import (
	"fmt"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// TestTotalAgreesWithThePage reads a list while it grows, in pages that are full, short and beyond its end.
func TestTotalAgreesWithThePage(t *testing.T) {
	t.Parallel()
	w := newWorld(t) // which has a publisher
	const all = 60
	w.Caps[core.CapPublishers] = all
	grown := make(chan error, 1)
	go func() {
		for i := range all - 1 {
			p := core.Publisher{ID: core.NewID(), Slug: fmt.Sprintf("metro-%02d", i), Name: "Metro"}
			if _, _, err := w.CreatePublisher(t.Context(), p, w.subscriber, core.Idempotency{}); err != nil {
				grown <- err
				return
			}
		}
		grown <- nil
	}()
	read := func(limit, offset int) (has, total int) {
		list, n, err := w.Publishers(t.Context(), core.PublisherFilter{Page: core.Page{Limit: limit, Offset: offset}})
		succeed(t, "list the publishers", err)
		has, total = len(list), int(n)
		page := fmt.Sprintf("limit %d, offset %d, %d read", limit, offset, has)
		if has > 0 && total < offset+has {
			t.Errorf("total (%s): got %d, want at least %d", page, total, offset+has)
		}
		if has > 0 && has < limit && total != offset+has {
			t.Errorf("total of the last page (%s): got %d, want %d", page, total, offset+has)
		}
		if offset == 0 && has < min(limit, total) {
			t.Errorf("first page (%s): got %d, want %d of %d", page, has, min(limit, total), total)
		}
		return has, total
	}
	for growing := true; growing && !t.Failed(); {
		_, total := read(100, 0)
		read(1, total-1)
		read(5, total)
		select {
		case err := <-grown:
			growing = false
			succeed(t, "create publishers", err)
		default:
		}
	}
	for _, page := range []struct{ limit, offset, has int }{
		{10, 0, 10}, {all, 0, all}, {7, 56, 4}, {10, all, 0}, {10, 90, 0},
	} {
		has, total := read(page.limit, page.offset)
		equal(t, fmt.Sprintf("length of the page %+v", page), has, page.has)
		equal(t, fmt.Sprintf("total of the page %+v", page), total, all)
	}
}
