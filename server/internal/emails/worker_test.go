package emails

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/mail"
)

// TestFailuresAreWarnings expects one warning for many failures at once, and one for each email that is given up.
func TestFailuresAreWarnings(t *testing.T) {
	var log bytes.Buffer
	err := errors.New("authenticate: 535: check the user and password in SMTP_URL")
	worker := newWorker(func(context.Context, Email) error { return err }, slog.New(slog.NewTextHandler(&log, nil)))
	work := func(attempt int) error {
		return worker.Work(t.Context(), &river.Job[Job]{JobRow: &rivertype.JobRow{Attempt: attempt, MaxAttempts: 60}})
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

// counter counts emails in memory.
type counter struct {
	mu   sync.Mutex
	sent int64
}

func (c *counter) TakeEmail(_ context.Context, of core.EmailBudget, p core.EmailPriority, _ time.Time) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sent >= of.Until(p) {
		return false, nil
	}
	c.sent++
	return true, nil
}

func (c *counter) ReturnEmail(context.Context, time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent--
	return nil
}

// sendFunc is a function that sends.
type sendFunc func() error

// Send calls the function.
func (f sendFunc) Send(context.Context, mail.Message) error { return f() }

// TestOtherEmailsLeaveABudgetForCodes sends more than the budget has, and expects the rest to wait without an attempt.
func TestOtherEmailsLeaveABudgetForCodes(t *testing.T) {
	t.Parallel()
	failure := errors.New("the mail server is down")
	sender, _ := newSender(t, facts{}, nil)
	sender.Server, sender.Budget = sendFunc(func() error { return failure }), 10
	worker := newWorker(sender.send, sender.Log)
	var sent, waiting int
	work := func() {
		var snooze *river.JobSnoozeError
		job := &river.Job[Job]{JobRow: &rivertype.JobRow{Attempt: 60, MaxAttempts: 60},
			Args: Job{Email{Kind: Account, About: core.ID{2}}}}
		switch err := worker.Work(t.Context(), job); {
		case err == nil:
			sent++
		case errors.As(err, &snooze):
			waiting++
		}
	}
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
