package postgres_test

import (
	"context"
	"database/sql"
	"log/slog"
	"os"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
	"github.com/pressly/goose/v3"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
	"github.com/sininho/sininho/server/lab/pgtest"
)

// TestMigrationMovesTheDemoWebhook migrates an installation whose demo webhook published to the public channel.
func TestMigrationMovesTheDemoWebhook(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	db := must(sql.Open("pgx", url))
	defer db.Close() // after its last statement
	provider := must(goose.NewProvider(goose.DialectPostgres, db, os.DirFS("migrations")))
	must(provider.UpTo(t.Context(), 8))
	for _, row := range []string{
		`insert into categories (id, slug, name, position)
			values ('00000000-0000-0000-0000-000000000001', 'tecnologia', 'Tecnologia', 1)`,
		`insert into publishers (id, slug, name) values ('00000000-0000-0000-0000-000000000002', 'demo', 'Sininho')`,
		`insert into channels (id, publisher_id, category_id, slug, name)
			values ('00000000-0000-0000-0000-000000000003', '00000000-0000-0000-0000-000000000002',
				'00000000-0000-0000-0000-000000000001', 'novidades', 'Novidades')`,
		`insert into webhooks (id, channel_id, name, address_hash, address_sealed, signing) values
			('00000000-0000-0000-0000-000000000004', '00000000-0000-0000-0000-000000000003', 'demo', 'open', 's',
				'none'),
			('00000000-0000-0000-0000-000000000005', '00000000-0000-0000-0000-000000000003', 'CI', 'signed', 's',
				'standard')`,
	} {
		must(db.ExecContext(t.Context(), row))
	}

	succeed(t, "migrate", postgres.Migrate(context.Background(), url, slog.New(slog.DiscardHandler)))
	opened := must(postgres.Open(t.Context(), postgres.Config{URL: url, Connections: 2}))
	defer opened.Close() // after its last statement
	store := postgres.NewStore(opened)
	for address, want := range map[string]string{"open": "demo/demonstracao", "signed": "demo/novidades"} {
		_, channel, err := store.WebhookByAddress(t.Context(), []byte(address))
		succeed(t, "find the "+address+" webhook", err)
		equal(t, "channel of the "+address+" webhook", channel.Address(), want)
	}
	c := must(store.Channel(t.Context(), "demo", "demonstracao", nil))
	equal(t, "whether the new channel is a demonstration", c.Demonstration, true)
	equal(t, "visibility of the new channel", c.Visibility, core.Unlisted)
}
