package cli_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	releaseVersion = "v0.99.0"
	rootModule     = "github.com/sininho/sininho"
	libraryModule  = rootModule + "/pkg"
)

// TestTag tags a release of a copy of both modules, serves it through a file proxy, and uses it from outside: the
// library must leave a program's own dependencies as they are, and `go install` must install the CLI.
func TestTag(t *testing.T) {
	t.Parallel()
	r := newRelease(t)
	r.publish(rootModule, releaseVersion, "")
	r.publish(libraryModule, "pkg/"+releaseVersion, "pkg")
	t.Run("go get", r.getLibrary)
	t.Run("go install", r.installCLI)
}

// getLibrary adds the library to a program that uses old versions of pgx, OpenTelemetry and x/text.
func (r *release) getLibrary(t *testing.T) {
	const (
		pgx  = "github.com/jackc/pgx/v5"
		otel = "go.opentelemetry.io/otel"
		text = "golang.org/x/text"
	)
	own := map[string]string{pgx: "v5.1.0", otel: "v1.1.0", text: "v0.44.0"}
	r.provideEmpty(pgx, own[pgx])
	r.provideEmpty(otel, own[otel])
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), `package main

import (
	_ "github.com/jackc/pgx/v5"
	_ "go.opentelemetry.io/otel"
	"golang.org/x/text/unicode/norm"

	"github.com/sininho/sininho/pkg/sininho"
)

func main() { println(norm.NFC.String(sininho.DefaultBaseURL)) }
`)
	goMod := "module example.com/program\n\ngo 1.26.0\n"
	for _, path := range slices.Sorted(maps.Keys(own)) {
		goMod += fmt.Sprintf("\nrequire %s %s\n", path, own[path])
	}
	write(t, filepath.Join(dir, "go.mod"), goMod)
	r.run(t, dir, "go", "get", libraryModule+"/sininho@"+releaseVersion)
	r.run(t, dir, "go", "build", "-o", os.DevNull, ".")
	if got := r.run(t, dir, "go", "list", "-m", "-f", "{{.GoVersion}}"); got != "1.26.0\n" {
		t.Errorf("version of Go that the program needs after go get of the library: got %s, want 1.26.0 as before", got)
	}
	after, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil || strings.Contains(string(after), "toolchain") {
		t.Errorf("go.mod after go get of the library: got %s (%v), want no toolchain, which is the library's alone", after, err)
	}

	selected := map[string]string{}
	for line := range strings.Lines(r.run(t, dir, "go", "list", "-m", "all")) {
		path, version, _ := strings.Cut(strings.TrimSpace(line), " ")
		selected[path] = version
	}
	for path, want := range own {
		if selected[path] != want {
			t.Errorf("%s after go get of the library: got %s, want %s as before", path, selected[path], want)
		}
	}
	want := []string{
		"example.com/program", "github.com/google/uuid", pgx, "github.com/oapi-codegen/nullable", libraryModule, otel,
		"golang.org/x/crypto", "golang.org/x/mod", "golang.org/x/net", "golang.org/x/sync", "golang.org/x/sys",
		"golang.org/x/term", text, "golang.org/x/tools",
	}
	if got := slices.Sorted(maps.Keys(selected)); !slices.Equal(got, want) {
		t.Errorf("modules of a program that uses the library:\ngot  %q\nwant %q", got, want)
	}
}

func (r *release) installCLI(t *testing.T) {
	bin := t.TempDir()
	r.run(t, bin, "env", "GOBIN="+bin, "go", "install", rootModule+"/cli/cmd/sininho@"+releaseVersion)
	got := r.run(t, bin, filepath.Join(bin, "sininho"), "version")
	if want := "sininho " + releaseVersion + " "; !strings.HasPrefix(got, want) {
		t.Errorf("sininho version: got %q, want %q first", got, want)
	}
}

// release is a copy of the modules in a repository of its own, and the file proxy that serves it.
type release struct {
	t           *testing.T
	repo, proxy string
	env         []string
}

