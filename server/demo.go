package server

import (
	"context"
	"fmt"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// The demo publisher's channel that visitors may publish to, by a webhook that needs no signature.
const (
	DemoPublisher = "demo"
	DemoChannel   = "novidades"
	demoWebhook   = "demo"
)

// Demo makes the demo channel unless it is there, and answers its webhook's address: DEMO_WEBHOOK_URL.
func Demo(ctx context.Context, c Config) (string, error) {
	store, err := postgres.Open(ctx, postgres.Config{URL: c.DatabaseURL, Connections: 2})
	if err != nil {
		return "", err
	}
	defer store.Close() // nothing is under way
	channel, err := demoChannel(ctx, store, c.PublicURL)
	if err != nil {
		return "", fmt.Errorf("make the demo channel: %w", err)
	}
	return EnsureWebhook(ctx, store, c, channel, demoWebhook, "")
}

// EnsureWebhook makes a channel's webhook of that name unless it is there, and answers its address.
func EnsureWebhook(ctx context.Context, store *postgres.Store, c Config, channel core.ID, name, secret string) (string, error) {
	key, err := c.secretKey()
	if err != nil {
		return "", err
	}
	sealer, err := core.NewSealer(key)
	if err != nil {
		return "", err
	}
	webhooks := &core.Webhooks{Store: store, Sealer: sealer, Now: Now}
	address, err := webhooks.Ensure(ctx, channel, name, secret)
	return c.PublicURL + "/api/v1/webhooks/channels/" + address, err
}

func demoChannel(ctx context.Context, store *postgres.Store, publicURL string) (core.ID, error) {
	category, err := store.EnsureCategory(ctx, core.Category{ID: core.NewID(), Slug: "tecnologia", Name: "Tecnologia", Position: 90})
	if err != nil {
		return core.ID{}, err
	}
	publisher, err := store.EnsurePublisher(ctx, core.Publisher{ID: core.NewID(), Slug: DemoPublisher, Name: "Sininho"})
	if err != nil {
		return core.ID{}, err
	}
	in := core.ChannelInput{Slug: DemoChannel, Name: "Novidades", CategoryID: category, Visibility: core.Public,
		Icon: publicURL + "/channels/novidades.png", Description: "O que há de novo no Sininho, e o que os visitantes publicam na demonstração."}
	return EnsureChannel(ctx, store, DemoPublisher, publisher, in)
}

// EnsureChannel makes a publisher's channel unless it is there, and answers its id.
func EnsureChannel(ctx context.Context, store *postgres.Store, publisherSlug string, publisher core.ID, in core.ChannelInput) (core.ID, error) {
	c, _, err := store.CreateChannel(ctx, core.NewID(), publisher, in, Now(), core.Idempotency{})
	if !core.IsCode(err, core.CodeConflict) {
		return c.ID, err
	}
	ref, _, err := store.ChannelRef(ctx, publisherSlug, in.Slug)
	return ref.ID, err
}
