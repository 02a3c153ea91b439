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
	"github.com/sininho/sininho/server/internal/standin/mailbox"
	"github.com/sininho/sininho/server/servertest"
)

// TestTheWaitingListAlone serves the waiting list at its own address, beside a main server without a mail server.
func TestTheWaitingListAlone(t *testing.T) {
	t.Parallel()
	key := base64.StdEncoding.EncodeToString(core.NewSecretKey())
	main := servertest.Start(t, servertest.With("SECRET_KEY", key), servertest.With("SMTP_URL", ""))
	box, err := mailbox.Start(mailbox.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = box.Close() })
	alone := serveAlone(t, map[string]string{"DATABASE_URL": main.DatabaseURL, "PUBLIC_URL": main.URL, "SECRET_KEY": key,
		"SMTP_URL": box.SMTPURL(), "MAIL_FROM": "ola@example.com", "OPERATOR_EMAILS": servertest.Operator})

	join := func(url, origin string) (status int, allowed string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/api/v1/waitlist/entries", strings.NewReader(`{"email":"ana@example.com"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Origin", origin)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode, res.Header.Get("Access-Control-Allow-Origin")
	}
	if status, _ := join(main.URL, main.URL); status != http.StatusServiceUnavailable {
		t.Errorf("without a mail server: %d", status)
	}
	if status, allowed := join(alone, main.URL); status != http.StatusAccepted || allowed != main.URL {
		t.Errorf("%d, allowed is %q", status, allowed)
	}
	s := servertest.Server{MailURL: box.URL()}
	token := tokenOf(s.Mail(t, "ana@example.com", 0))
	get := func(url, bearer string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if bearer != "" {
			req.Header.Set("Authorization", "Bearer "+bearer)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		return res.StatusCode
	}
	var made credential
	main.SignIn(t, servertest.Operator).Do(http.MethodPost, "/subscribers/access-tokens", object{"name": "T"}, http.StatusCreated, &made)
	for path, want := range map[string]int{"/api/v1/waitlist/entries/" + token: 200, "/api/v1/waitlist/entries": 200, "/api/v1/waitlist/openapi.json": 200,
		"/api/v1/channels": 404, "/livez": 200, "/readyz": 200, "/": 404} {
		if got := get(alone+path, made.Secret); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	if got := get(alone+"/api/v1/waitlist/entries", ""); got != http.StatusUnauthorized {
		t.Errorf("a visitor lists: %d", got)
	}
}

// serveAlone serves the waiting list until the test ends, and returns its address.
func serveAlone(t *testing.T, environment map[string]string) (url string) {
	t.Helper()
	settings, err := server.ReadWaitlistConfig(environment)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	alone, err := server.NewWaitlist(ctx, settings, slog.New(slog.DiscardHandler))
	if err != nil {
		stop()
		t.Fatal(err)
	}
	l, err := server.Listen(ctx, "127.0.0.1:0")
	if err != nil {
		stop()
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- alone.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-served:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(2 * time.Minute):
			t.Error("it does not stop")
		}
		if err := alone.Close(); err != nil {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}
