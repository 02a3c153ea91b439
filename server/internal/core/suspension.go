package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Suspension withholds a channel, a publisher or an account from everyone until an operator ends it. Nothing is
// deleted.
type Suspension struct {
	Reason string    `json:"reason"` // for the owner
	At     time.Time `json:"at"`
}

// Suspendable is a kind of object that operators suspend.
type Suspendable string

// The kinds.
const (
	SuspendableChannel    Suspendable = "channel"
	SuspendablePublisher  Suspendable = "publisher" // with all its channels, API keys and webhooks
	SuspendableSubscriber Suspendable = "account"   // an account, without the publishers that the person owns
)

const reasonSuspended = "suspended"

// ErrSuspended returns the error for a caller who may know why something is suspended.
func ErrSuspended(what Suspendable, s Suspension) *Error {
	return &Error{Code: CodeForbidden, Reason: reasonSuspended, Detail: Text{
		EN: "This " + string(what) + " is suspended: " + s.Reason,
		PT: suspendedPT[what] + ": " + s.Reason,
	}}
}

var suspendedPT = map[Suspendable]string{
	SuspendableChannel: "Este canal está suspenso", SuspendablePublisher: "Este publicador está suspenso",
	SuspendableSubscriber: "Esta conta está suspensa",
}

// ErrHidden returns the error for everyone else, to whom it is as if the object did not exist.
func ErrHidden() *Error {
	return &Error{Code: CodeNotFound, Reason: reasonSuspended,
		Detail: Text{EN: "It is suspended.", PT: "Está suspenso."}}
}

// MaxSuspensionReason is the length of a reason, in characters.
const MaxSuspensionReason = 1000

// SuspensionInput is the input for a suspension, or for the withdrawal of a notification by an operator.
type SuspensionInput struct{ Reason string }

// Validate implements Input.
func (in SuspensionInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.Text("#/reason", in.Reason)
	f.Length("#/reason", in.Reason, MaxSuspensionReason)
	if rules.IsBlank(in.Reason) {
		f.Add("#/reason", "blank", Text{EN: "is blank", PT: "está em branco"})
	}
	return f.Faults
}

// Suspended is what a suspension, or its end, has changed.
type Suspended struct {
	ChannelIDs  []ID // those that are hidden or shown now
	Credentials []ID // the sessions, access tokens and API keys that were refused from then on
}

// SuspensionStore keeps suspensions.
type SuspensionStore interface {
	// Suspend suspends an object, or changes the reason of its suspension. It fails with CodeNotFound when there is no
	// such object. A suspended person is signed out, and their devices are retired.
	Suspend(ctx context.Context, what Suspendable, id ID, s Suspension) (Suspension, Suspended, error)
	// Unsuspend ends a suspension; it changes nothing when there is none.
	Unsuspend(ctx context.Context, what Suspendable, id ID) (Suspended, error)
	// ChannelSuspension returns the suspension of a channel or of its publisher.
	ChannelSuspension(ctx context.Context, channelID ID) (Suspendable, Suspension, error)
}

// checkNotSuspended refuses a suspended channel with the reason. Its callers may know it.
func checkNotSuspended(ctx context.Context, store SuspensionStore, channel ChannelRef) error {
	if !channel.Suspended {
		return nil
	}
	what, s, err := store.ChannelSuspension(ctx, channel.ID)
	if IsCode(err, CodeNotFound) {
		return nil // it has ended
	}
	if err != nil {
		return err
	}
	return ErrSuspended(what, s)
}
