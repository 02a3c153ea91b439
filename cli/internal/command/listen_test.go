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

// A disconnection while an event is being posted neither loses nor repeats an event.
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
	var id string
	publish := func() {
		result, err := client.Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Um"})
		if err != nil {
			t.Error(err)
			return
		}
		id = result.Notification.ID
	}
	url, bodies := inbox(t, func(n int, _ string) int {
		var err error
		switch n {
		case 1:
			_, err = client.Notifications.Correct(t.Context(), "demo/novidades", id, sininho.Correction{Title: new("Dois")})
		case 2:
			err = client.Notifications.Withdraw(t.Context(), "demo/novidades", id)
		}
		if err != nil {
			t.Error(err)
		}
		return http.StatusOK
	})
	var stdout bytes.Buffer
	stderr := &watched{text: "Listening", then: publish}
	args := []string{"listen", "demo/novidades", "--forward-to", url, "--limit", "3", "--jq", ".type"}
	code := Run(t.Context(), args, nil, &stdout, stderr, listenEnv(server))
	if want := "notification\ncorrected\nwithdrawn\n"; code != 0 || stdout.String() != want {
		t.Fatalf("code %d, wrote %q, want %q; %s", code, stdout.String(), want, stderr)
	}
	if got, want := bodies()[2], `"data":{"id":"`+id+`"}`; !strings.Contains(got, want) {
		t.Errorf("posted %q, want %s in it", got, want)
	}
}

// Ctrl-C also ends it while it waits for an unreachable receiver, and it reports where to continue.
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
