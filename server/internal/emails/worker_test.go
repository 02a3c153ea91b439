package emails_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/mail"
)

type args struct{}

func (args) Kind() string { return "email_sign_in" }

// TestFailuresAreWarnings expects one warning for many failures at once, and one for each email that is given up.
func TestFailuresAreWarnings(t *testing.T) {
	var log bytes.Buffer
	err := errors.New("authenticate: 535: check the user and password in SMTP_URL")
	worker := emails.NewWorker(func(context.Context, args) error { return err }, slog.New(slog.NewTextHandler(&log, nil)))
	work := func(attempt int) error {
		return worker.Work(t.Context(), &river.Job[args]{JobRow: &rivertype.JobRow{Attempt: attempt, MaxAttempts: 60}})
	}
	for range 20 {
		if got := work(1); !errors.Is(got, err) {
			t.Errorf("job that fails: got error %v, want %v", got, err)
		}
	}
	text := log.String()
	if got := strings.Count(text, "level=WARN"); got != 1 || !strings.Contains(text, "check the user and password") {
		t.Errorf("log of 20 failures: got %s, want one warning that says what to change", text)
	}
	log.Reset()
	err = fmt.Errorf("%w: 550", mail.ErrRefused)
	for range 2 {
		if got := work(1); !errors.Is(got, river.JobCancel(nil)) {
			t.Errorf("job whose email is refused: got error %v, want it canceled", got)
		}
	}
	if got := strings.Count(log.String(), "level=WARN"); got != 2 {
		t.Errorf("log of 2 refusals: got %s, want a warning each", log.String())
	}
}

// budget is a core.EmailBudget in memory.
type budget struct{ sent, until int64 }

func (b *budget) TakeEmail(_ context.Context, of core.EmailBudget, p core.EmailPriority, _ time.Time) (bool, error) {
	if b.until = of.Until(p); b.sent >= b.until {
		return false, nil
	}
	b.sent++
	return true, nil
}

func (b *budget) ReturnEmail(context.Context, time.Time) error { b.sent--; return nil }

// sendFunc is a function that sends.
type sendFunc func() error

// Send calls the function.
func (f sendFunc) Send(context.Context, mail.Message) error { return f() }

// TestOtherEmailsLeaveABudgetForCodes sends more than the budget has, and expects the rest to wait without an attempt.
func TestOtherEmailsLeaveABudgetForCodes(t *testing.T) {
	counted, failure := &budget{}, error(nil)
	budgeted := &emails.Budgeted{
		Sender: sendFunc(func() error { return failure }),
		Store:  counted,
		Budget: 10,
		Now:    time.Now,
	}
	worker := emails.NewWorker(func(ctx context.Context, _ args) error { return budgeted.Send(ctx, mail.Message{}) },
		slog.New(slog.DiscardHandler))
	var sent, waiting int
	work := func() {
		var snooze *river.JobSnoozeError
		last := &rivertype.JobRow{Attempt: 60, MaxAttempts: 60}
		switch err := worker.Work(t.Context(), &river.Job[args]{JobRow: last}); {
		case err == nil:
			sent++
		case errors.As(err, &snooze):
			waiting++
		}
	}
	failure = errors.New("the mail server is down")
	for range 20 {
		work()
	}
	failure = nil
	for range 12 {
		work()
	}
	if sent != 8 || waiting != 4 {
		t.Errorf("of 12 emails with a budget of 10: got %d sent and %d waiting, want 8 and 4", sent, waiting)
	}
}
