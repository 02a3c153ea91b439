package waitlist

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
)

// Status is the progress of an entry.
type Status string

// The statuses of an entry, in the order in which it passes through them.
const (
	Unconfirmed Status = "unconfirmed" // the emailed link has not been opened yet
	Waiting     Status = "waiting"
	Invited     Status = "invited" // may sign up
	Joined      Status = "joined"  // has signed in
)

// unconfirmedKept is how long an entry is kept without its address being confirmed.
const unconfirmedKept = 30 * 24 * time.Hour

// Entry is a person on the list. Its JSON is stored as the first response to an idempotency key.
type Entry struct {
	ID           core.ID    `json:"id"`
	Email        string     `json:"email"`
	Name         string     `json:"name"` // as the person gave it, or empty
	Locale       string     `json:"locale"`
	Status       Status     `json:"status"`
	Position     int64      `json:"position"`  // among those who wait, from 1; 0 for all others
	Referrals    int64      `json:"referrals"` // how many people they brought who confirmed
	ReferralCode string     `json:"referralCode"`
	ReferredBy   string     `json:"referredBy"` // the address of the person who brought them, while on the list
	CreatedAt    time.Time  `json:"createdAt"`
	ConfirmedAt  *time.Time `json:"confirmedAt"`
	InvitedAt    *time.Time `json:"invitedAt"`
	JoinedAt     *time.Time `json:"joinedAt"`
}

// email returns the kind of email for an entry whose address is entered in the form again.
func (e Entry) email() emails.Kind {
	switch e.Status {
	case Unconfirmed:
		return emails.Confirmation
	case Waiting:
		return emails.Position
	case Invited:
		return emails.Invitation
	default:
		return emails.Joined
	}
}

// newEntry is an entry before it is stored.
type newEntry struct {
	ID                        core.ID
	Email, Name, Locale       string
	ReferralCode              string // its own
	ReferredBy                string // the referral code that brought it
	TokenHash, InvitationHash []byte
}

// Filter selects entries; its zero value selects all.
type Filter struct {
	Search string // is part of the address or the name
	Status Status
}
