package docs_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/docs"
	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestSnippets runs every snippet of every guide. A guide is one session against a server of its own.
func TestSnippets(t *testing.T) {
	var all []*snippet
	for _, section := range docs.Sections {
		for _, guide := range section.Guides {
			all = append(all, readSnippets(t, guide)...)
		}
	}
	programs := build(t, all)
	run := map[string]int{}
	for _, s := range all {
		if s.notRun == "" {
			run[s.kind()]++
		} else {
			t.Logf("not run: %s.md:%d (%s): %s", s.guide, s.line, s.kind(), s.notRun)
		}
	}
	t.Logf("run: %v", run)
	for _, kind := range []string{"curl", "cli", "go", "ts"} {
		if run[kind] == 0 {
			t.Errorf("snippets of %s that run: got none, want some", kind)
		}
	}
	for _, section := range docs.Sections {
		for _, guide := range section.Guides {
			left := func(s *snippet) bool { return s.guide != guide || s.notRun != "" }
			snippets := slices.DeleteFunc(slices.Clone(all), left)
			if len(snippets) == 0 {
				continue
			}
			t.Run(guide, func(t *testing.T) {
				t.Parallel()
				newSession(t, programs, guide).run(snippets)
			})
		}
	}
}

// session is a terminal, in which variables last from one command to the next.
type session struct {
	t           *testing.T
	programs    built
	dir         string
	environment []string
	listen      string
	stopServing func() // ends the program that serves at listen, if there is one
}

const timeLimit = 3 * time.Minute // of one snippet

func newSession(t *testing.T, programs built, guide string) *session {
	t.Helper()
	s := &session{t: t, programs: programs, dir: t.TempDir(), listen: freeAddress(t)}
	w := newWorld(t, guide != "publish")
	s.environment = append(servertest.Environment(),
		"PATH="+programs.path("bin")+string(filepath.ListSeparator)+os.Getenv("PATH"), "HOME="+s.dir,
		"XDG_CONFIG_HOME="+filepath.Join(s.dir, "config"), "TZ=UTC", "LISTEN="+s.listen,
		"CURL_STATUSES="+s.path("statuses"), "SININHO_URL="+w.url, "SININHO_ACCESS_TOKEN="+w.token,
		"WAITLIST_TOKEN="+w.waitlistToken)
	if _, err := s.shell(`sininho login --token-stdin <<<"$SININHO_ACCESS_TOKEN"`); err != nil {
		t.Fatalf("sign the CLI in: %v", err)
	}
	if w.apiKey != "" {
		s.environment = append(s.environment, "SININHO_API_KEY="+w.apiKey)
	}
	return s
}

// path returns the path of a file that is hidden from the snippets.
func (s *session) path(name string) string { return filepath.Join(s.dir, "."+name) }

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // it has no connections
	return l.Addr().String()
}

func (s *session) run(snippets []*snippet) {
	for _, snippet := range snippets {
		where := fmt.Sprintf("%s.md:%d (%s)", snippet.guide, snippet.line, snippet.kind())
		command := s.command(snippet)
		if snippet.background {
			s.start(where, command, snippet.language != "sh")
			continue
		}
		_ = os.Remove(s.path("statuses"))
		out, err := s.shell(command)
		if err != nil {
			s.t.Fatalf("run %s: %v\n%s\n%s", where, err, snippet.text, out)
		}
		s.checkStatuses(where, snippet, out)
		if snippet.hasOutput {
			s.checkOutput(where, snippet, out)
		}
	}
	s.checkSecretFiles()
}

// TestSecretsAreWrittenInPrivate expects each block of commands in the documentation that writes a file with secrets to
// run umask first, because readers copy blocks alone.
func TestSecretsAreWrittenInPrivate(t *testing.T) {
	list, err := exec.Command("git", "-C", "..", "ls-files", "-z", "*.md").Output()
	if err != nil {
		t.Fatalf("list the documentation: %v", err)
	}
	block := regexp.MustCompile("(?ms)^```(?:sh|text)[^\n]*\n(.*?)^```$")
	writes := regexp.MustCompile(`(?m)>>? *(\S*(\.env|[sS]ecret|password|key))( |$)`)
	found := 0
	for _, name := range strings.Split(strings.Trim(string(list), "\x00"), "\x00") {
		source, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatalf("read the documentation: %v", err)
		}
		for _, match := range block.FindAllSubmatch(source, -1) {
			at := writes.FindIndex(match[1])
			if at == nil {
				continue
			}
			found++
			if !bytes.Contains(match[1][:at[0]], []byte("umask 077")) {
				t.Errorf("%s: got a secret written by %q, want `umask 077` before it", name, match[1])
			}
		}
	}
	if found < 10 {
		t.Errorf("blocks that write secrets: got %d, want all", found)
	}
}

// checkSecretFiles expects that nobody else may read the files with secrets that the snippets have written.
func (s *session) checkSecretFiles() {
	s.t.Helper()
	for _, pattern := range []string{"*.env", "*secret*"} {
		files, err := filepath.Glob(filepath.Join(s.dir, pattern))
		if err != nil {
			s.t.Fatalf("find files: %v", err)
		}
		for _, file := range files {
			info, err := os.Stat(file)
			if err != nil {
				s.t.Fatalf("stat a file: %v", err)
			}
			if others := info.Mode().Perm() & 0o077; others != 0 {
				s.t.Errorf("mode of %s: got %s, want nothing for others; write it after `umask 077`",
					filepath.Base(file), info.Mode())
			}
		}
	}
}

