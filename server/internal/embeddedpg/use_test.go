//go:build linux || darwin

package embeddedpg

import (
	"context"
	"errors"
	"testing"
)

// TestUse uses the database of a directory while no process, and while another one, runs its PostgreSQL.
func TestUse(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	used := func(what, want string, do func(string)) {
		t.Helper()
		called := 0
		err := Use(t.Context(), testConfig(dir), func(_ context.Context, databaseURL string) error {
			called++
			if want != "" && databaseURL != want {
				t.Errorf("URL %s: got %s, want %s", what, databaseURL, want)
			}
			do(databaseURL)
			return nil
		})
		if err != nil || called != 1 {
			t.Errorf("use %s: got %v and %d calls, want 1", what, err, called)
		}
	}
	used("while nothing runs", "", func(url string) { keep(t, url) })
	other := startHelperServer(t, dir, nil)
	used("while another process runs it", other.output, func(url string) { wantKept(t, url) })
	wantFailure(t, testConfig(dir), "in use by another sininho-server (process ")
	other.kill(t)
	used("after that process was killed", "", func(url string) { wantKept(t, url) })

	wrong := errors.New("wrong")
	err := Use(t.Context(), testConfig(dir), func(context.Context, string) error { return wrong })
	if !errors.Is(err, wrong) {
		t.Errorf("error of what is done: got %v, want %v", err, wrong)
	}
	if !Exists(dir) || Exists(openDir(t)) {
		t.Error("directories with a database: got another answer than that only the first has one")
	}
}
