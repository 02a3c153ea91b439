package version

import (
	"testing"
	"time"
)

func TestString(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 11, 24, 13, 0, 0, 0, time.UTC)
	for want, info := range map[string]Info{
		"v0.4.0 (commit 02bb8bf, 2026-11-24, go1.26.8, linux/amd64)": {
			Version: "v0.4.0", Commit: "02bb8bf", Date: day, Go: "go1.26.8", Platform: "linux/amd64"},
		"dev (go1.26.8, darwin/arm64)": {Version: "dev", Go: "go1.26.8", Platform: "darwin/arm64"},
	} {
		if got := info.String(); got != want {
			t.Errorf("String: got %q, want %q", got, want)
		}
	}
}

// TestRead is built by go test, which stamps no version.
func TestRead(t *testing.T) {
	t.Parallel()
	if got := Read(); got.Version != "dev" || got.Go == "" || got.Platform == "" {
		t.Errorf("Read in a test: got %+v, want version dev with a Go version and a platform", got)
	}
}
