package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/sininho/sininho/server/lab/servertest"
)

// TestMain builds the released form of the program once for all scripts. (The tests of
// internal/command run the same code with the race detector.)
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sininho-cli")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "./cmd/sininho")
	if out, err := build.CombinedOutput(); err != nil {
		panic(string(out))
	}
	programDir = dir
	servertest.Main(m)
}

var programDir string

func TestScripts(t *testing.T) { runScripts(t, "testdata/script/*.txtar") }

// TestRequestScripts runs the scripts for servers where operators approve publishers.
func TestRequestScripts(t *testing.T) {
	runScripts(t, "testdata/request/*.txtar", servertest.With("PUBLISHERS", "request"))
}

func runScripts(t *testing.T, pattern string, options ...servertest.Option) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("scripts: got %d, %v, want some", len(files), err)
	}
	// All scripts run against one server at the same time, so each creates the channel that it
	// publishes to and has its own people.
	server := servertest.Start(t, options...)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Files: []string{file},
				Cmds:  commands(people{t, server}),
				Setup: func(env *testscript.Env) error {
					env.Setenv("SININHO_URL", server.URL)
					env.Setenv("SININHO_API_KEY", server.APIKey)
					env.Setenv("OPERATOR", servertest.Operator)
					env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
					env.Setenv("TZ", "UTC")
					env.Setenv("PATH", programDir+string(filepath.ListSeparator)+os.Getenv("PATH"))
					return nil
				},
			})
		})
	}
}

func commands(p people) map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"exit-code": exitCode, "capture": capture, "login": p.login, "token": p.token, "device": p.device,
		"email": p.email, "confirm": p.confirm, "post": post,
		"receiver": receiverStart, "received": receiverCheck, "secret": receiverSecret, "challenge": receiverChallenge, "until": until,
	}
}

// exitCode runs a command and checks its exit code.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	var exit *exec.ExitError
	err := ts.Exec(args[1], args[2:]...)
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("exit code: got %v, want %s", err, args[0])
	}
}

// until repeats a command until its stdout matches a pattern.
func until(ts *testscript.TestScript, _ bool, args []string) {
	wanted := regexp.MustCompile(args[0])
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		ts.Check(ts.Exec(args[1], args[2:]...))
		if wanted.MatchString(ts.ReadFile("stdout")) {
			return
		}
	}
	ts.Fatalf("stdout: got\n%s\nwant a match for %s", ts.ReadFile("stdout"), args[0])
}

// capture sets a variable to the group that a pattern matches in the last stdout.
func capture(ts *testscript.TestScript, _ bool, args []string) {
	match := regexp.MustCompile(args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if match == nil {
		ts.Fatalf("stdout: got\n%s\nwant a match for %s", ts.ReadFile("stdout"), args[1])
	}
	ts.Setenv(args[0], match[1])
}
