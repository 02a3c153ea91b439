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

func TestTailEndsCleanlyWhenInterrupted(t *testing.T) {
	server := sininhotest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	stderr := &watched{text: "Listening", then: cancel}
	code := Run(ctx, []string{"tail", "demo/novidades"}, nil, io.Discard, stderr, envOf(server))
	if code != 130 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("code %d, %s", code, stderr)
	}
}

func TestTailResumes(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	publish := func(title string) {
		if _, err := client.Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: title}); err != nil {
			t.Error(err)
		}
	}
	stdout := &watched{text: "Um", then: server.CutStreams}
	stderr := &watched{text: "Listening", then: func() { publish("Um"); publish("Dois") }}
	code := Run(t.Context(), []string{"tail", "demo/novidades", "--limit", "2"}, nil, stdout, stderr, envOf(server))
	if code != 0 || !strings.Contains(stdout.String(), "Dois") || strings.Count(stdout.String(), "Um") != 1 {
		t.Errorf("code %d, %s%s", code, stdout, stderr)
	}
}

func TestInterruptedReadOfStdin(t *testing.T) {
	server := sininhotest.New(t)
	stdin, keepOpen := io.Pipe()
	defer keepOpen.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code := Run(ctx, []string{"publish", "demo/novidades", "-"}, stdin, io.Discard, io.Discard, envOf(server))
	if code != 130 || len(server.Requests()) != 0 {
		t.Errorf("code %d", code)
	}
}

// gone returns a stdout whose reader has gone away.
func gone() io.Writer {
	r, w := io.Pipe()
	r.Close()
	return w
}

func TestReaderThatGoesAway(t *testing.T) {
	server := sininhotest.New(t)
	file := filepath.Join(t.TempDir(), "a.ndjson")
	if err := os.WriteFile(file, []byte("{\"title\":\"Um\"}\n{\"title\":\"Dois\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"publish demo/novidades --file " + file, "feed demo/novidades", "channels list", "whoami", "version", "completion bash",
	} {
		var stderr bytes.Buffer
		code := Run(t.Context(), strings.Fields(line), nil, gone(), &stderr, envOf(server))
		if code != 0 || strings.Contains(stderr.String(), "pipe") {
			t.Errorf("%s: code %d, %s", line, code, &stderr)
		}
	}
	if n := len(server.Published("demo/novidades")); n != 2 {
		t.Errorf("%d published", n)
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
	if code != 1 || strings.Count(stdout.String(), "\n") != 30 || strings.Count(stdout.String(), `"code":"refused"`) != 1 {
		t.Errorf("code %d, %s%s", code, &stdout, &stderr)
	}
	code = Run(t.Context(), args, strings.NewReader(strings.Join(lines, "\n")), &stdout, &stderr, envOf(server))
	if code != 0 || len(server.Published("demo/novidades")) != 30 {
		t.Errorf("again: code %d, %d published, %s", code, len(server.Published("demo/novidades")), &stderr)
	}
}

const published201 = `{"id":"0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f","title":"Um"}`

// After Ctrl-C, requests in flight are completed and their results reported.
func TestInterruptedFileWaitsForWhatIsUnderWay(t *testing.T) {
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
	if code != exitInterrupted || !strings.HasPrefix(stdout, "1\tcreated\t") || !strings.Contains(stderr, "1 created, 1 not sent") {
		t.Errorf("code %d, %s%s", code, stdout, stderr)
	}
}

func TestInterruptedFileWithoutResponse(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	server.Respond(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	code, stdout, stderr := runFile(ctx, server, "{\"title\":\"Um\"}\n{\"title\":\"Dois\"}\n")
	if code != exitInterrupted || stdout != "" || !strings.Contains(stderr, "line 1: unknown: ") || !strings.Contains(stderr, "1 unknown, 1 not sent") {
		t.Errorf("code %d, %s%s", code, stdout, stderr)
	}
}

func runFile(ctx context.Context, server *sininhotest.Server, text string) (code int, stdout, stderr string) {
	var out, talk bytes.Buffer
	args := []string{"publish", "demo/novidades", "--file", "-", "--concurrency", "1"}
	code = Run(ctx, args, strings.NewReader(text), &out, &talk, envOf(server))
	return code, out.String(), talk.String()
}

func TestTextFromElsewhereDoesNotDriveTheTerminal(t *testing.T) {
	server := sininhotest.New(t)
	server.Reply(http.StatusOK, map[string]any{
		"meta": map[string]any{"total": 1},
		"data": []sininho.Notification{{ID: "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", Importance: sininho.Normal,
			Channel: sininho.ChannelRef{ID: "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", PublisherSlug: "demo", Slug: "novidades", Name: "Novidades"},
			Title:   "a\x1b[2J\nb", Body: "c\x07\u009b\u202ed\r\ne שלום", PublishedAt: time.Now()}},
	})
	var stdout bytes.Buffer
	if code := Run(t.Context(), []string{"feed", "demo/novidades"}, nil, &stdout, io.Discard, envOf(server)); code != 0 {
		t.Fatal(code)
	}
	if want := "a␛[2J b\n    c␇\uFFFD\uFFFDd\n    e שלום\n"; !strings.HasSuffix(stdout.String(), want) {
		t.Errorf("%q, want %q", stdout.String(), want)
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
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q gives %q, %v; want %q", given, got, err, want)
		}
	}
	for _, bad := range []string{"nada", "channels nada", "publish --nada", "publish --title"} {
		var usage *usageError
		if _, err := arrange(app, strings.Fields(bad)); !errors.As(err, &usage) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
