package command

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
	"github.com/sininho/sininho/pkg/webhook"
)

const listenSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// inbox is a program that is posted to; it answers what handle says.
func inbox(t *testing.T, handle func(n int, body string) int) (url string, bodies func() []string) {
	var mu sync.Mutex
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if _, err := webhook.Verify(r.Header, body, []string{listenSecret}); err != nil {
			t.Error(err)
		}
		mu.Lock()
		got = append(got, r.Header.Get("webhook-id")+" "+string(body))
		n := len(got)
		mu.Unlock()
		w.WriteHeader(handle(n, string(body)))
	}))
	t.Cleanup(server.Close)
	return server.URL, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), got...)
	}
}

func listenEnv(server *sininhotest.Server) func(string) string {
	return func(name string) string {
		if name == secretVariable {
			return listenSecret
		}
		return envOf(server)(name)
	}
}

// A cut while an event is posted loses none and repeats none.
func TestListenResumesAfterACut(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	publish := func(title string) {
		if _, err := client.Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: title}); err != nil {
			t.Error(err)
		}
	}
	url, bodies := inbox(t, func(n int, _ string) int {
		if n == 1 {
			server.CutStreams()
			publish("Dois")
		}
		return http.StatusNoContent
	})
	stderr := &watched{text: "Listening", then: func() { publish("Um") }}
	code := Run(t.Context(), []string{"listen", "demo/novidades", "--forward-to", url, "--limit", "2"}, nil, io.Discard, stderr, listenEnv(server))
	got := bodies()
	if code != 0 || len(got) != 2 || !strings.HasPrefix(got[0], "evt_1 ") || !strings.Contains(got[0], `"Um"`) || !strings.Contains(got[1], `"Dois"`) {
		t.Errorf("code %d, %q, %s", code, got, stderr)
	}
}

func TestListenTellsCorrectionsAndWithdrawals(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	result, err := client.Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Um"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Notifications.Correct(t.Context(), "demo/novidades", result.Notification.ID, sininho.Correction{Title: new("Dois")}); err != nil {
		t.Fatal(err)
	}
	if err := client.Notifications.Withdraw(t.Context(), "demo/novidades", result.Notification.ID); err != nil {
		t.Fatal(err)
	}
	url, bodies := inbox(t, func(int, string) int { return http.StatusOK })
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"listen", "demo/novidades", "--forward-to", url, "--since", "0", "--limit", "3", "--jq", ".type"}, nil, &stdout, &stderr, listenEnv(server))
	if got := bodies(); code != 0 || stdout.String() != "notification\ncorrected\nwithdrawn\n" || !strings.Contains(got[2], `"data":{"id":"`+result.Notification.ID+`"}`) {
		t.Errorf("code %d, %q, %q, %s", code, stdout.String(), got, &stderr)
	}
}

// Ctrl-C ends it also while it waits for a receiver that is away, and tells where to go on.
func TestListenEndsWhenInterrupted(t *testing.T) {
	server := sininhotest.New(t)
	for _, title := range []string{"Um", "Dois"} {
		if _, err := server.Client().Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: title}); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	url, _ := inbox(t, func(n int, _ string) int {
		if n == 1 {
			return http.StatusNoContent
		}
		return http.StatusServiceUnavailable
	})
	stderr := &watched{text: "trying again", then: cancel}
	code := Run(ctx, []string{"listen", "demo/novidades", "--forward-to", url, "--since", "0"}, nil, io.Discard, stderr, listenEnv(server))
	if code != exitInterrupted || !strings.Contains(stderr.String(), "--since 1\n") {
		t.Errorf("code %d, %s", code, stderr)
	}
}
