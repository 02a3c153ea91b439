package emails

import (
	"context"
	"errors"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
)

// Counter counts the emails of the installation.
type Counter interface {
	// TakeEmail counts an email, and reports whether the budget has one of its priority left.
	TakeEmail(ctx context.Context, b core.EmailBudget, p core.EmailPriority, now time.Time) (bool, error)
	// ReturnEmail undoes TakeEmail at the same time.
	ReturnEmail(ctx context.Context, now time.Time) error
}

// errLater means that an email waits because the installation has sent as many as it may for now.
var errLater = errors.New("EMAILS_PER_DAY is nearly used up, and the rest is for codes to sign in with")

// sendWithinBudget sends a message that leaves a part of the budget to codes. It fails with errLater when no more may
// be sent for now.
func (s *Sender) sendWithinBudget(ctx context.Context, m mail.Message) error {
	now := s.Now()
	ok, err := s.Counter.TakeEmail(ctx, s.Budget, core.EmailOther, now)
	if err != nil {
		return err
	}
	if !ok {
		return errLater
	}
	if err := s.Server.Send(ctx, m); err != nil {
		return errors.Join(err, s.Counter.ReturnEmail(context.WithoutCancel(ctx), now))
	}
	return nil
}
