package faults

import (
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/cluster"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// binary is the path of the built server.
var binary string

var discard = slog.New(slog.DiscardHandler)

func TestMain(m *testing.M) {
	if err := run(m); err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(m *testing.M) error {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if binary, err = cluster.Build(dir); err != nil {
		return err
	}
	pgtest.Main(m)
	return nil
}

// long skips a test that takes too long for every run.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("FAULTS") != "all" {
		t.Skip("takes longer than a few seconds; make test-faults runs it")
	}
}

// lasting calls fn about every second for as long as a fault lasts.
func lasting(length time.Duration, fn func()) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for end := time.After(length); ; {
		fn()
		select {
		case <-tick.C:
		case <-end:
			return
		}
	}
}
