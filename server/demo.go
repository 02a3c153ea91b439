package server

import (
	"context"
	"fmt"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Names of the demo publisher's public channel, and of the channel that visitors publish to through an unsigned
// webhook.
const (
	DemoPublisher        = "demo"
	DemoChannel          = "novidades"
	demonstrationChannel = "demonstracao"
	demoWebhook          = "demo"
)

// Demo creates the demo publisher's channels unless they exist, and returns the URL of the demonstration's webhook:
// DEMO_WEBHOOK_URL.
func Demo(ctx context.Context, c Config) (string, error) {
	db, err := postgres.Open(ctx, postgres.Config{URL: c.DatabaseDirectURL, Connections: 2})
	if err != nil {
		return "", err
	}
	defer db.Close() // nothing is running
	store := postgres.NewStore(db)
	channel, err := demoChannels(ctx, store, c.PublicURL)
	if err != nil {
		return "", fmt.Errorf("create the demo channels: %w", err)
	}
	return EnsureWebhook(ctx, store, c, channel, demoWebhook, "")
}

// EnsureWebhook creates a channel's webhook with that name unless it exists, and returns its URL.
func EnsureWebhook(
	ctx context.Context, store *postgres.Store, c Config, channel core.ID, name, secret string,
) (string, error) {
	key, err := c.secretKey()
	if err != nil {
		return "", err
	}
	sealer, err := core.NewSealer(key)
	if err != nil {
		return "", err
	}
	address, err := core.EnsureWebhook(ctx, store, sealer, channel, name, secret, Now())
	return c.PublicURL + "/api/v1/webhooks/channels/" + address, err
}

// demoChannels creates both channels unless they exist, and returns the id of the demonstration.
func demoChannels(ctx context.Context, store *postgres.Store, publicURL string) (core.ID, error) {
	category, err := store.EnsureCategory(ctx,
		core.Category{ID: core.NewID(), Slug: "tecnologia", Name: "Tecnologia", Position: 90})
	if err != nil {
		return core.ID{}, err
	}
	publisher, err := store.EnsurePublisher(ctx, core.Publisher{ID: core.NewID(), Slug: DemoPublisher, Name: "Sininho"})
	if err != nil {
		return core.ID{}, err
	}
	icon := publicURL + "/channels/novidades.png"
	news := core.ChannelInput{Slug: DemoChannel, Name: "Novidades", CategoryID: category, Visibility: core.Public,
		Icon: icon, Description: "O que há de novo no Sininho."}
	if _, err := EnsureChannel(ctx, store, DemoPublisher, publisher, news); err != nil {
		return core.ID{}, err
	}
	demonstration := core.ChannelInput{Slug: demonstrationChannel, Name: "Demonstração", CategoryID: category,
		Visibility: core.Unlisted, Icon: icon, Demonstration: true,
		Description: "O que os visitantes enviam na demonstração. Desaparece ao fim de uma hora."}
	if _, err := EnsureChannel(ctx, store, DemoPublisher, publisher, demonstration); err != nil {
		return core.ID{}, err
	}
	ref, _, err := store.ChannelRef(ctx, DemoPublisher, demonstrationChannel)
	if err == nil && !ref.Demonstration {
		err = fmt.Errorf("channel %s exists and is not the demonstration; rename or delete it", ref.Address())
	}
	return ref.ID, err
}

// EnsureChannel creates a publisher's channel unless it exists, and returns its id.
func EnsureChannel(
	ctx context.Context, store *postgres.Store, publisherSlug string, publisher core.ID, in core.ChannelInput,
) (core.ID, error) {
	c, _, err := store.CreateChannel(ctx, core.NewID(), publisher, in, Now(), core.Idempotency{})
	if !core.IsCode(err, core.CodeConflict) {
		return c.ID, err
	}
	ref, _, err := store.ChannelRef(ctx, publisherSlug, in.Slug)
	return ref.ID, err
}
