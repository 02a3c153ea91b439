package neighbours

import (
	"os"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

// whole reports whether all attacks are tried, and each for longer.
func whole() bool { return os.Getenv("NEIGHBOURS") == "all" }

// long skips an attack that is not in every run.
func long(t *testing.T) {
	t.Helper()
	if !whole() {
		t.Skip("takes long; make test-neighbours runs it")
	}
}

// lasts returns how long the reader is measured beside an attack.
func lasts() time.Duration {
	if whole() {
		return 30 * time.Second
	}
	return 4 * time.Second
}
