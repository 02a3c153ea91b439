//go:build linux || darwin

package embeddedpg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"
)

// TestMain also acts as a second process for tests that kill it or run it as another user.
func TestMain(m *testing.M) {
	var output string
	var err error
	leave := func() error { return nil }
	switch dir := os.Getenv("EMBEDDEDPG_DIR"); os.Getenv("EMBEDDEDPG_HELPER") {
	case "":
		goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
			_ = os.RemoveAll(template.dir)
			os.Exit(code)
		}))
	case "server":
		var s *Server
		if s, err = Start(context.Background(), testConfig(dir)); err == nil {
			output, leave = s.URL(), s.Stop
		}
	case "fetch":
		var b binaries
		b, err = fetchBinaries(context.Background(), dir)
		output = b.dir
	}
	if err != nil {
		output = "error: " + strings.ReplaceAll(err.Error(), "\n", " ")
	}
	fmt.Println(output)
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the test ends or kills this process
	if err := leave(); err != nil {
		fmt.Fprintln(os.Stderr, "the helper:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func testConfig(dir string) Config {
	return Config{Dir: dir, Settings: map[string]string{"fsync": "off"}}
}

// helper is another process of this test binary.
type helper struct {
	cmd    *exec.Cmd
	output string
}

// startHelper starts a helper and returns at once; listen waits for its output. lead is an optional command that runs
// the helper, such as setpriv.
func startHelper(t *testing.T, part, dir string, env []string, lead ...string) (p *helper, listen func() string) {
	t.Helper()
	args := append(lead, helperBinary(t)) //nolint:gocritic // a new slice each time
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = "/"
	cmd.Env = append(append(os.Environ(), "EMBEDDEDPG_HELPER="+part, "EMBEDDEDPG_DIR="+dir), env...)
	cmd.Stderr = os.Stderr
	stdin, err1 := cmd.StdinPipe()
	stdout, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2, cmd.Start()); err != nil {
		t.Fatalf("start the helper process: %v", err)
	}
	t.Cleanup(func() { _ = stdin.Close(); _ = cmd.Wait() }) // runs before the helper's directory is removed
	return &helper{cmd: cmd}, func() string {
		t.Helper()
		line, err := bufio.NewReader(stdout).ReadString('\n')
		if err != nil {
			t.Fatalf("read the helper's output: got %q, %v", line, err)
		}
		return strings.TrimSpace(line)
	}
}

// startHelperServer starts a helper and waits until its server runs.
func startHelperServer(t *testing.T, dir string, env []string, lead ...string) *helper {
	t.Helper()
	p, listen := startHelper(t, "server", dir, env, lead...)
	if p.output = listen(); !strings.HasPrefix(p.output, "postgres://") {
		t.Fatalf("helper's output: got %q, want a database URL", p.output)
	}
	return p
}

// kill ends a helper as kill -9 does.
func (p *helper) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatalf("kill: %v", err)
	}
	_ = p.cmd.Wait()
}

// helperBinary links or copies the test binary to where every user may run it.
func helperBinary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(openDir(t), "player")
	if os.Link(os.Args[0], path) == nil {
		return path
	}
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatalf("read the test binary: %v", err)
	}
	if err := errors.Join(os.WriteFile(path, self, 0o600), os.Chmod(path, 0o755)); err != nil {
		t.Fatalf("copy the test binary: %v", err)
	}
	return path
}

// closedDir creates a directory that only the current user may pass, as mktemp -d does.
func closedDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "embeddedpg-")
	if err != nil {
		t.Fatalf("make a temporary folder: %v", err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("remove: %v", err)
		}
	})
	return dir
}

// openDir creates a directory that everyone may pass.
func openDir(t *testing.T) string {
	t.Helper()
	dir := closedDir(t)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatalf("chmod: %v", err)
	}
	return dir
}

// template is a state directory that has been used once, which madeDir copies.
var template struct {
	sync.Once
	dir string
	err error
}

func makeTemplate() {
	if template.dir, template.err = os.MkdirTemp("", "embeddedpg-"); template.err != nil {
		return
	}
	s, err := Start(context.Background(), testConfig(template.dir))
	if err == nil {
		err = s.Stop()
	}
	template.err = err
}

// madeDir returns an open directory that has been used before and therefore starts quickly.
func madeDir(t *testing.T) string {
	t.Helper()
	template.Do(makeTemplate)
	dir := openDir(t)
	copying := exec.Command("cp", "-Rp", filepath.Join(template.dir, "data"),
		filepath.Join(template.dir, "postgres.password"), dir)
	if template.err != nil {
		t.Fatalf("make the template: %v", template.err)
	}
	if out, err := copying.CombinedOutput(); err != nil {
		t.Fatalf("copy the template: %v\n%s", err, out)
	}
	return dir
}

func mustStart(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Start(t.Context(), testConfig(dir))
	if err != nil {
		t.Fatalf("start: %v", err)
	}
	t.Cleanup(func() { mustStop(t, s) })
	return s
}

func mustStop(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
}

// wantFailure checks that a server does not start and that the error contains all the given texts.
func wantFailure(t *testing.T, c Config, texts ...string) {
	t.Helper()
	s, err := Start(t.Context(), c)
	if err == nil {
		mustStop(t, s)
		t.Fatalf("start: got no error, want one with %q", texts)
	}
	wantContains(t, err.Error(), texts...)
}

func wantContains(t *testing.T, got string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(got, want) {
			t.Errorf("text: got %q, want %q in it", got, want)
		}
	}
}

// query returns the only value of a statement's result.
func query(t *testing.T, url, sql string) (value string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(t.Context(), sql).Scan(&value); err != nil {
		t.Fatalf("query %s: %v", sql, err)
	}
	return value
}

// keep commits a value, and wantKept checks that it is still there.
func keep(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "create table kept as select 'committed'::text as v"); err != nil {
		t.Fatalf("create a table: %v", err)
	}
}

func wantKept(t *testing.T, url string) {
	t.Helper()
	if got := query(t, url, "select v from kept"); got != "committed" {
		t.Errorf("kept value: got %q, want committed", got)
	}
}

func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	ok, err := waitUntil(t.Context(), stopWithin, func() (bool, error) { return condition(), nil })
	if !ok {
		t.Fatalf("wait for %s: %v", what, err)
	}
}

func mustWrite(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatalf("write %s: %v", path, err)
	}
}
