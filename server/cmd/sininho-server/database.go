package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/embeddedpg"
)

// serveDatabase calls do with the settings, once the server's own PostgreSQL runs, if it has one. It stops PostgreSQL
// afterwards, and ends the context of do if PostgreSQL ends by itself.
func serveDatabase(ctx context.Context, settings server.Config, log *slog.Logger,
	do func(context.Context, server.Config) error) error {
	if !settings.OwnDatabase() {
		return do(ctx, settings)
	}
	database, err := embeddedpg.Start(ctx, embeddedpg.Config{Dir: settings.DatabaseDir(), Logger: log})
	if err != nil {
		return err
	}
	serving, done := database.Context(ctx)
	err = do(serving, settings.WithDatabase(database.URL()))
	cause := context.Cause(serving)
	if errors.Is(cause, context.Canceled) {
		cause = nil
	}
	done()
	return errors.Join(cause, err, database.Stop())
}

// useDatabase calls do with the settings, and with the address of the server's own database, running or not, if it has
// one.
func useDatabase(ctx context.Context, settings server.Config, do func(context.Context, server.Config) error) error {
	if !settings.OwnDatabase() {
		return do(ctx, settings)
	}
	return embeddedpg.Use(ctx, embeddedpg.Config{Dir: settings.DatabaseDir()},
		func(ctx context.Context, url string) error { return do(ctx, settings.WithDatabase(url)) })
}

// prepare updates the tables. Of the server's own database it also looks up the address of the demonstration's webhook.
func prepare(ctx context.Context, settings *server.Config, own bool, log *slog.Logger) (err error) {
	if err := server.Migrate(ctx, *settings, log); err != nil {
		return err
	}
	if own && settings.DemoWebhookURL == "" {
		if settings.DemoWebhookURL, err = server.Demo(ctx, *settings); err != nil {
			return fmt.Errorf("find the demonstration's webhook: %w", err)
		}
	}
	return nil
}
