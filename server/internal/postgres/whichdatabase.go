package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// databaseIdentity is the same for a database and its standbys, and different for all others.
type databaseIdentity struct {
	system   int64
	database string
}

const whichDatabase = "select (pg_control_system()).system_identifier, current_database()"

func (i *databaseIdentity) read(row pgx.Row) error { return row.Scan(&i.system, &i.database) }

func (i databaseIdentity) String() string {
	return fmt.Sprintf("%s of the system %d", i.database, i.system)
}

// CheckDirect fails when the address of the database without its pooler is the address of another database. Migrations,
// backups and signals would go there.
func (db *DB) CheckDirect(ctx context.Context, url string) error {
	direct, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("DATABASE_DIRECT_URL: %w", err)
	}
	defer func() { _ = direct.Close(context.WithoutCancel(ctx)) }()
	var one, other databaseIdentity
	err = errors.Join(one.read(db.pool.QueryRow(ctx, whichDatabase)), other.read(direct.QueryRow(ctx, whichDatabase)))
	var denied *pgconn.PgError
	if errors.As(err, &denied) && denied.Code == "42501" { // some hosts do not let users call pg_control_system
		return nil
	}
	if err != nil {
		return err
	}
	if one != other {
		return fmt.Errorf("DATABASE_DIRECT_URL is another database (%s) than DATABASE_URL (%s)", other, one)
	}
	return nil
}
