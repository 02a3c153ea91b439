package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
)

// nobody is the user that the tests, when they run as root, also run the server as.
const nobody = 65534

// bare is a machine with nothing but the program, a file of settings, and a directory for data.
type bare struct {
	t       *testing.T
	user    *syscall.Credential // nil: the current one
	dir     string
	addr    string
	program string
}

// asEachUser runs a test as the current user and, if that is root, as another one, because PostgreSQL refuses root.
func asEachUser(t *testing.T, test func(b *bare)) {
	t.Helper()
	users := map[string]*syscall.Credential{"as this user": nil}
	if os.Geteuid() == 0 {
		users["as nobody"] = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	for name, user := range users {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newBare(t, user))
		})
	}
}

func newBare(t *testing.T, user *syscall.Credential) *bare {
	t.Helper()
	dir, err := os.MkdirTemp("", "sininho-") // another user must reach it
	if err != nil {
		t.Fatalf("make a folder: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	b := &bare{t: t, user: user, dir: dir, addr: freeAddr(t), program: filepath.Join(dir, "sininho-server")}
	// Not by this process: a program that is open for writing, also in a child that just begins, cannot be run.
	if out, err := exec.CommandContext(t.Context(), "cp", os.Args[0], b.program).CombinedOutput(); err != nil {
		t.Fatalf("copy the program: %v\n%s", err, out)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatalf("open the folder: %v", err)
	}
	b.own("")
	return b
}

func (b *bare) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bare) write(name, content string, mode os.FileMode) {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(content), mode); err != nil {
		b.t.Fatalf("write a file: %v", err)
	}
	b.own(name)
}

func (b *bare) own(name string) {
	b.t.Helper()
	if b.user == nil {
		return
	}
	if err := os.Chown(b.path(name), int(b.user.Uid), int(b.user.Gid)); err != nil {
		b.t.Fatalf("give a file away: %v", err)
	}
}

// settings writes a file of settings for data in a directory.
func (b *bare) settings(file, data string) {
	b.t.Helper()
	b.write(file, fmt.Sprintf(`# settings of a test
PUBLIC_URL='http://%[1]s'
LISTEN_ADDR=%[1]s
DATA_DIR=%[2]s
SECRET_KEY=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=
PUSH=webpush
ANALYTICS=off
GOOGLE_CLIENT_ID=x
GOOGLE_SECRET=x
`, b.addr, b.path(data)), 0o600)
}

func (b *bare) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(b.t.Context(), b.program, args...)
	cmd.Dir = b.dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "DATABASE_") }),
		"SININHO_SERVER_MAIN=1", "HOME="+b.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: b.user}
	return cmd
}

// run runs a command that ends, and returns what it wrote.
func (b *bare) run(args ...string) (string, error) {
	b.t.Helper()
	out, err := b.command(args...).CombinedOutput()
	return string(out), err
}

func (b *bare) mustRun(args ...string) string {
	b.t.Helper()
	out, err := b.run(args...)
	if err != nil {
		b.t.Fatalf("sininho-server %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// serve serves with a file of settings and waits until the server is ready.
func (b *bare) serve(file string) *exec.Cmd {
	b.t.Helper()
	cmd := b.command("serve", "--env-file", file)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		b.t.Fatalf("start the program: %v", err)
	}
	b.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if b.t.Failed() {
			b.t.Log(log.String())
		}
	})
	eventually.True(b.t, "the server to be ready", func() bool {
		status, _ := b.get("/readyz")
		return status == http.StatusOK
	})
	return cmd
}

func (b *bare) get(path string) (status int, body string) {
	res, err := http.Get("http://" + b.addr + path) //nolint:noctx // a test
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()
	var out bytes.Buffer
	_, _ = out.ReadFrom(res.Body)
	return res.StatusCode, out.String()
}

// demoWebhook returns the path of the demonstration's webhook, which nobody has set.
func (b *bare) demoWebhook() string {
	b.t.Helper()
	_, script := b.get("/config.js")
	object, _ := strings.CutPrefix(strings.TrimSpace(script), "globalThis.SININHO_ENV = Object.freeze(")
	var settings map[string]string
	if err := json.Unmarshal([]byte(strings.TrimSuffix(object, ");")), &settings); err != nil {
		b.t.Fatalf("config.js: %v:\n%s", err, script)
	}
	path, ok := strings.CutPrefix(settings["DEMO_WEBHOOK_URL"], "http://"+b.addr)
	if !ok {
		b.t.Fatalf("DEMO_WEBHOOK_URL in config.js: got %q, want one of this server", settings["DEMO_WEBHOOK_URL"])
	}
	return path
}

