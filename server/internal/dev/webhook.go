package dev

import (
	"context"
	"path/filepath"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/postgres"
)

// signedChannel is the demo publisher's channel with a webhook that accepts only signed events.
const signedChannel = "lancamentos"

// signedWebhook creates the webhook. Its secret stays the same as long as the directory is kept.
func (d *Dev) signedWebhook(ctx context.Context) (address, secret string, err error) {
	secret, err = keep(filepath.Join(d.config.Dir, "webhook.secret"), webhook.NewSecret)
	if err != nil {
		return "", "", err
	}
	db, err := postgres.Open(ctx, postgres.Config{URL: d.Settings.DatabaseDirectURL, Connections: 2})
	if err != nil {
		return "", "", err
	}
	defer db.Close() // nothing is running
	store := postgres.NewStore(db)
	channel, _, err := store.ChannelRef(ctx, server.DemoPublisher, signedChannel)
	if err != nil {
		return "", "", err
	}
	address, err = server.EnsureWebhook(ctx, store, d.Settings, channel.ID, "dev", secret)
	return address, secret, err
}
