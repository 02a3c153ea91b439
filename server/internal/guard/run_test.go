package guard_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/guard"
)

func TestRunGoesOnAfterAPanic(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	ran := 0
	guard.Run(t.Context(), slog.New(slog.NewTextHandler(&log, nil)),
		func(context.Context) { ran++; panic("the source failed") },
		func(context.Context) { ran++ })
	if ran != 2 {
		t.Errorf("steps that ran: got %d, want 2", ran)
	}
	for _, want := range []string{"level=ERROR", "the source failed", "run_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log of the panic: got %q, want it to contain %q", log.String(), want)
		}
	}
}