func newRelease(t *testing.T) *release {
	t.Helper()
	r := &release{t: t, repo: t.TempDir(), proxy: t.TempDir()}
	cache := strings.TrimSpace(r.run(t, ".", "go", "env", "GOMODCACHE"))
	upstream := strings.TrimSpace(r.run(t, ".", "go", "env", "GOPROXY"))
	r.env = []string{
		"GOPROXY=" + strings.Join([]string{"file://" + r.proxy, "file://" + cache + "/cache/download", upstream}, ","),
		"GOMODCACHE=" + t.TempDir(), "GOFLAGS=-mod=mod -modcacherw -trimpath", "GOSUMDB=off", "GOWORK=off",
	}
	for _, folder := range []string{"cli", "internal", "pkg", ".ci"} {
		if err := os.CopyFS(filepath.Join(r.repo, folder), os.DirFS(filepath.Join("..", folder))); err != nil {
			t.Fatalf("copy %s: %v", folder, err)
		}
	}
	for _, file := range []string{"go.mod", "go.sum", "LICENSE"} {
		text, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Fatalf("read %s: %v", file, err)
		}
		write(t, filepath.Join(r.repo, file), string(text))
	}
	number := strings.TrimPrefix(releaseVersion, "v")
	write(t, filepath.Join(r.repo, "CHANGELOG.md"), "## ["+number+"]\n")
	if err := os.Mkdir(filepath.Join(r.repo, "sdk-ts"), 0o700); err != nil {
		t.Fatalf("make a folder: %v", err)
	}
	write(t, filepath.Join(r.repo, "sdk-ts", "package.json"), fmt.Sprintf("{\n  \"version\": %q\n}\n", number))
	python := filepath.Join(r.repo, "sdk-py", "src", "sininho")
	if err := os.MkdirAll(python, 0o700); err != nil {
		t.Fatalf("make a folder: %v", err)
	}
	write(t, filepath.Join(python, "version.py"), fmt.Sprintf("__version__ = %q\n", number))
	r.run(t, r.repo, "git", "init", "--quiet")
	r.run(t, r.repo, "git", "add", "--all", "--force")
	r.run(t, r.repo, "git", "commit", "--quiet", "--message", "Everything")
	r.run(t, r.repo, ".ci/tag", releaseVersion)
	return r
}

// publish serves a module as it is at a tag of the repository.
func (r *release) publish(path, tag, folder string) {
	r.t.Helper()
	var archive bytes.Buffer
	err := zip.CreateFromVCS(&archive, module.Version{Path: path, Version: releaseVersion}, r.repo, tag, folder)
	if err != nil {
		r.t.Fatalf("zip %s: %v", path, err)
	}
	goMod := r.run(r.t, r.repo, "git", "show", tag+":"+filepath.Join(folder, "go.mod"))
	r.provide(path, releaseVersion, goMod, archive.Bytes())
}

// provideEmpty serves a module of one empty package.
func (r *release) provideEmpty(path, version string) {
	r.t.Helper()
	dir := r.t.TempDir()
	goMod := "module " + path + "\n"
	write(r.t, filepath.Join(dir, "go.mod"), goMod)
	write(r.t, filepath.Join(dir, "empty.go"), "package empty\n")
	var archive bytes.Buffer
	if err := zip.CreateFromDir(&archive, module.Version{Path: path, Version: version}, dir); err != nil {
		r.t.Fatalf("zip %s: %v", path, err)
	}
	r.provide(path, version, goMod, archive.Bytes())
}

func (r *release) provide(path, version, goMod string, archive []byte) {
	r.t.Helper()
	versions := filepath.Join(r.proxy, filepath.FromSlash(path), "@v")
	if err := os.MkdirAll(versions, 0o700); err != nil {
		r.t.Fatalf("make the folder of %s: %v", path, err)
	}
	write(r.t, filepath.Join(versions, "list"), version+"\n")
	write(r.t, filepath.Join(versions, version+".info"), fmt.Sprintf(`{"Version": %q}`, version))
	write(r.t, filepath.Join(versions, version+".mod"), goMod)
	write(r.t, filepath.Join(versions, version+".zip"), string(archive))
}

// run runs a program to its end and returns its output.
func (r *release) run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	cmd.Env = append(os.Environ(), r.env...)
	for _, role := range []string{"AUTHOR", "COMMITTER"} {
		cmd.Env = append(cmd.Env, "GIT_"+role+"_NAME=Ana", "GIT_"+role+"_EMAIL=ana@example.com")
	}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(cmd.Args, " "), err, out, &stderr)
	}
	return string(out)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatalf("write %s: %v", path, err)
	}
}
