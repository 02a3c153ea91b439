package dev

import (
	"context"
	_ "embed"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/delivery"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/sampledata"
)

//go:embed seed.json
var seedJSON []byte

type seedData struct {
	Categories []struct{ Slug, Name string }
	Publishers []struct {
		Slug, Name, Description, Website string
		Channels                         []seedChannel
	}
}

type seedChannel struct {
	Slug, Name, Description, Category, Icon string
	Followers                               struct{ Before, Gained int } // more than a month ago, and since
	History                                 []struct {
		HoursAgo    int
		Title, Body string
		Important   bool
	}
}

// seed fills an empty database with sample data. It leaves channels with notifications unchanged.
func seed(ctx context.Context, settings server.Config, followers bool, log *slog.Logger) error {
	var data seedData
	if err := json.Unmarshal(seedJSON, &data); err != nil {
		return err
	}
	db, err := postgres.Open(ctx, postgres.Config{URL: settings.DatabaseDirectURL, Connections: 2})
	if err != nil {
		return err
	}
	defer db.Close() // nothing is running
	store := postgres.NewStore(db)
	writer := delivery.NewWriter(delivery.WriterConfig{
		DB: db, Positioned: func(context.Context, int64, []core.ID) {}, Analytics: core.NoAnalytics{},
		Now: server.Now, Log: log,
	})
	categories := map[string]core.ID{}
	for i, c := range data.Categories {
		if categories[c.Slug], err = store.EnsureCategory(ctx,
			core.Category{ID: core.NewID(), Slug: c.Slug, Name: c.Name, Position: i}); err != nil {
			return err
		}
	}
	for _, p := range data.Publishers {
		id, err := store.EnsurePublisher(ctx, core.Publisher{
			ID: core.NewID(), Slug: p.Slug, Name: p.Name, Description: p.Description, Website: p.Website,
		})
		if err != nil {
			return err
		}
		for _, c := range p.Channels {
			made, err := seedOne(ctx, store, writer, settings.PublicURL, p.Slug, id, categories[c.Category], c)
			if err == nil && made != nil && followers {
				err = sampledata.Grow(ctx, db.Pool(), made.ID, c.Followers.Before, c.Followers.Gained)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// seedOne makes a channel, and returns nil if it has notifications already.
func seedOne(
	ctx context.Context, store *postgres.Store, writer core.Writer, publicURL, publisherSlug string,
	publisher, category core.ID, c seedChannel,
) (*core.ChannelRef, error) {
	in := core.ChannelInput{Slug: c.Slug, Name: c.Name, Description: c.Description, CategoryID: category,
		Icon: publicURL + "/channels/" + c.Icon + ".png", Visibility: core.Public}
	if _, err := server.EnsureChannel(ctx, store, publisherSlug, publisher, in); err != nil {
		return nil, err
	}
	channel, err := store.Channel(ctx, publisherSlug, c.Slug, nil)
	if err != nil || channel.NotificationCount > 0 {
		return nil, err
	}
	for _, h := range c.History {
		at := server.Now().Add(-time.Duration(h.HoursAgo) * time.Hour)
		n := core.Notification{ID: core.NewID(), Channel: channel.ChannelRef,
			Title: h.Title, Body: h.Body, Importance: core.Normal, PublishedAt: &at, Visible: true}
		if h.Important {
			n.Importance = core.Important
		}
		if _, _, err := writer.Publish(ctx, n, core.Idempotency{}); err != nil {
			return nil, err
		}
	}
	return &channel.ChannelRef, nil
}
