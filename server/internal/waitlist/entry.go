package waitlist

import (
	"net/mail"
	"regexp"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Status is how far an entry is.
type Status string

// The ways of an entry, in this order.
const (
	Unconfirmed Status = "unconfirmed" // the e-mailed link was not opened yet
	Waiting     Status = "waiting"
	Invited     Status = "invited" // may sign up
	Joined      Status = "joined"  // has signed in
)

// UnconfirmedKept is how long an entry is kept whose address nobody confirms.
const UnconfirmedKept = 30 * 24 * time.Hour

// Entry is someone in the list.
type Entry struct {
	ID           core.ID    `json:"id"`
	Email        string     `json:"email"`
	Name         string     `json:"name"` // as they gave it; empty if they did not
	Locale       string     `json:"locale"`
	Status       Status     `json:"status"`
	Position     int64      `json:"position"`  // among those who wait, the first is 1; 0 of everybody else
	Referrals    int64      `json:"referrals"` // how many they brought who confirmed
	ReferralCode string     `json:"referralCode"`
	ReferredBy   string     `json:"referredBy"` // the address of who brought them, if they are in the list still
	CreatedAt    time.Time  `json:"createdAt"`
	ConfirmedAt  *time.Time `json:"confirmedAt"`
	InvitedAt    *time.Time `json:"invitedAt"`
	JoinedAt     *time.Time `json:"joinedAt"`
}

// Letter is what someone in the list is written to whose address is typed into the form again.
func (e Entry) Letter() LetterKind {
	switch e.Status {
	case Unconfirmed:
		return Confirmation
	case Waiting:
		return Position
	case Invited:
		return Invitation
	default:
		return Account
	}
}

var isCode = regexp.MustCompile(`^[a-z0-9]{1,64}$`)

// Input is what the form asks for.
type Input struct {
	Email        string
	Name         string
	ReferralCode string // of the link that brought the person; one that is not known is ignored
	Locale       string // pt or en
}

// Validate reports every fault of the input.
func (in Input) Validate() error {
	var faults []core.FieldError
	if !isAddress(in.Email) {
		faults = append(faults, notAddress("#/email"))
	}
	if in.Name != "" {
		faults = append(faults, core.CheckName("#/name", in.Name)...)
	}
	if len(faults) > 0 {
		return core.Invalid(faults...)
	}
	return nil
}

// isAddress wants the bare address, as it stands in an envelope. It is ASCII (a domain of other letters comes as xn--…):
// beyond it there are letters whose small ones are those of another address.
func isAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

func notAddress(pointer string) core.FieldError {
	return core.FieldError{Pointer: pointer, Code: "email", Detail: core.Text{EN: "is no e-mail address", PT: "não é um endereço de e-mail"}}
}

// NewEntry is an entry as it is made.
type NewEntry struct {
	ID                        core.ID
	Email, Name, Locale       string
	ReferralCode              string // its own
	ReferredBy                string // the code that brought it
	TokenHash, InvitationHash []byte
}
