package command

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// publishedTitles returns the titles of the channel, newest first, with ! for important ones and the last line of the
// body.
func publishedTitles(t *testing.T, server *sininhotest.Server) string {
	t.Helper()
	var all []string
	for n, err := range server.Client().Notifications.List(t.Context(), "demo/novidades", sininho.ListOptions{}) {
		if err != nil {
			t.Fatalf("list: %v", err)
		}
		lines := strings.Split(n.Body, "\n")
		all = append(all, n.Title+map[bool]string{true: "!"}[n.Importance == sininho.Important]+"|"+lines[len(lines)-1])
	}
	return strings.Join(all, ";")
}

func TestRunPublishesHowACommandEnded(t *testing.T) {
	for name, c := range map[string]struct {
		options, script string
		code            int
		stdout, want    string
	}{
		"success":             {"", "cat; echo two", 0, "in\ntwo\n", "Backup: done|two"},
		"failure":             {"", "echo why >&2; exit 3", 3, "", "Backup: failed with exit code 3!|why"},
		"a signal":            {"", "echo out; kill -9 $$", 137, "out\n", "Backup: ended by the signal killed!|out"},
		"silence":             {"--only-failure", "echo two", 0, "two\n", ""},
		"no silence":          {"--only-failure", "echo two; exit 1", 1, "two\n", "Backup: failed with exit code 1!|two"},
		"no output published": {"--lines 0", "echo secret", 0, "secret\n", "Backup: done|"},
		"few lines":           {"--lines 1", "seq 1 100000", 0, "", "Backup: done|100000"},
		"a process left":      {"", "sleep 0 & echo out", 0, "out\n", "Backup: done|out"},
	} {
		t.Run(name, func(t *testing.T) {
			server := sininhotest.New(t)
			var stdout, stderr bytes.Buffer
			args := append(strings.Fields("run Backup --channel demo/novidades "+c.options), "--", "sh", "-c", c.script)
			code := Run(t.Context(), args, strings.NewReader("in\n"), &stdout, &stderr, envOf(server))
			if code != c.code {
				t.Errorf("exit code: got %d, want %d; stderr %s", code, c.code, stderr.String())
			}
			if c.stdout != "" && stdout.String() != c.stdout {
				t.Errorf("stdout: got %q, want %q", stdout.String(), c.stdout)
			}
			got := publishedTitles(t, server)
			if strings.HasSuffix(c.want, "|") { // the line that says how long it took
				got = got[:min(len(got), len(c.want))]
			}
			if got != c.want {
				t.Errorf("published: got %q, want %q", got, c.want)
			}
		})
	}
}

// TestRunKeepsTheExitCode runs commands while nothing can be published, and commands that cannot be run.
func TestRunKeepsTheExitCode(t *testing.T) {
	server := sininhotest.New(t)
	for name, c := range map[string]struct {
		env    map[string]string
		args   string
		code   int
		stderr string
	}{
		"the server away": {map[string]string{"SININHO_URL": "http://127.0.0.1:1", "SININHO_API_KEY": anAPIKey},
			"run Backup --channel demo/novidades --patience 1ms -- sh -c exit\t3", 3, `nothing was published of how "Backup" ended`},
		"not signed in": {map[string]string{"SININHO_URL": server.URL},
			"run Backup --channel demo/novidades -- sh -c exit\t3", 3, "not signed in"},
		"no such channel": {map[string]string{"SININHO_URL": server.URL, "SININHO_API_KEY": server.APIKey},
			"run Backup --channel demo/nada -- sh -c exit\t0", 0, "404"},
		"no such command": {map[string]string{"SININHO_URL": server.URL, "SININHO_API_KEY": server.APIKey},
			"run Backup --channel demo/novidades -- /nowhere/backup", 127, "no such file"},
		"no command":   {nil, "run Backup --channel demo/novidades", 2, "a title, -- and a command are required"},
		"no channel":   {nil, "run Backup -- true", 2, "--channel is required"},
		"an odd name":  {nil, "run Backup --channel novidades -- true", 2, "publisher/channel"},
		"a blank name": {nil, "run \t --channel demo/novidades -- true", 2, "blank"},
	} {
		t.Run(name, func(t *testing.T) {
			var args []string
			for _, arg := range strings.Split(c.args, " ") {
				args = append(args, strings.ReplaceAll(arg, "\t", " "))
			}
			var stderr bytes.Buffer
			code := Run(t.Context(), args, strings.NewReader(""), &bytes.Buffer{}, &stderr, func(name string) string { return c.env[name] })
			if code != c.code || !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("got %d and %q, want %d and %q", code, stderr.String(), c.code, c.stderr)
			}
			if lines := strings.Count(stderr.String(), "\n"); c.code == 3 && lines != 1 {
				t.Errorf("stderr: got %d lines, want 1: %s", lines, stderr.String())
			}
		})
	}
}

// TestRunPassesAnInterruptionOn interrupts a command that ends in its own way, which is published.
func TestRunPassesAnInterruptionOn(t *testing.T) {
	server := sininhotest.New(t)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	stdout := &watched{text: "ready", then: interrupt}
	code := Run(ctx, []string{"run", "Backup", "--channel", "demo/novidades", "--", "sh", "-c",
		"trap 'echo cleaned; exit 5' TERM; echo ready; while :; do sleep 0.01; done"},
		strings.NewReader(""), stdout, &bytes.Buffer{}, envOf(server))
	got := fmt.Sprint(code, " ", stdout.String(), publishedTitles(t, server))
	if want := "5 ready\ncleaned\nBackup: failed with exit code 5!|cleaned"; got != want {
		t.Errorf("after an interruption: got %q, want %q", got, want)
	}
}

func TestLastBytesAreBounded(t *testing.T) {
	var l lastBytes
	for range 100 {
		if n, err := l.Write(bytes.Repeat([]byte("a line\n"), 10_000)); n != 70_000 || err != nil {
			t.Fatalf("write: got %d, %v", n, err)
		}
	}
	if len(l.text) > 2*maxTail {
		t.Errorf("kept: got %d bytes, want at most %d", len(l.text), 2*maxTail)
	}
	if got := l.lines(2); got != "a line\na line" {
		t.Errorf("last lines: got %q", got)
	}
}
