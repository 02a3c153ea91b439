package dev

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/embeddedpg"
)

// Config holds the settings of a development server.
type Config struct {
	Addr string // host:port to listen on
	Dir  string // for all data
	// LimitsOff disables the rate limits.
	LimitsOff bool
	// Environment holds settings that override dev's own.
	Environment map[string]string
	// Seed fills an empty database with sample data.
	Seed bool
	// Followers makes sample people follow the channels of the sample data.
	Followers bool
	Log       *slog.Logger
}

// Dev is a running development server.
type Dev struct {
	URL        string
	MetricsURL string
	APIKey     string // of the demo publisher
	Settings   server.Config
	// SignedWebhook is the URL of a webhook that accepts only events signed with WebhookSecret; both are empty without
	// Seed.
	SignedWebhook, WebhookSecret string

	StandIns *StandIns

	config   Config
	listener net.Listener
	database *embeddedpg.Server // nil when DATABASE_URL is set
	server   *server.Server
}

// Start prepares everything that Serve needs. Its errors say what to do.
func Start(ctx context.Context, c Config) (d *Dev, err error) {
	d = &Dev{config: c}
	defer func() {
		if err != nil {
			err = errors.Join(err, d.close())
			d = nil
		}
	}()
	if d.listener, err = server.Listen(ctx, c.Addr); err != nil {
		return d, err
	}
	d.URL = "http://" + publicHost(c.Addr, d.listener.Addr())
	if err = os.MkdirAll(c.Dir, 0o755); err != nil { //nolint:gosec // the secrets in it have stricter modes
		return d, fmt.Errorf("the data directory: %w", err)
	}
	databaseURL := c.Environment["DATABASE_URL"]
	if databaseURL == "" {
		if d.database, err = embeddedpg.Start(ctx, embeddedpg.Config{Dir: c.Dir, Logger: c.Log}); err != nil {
			return d, err
		}
		databaseURL = d.database.URL()
	}
	if d.StandIns, err = startStandIns(ctx, c.Dir); err != nil {
		return d, err
	}
	if err = d.prepare(ctx, databaseURL); err != nil {
		return d, err
	}
	return d, d.writeEnv()
}

// publicHost returns the host that was asked for, so that sign-in stays on one host, with the port actually used.
func publicHost(asked string, got net.Addr) string {
	host, _, err := net.SplitHostPort(asked)
	_, port, _ := net.SplitHostPort(got.String())
	if err != nil || host == "" || host == "0.0.0.0" || host == "::" {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

func (d *Dev) prepare(ctx context.Context, databaseURL string) (err error) {
	environment, err := d.environment(databaseURL)
	if err != nil {
		return err
	}
	if d.Settings, err = server.ReadConfig(environment); err != nil {
		return err
	}
	if err = server.Migrate(ctx, d.Settings, d.config.Log); err != nil {
		return err
	}
	if d.Settings.DemoWebhookURL, err = server.Demo(ctx, d.Settings); err != nil {
		return err
	}
	if d.APIKey, err = d.demoKey(ctx); err != nil {
		return err
	}
	if d.config.Seed {
		if err = seed(ctx, d.Settings, d.config.Followers, d.config.Log); err != nil {
			return fmt.Errorf("fill the database: %w", err)
		}
		if d.SignedWebhook, d.WebhookSecret, err = d.signedWebhook(ctx); err != nil {
			return fmt.Errorf("make a signed webhook: %w", err)
		}
	}
	if d.server, err = server.New(ctx, d.Settings, d.config.Log); err != nil {
		return err
	}
	d.MetricsURL = d.server.MetricsURL()
	return nil
}

// Serve serves until ctx is done, and then stops everything.
func (d *Dev) Serve(ctx context.Context) error {
	if d.database != nil {
		var cancel context.CancelFunc
		ctx, cancel = d.database.Context(ctx)
		defer cancel()
	}
	err := d.server.Serve(ctx, d.listener)
	d.listener = nil
	cause := context.Cause(ctx)
	if errors.Is(cause, context.Canceled) {
		cause = nil
	}
	return errors.Join(cause, err, d.close())
}

func (d *Dev) close() (err error) {
	if d.listener != nil {
		err = d.listener.Close()
	}
	if d.server != nil {
		err = errors.Join(err, d.server.Close())
	}
	if d.StandIns != nil {
		err = errors.Join(err, d.StandIns.close())
	}
	if d.database != nil {
		err = errors.Join(err, d.database.Stop())
	}
	return err
}
