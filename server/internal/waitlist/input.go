package waitlist

import (
	"fmt"
	"regexp"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Input is the content of the form to join with.
type Input struct {
	Email        string `json:"email"`
	Name         string `json:"name,omitempty"`
	ReferralCode string `json:"referralCode,omitempty"` // of the referral link; an unknown one is ignored
	Locale       string `json:"locale"`                 // a BCP 47 tag
}

var isCode = regexp.MustCompile(`^[a-z0-9]{1,64}$`)

// Validate implements core.Input.
func (in Input) Validate(*core.Rules, time.Time) []core.FieldError {
	faults := core.CheckEmail("#/email", in.Email)
	if in.Name != "" {
		faults = append(faults, core.CheckName("#/name", in.Name)...)
	}
	return faults
}

// Choice says whom to invite: the next people of those who wait or, when Next is 0, the people at Emails.
type Choice struct {
	Next   int
	Emails []string
}

// Validate implements core.Input.
func (c Choice) Validate(*core.Rules, time.Time) []core.FieldError {
	var faults []core.FieldError
	for i, email := range c.Emails {
		faults = append(faults, core.CheckEmail(fmt.Sprintf("#/emails/%d", i), email)...)
	}
	return faults
}

// check returns an error with every fault of an input, or nil. The rules are the same on every installation.
func check(in core.Input, now time.Time) error {
	if faults := in.Validate(nil, now); len(faults) > 0 {
		return core.Invalid(faults...)
	}
	return nil
}
