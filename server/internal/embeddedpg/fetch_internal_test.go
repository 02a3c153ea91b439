package embeddedpg

import (
	"context"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestFetch fetches the binaries for real, as on a machine that has none.
func TestFetch(t *testing.T) {
	t.Parallel()
	dir, err := fetch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, ok := inspect(context.Background(), dir)
	if !ok || b.major != fetchedMajor {
		out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").CombinedOutput() //nolint:gosec // a test
		t.Fatalf("got %+v: %s %v", b, out, err)
	}
}
