package dev

import (
	"context"
	"path/filepath"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// demoKey returns the demo publisher's API key, which stays the same as long as the directory is kept.
func (d *Dev) demoKey(ctx context.Context) (string, error) {
	secret, err := keep(filepath.Join(d.config.Dir, "demo.key"), core.NewAPIKeySecret)
	if err != nil {
		return "", err
	}
	db, err := postgres.Open(ctx, postgres.Config{URL: d.Settings.DatabaseDirectURL, Connections: 2})
	if err != nil {
		return "", err
	}
	defer db.Close() // nothing is running
	store := postgres.NewStore(db)
	if _, err := store.APIKeyBySecret(ctx, core.HashSecret(secret), server.Now()); !core.IsCode(err,
		core.CodeNotFound) {
		return secret, err
	}
	publisher, err := store.PublisherBySlug(ctx, server.DemoPublisher)
	if err != nil {
		return "", err
	}
	_, _, err = store.CreateAPIKey(ctx,
		core.APIKey{
			ID: core.NewID(), PublisherID: publisher.ID, Name: "dev", Hint: secret[len(secret)-4:],
			Scopes: []core.Scope{core.ScopePublish, core.ScopeChannels, core.ScopeRead}, CreatedAt: server.Now(),
		}, core.HashSecret(secret), core.Idempotency{})
	return secret, err
}
