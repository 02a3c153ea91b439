package command

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// TestTailRunsACommand runs a command for each notification, in order. What they say is never the shell's.
func TestTailRunsACommand(t *testing.T) {
	server := sininhotest.New(t)
	evil := filepath.Join(t.TempDir(), "evil")
	title := "'; touch " + evil + "; $(touch " + evil + ") `touch " + evil + "` \"|%PATH%"
	publishTo(t, server, title)
	publishTo(t, server, "second")
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"tail", "demo/novidades", "--since", "1h", "--limit", "2", "--exec",
		`echo "$SININHO_CHANNEL $SININHO_IMPORTANCE $SININHO_TITLE"; grep -c '"title"'; [ "$SININHO_TITLE" != second ] || exit 9`},
		strings.NewReader(""), &stdout, &stderr, envOf(server))
	if want := "demo/novidades normal " + title + "\n1\ndemo/novidades normal second\n1\n"; code != 0 || stdout.String() != want {
		t.Errorf("got %d and %q, want 0 and %q", code, stdout.String(), want)
	}
	if !strings.Contains(stderr.String(), "sininho: --exec for second: exit status 9\n") {
		t.Errorf("stderr: got %q, want the failure", stderr.String())
	}
	if matches, _ := filepath.Glob(evil); len(matches) > 0 {
		t.Error("a title was run as a command")
	}
}

func TestTailEndsTheCommandWhenInterrupted(t *testing.T) {
	server := sininhotest.New(t)
	publishTo(t, server, "first")
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	stdout := &watched{text: "ready", then: interrupt}
	code := Run(ctx, []string{"tail", "demo/novidades", "--since", "1h", "--exec", "echo ready; exec sleep 600"},
		strings.NewReader(""), stdout, &bytes.Buffer{}, envOf(server))
	if code != exitInterrupted {
		t.Errorf("exit code: got %d, want %d", code, exitInterrupted)
	}
}

func TestHookIgnoresOtherEvents(t *testing.T) {
	h := hook{&session{}, "exit 1"}
	for _, kind := range []sininho.EventType{
		sininho.EventWithdrawn, sininho.EventRead, sininho.EventReset, sininho.EventCorrected,
	} {
		if err := h.run(t.Context(), sininho.Event{Type: kind}); err != nil {
			t.Errorf("%s: got %v", kind, err)
		}
	}
}
