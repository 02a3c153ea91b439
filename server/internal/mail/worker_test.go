package mail_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"github.com/sininho/sininho/server/internal/mail"
)

type args struct{}

func (args) Kind() string { return "email_sign_in" }

// TestFailuresAreWarnings expects one warning for many failures at once, and one for each email that is given up.
func TestFailuresAreWarnings(t *testing.T) {
	var log bytes.Buffer
	err := errors.New("authenticate: 535: check the user and password in SMTP_URL")
	worker := mail.NewWorker(func(context.Context, args) error { return err }, slog.New(slog.NewTextHandler(&log, nil)))
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
