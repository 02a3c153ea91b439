package waitlist

import (
	"context"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// LettersApart is how far apart letters are that anyone can have sent to an address by typing it into the form.
const LettersApart = 10 * time.Minute

// Filter says which entries are wanted; its zero value wants all.
type Filter struct {
	Search string // is in the address or the name
	Status Status
}

// Store keeps the list. What queues letters does so in the same transaction as what they tell.
type Store interface {
	// Join keeps the entry unless its address is known, and queues the letter that tells the person where they stand, unless
	// one went to the address within LettersApart. Of one that is not confirmed yet what was given last counts.
	Join(ctx context.Context, e NewEntry, now time.Time) error
	// Place finds an entry by the hash of its token, and how many wait; CodeNotFound when there is none.
	Place(ctx context.Context, tokenHash []byte) (e Entry, waiting int64, err error)
	// Confirm has an entry wait from now on and counts it for whoever brought it, once. CodeNotFound as Place.
	Confirm(ctx context.Context, tokenHash []byte, now time.Time) error
	// Leave deletes an entry. CodeNotFound as Place, and for one that has joined.
	Leave(ctx context.Context, tokenHash []byte) error
	// Entries lists entries in the order of the contract.
	Entries(ctx context.Context, f Filter, p core.Page) (data []Entry, total int64, err error)
	// EachEntry hands over all that Entries would list, in its order, until one is refused.
	EachEntry(ctx context.Context, f Filter, take func(Entry) error) error
	// InviteNext invites the first of those who wait, and queues their letters.
	InviteNext(ctx context.Context, count int, now time.Time, key core.Idempotency) ([]Entry, core.Creation, error)
	// InviteChosen invites those addresses, the known and the unknown, in this order and each once, and queues letters to all
	// who have not joined.
	InviteChosen(ctx context.Context, entries []NewEntry, now time.Time, key core.Idempotency) ([]Entry, core.Creation, error)
}
