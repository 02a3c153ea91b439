package simulation

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/sininho/sininho/server/lab/simulation/checker"
	"github.com/sininho/sininho/server/lab/simulation/history"
)

// TestSeeds runs the seeds that the environment names, or one: SEED, or SEEDS of them from FROM. It keeps the histories
// of failed runs in the folder HISTORIES.
func TestSeeds(t *testing.T) {
	t.Parallel()
	from, count := number(t, "FROM", 1), number(t, "SEEDS", 1)
	if os.Getenv("SEED") != "" {
		from, count = number(t, "SEED", 1), 1
	}
	for seed := from; seed < from+count; seed++ {
		t.Run(fmt.Sprint("SEED=", seed), func(t *testing.T) {
			t.Parallel()
			judge(t, seed, simulate(t, newDraw(seed)))
		})
	}
}

func number(t *testing.T, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: got %q, want a number", variable, text)
	}
	return n
}

// judge has the checker judge a history, and keeps it if it breaches the promise.
func judge(t *testing.T, seed uint64, events []history.Event) {
	t.Helper()
	breaches := checker.Check(events)
	for _, b := range breaches {
		t.Errorf("%s", b)
	}
	fmt.Printf("SEED=%d: %s, %d breaches\n", seed, summary(events), len(breaches))
	dir := os.Getenv("HISTORIES")
	if dir == "" || !t.Failed() {
		return
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatalf("keep the history: %v", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("seed-%d.jsonl", seed))
	if err := history.WriteFile(path, events); err != nil {
		t.Fatalf("keep the history: %v", err)
	}
	t.Logf("SEED=%d failed; its history is in %s", seed, path)
}
