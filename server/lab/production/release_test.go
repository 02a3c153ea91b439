package production

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/cluster"
)

// unpackRelease unpacks the server's archive of this platform, from the folder in RELEASE, into an empty folder.
func unpackRelease(t *testing.T) (folder string) {
	t.Helper()
	dist := os.Getenv("RELEASE")
	if dist == "" {
		t.Skip("needs a release in the folder RELEASE; make test-release runs it")
	}
	pattern := filepath.Join(dist, "sininho-server_*_"+runtime.GOOS+"_"+runtime.GOARCH+".tar.gz")
	archives, _ := filepath.Glob(pattern)
	if len(archives) != 1 {
		t.Fatalf("archives %s: got %q, want one", pattern, archives)
	}
	folder = t.TempDir()
	if out, err := exec.Command("tar", "-xzf", archives[0], "-C", folder).CombinedOutput(); err != nil {
		t.Fatalf("unpack the release: %v\n%s", err, out)
	}
	return filepath.Join(folder, strings.TrimSuffix(filepath.Base(archives[0]), ".tar.gz"))
}

// versionOf returns the version that the folder of a release is named after.
func versionOf(t *testing.T, folder string) string {
	t.Helper()
	version := strings.Split(filepath.Base(folder), "_")[1]
	return "v" + strings.TrimPrefix(version, "v")
}

// buildNewer builds the server of a next version, with the web app that make has built.
func buildNewer(t *testing.T) string {
	t.Helper()
	newer, err := cluster.BuildNewer(t.TempDir())
	if err != nil {
		t.Fatalf("build the next version: %v", err)
	}
	return newer
}
