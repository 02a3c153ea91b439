// Package servertest runs a real development server for tests, with PostgreSQL and all stand-ins, on a free port.
package servertest

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/internal/dev"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// Server is a running server and the addresses and credentials that tests need.
type Server struct {
	URL         string
	APIKey      string // of the publisher `demo`
	DatabaseURL string
	FCMURL      string // of the stand-in
	PostHogURL  string // of the stand-in
	MailURL     string // of the mailbox stand-in
	MetricsURL  string
	DemoWebhook string
	// SignedWebhook accepts only events signed with WebhookSecret.
	SignedWebhook, WebhookSecret string
}

// Operator is the email address of the operator.
const Operator = dev.Operator

// Option changes how a server runs.
type Option func(*dev.Config)

// With sets a setting, by the name of its environment variable.
func With(name, value string) Option {
	return func(c *dev.Config) { c.Environment[name] = value }
}

// Limited turns the rate limits on.
func Limited() Option { return func(c *dev.Config) { c.LimitsOff = false } }

// Passkeys lets people sign in with passkeys, too, at a host that has a name.
func Passkeys() Option {
	return func(c *dev.Config) {
		c.Addr, c.Environment["SIGN_IN"] = "localhost:0", "google,oidc,email,passkey"
	}
}

// Database returns the URL of a new database, for a server that reaches it in another way.
func Database(t testing.TB) string {
	t.Helper()
	return pgtest.URL(t)
}

// Replicate starts a PostgreSQL of the test's own, with a replica that can be killed.
func Replicate(t testing.TB) *pgtest.Replication {
	t.Helper()
	return pgtest.Replicate(t)
}

// Main runs a package's tests with the PostgreSQL that all their servers share; call it from TestMain.
func Main(m *testing.M) {
	if settings := os.Getenv(settingsVariable); settings != "" {
		if err := serveApart(settings); err != nil {
			fmt.Fprintln(os.Stderr, "server:", err)
			os.Exit(1)
		}
		return
	}
	pgtest.Main(m)
}

// Start runs a server with a database of its own until the test ends.
func Start(t testing.TB, options ...Option) *Server {
	t.Helper()
	config := newConfig(t, options)
	ctx, stop := context.WithCancel(context.Background())
	d, err := dev.Start(ctx, config)
	if err != nil {
		stop()
		t.Fatalf("start the server: %v", err)
	}
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		select {
		case err := <-served:
			if err != nil {
				t.Errorf("serve: %v", err)
			}
		case <-time.After(time.Minute):
			t.Error("the server did not stop within a minute")
		}
	})
	return newServer(d)
}

func newConfig(t testing.TB, options []Option) dev.Config {
	t.Helper()
	config := dev.Config{
		Addr: "127.0.0.1:0", Dir: t.TempDir(), LimitsOff: true, Seed: true,
		Environment: map[string]string{"DATABASE_URL": pgtest.URL(t)}, Log: slog.New(slog.DiscardHandler),
	}
	for _, o := range options {
		o(&config)
	}
	return config
}

func newServer(d *dev.Dev) *Server {
	return &Server{
		URL: d.URL, APIKey: d.APIKey, DatabaseURL: d.Settings.DatabaseURL, FCMURL: d.StandIns.FCM.URL(),
		PostHogURL: d.StandIns.PostHog.URL(), MailURL: d.StandIns.Mail.URL(), MetricsURL: d.MetricsURL,
		DemoWebhook:   d.Settings.DemoWebhookURL,
		SignedWebhook: d.SignedWebhook, WebhookSecret: d.WebhookSecret,
	}
}

// Client returns a client with the demo publisher's API key.
func (s *Server) Client(options ...sininho.Option) *sininho.Client {
	c, err := sininho.New(append([]sininho.Option{sininho.WithBaseURL(s.URL + "/api/v1"), sininho.WithAPIKey(s.APIKey)},
		options...)...)
	if err != nil {
		panic(err) // the options are fixed, so New cannot fail
	}
	return c
}
