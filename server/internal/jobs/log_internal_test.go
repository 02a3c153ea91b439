package jobs

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
)

// TestErrorsOfACanceledContextAreNoErrors expects the log of a client that has left in the middle of a request to have
// no error, and any other error to be logged as one.
func TestErrorsOfACanceledContextAreNoErrors(t *testing.T) {
	t.Parallel()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for level, want := range map[slog.Level]string{
		slog.LevelDebug: "level=ERROR msg=running part=river\nlevel=DEBUG msg=canceled part=river\n",
		slog.LevelInfo:  "level=ERROR msg=running part=river\n",
	} {
		var out bytes.Buffer
		text := slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level})
		log := slog.New(clientLog{text}).With("part", "river")
		log.ErrorContext(t.Context(), "running")
		log.ErrorContext(canceled, "canceled")
		var got strings.Builder
		for line := range strings.Lines(out.String()) {
			_, line, _ = strings.Cut(line, " ") // the time
			got.WriteString(line)
		}
		if got.String() != want {
			t.Errorf("log at level %s: got %q, want %q", level, got.String(), want)
		}
	}
}
