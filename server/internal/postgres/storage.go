package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

// foldedChanges is how many changes of what publishers store are added to it by one statement.
const foldedChanges = 10_000

// Storage implements core.StorageStore.
func (s *Store) Storage(ctx context.Context, publisherID core.ID) (core.Storage, error) {
	return s.storage(ctx, s.db, publisherID)
}

func (s *Store) storage(ctx context.Context, db bun.IDB, publisherID core.ID) (used core.Storage, err error) {
	err = db.NewSelect().ColumnExpr("storage_used(?)", publisherID).
		ColumnExpr("coalesce((select quota from publisher_storage where publisher_id = ?), ?)",
			publisherID, s.StorageQuota).
		Scan(ctx, &used.Used, &used.Quota)
	return used, Error(err)
}

// ifRoom makes a change, which fails if its publisher has used up the quota, and would store more by it.
func (s *Store) ifRoom(ctx context.Context, tx Tx, channelID core.ID, change func() error) error {
	c := channelRow{ID: channelID}
	if err := tx.NewSelect().Model(&c).Column("publisher_id").WherePK().Scan(ctx); err != nil {
		return err
	}
	before, err := s.storage(ctx, tx, c.PublisherID)
	if err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	after, err := s.storage(ctx, tx, c.PublisherID)
	if err == nil && before.IsFull() && after.Used > before.Used {
		err = core.ErrQuotaExceeded()
	}
	return err
}

// isFull is true when the publisher of a channel c has used up its quota: the argument unless an operator has set
// another, 0 is none.
func isFull(quota string) string {
	return `coalesce((
		select used + coalesce((select sum(bytes) from storage_changes where publisher_id = c.publisher_id), 0)
			>= nullif(coalesce(quota, ` + quota + `::bigint), 0)
		from publisher_storage where publisher_id = c.publisher_id), false)`
}

// CheckStorage fails when the publisher of a channel has used up its quota: quota unless an operator has set another, 0
// is none. It passes for a channel that is deleted.
func CheckStorage(ctx context.Context, db bun.IDB, channelID core.ID, quota int64) error {
	return checkStorage(ctx, db, "select publisher_id from channels where id = ?0", channelID, quota)
}

func checkStorage(ctx context.Context, db bun.IDB, publisher string, id core.ID, quota int64) error {
	var full bool
	// Raw, because it finds the publisher by a statement.
	err := db.NewRaw(`
		select quota > 0 and storage_used(publisher_id) >= quota from (
			select p.publisher_id, coalesce(s.quota, ?1) as quota
			from (`+publisher+`) p left join publisher_storage s using (publisher_id)) v
		where publisher_id is not null`, id, quota).Scan(ctx, &full)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return Error(err)
	case full:
		return core.ErrQuotaExceeded()
	}
	return nil
}

// SetQuota implements core.StorageStore.
func (s *Store) SetQuota(ctx context.Context, publisherID core.ID, bytes *int64) (used core.Storage, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var slug string
		err := tx.NewSelect().Table("publishers").Column("slug").Where("id = ?", publisherID).For("key share").
			Scan(ctx, &slug)
		if err != nil {
			return err
		}
		// Raw, because no model has the table.
		_, err = tx.NewRaw(`
			insert into publisher_storage (publisher_id, quota) values (?, ?)
			on conflict (publisher_id) do update set quota = excluded.quota`, publisherID, bytes).Exec(ctx)
		if err != nil {
			return err
		}
		entry := core.AuditEntry{PublisherID: publisherID, ObjectID: publisherID, Object: slug}
		if bytes != nil {
			entry.Detail = map[string]string{"quotaBytes": strconv.FormatInt(*bytes, 10)}
		}
		if err := audit(ctx, tx, entry); err != nil {
			return err
		}
		used, err = s.storage(ctx, tx, publisherID)
		return err
	})
	return used, err
}

// InstallationStorage implements core.StorageStore.
func (s *Store) InstallationStorage(ctx context.Context) (core.InstallationStorage, error) {
	all := core.InstallationStorage{Quota: s.StorageQuota}
	rows, err := Hot[struct {
		Database, Used, Quota int64
		ID                    *core.ID
		Slug, Name            *string
	}](ctx, s.db, `
		select d.size as database, coalesce(s.used, 0) as used, coalesce(s.quota, $1::bigint) as quota,
			p.id, p.slug, p.name
		from (select pg_database_size(current_database()) as size) d
		left join (
			select publisher_id, used, quota from publisher_storage order by used desc, publisher_id limit $2
		) s on true
		left join publishers p on p.id = s.publisher_id
		order by s.used desc, p.id`, s.StorageQuota, core.LargestPublishers)
	for _, r := range rows {
		all.Database = r.Database
		if r.ID != nil {
			all.Largest = append(all.Largest, core.PublisherStorage{ID: *r.ID, Slug: *r.Slug, Name: *r.Name,
				Storage: core.Storage{Used: max(0, r.Used), Quota: r.Quota}})
		}
	}
	return all, Error(err)
}

// CountStorage adds the changes of what publishers store to it, and purges deleted channels, which are counted until
// then. Nodes that do it at once do different parts.
func (s *Store) CountStorage(ctx context.Context) error {
	for folded := int64(foldedChanges); folded == foldedChanges; {
		// Raw, because it deletes a number of rows. Publishers that are deleted store nothing.
		err := s.db.NewRaw(`
			with folded as (
				delete from storage_changes where ctid = any (array(
					select ctid from storage_changes limit ? for update skip locked))
				returning publisher_id, bytes
			), added as (
				insert into publisher_storage as s (publisher_id, used)
				select p.id, sum(f.bytes) from folded f join publishers p on p.id = f.publisher_id
				group by p.id order by p.id
				on conflict (publisher_id) do update set used = s.used + excluded.used
			)
			select count(*) from folded`, foldedChanges).Scan(ctx, &folded)
		if err != nil {
			return fmt.Errorf("count what publishers store: %w", Error(err))
		}
	}
	return s.purgeChannels(ctx)
}
