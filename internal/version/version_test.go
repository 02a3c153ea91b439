package version

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
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

// TestToolchain expects every module of the repository to name the same toolchain, so that all tests and tools run with
// the version of Go that the release is built with, and its security fixes.
func TestToolchain(t *testing.T) {
	t.Parallel()
	const root = "../.."
	list, err := exec.Command("git", "-C", root, "ls-files", "-z", "go.mod", "**/go.mod").Output()
	files := strings.Split(strings.Trim(string(list), "\x00"), "\x00")
	if err != nil || len(files) < 2 {
		t.Fatalf("modules of the repository: got %q and error %v, want all", files, err)
	}
	pinned := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			t.Fatalf("read %s: %v", file, err)
		}
		line := string(regexp.MustCompile(`(?m)^toolchain .*$`).Find(text))
		pinned[line] = append(pinned[line], file)
	}
	if len(pinned) != 1 || pinned[""] != nil {
		t.Errorf("toolchains of the modules: got %q, want one for all", pinned)
	}
}
