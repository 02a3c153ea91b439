package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// The tests are not parallel: urfave/cli keeps its help flag in a global variable, which each run writes to.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func envOf(s *sininhotest.Server) func(string) string {
	return func(name string) string {
		return map[string]string{"SININHO_URL": s.URL, "SININHO_API_KEY": s.APIKey}[name]
	}
}

// watched is a writer that calls then after a text was written.
type watched struct {
	all  bytes.Buffer
	mu   sync.Mutex
	text string
	then func()
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.then != nil && strings.Contains(string(p), w.text) {
		w.then()
		w.then = nil
	}
	return w.all.Write(p)
}

func (w *watched) String() string { return w.all.String() }

// publishTo publishes a notification to the server's channel.
func publishTo(t *testing.T, server *sininhotest.Server, title string) {
	t.Helper()
	in := sininho.PublishInput{Title: title}
	if _, err := server.Client().Notifications.Publish(t.Context(), "demo/novidades", in); err != nil {
		t.Errorf("publish %q: %v", title, err)
	}
}

func TestTailEndsCleanlyWhenInterrupted(t *testing.T) {
	server := sininhotest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	stderr := &watched{text: "Listening", then: cancel}
	code := Run(ctx, []string{"tail", "demo/novidades"}, nil, io.Discard, stderr, envOf(server))
	checkCode(t, "tail", code, exitInterrupted, stderr.String())
	checkContains(t, "stderr of tail", stderr.String(), "interrupted")
}

func TestTailResumes(t *testing.T) {
	server := sininhotest.New(t)
	stdout := &watched{text: "Um", then: server.CutStreams}
	stderr := &watched{text: "Listening", then: func() {
		publishTo(t, server, "Um")
		publishTo(t, server, "Dois")
	}}
	code := Run(t.Context(), []string{"tail", "demo/novidades", "--limit", "2"}, nil, stdout, stderr, envOf(server))
	checkCode(t, "tail", code, exitDone, stderr.String())
	checkContains(t, "stdout of tail", stdout.String(), "Dois")
	if n := strings.Count(stdout.String(), "Um"); n != 1 {
		t.Errorf("lines of the first notification: got %d, want 1\n%s", n, stdout)
	}
}

func TestInterruptedReadOfStdin(t *testing.T) {
	server := sininhotest.New(t)
	stdin, keepOpen := io.Pipe()
	defer keepOpen.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code := Run(ctx, []string{"publish", "demo/novidades", "-"}, stdin, io.Discard, io.Discard, envOf(server))
	checkCode(t, "publish", code, exitInterrupted, "")
	if n := len(server.Requests()); n != 0 {
		t.Errorf("requests of an interrupted publish: got %d, want 0", n)
	}
}

// gone returns a stdout whose reader has gone away.
func gone(t *testing.T) io.Writer {
	t.Helper()
	r, w := io.Pipe()
	if err := r.Close(); err != nil {
		t.Fatalf("close the reader of stdout: %v", err)
	}
	return w
}

func TestOutputWithoutAReader(t *testing.T) {
	server := sininhotest.New(t)
	file := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.WriteFile(file, []byte("{\"title\":\"Um\"}\n{\"title\":\"Dois\"}\n"), 0o600); err != nil {
		t.Fatalf("write the file of messages: %v", err)
	}
	for _, line := range []string{
		"publish demo/novidades --file " + file, "feed demo/novidades", "channels list", "whoami", "version",
		"completion bash",
	} {
		if line == "channels list" {
			server.Reply(http.StatusOK, map[string]any{"data": []sininho.Channel{{}}, "meta": map[string]any{"total": 1}})
		}
		var stderr bytes.Buffer
		code := Run(t.Context(), strings.Fields(line), nil, gone(t), &stderr, envOf(server))
		checkCode(t, line, code, exitDone, stderr.String())
		if strings.Contains(stderr.String(), "pipe") {
			t.Errorf("stderr of %s: got %q, want no report of the pipe", line, &stderr)
		}
	}
	if n := len(server.Published("demo/novidades")); n != 2 {
		t.Errorf("published notifications: got %d, want 2", n)
	}
}

func TestPublishFileOverAFailingServer(t *testing.T) {
	server := sininhotest.New(t)
	var lines []string
	for i := range 30 {
		lines = append(lines, `{"title":"`+strings.Repeat("x", i+1)+`"}`)
	}
	server.LoseResponses(3)
	server.Respond(sininhotest.Cut, sininhotest.Refuse(500, "internal", 0), nil, sininhotest.Refuse(422, "refused", 0))
	var stdout, stderr bytes.Buffer
	args := []string{"publish", "demo/novidades", "--file", "-", "--json"}
	code := Run(t.Context(), args, strings.NewReader(strings.Join(lines, "\n")), &stdout, &stderr, envOf(server))
	checkCode(t, "publish --file", code, exitFailed, stderr.String())
	if n := strings.Count(stdout.String(), "\n"); n != 30 {
		t.Errorf("reported results: got %d, want 30\n%s", n, &stdout)
	}
	if n := strings.Count(stdout.String(), `"code":"refused"`); n != 1 {
		t.Errorf("refused messages: got %d, want 1\n%s", n, &stdout)
	}
	code = Run(t.Context(), args, strings.NewReader(strings.Join(lines, "\n")), &stdout, &stderr, envOf(server))
	checkCode(t, "repeated publish --file", code, exitDone, stderr.String())
	if n := len(server.Published("demo/novidades")); n != 30 {
		t.Errorf("published notifications after the repetition: got %d, want 30", n)
	}
}

const published201 = `{"id":"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f","title":"Um"}`

