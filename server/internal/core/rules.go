package core

import (
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Rules holds the parts of the rules for inputs that differ between installations.
type Rules struct {
	links     LinkRules
	events    EventRules
	templates Templates
	tokens    TokenRules
	reserved  reservedNames
	retention Retention
	push      PushRules
	admission Admission
}

// NewRules returns the rules for inputs. No publisher may have one of the reserved names, besides those of Sininho.
func NewRules(links LinkRules, events EventRules, templates Templates, reserved ...string) *Rules {
	return &Rules{links: links, events: events, templates: templates, tokens: DefaultTokenRules(),
		reserved: newReservedNames(reserved)}
}

// WithTokens returns the rules with other lifetimes of access tokens.
func (r Rules) WithTokens(tokens TokenRules) *Rules {
	r.tokens = tokens
	return &r
}

// WithRetention returns the rules with another limit for what channels keep.
func (r Rules) WithRetention(retention Retention) *Rules {
	r.retention = retention
	return &r
}

// WithPush returns the rules with those for devices.
func (r Rules) WithPush(push PushRules) *Rules {
	r.push = push
	return &r
}

// WithAdmission returns the rules with who may create publishers.
func (r Rules) WithAdmission(admission Admission) *Rules {
	r.admission = admission
	return &r
}

// LinkRules determines which links publishers may use.
type LinkRules = rules.Links

// Input is the input of an operation.
type Input interface {
	// Validate returns every fault of the input that can be found without the database.
	Validate(r *Rules, now time.Time) []FieldError
}

// check returns an error with every fault of the input, or nil.
func (r *Rules) check(in Input, now time.Time) error { return invalid(in.Validate(r, now)) }

// faults collects the faults of an input: of the rules that the library shares, and of those below.
type faults struct{ rules.Faults }

// merge adds the faults of fields that have none yet.
func (f *faults) merge(list []FieldError) {
	known := f.Faults
	for _, fault := range list {
		if !known.Has(fault.Pointer) {
			f.Faults = append(f.Faults, fault)
		}
	}
}

// invalid returns an error with these faults, or nil without faults.
func invalid(list []FieldError) error {
	if len(list) == 0 {
		return nil
	}
	return Invalid(list...)
}

// CheckName returns the faults of a name, which is shown on one line next to other text.
func CheckName(pointer, s string) []FieldError {
	var f faults
	f.Name(pointer, s, rules.MaxName)
	return f.Faults
}
