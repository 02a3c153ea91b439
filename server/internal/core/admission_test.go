package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// TestAdmission creates a publisher as each kind of person, with every way to become one.
func TestAdmission(t *testing.T) {
	t.Parallel()
	const refused = "operator_required"
	for admission, want := range map[core.Admission]map[string]string{
		core.AdmissionOpen:       {"owner": "", "stranger": "", "operator": ""},
		core.AdmissionInvitation: {"owner": refused, "stranger": refused, "operator": ""},
		core.AdmissionRequest:    {"owner": "request_required", "stranger": "request_required", "operator": ""},
	} {
		w := newWorld(t)
		clock := func() time.Time { return w.now }
		publishers := core.NewPublishers(w, operators, testRules.WithAdmission(admission), clock)
		for name, caller := range map[string]core.Caller{"owner": w.owner, "stranger": w.stranger, "operator": w.operator} {
			_, _, err := publishers.Create(t.Context(), caller, core.PublisherInput{Slug: name, Name: "P"}, noKey)
			reason := ""
			if e, ok := errors.AsType[*core.Error](err); ok {
				reason = e.Reason
			}
			check.Equal(t, "refusal of the "+name+" with "+string(admission), reason, want[name])
		}
		check.Equal(t, string(admission)+" is known", admission.Valid(), true)
	}
	check.Equal(t, "another way is known", core.Admission("nobody").Valid(), false)
}