// post publishes by the demonstration's webhook.
func (b *bare) post(title string) {
	b.t.Helper()
	body := fmt.Sprintf(`{"title":%q}`, title)
	//nolint:noctx // a test
	res, err := http.Post("http://"+b.addr+b.demoWebhook(), "application/json", strings.NewReader(body))
	if err != nil {
		b.t.Fatalf("post to the webhook: %v", err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusAccepted {
		b.t.Fatalf("post to the webhook: got status %d, want 202", res.StatusCode)
	}
}

// wantPosts checks that the demonstration has the posts that were accepted.
func (b *bare) wantPosts(when string, titles ...string) {
	b.t.Helper()
	status, page := b.get("/api/v1/channels/demo/demonstracao/notifications")
	for _, title := range titles {
		if status != http.StatusOK || !strings.Contains(page, strconv.Quote(title)) {
			b.t.Errorf("posts %s: got status %d and %s, want %q", when, status, page, title)
		}
	}
}

// TestOwnDatabase serves with nothing but a file of settings: the server keeps its own PostgreSQL, which loses nothing
// when the process is killed, and is backed up while it runs and while it does not.
func TestOwnDatabase(t *testing.T) {
	t.Parallel()
	asEachUser(t, func(b *bare) {
		b.settings("a.env", "data")
		process := b.serve("a.env")
		b.post("um")
		webhook := b.demoWebhook()
		b.refuseSecond()
		b.mustRun("backup", "--env-file", "a.env", "running.backup")
		for i := range 2 {
			b.post("antes do fim " + strconv.Itoa(i))
			if err := process.Process.Kill(); err != nil {
				b.t.Fatalf("kill the server: %v", err)
			}
			_ = process.Wait()
			process = b.serve("a.env")
		}
		b.wantPosts("after kill -9", "um", "antes do fim 0", "antes do fim 1")
		if got := b.demoWebhook(); got != webhook {
			b.t.Errorf("DEMO_WEBHOOK_URL after kill -9: got %s, want %s as before", got, webhook)
		}
		b.stop(process)
		b.mustRun("backup", "--env-file", "a.env", "stopped.backup")

		out, err := b.run("restore", "--env-file", "a.env", "running.backup")
		if err == nil || !strings.Contains(out, "the database is not empty") {
			b.t.Errorf("restore over a database: got %v and %s, want it refused", err, out)
		}
		for file, titles := range map[string][]string{
			"running.backup": {"um"}, "stopped.backup": {"um", "antes do fim 0", "antes do fim 1"},
		} {
			b.settings(file+".env", file+".data")
			b.mustRun("restore", "--env-file", file+".env", file)
			process := b.serve(file + ".env")
			b.wantPosts("restored from "+file, titles...)
			b.stop(process)
		}
	})
}

// stop ends the server in order, and expects that it leaves no PostgreSQL.
func (b *bare) stop(process *exec.Cmd) {
	b.t.Helper()
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		b.t.Fatalf("stop the server: %v", err)
	}
	if err := process.Wait(); err != nil {
		b.t.Errorf("server that is stopped: ended with %v, want exit status 0", err)
	}
	if _, err := os.Stat(b.path("data/postgres/data/postmaster.pid")); !os.IsNotExist(err) {
		b.t.Errorf("file of the running PostgreSQL after the server has ended: got %v, want that it is gone", err)
	}
}

// refuseSecond starts a second server on the same data.
func (b *bare) refuseSecond() {
	b.t.Helper()
	cmd := b.command("serve", "--env-file", "a.env")
	cmd.Env = append(cmd.Env, "LISTEN_ADDR="+freeAddr(b.t)) // which has precedence over the file
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "in use by another sininho-server (process ") {
		b.t.Errorf("second server on the same DATA_DIR: got %v and %s, want it refused", err, out)
	}
}

// TestOwnDatabaseEnds kills the server's PostgreSQL. The server must end with an error instead of serving without it.
func TestOwnDatabaseEnds(t *testing.T) {
	t.Parallel()
	b := newBare(t, nil)
	b.settings("a.env", "data")
	process := b.serve("a.env")
	content, err := os.ReadFile(b.path("data/postgres/data/postmaster.pid"))
	if err != nil {
		t.Fatalf("read a file: %v", err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatalf("process of PostgreSQL: %v", err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatalf("kill PostgreSQL: %v", err)
	}
	if err := process.Wait(); err == nil {
		t.Error("server whose PostgreSQL was killed: ended without an error, want one")
	}
}

// TestEnvFile expects errors that say what to do about the file of settings.
func TestEnvFile(t *testing.T) {
	t.Parallel()
	b := newBare(t, nil)
	b.settings("a.env", "data")
	if err := os.Chmod(b.path("a.env"), 0o604); err != nil {
		t.Fatalf("change a mode: %v", err)
	}
	b.write("wrong.env", "PUBLIC_URL=http://localhost\nSECRET_KEY 'abc'\n", 0o600)
	b.write("public.env", "PUBLIC_URL=http://localhost\n", 0o644)
	for file, want := range map[string]string{
		"a.env":       "a.env has secrets, but everyone on this machine may read or change it: run `chmod o= a.env`",
		"wrong.env":   "wrong.env:2: must be NAME=value",
		"public.env":  "SECRET_KEY: is required",
		"missing.env": "--env-file: open missing.env: no such file",
	} {
		for _, args := range [][]string{{"serve"}, {"migrate"}, {"config", "check"}} {
			out, err := b.run(append(args, "--env-file", file)...)
			if err == nil || !strings.Contains(out, want) {
				t.Errorf("%v --env-file %s: got %v and %s, want %q", args, file, err, out, want)
			}
		}
	}
	if out, err := b.run("backup", "--env-file", "a.env", "x"); err == nil {
		t.Errorf("backup with a file that everyone may read: got %s, want an error", out)
	}
	if err := os.Chmod(b.path("a.env"), 0o600); err != nil {
		t.Fatalf("change a mode: %v", err)
	}
	if out := b.mustRun("config", "check", "--env-file", "a.env"); out != "The settings are complete.\n" {
		t.Errorf("config check: got %s", out)
	}
	if out, err := b.run("backup", "--env-file", "a.env", "x"); err == nil || !strings.Contains(out, "has no database") {
		t.Errorf("backup without a database: got %v and %s, want that there is none", err, out)
	}
	cmd := b.command("config", "show", "--env-file", "a.env")
	cmd.Env = append(cmd.Env, "PUSH=fcm", "GOOGLE_SECRET_FILE=/dev/null")
	out, _ := cmd.CombinedOutput()
	if !regexp.MustCompile(`(?m)^PUSH +fcm `).Match(out) ||
		strings.Contains(string(out), "is set twice") {
		t.Errorf("settings with PUSH and GOOGLE_SECRET_FILE in the environment: got\n%s\nwant these", out)
	}
}
