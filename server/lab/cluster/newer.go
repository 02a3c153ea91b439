package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sininho/sininho/server/internal/postgres"
)

// migration expands the database while servers that do not know it go on: it has what such migrations have, and a
// trigger, which fires for what all servers publish.
const migration = `-- +goose Up
create table published_times (
    notification_id uuid primary key,
    at              timestamptz not null default now()
);
alter table notifications add column mood text not null default 'calm';
create index notifications_mood_idx on notifications (mood) where mood <> 'calm';
-- +goose StatementBegin
create function note_published_time() returns trigger language plpgsql as $$
begin
    insert into published_times (notification_id) values (new.id);
    return null;
end
$$;
-- +goose StatementEnd
create trigger notifications_timed after insert on notifications
    for each row execute function note_published_time();
`

// BuildNewer builds the server of a next version into a directory: this one with one more migration of the database,
// which adds the table published_times, with a row for each notification from then on. It returns the path of the
// binary.
func BuildNewer(dir string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	known, err := postgres.KnownSchemaVersion()
	if err != nil {
		return "", err
	}
	added := filepath.Join(dir, "migration.sql")
	if err := os.WriteFile(added, []byte(migration), 0o600); err != nil {
		return "", err
	}
	place := filepath.Join(root, "server/internal/postgres/migrations", fmt.Sprintf("%05d_next.sql", known+1))
	replaced, err := json.Marshal(map[string]map[string]string{"Replace": {place: added}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, replaced, 0o600); err != nil {
		return "", err
	}
	return build(root, filepath.Join(dir, "sininho-server"), "-overlay="+overlay)
}
