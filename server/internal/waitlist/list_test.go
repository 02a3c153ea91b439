package waitlist

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestEntries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustWait("first@x.com", "")
	w.mustWait("second@x.com", "codefirst@x.com")
	w.mustJoin("old@x.com", "")
	w.now = w.now.Add(time.Second)
	w.mustJoin("young_%@x.com", "")
	w.mustInvite("invited@x.com")
	named := w.entry("z@x.com", "")
	named.Name = "Zé"
	w.now = w.now.Add(-time.Hour)
	w.mustJoinAs(named)
	all := []string{"first@x.com", "second@x.com", "young_%@x.com", "old@x.com", "z@x.com", "invited@x.com"}
	whole := core.Page{Limit: 100}
	for name, c := range map[string]struct {
		filter Filter
		page   core.Page
		want   []string
		total  int64
	}{
		"all":             {Filter{}, whole, all, 6},
		"a page":          {Filter{}, core.Page{Limit: 2, Offset: 1}, all[1:3], 6},
		"beyond the end":  {Filter{}, core.Page{Limit: 2, Offset: 8}, nil, 6},
		"by status":       {Filter{Status: Unconfirmed}, whole, all[2:5], 3},
		"by address":      {Filter{Search: "SECOND"}, whole, all[1:2], 1},
		"by name":         {Filter{Search: "ze"}, whole, all[4:5], 1},
		"not as patterns": {Filter{Search: "_%"}, whole, all[2:3], 1},
		"by both":         {Filter{Search: "i", Status: Invited}, whole, all[5:], 1},
		"a filtered page": {Filter{Status: Unconfirmed}, core.Page{Limit: 1}, all[2:3], 3},
	} {
		data, total, err := w.entries(t.Context(), c.filter, c.page)
		if err != nil {
			t.Fatalf("list %s: %v", name, err)
		}
		if got := emailsOf(data); !slices.Equal(got, c.want) {
			t.Errorf("list %s: got %v, want %v", name, got, c.want)
		}
		if total != c.total {
			t.Errorf("list %s: got a total of %d, want %d", name, total, c.total)
		}
	}
	w.expectEach(all)
}

// expectEach expects all entries from eachEntry.
func (w *world) expectEach(want []string) {
	w.t.Helper()
	var each []string
	err := w.eachEntry(w.t.Context(), Filter{}, func(e Entry) error {
		each = append(each, e.Email)
		if e.Email == "second@x.com" && e.ReferredBy != "first@x.com" {
			w.t.Errorf("each entry: got referrer %q of second, want first@x.com", e.ReferredBy)
		}
		return nil
	})
	if err != nil || !slices.Equal(each, want) {
		w.t.Errorf("each entry: got %v, %v; want %v", each, err, want)
	}
	full := errors.New("full")
	if err := w.eachEntry(w.t.Context(), Filter{}, func(Entry) error { return full }); !errors.Is(err, full) {
		w.t.Errorf("each entry until one is refused: got error %v, want %v", err, full)
	}
}
