package core

import (
	"testing"

	"github.com/sininho/sininho/server/lab/check"
)

func TestDeliverySummaryAddsUp(t *testing.T) {
	for name, test := range map[string]struct {
		targeted, accepted, failed int64
		found                      bool
		pending                    int64
		finished                   bool
	}{
		"not all found":       {0, 0, 0, false, 0, false},
		"no devices":          {0, 0, 0, true, 0, true},
		"partly found":        {3, 2, 1, false, 0, false},
		"some are pending":    {5, 2, 1, true, 2, false},
		"all have an outcome": {3, 2, 1, true, 0, true},
	} {
		d := DeliverySummary{Targeted: test.targeted}
		d.Count("", "", 0)
		d.Count(Accepted, "", test.accepted)
		d.Count(Failed, CauseInvalid, test.failed)
		d.Close(test.found)
		check.Equal(t, "pending devices: "+name, d.Pending, test.pending)
		check.Equal(t, "finished: "+name, d.Finished, test.finished)
	}
}
