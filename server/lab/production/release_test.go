package production

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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

// buildBefore builds the server of the version before: of the latest tag, or else from before the latest migration.
func buildBefore(t *testing.T) (path string) {
	t.Helper()
	commit := git(t, "log", "-1", "--format=%H^", "--diff-filter=A", "--", "../../internal/postgres/migrations")
	if tag, err := exec.Command("git", "describe", "--tags", "--abbrev=0", "--match=v*", "HEAD^").Output(); err == nil {
		commit = string(bytes.TrimSpace(tag))
	}
	dir := t.TempDir()
	unpack := exec.Command("sh", "-c", "git -C ../../.. archive "+commit+" | tar -x -C "+dir)
	if out, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("unpack %s: %v\n%s", commit, err, out)
	}
	// Its web app is not built again: the one that make has built is as good here.
	webApp := filepath.Join(dir, "server/internal/webui/dist")
	if err := errors.Join(os.RemoveAll(webApp), os.CopyFS(webApp, os.DirFS("../../internal/webui/dist"))); err != nil {
		t.Fatalf("copy the web app: %v", err)
	}
	path = filepath.Join(t.TempDir(), "sininho-server")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", path, "./server/cmd/sininho-server")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build %s: %v\n%s", commit, err, out)
	}
	t.Logf("the version before is %s", git(t, "log", "-1", "--format=%h %s", commit))
	return path
}

func git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(bytes.TrimSpace(out))
}
