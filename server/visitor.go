package server

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// visitor reads what the web app's pages show, as anyone may read it without signing in.
type visitor struct {
	channels      *core.Channels
	publishers    *core.Publishers
	notifications *core.Notifications
}

func (v visitor) Publisher(ctx context.Context, slug string) (core.Publisher, error) {
	return v.publishers.Get(ctx, core.Caller{}, slug)
}

func (v visitor) Channel(ctx context.Context, publisherSlug, slug string) (core.Channel, error) {
	return v.channels.Get(ctx, core.Caller{}, publisherSlug, slug)
}

func (v visitor) Notification(
	ctx context.Context, publisherSlug, slug string, id core.ID,
) (core.Notification, error) {
	return v.notifications.Get(ctx, core.Caller{}, publisherSlug, slug, id)
}

func (v visitor) Listed(ctx context.Context, limit int) ([]core.ListedChannel, error) {
	return v.channels.Listed(ctx, limit)
}
