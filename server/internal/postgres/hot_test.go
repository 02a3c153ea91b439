package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// BenchmarkHot runs hot statements prepared, and unprepared as behind a pooler.
func BenchmarkHot(b *testing.B) {
	url, now := pgtest.URL(b), time.Now()
	stores := map[string]*postgres.Store{}
	for name, pooled := range map[string]bool{"prepared": false, "unprepared": true} {
		db := must(postgres.Open(b.Context(), postgres.Config{URL: url, Connections: 2, Pooled: pooled}))
		b.Cleanup(func() { _ = db.Close() })
		stores[name] = postgres.NewStore(db)
	}
	s := stores["prepared"]
	category := must(s.EnsureCategory(b.Context(), core.Category{ID: core.NewID(), Slug: "cidade", Name: "Cidade"}))
	publisher := must(s.EnsurePublisher(b.Context(), core.Publisher{ID: core.NewID(), Slug: "vila", Name: "Vila"}))
	in := core.ChannelInput{Slug: "agenda", Name: "Agenda", CategoryID: category, Visibility: core.Public}
	channel := must3(s.CreateChannel(b.Context(), core.NewID(), publisher, in, now, core.Idempotency{}))
	profile := core.Profile{Subject: "1", Email: "ana@example.com", Name: "Ana", Locale: "pt"}
	person := must(s.SignIn(b.Context(), profile, core.SignUp{Open: true}, now))
	must(s.Subscribe(b.Context(), person.ID, channel.ID, now))

	for name, run := range map[string]func(context.Context, *postgres.Store) error{
		"feed": func(ctx context.Context, s *postgres.Store) error {
			_, _, _, err := readFeed(ctx, s, person.ID, core.FeedFilter{Page: core.Page{Limit: 10}})
			return err
		},
		"channel": func(ctx context.Context, s *postgres.Store) error {
			_, _, err := s.ChannelRef(ctx, "vila", "agenda")
			return err
		},
	} {
		for mode, store := range stores {
			b.Run(name+"/"+mode, func(b *testing.B) {
				for b.Loop() {
					if err := run(b.Context(), store); err != nil {
						b.Fatalf("%s: %v", name, err)
					}
				}
			})
		}
	}
}
