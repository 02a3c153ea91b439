package servertest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestLargeBodiesAreRefusedReadably posts 5 MB many times with each of several clients. Each time the client gets the
// response, and never a connection that was reset.
func TestLargeBodiesAreRefusedReadably(t *testing.T) {
	t.Parallel()
	const times = 8
	s := servertest.Start(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	body := bytes.Repeat([]byte("x"), 5_000_000)
	file := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatalf("write the body: %v", err)
	}
	for _, target := range []struct{ name, url, credential string }{
		{"publish", s.URL + "/api/v1/channels/demo/novidades/notifications", "Bearer " + s.APIKey},
		{"a webhook", s.DemoWebhook, ""},
		{"a stranger", s.URL + "/api/v1/channels/demo/novidades/notifications", "Bearer x"},
	} {
		want := "413 too_large\n"
		if target.name == "a stranger" {
			want = "401 unauthenticated\n"
		}
		t.Run(target.name+" with Go", func(t *testing.T) {
			for i := range times {
				var sent io.Reader = bytes.NewReader(body)
				if i%2 == 1 {
					sent = io.MultiReader(sent) // hides the length, so that it is sent in chunks
				}
				check.Equal(t, fmt.Sprintf("response %d", i), postLarge(ctx, t, target.url, target.credential, sent), want)
			}
		})
		t.Run(target.name+" with a client that sends all before it reads", func(t *testing.T) {
			for i := range times {
				check.Equal(t, fmt.Sprintf("response %d", i), postBlindly(t, s, target.url, target.credential, body), want)
			}
		})
		t.Run(target.name+" with Node", func(t *testing.T) {
			run := exec.CommandContext(ctx, "node", "testdata/largebody.mjs", target.url, target.credential, fmt.Sprint(times))
			got, err := run.CombinedOutput()
			check.Equal(t, fmt.Sprintf("responses (%v)", err), string(got), strings.Repeat(want, 3*times))
		})
		t.Run(target.name+" with curl", func(t *testing.T) {
			for i, how := range [][]string{{}, {"-H", "Expect:"}, {"-H", "Transfer-Encoding: chunked"},
				{"-H", "Expect:", "-H", "Transfer-Encoding: chunked"}} {
				for range times {
					run := exec.CommandContext(ctx, "curl", append(how, "-sS", "--http1.1", "--data-binary", "@"+file,
						"-H", "Content-Type: application/json", "-H", "Authorization: "+target.credential,
						"-w", "\n%{http_code}", target.url)...)
					got, err := run.CombinedOutput()
					text, status, _ := bytes.Cut(got, []byte("\n"))
					check.Equal(t, fmt.Sprintf("response %d (%v)", i, err), string(status)+" "+codeOf(text)+"\n", want)
				}
			}
		})
	}
}

func postLarge(ctx context.Context, t *testing.T, url, credential string, body io.Reader) string {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	if credential != "" {
		req.Header.Set("Authorization", credential)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s\n", res.StatusCode, codeOf(text))
}

func postBlindly(t *testing.T, s *servertest.Server, url, credential string, body []byte) string {
	t.Helper()
	conn := dial(t, s, fmt.Sprintf("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Authorization: %s\r\nContent-Length: %d\r\n\r\n", strings.TrimPrefix(url, s.URL), credential, len(body)))
	defer conn.Close()
	if _, err := conn.Write(body); err != nil {
		return err.Error()
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err.Error()
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%d %s\n", res.StatusCode, codeOf(text))
}

// codeOf returns the code of a problem.
func codeOf(text []byte) string {
	var problem struct{ Code string }
	if err := json.Unmarshal(text, &problem); err != nil {
		return err.Error()
	}
	return problem.Code
}
