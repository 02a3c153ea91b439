package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/check"
	"github.com/sininho/sininho/server/internal/core"
)

func TestMeter(t *testing.T) {
	var m core.Meter
	m.Published(3)
	m.Pushed([]core.Delivery{
		{Outcome: core.Accepted}, {Outcome: core.Accepted}, {Outcome: core.Failed, Cause: core.CauseUnregistered},
		{Outcome: core.Expired, Cause: core.CauseWithdrawn}, {Outcome: core.Suppressed, Cause: core.CauseRead},
	})
	m.Retried(core.CauseUnavailable)
	m.Retried(core.CauseUnavailable)
	m.Responded(404)
	m.Responded(503)
	want := core.NodeCounts{Published: 3, Accepted: 2, Failed: core.Causes{"unregistered": 1},
		Expired: core.Causes{"withdrawn": 1}, Retried: core.Causes{"unavailable": 2}, Requests: 2, Errors: 1}
	got := m.Take()
	check.Equal(t, "counts", got, want)
	check.Equal(t, "counts after they were taken", m.Take(), core.NodeCounts{})

	m.Pushed([]core.Delivery{{Outcome: core.Failed, Cause: core.CauseInvalid}})
	m.Return(got)
	want.Failed = core.Causes{"unregistered": 1, "invalid": 1}
	check.Equal(t, "counts that were returned", m.Take(), want)
}

func TestNoMeter(t *testing.T) {
	var m *core.Meter
	m.Responded(500)
	check.Equal(t, "counts without a meter", m.Take(), core.NodeCounts{})
}
