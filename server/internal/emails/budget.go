package emails

import (
	"context"
	"errors"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
)

// ErrLater means that an email waits because the installation has sent as many as it may for now.
var ErrLater = errors.New("EMAILS_PER_DAY is nearly used up, and the rest is for codes to sign in with")

// Budgeted sends emails that leave a part of the installation's budget to codes. Every field is required.
type Budgeted struct {
	Sender interface {
		Send(ctx context.Context, m mail.Message) error
	}
	Store interface {
		// TakeEmail counts an email, and reports whether the budget has one of its priority left.
		TakeEmail(ctx context.Context, b core.EmailBudget, p core.EmailPriority, now time.Time) (bool, error)
		// ReturnEmail undoes TakeEmail at the same time.
		ReturnEmail(ctx context.Context, now time.Time) error
	}
	Budget core.EmailBudget
	Now    func() time.Time
}

// Send sends an email. It fails with ErrLater when no more may be sent for now, and otherwise as Sender does.
func (b *Budgeted) Send(ctx context.Context, m mail.Message) error {
	now := b.Now()
	ok, err := b.Store.TakeEmail(ctx, b.Budget, core.EmailOther, now)
	if err != nil {
		return err
	}
	if !ok {
		return ErrLater
	}
	if err := b.Sender.Send(ctx, m); err != nil {
		return errors.Join(err, b.Store.ReturnEmail(context.WithoutCancel(ctx), now))
	}
	return nil
}
