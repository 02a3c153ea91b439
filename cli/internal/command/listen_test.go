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

// inbox starts a receiver that responds with the status that handle returns.
func inbox(t *testing.T, handle func(n int, body string) int) (url string, bodies func() []string) {
	t.Helper()
	var mu sync.Mutex
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if _, err := webhook.Verify(r.Header, body, []string{listenSecret}); err != nil {
			t.Errorf("verify a posted event: %v", err)
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

// A disconnection while an event is being posted neither loses nor repeats an event.
func TestListenResumesAfterADisconnection(t *testing.T) {
	server := sininhotest.New(t)
	publish := func(title string) { publishTo(t, server, title) }
	url, bodies := inbox(t, func(n int, _ string) int {
		if n == 1 {
			server.CutStreams()
			publish("Dois")
		}
		return http.StatusNoContent
	})
	stderr := &watched{text: "Listening", then: func() { publish("Um") }}
	args := []string{"listen", "demo/novidades", "--forward-to", url, "--limit", "2"}
	code := Run(t.Context(), args, nil, io.Discard, stderr, listenEnv(server))
	checkCode(t, "listen", code, exitDone, stderr.String())
	got := bodies()
	if len(got) != 2 {
		t.Fatalf("posted events: got %q, want 2", got)
	}
	if !strings.HasPrefix(got[0], "evt_1 ") {
		t.Errorf("id of the first event: got %q, want evt_1", got[0])
	}
	checkContains(t, "the first event", got[0], `"Um"`)
	checkContains(t, "the second event", got[1], `"Dois"`)
}

func TestListenPostsCorrectionsAndWithdrawals(t *testing.T) {
	server := sininhotest.New(t)
	client := server.Client()
	var id string
	publish := func() {
		result, err := client.Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Um"})
		if err != nil {
			t.Errorf("publish: %v", err)
			return
		}
		id = result.Notification.ID
	}
	url, bodies := inbox(t, func(n int, _ string) int {
		var err error
		switch n {
		case 1:
			_, err = client.Notifications.Correct(t.Context(), "demo/novidades", id,
				sininho.Correction{Title: new("Dois")})
		case 2:
			err = client.Notifications.Withdraw(t.Context(), "demo/novidades", id)
		}
		if err != nil {
			t.Errorf("correct or withdraw after event %d: %v", n, err)
		}
		return http.StatusOK
	})
	var stdout bytes.Buffer
	stderr := &watched{text: "Listening", then: publish}
	args := []string{"listen", "demo/novidades", "--forward-to", url, "--limit", "3", "--jq", ".type"}
	code := Run(t.Context(), args, nil, &stdout, stderr, listenEnv(server))
	checkCode(t, "listen", code, exitDone, stderr.String())
	if got, want := stdout.String(), "notification\ncorrected\nwithdrawn\n"; got != want {
		t.Fatalf("types of events: got %q, want %q", got, want)
	}
	checkContains(t, "the third event", bodies()[2], `"data":{"id":"`+id+`"}`)
}

// Ctrl-C also ends it while it waits for an unreachable receiver, and it reports where to continue.
func TestListenEndsWhenInterrupted(t *testing.T) {
	server := sininhotest.New(t)
	for _, title := range []string{"Um", "Dois"} {
		publishTo(t, server, title)
	}
	ctx, cancel := context.WithCancel(t.Context())
	url, _ := inbox(t, func(n int, _ string) int {
		if n == 1 {
			return http.StatusNoContent
		}
		return http.StatusServiceUnavailable
	})
	stderr := &watched{text: "trying again", then: cancel}
	args := []string{"listen", "demo/novidades", "--forward-to", url, "--since", "0"}
	code := Run(ctx, args, nil, io.Discard, stderr, listenEnv(server))
	checkCode(t, "listen", code, exitInterrupted, stderr.String())
	checkContains(t, "stderr of listen", stderr.String(), "--since 1\n")
}