// After Ctrl-C, requests in flight are completed and their results reported.
func TestInterruptedFileWaitsForRequestsInFlight(t *testing.T) {
	server := sininhotest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	server.Respond(func(w http.ResponseWriter, r *http.Request) {
		cancel()
		select {
		case <-r.Context().Done():
		case <-time.After(100 * time.Millisecond):
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, published201)
	})
	code, stdout, stderr := runFile(ctx, server, "{\"title\":\"Um\"}\n{\"title\":\"Dois\"}\n")
	checkCode(t, "publish --file", code, exitInterrupted, stderr)
	if want := "1\tcreated\t"; !strings.HasPrefix(stdout, want) {
		t.Errorf("stdout of publish --file: got %q, want it to begin with %q", stdout, want)
	}
	checkContains(t, "stderr of publish --file", stderr, "1 created, 1 not sent")
}

func TestInterruptedFileWithoutResponse(t *testing.T) {
	server := sininhotest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	server.Respond(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	code, stdout, stderr := runFile(ctx, server, "{\"title\":\"Um\"}\n{\"title\":\"Dois\"}\n")
	checkCode(t, "publish --file", code, exitInterrupted, stderr)
	if stdout != "" {
		t.Errorf("stdout of publish --file: got %q, want nothing", stdout)
	}
	checkContains(t, "stderr of publish --file", stderr, "line 1: unknown: ")
	checkContains(t, "stderr of publish --file", stderr, "1 unknown, 1 not sent")
}

func runFile(ctx context.Context, server *sininhotest.Server, text string) (code int, stdout, stderr string) {
	var out, talk bytes.Buffer
	args := []string{"publish", "demo/novidades", "--file", "-", "--concurrency", "1"}
	code = Run(ctx, args, strings.NewReader(text), &out, &talk, envOf(server))
	return code, out.String(), talk.String()
}

// foreignBody has controls, then format characters that are drawn as nothing, and then some that must stay.
const foreignBody = "c\x07\u009b\u202ed\r\ne שלום \u200b\u2060\ufeff\ufff9\u00ad\U000e0041" + joined

const joined = " می\u200cروم 👩\u200d🔧 \u06dd"

// replyForeign responds to the next request with a page of one notification, whose text has control characters.
func replyForeign(server *sininhotest.Server) {
	server.Reply(http.StatusOK, map[string]any{
		"meta": map[string]any{"total": 1},
		"data": []sininho.Notification{{ID: "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", Importance: sininho.Normal,
			Channel: sininho.ChannelRef{
				ID: "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", PublisherSlug: "demo", Slug: "novidades", Name: "Novidades",
			},
			Title: "a\x1b[2J\nb", Body: foreignBody, PublishedAt: time.Now()}},
	})
}

func TestForeignTextDoesNotControlTheTerminal(t *testing.T) {
	server := sininhotest.New(t)
	replyForeign(server)
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"feed", "demo/novidades"}, nil, &stdout, &stderr, envOf(server))
	checkCode(t, "feed", code, exitDone, stderr.String())
	want := "a␛[2J b\n    c␇\uFFFD\uFFFDd\n    e שלום " + strings.Repeat("\uFFFD", 6) + joined + "\n"
	if !strings.HasSuffix(stdout.String(), want) {
		t.Errorf("stdout of feed: got %q, want it to end with %q", stdout.String(), want)
	}
}

// TestForeignTextInJSON expects JSON whose strings are the server's, with their control and invisible characters
// escaped.
func TestForeignTextInJSON(t *testing.T) {
	const title = `"a\u001b[2J\nb"`
	const body = `"c\u0007\u009b\u202ed\r\ne שלום \u200b\u2060\ufeff\ufff9\u00ad\udb40\udc41` + joined + `"`
	for flag, want := range map[string]string{
		"--json":               `"title":` + title + `,"body":` + body,
		"--jq={title}":         `{"title":` + title + "}\n",
		"--jq=[.body, .title]": "[" + body + "," + title + "]\n",
	} {
		server := sininhotest.New(t)
		replyForeign(server)
		var stdout, stderr bytes.Buffer
		code := Run(t.Context(), []string{flag, "feed", "demo/novidades"}, nil, &stdout, &stderr, envOf(server))
		checkCode(t, "feed "+flag, code, exitDone, stderr.String())
		checkContains(t, "stdout of feed "+flag, stdout.String(), want)
	}
}

func TestArrange(t *testing.T) {
	app := newApp(newSession(nil, io.Discard, io.Discard, func(string) string { return "" }))
	for given, want := range map[string]string{
		"publish a/b --title x":              "publish --title=x -- a/b",
		"publish a/b --title --json --json":  "--json publish --title=--json -- a/b",
		"channels create a/b --unlisted":     "channels create --unlisted -- a/b",
		"--url=u feed a/b --limit 3":         "--url=u feed --limit=3 -- a/b",
		"publish a/b -":                      "publish -- a/b -",
		"publish --title x -- --odd":         "publish --title=x -- --odd",
		"channels list --search --publisher": "channels list --search=--publisher",
	} {
		got, err := arrange(app, strings.Fields(given))
		if err != nil {
			t.Errorf("arrange %q: %v", given, err)
		}
		if line := strings.Join(got, " "); line != want {
			t.Errorf("arrange %q: got %q, want %q", given, line, want)
		}
	}
	for _, bad := range []string{"nada", "channels nada", "publish --nada", "publish --title"} {
		var usage *usageError
		if _, err := arrange(app, strings.Fields(bad)); !errors.As(err, &usage) {
			t.Errorf("arrange %q: got %v, want a usage error", bad, err)
		}
	}
}
