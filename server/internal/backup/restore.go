//go:build linux || darwin

package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/internal/postgres"
)

// Restore restores a backup into an empty database, in one transaction: afterwards everything is there, or nothing.
// Servers that start meanwhile wait. It refuses the backup of a newer version; that of an older one is migrated when a
// server starts, or by `migrate`. Tables are reported to progress as they are read.
func Restore(ctx context.Context, databaseURL, file string, progress io.Writer) error {
	db, err := connect(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer db.close()
	archive, err := db.read(ctx, file)
	if err != nil {
		return err
	}
	release, err := postgres.LockMigrations(ctx, db.Conn)
	if err != nil {
		return err
	}
	defer release()
	if err := db.isEmpty(ctx); err != nil {
		return err
	}
	fmt.Fprintf(progress, "restoring %s: %d tables, version %d\n", file, len(archive.tables), archive.version)
	if err := db.load(ctx, file, progress); err != nil {
		return fmt.Errorf("restore %s: %w; the database is empty as before", file, err)
	}
	if err := db.check(ctx, archive); err != nil {
		return err
	}
	if err := db.settle(ctx); err != nil {
		return err
	}
	fmt.Fprintf(progress, "%s is restored\n", file)
	return nil
}

// archive is what a backup contains.
type archive struct {
	version int64 // of the tables
	tables  []string
}

// tableData matches a table in the list of an archive: "3500; 0 16393 TABLE DATA public notifications sininho".
var tableData = regexp.MustCompile(`(?m)^\d+; \d+ \d+ TABLE DATA public (\S+) `)

// read reads the list of an archive and the version of its tables.
func (d *database) read(ctx context.Context, file string) (archive, error) {
	var a archive
	if _, err := os.Stat(file); err != nil {
		return a, err
	}
	list, err := d.output(ctx, "--list", file)
	if err != nil {
		return a, fmt.Errorf("%s is no backup of Sininho, or a damaged one: %w", file, err)
	}
	for _, match := range tableData.FindAllStringSubmatch(list, -1) {
		a.tables = append(a.tables, match[1])
	}
	migrations, err := d.output(ctx, "--data-only", "--table="+postgres.MigrationTable, "--file=-", file)
	if err != nil || !slices.Contains(a.tables, postgres.MigrationTable) {
		return a, errors.Join(fmt.Errorf("%s is no backup of Sininho, or a damaged one", file), err)
	}
	a.version = newest(migrations)
	if known, err := postgres.KnownSchemaVersion(); err != nil || a.version > known {
		return a, errors.Join(err, fmt.Errorf("%s was made by a newer version of Sininho (tables of version %d, and "+
			"this program knows %d): restore it with that version", file, a.version, known))
	}
	return a, nil
}

// newest returns the highest version in the rows of the table of migrations, as pg_restore writes them: id, version_id,
// is_applied and a time, separated by tabs.
func newest(rows string) (version int64) {
	for line := range strings.Lines(rows) {
		columns := strings.Split(line, "\t")
		if len(columns) < 3 || columns[2] != "t" {
			continue
		}
		if v, err := strconv.ParseInt(columns[1], 10, 64); err == nil {
			version = max(version, v)
		}
	}
	return version
}

// output returns what pg_restore writes about an archive.
func (d *database) output(ctx context.Context, args ...string) (string, error) {
	cmd, err := d.command(ctx, "pg_restore", args...)
	if err != nil {
		return "", err
	}
	var out, faults strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &faults
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w: %s", err, strings.TrimSpace(faults.String()))
	}
	return out.String(), nil
}

// isEmpty returns an error that names a table or the like if there is one, except those of extensions.
func (d *database) isEmpty(ctx context.Context) error {
	var found string
	err := d.QueryRow(ctx, `
		select c.oid::regclass::text from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname !~ '^(pg_|information_schema$)' and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
			and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
		order by 1 limit 1`).Scan(&found)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("the database is not empty, it has %s: a backup is restored only into an empty database: "+
		"create one (`createdb`), or, for a server's own, stop the server and move DATA_DIR/postgres away", found)
}

func (d *database) load(ctx context.Context, file string, progress io.Writer) error {
	cmd, err := d.command(ctx, "pg_restore", "--dbname="+d.address, "--single-transaction", "--exit-on-error",
		"--no-owner", "--no-privileges", "--no-comments", "--no-password", "--verbose", file)
	if err != nil {
		return err
	}
	return run(cmd, progress)
}

// check compares what was restored with the archive.
func (d *database) check(ctx context.Context, a archive) error {
	version, err := postgres.SchemaVersion(ctx, d.Conn)
	if err != nil {
		return err
	}
	if version != a.version {
		return fmt.Errorf("the restored tables have version %d, and those of the backup %d", version, a.version)
	}
	var missing []string
	for _, table := range a.tables {
		var there bool
		if err := d.QueryRow(ctx, "select to_regclass(quote_ident($1)) is not null", table).Scan(&there); err != nil {
			return err
		}
		if !there {
			missing = append(missing, table)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("tables are missing after the restore: %s", strings.Join(missing, ", "))
	}
	return nil
}

// lost is more than the positions that can have been given between a backup and the loss of its database.
const lost = 1_000_000_000

// settle makes the positions on the stream begin after those that readers may have seen of what was lost: otherwise
// they would miss what gets these positions next. It releases the jobs of the servers of that time, so that they need
// not be found to be dead first, and gathers statistics.
func (d *database) settle(ctx context.Context) error {
	if _, err := d.Exec(ctx, "select setval('stream_positions', nextval('stream_positions') + $1)", lost); err != nil {
		return err
	}
	for _, sql := range []string{
		"update river_job set state = 'available', scheduled_at = now() where state = 'running'",
		"delete from river_leader",
		"vacuum (analyze)",
	} {
		if _, err := d.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}
