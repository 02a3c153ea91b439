package servertest_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/dev"
	"github.com/sininho/sininho/server/lab/servertest"
)

// journal keeps the lines of a log.
type journal struct {
	mu  sync.Mutex
	out bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.out.Write(b)
}

func (j *journal) text() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.out.String()
}

// linesOf returns the lines about a request.
func (j *journal) linesOf(requestID string) (lines []string) {
	for text := range strings.Lines(j.text()) {
		if strings.Contains(text, `"requestId":"`+requestID+`"`) {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return lines
}

// find returns the first line about the operation with the path of a template, or nil.
func (j *journal) find(route string) map[string]any {
	for text := range strings.Lines(j.text()) {
		var line map[string]any
		if json.Unmarshal([]byte(text), &line) == nil && line["msg"] == "request" && line["route"] == route {
			return line
		}
	}
	return nil
}

// TestLogsNameRequestsAndNoSecrets logs everything.
func TestLogsNameRequestsAndNoSecrets(t *testing.T) {
	t.Parallel()
	j := &journal{}
	s := servertest.Start(t, func(c *dev.Config) {
		c.Log = slog.New(slog.NewJSONHandler(j, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	secrets := use(t, s, 1)
	ana := s.SignIn(t, "ana@example.com")
	req := ana.Request(http.MethodGet, "/subscribers/me", nil)
	req.Header.Set("X-Request-Id", "request-of-ana")
	call(t, req, "", http.StatusOK, nil)
	eventually.True(t, "the line of the request", func() bool { return j.find("/api/v1/subscribers/me") != nil })
	if id := j.find("/api/v1/subscribers/me")["requestId"]; id != "request-of-ana" {
		t.Errorf("request id of the line: got %v, want request-of-ana", id)
	}
	for text := range strings.Lines(j.text()) {
		for _, secret := range []string{secrets[1], secrets[3], s.APIKey, "__Host-sininho=", "token-segredo1"} {
			if strings.Contains(text, secret) {
				t.Errorf("line of the log: got %s in %s", secret, text)
			}
		}
		if strings.Contains(text, `"msg":"request"`) && !strings.Contains(text, `"requestId":"`) {
			t.Errorf("line of a request: got no id in %s", text)
		}
	}
}