func (s *session) command(snippet *snippet) string {
	switch {
	case snippet.language == "ts":
		return fmt.Sprintf("node %q", s.programs.path("ts", snippet.file()+".js"))
	case snippet.language == "sh":
		return snippet.text
	case snippet.program():
		return fmt.Sprintf("%q", s.programs.path("bin", snippet.file()))
	}
	return "snippets " + snippet.file()
}

// bash prepares a command that has the variables of the commands before it and passes its own on.
func (s *session) bash(ctx context.Context, command string) *exec.Cmd {
	state := s.path("variables")
	script := fmt.Sprintf("set -euo pipefail\nif [ -f %[1]q ]; then . %[1]q; fi\nset -a\n"+
		"trap 'declare -px > %[1]q' EXIT\n%[2]s\n", state, command)
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir, cmd.Env = s.dir, s.environment
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// shell runs a command and returns its output; the error includes its standard error.
func (s *session) shell(command string) (string, error) {
	ctx, cancel := context.WithTimeout(s.t.Context(), timeLimit)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := s.bash(ctx, command)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return stdout.String(), fmt.Errorf("%w: %s", err, stderr.String())
	}
	return stdout.String(), nil
}

// start runs a command until the guide ends or another command serves in its place. It fails if it ends earlier.
func (s *session) start(where, command string, serves bool) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(s.t.Context()))
	var out bytes.Buffer
	cmd := s.bash(ctx, command)
	cmd.Stdout, cmd.Stderr = &out, &out
	if serves && s.stopServing != nil {
		s.stopServing()
	}
	if err := cmd.Start(); err != nil {
		cancel()
		s.t.Fatalf("start %s: %v", where, err)
	}
	ended := make(chan struct{})
	var result error
	go func() {
		defer close(ended)
		result = cmd.Wait()
	}()
	stop := sync.OnceFunc(func() {
		select {
		case <-ended:
			s.t.Errorf("program of %s: ended with %v, want it to run:\n%s", where, result, out.String())
		default:
			cancel()
			<-ended
		}
		cancel()
	})
	s.t.Cleanup(stop)
	if !serves {
		return
	}
	s.stopServing = stop
	eventually.True(s.t, "the program of "+where+" to listen", func() bool {
		c, err := net.Dial("tcp", s.listen)
		if err != nil {
			return false
		}
		_ = c.Close()
		return true
	})
}

var statusPattern = regexp.MustCompile(`"status": ([45]\d\d)`)

// checkStatuses fails on any error response except the one that the guide shows.
func (s *session) checkStatuses(where string, snippet *snippet, out string) {
	b, err := os.ReadFile(s.path("statuses"))
	if err != nil {
		return // the snippet does not use curl
	}
	shown := statusPattern.FindStringSubmatch(snippet.output)
	for _, status := range strings.Fields(string(b)) {
		if status >= "400" && (shown == nil || shown[1] != status) {
			s.t.Fatalf("response to %s: got %s, want no error but %q\n%s\n%s", where, status, shown, snippet.text, out)
		}
	}
}

func (s *session) checkOutput(where string, snippet *snippet, out string) {
	if !snippet.outputJSON {
		if !matches(snippet.output, out) {
			s.t.Errorf("output of %s: got\n%s\nwant\n%s", where, out, snippet.output)
		}
		return
	}
	var want, got any
	if err := json.Unmarshal([]byte(snippet.output), &want); err != nil {
		s.t.Fatalf("decode the wanted output of %s: %v", where, err)
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		s.t.Fatalf("decode the output of %s: %v: %s", where, err, out)
	}
	if fault := differs("", want, got); fault != "" {
		s.t.Errorf("output of %s: %s in\n%s", where, fault, out)
	}
}

// matches compares texts, with … for anything.
func matches(want, got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(want)), "…", `[\s\S]*?`)
	return regexp.MustCompile(`^` + pattern + `\s*$`).MatchString(strings.TrimSpace(got))
}

// differs returns the first place where got lacks a part of want, or an empty string.
func differs(at string, want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		members, ok := got.(map[string]any)
		for name, value := range want {
			if fault := differs(at+"/"+name, value, members[name]); !ok || fault != "" {
				return cmp.Or(fault, at+" is not an object")
			}
		}
		return ""
	case []any:
		items, ok := got.([]any)
		if !ok || len(items) < len(want) {
			return at + " is not a list of that length"
		}
		for i, value := range want {
			if fault := differs(fmt.Sprintf("%s/%d", at, i), value, items[i]); fault != "" {
				return fault
			}
		}
		return ""
	case string:
		if want == "…" {
			if got == nil {
				return at + " is missing"
			}
			return ""
		}
	}
	if !reflect.DeepEqual(want, got) {
		return fmt.Sprintf("%s: got %v, want %v", at, got, want)
	}
	return ""
}
