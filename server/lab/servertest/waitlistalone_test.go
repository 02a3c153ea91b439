package servertest_test

import (
	"context"
	"encoding/base64"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/servertest"
	"github.com/sininho/sininho/server/lab/standin/mailbox"
)

// TestTheWaitingListAlone serves the waiting list at its own address, beside a main server without a mail server.
func TestTheWaitingListAlone(t *testing.T) {
	t.Parallel()
	key := base64.StdEncoding.EncodeToString(core.NewSecretKey())
	main := servertest.Start(t, servertest.With("SECRET_KEY", key), servertest.With("SMTP_URL", ""))
	box, err := mailbox.Start(mailbox.Config{})
	if err != nil {
		t.Fatalf("start the mailbox: %v", err)
	}
	t.Cleanup(func() { _ = box.Close() })
	alone := serveAlone(t, map[string]string{
		"DATABASE_URL": main.DatabaseURL, "PUBLIC_URL": main.URL, "SECRET_KEY": key, "SMTP_URL": box.SMTPURL(),
		"MAIL_FROM": "ola@example.com", "OPERATOR_EMAILS": servertest.Operator,
	})

	const form = `{"email":"ana@example.com"}`
	if got, _ := requestTo(t, http.MethodPost, main.URL+entriesPath, form, "Origin", main.URL); got != 503 {
		t.Errorf("join at the main server without a mail server: status %d, want 503", got)
	}
	status, header := requestTo(t, http.MethodPost, alone+entriesPath, form, "Origin", main.URL)
	if status != http.StatusAccepted {
		t.Errorf("join at the waiting list's own address: status %d, want 202", status)
	}
	if got := header.Get("Access-Control-Allow-Origin"); got != main.URL {
		t.Errorf("origin that may join: got %q, want %q", got, main.URL)
	}
	s := servertest.Server{MailURL: box.URL()}
	token := tokenOf(s.Mail(t, "ana@example.com", 0))
	var made credential
	main.SignIn(t, servertest.Operator).
		Do(http.MethodPost, "/subscribers/access-tokens", object{"name": "T"}, http.StatusCreated, &made)
	for path, want := range map[string]int{
		entriesPath + "/" + token:       200,
		entriesPath:                     200,
		"/api/v1/waitlist/openapi.json": 200,
		"/api/v1/channels":              404,
		"/livez":                        200,
		"/readyz":                       200,
		"/":                             404,
	} {
		got, _ := requestTo(t, http.MethodGet, alone+path, "", "Authorization", "Bearer "+made.Secret)
		if got != want {
			t.Errorf("GET %s at the waiting list's own address: status %d, want %d", path, got, want)
		}
	}
	if got, _ := requestTo(t, http.MethodGet, alone+entriesPath, "", "Accept", "*/*"); got != 401 {
		t.Errorf("list as a visitor: status %d, want 401", got)
	}
}

const entriesPath = "/api/v1/waitlist/entries"

// requestTo sends a request with one header, and returns the status and the headers of the response.
func requestTo(t *testing.T, method, url, body, name, value string) (int, http.Header) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatalf("make the request %s %s: %v", method, url, err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set(name, value)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	_ = res.Body.Close()
	return res.StatusCode, res.Header
}

// serveAlone serves the waiting list until the test ends, and returns its address.
func serveAlone(t *testing.T, environment map[string]string) (url string) {
	t.Helper()
	settings, err := server.ReadWaitlistConfig(environment)
	if err != nil {
		t.Fatalf("read the settings: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	alone, err := server.NewWaitlist(ctx, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		stop()
		t.Fatalf("create the server: %v", err)
	}
	l, err := server.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		stop()
		t.Fatalf("listen: %v", err)
	}
	served := make(chan error, 1)
	go func() { served <- alone.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("serve the waiting list: %v", err)
			}
		case <-time.After(2 * time.Minute):
			t.Error("the server of the waiting list did not stop within two minutes")
		}
		if err := alone.Close(); err != nil {
			t.Errorf("close the server of the waiting list: %v", err)
		}
	})
	return "http://" + l.Addr().String()
}
