package waitlist

import (
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/jobstest"
)

func TestPruningRunsByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.mustJoin("old@x.com", "")
	later := w.now.Add(unconfirmedKept + time.Second)
	jobstest.Start(t, w.db, Pruning(w.db, func() time.Time { return later }))
	eventually.True(t, "the old entry to be deleted", func() bool {
		_, _, err := w.place(t.Context(), old)
		return core.IsCode(err, core.CodeNotFound)
	})
}
