//go:build linux || darwin

package backup

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/embeddedpg"
)

// database is a connection, and what PostgreSQL's programs need to connect too.
type database struct {
	*pgx.Conn
	major    int
	address  string // without the password
	password string
}

func connect(ctx context.Context, address string) (*database, error) {
	pool, err := pgxpool.ParseConfig(address) // which knows the parameters of a pool
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL: %w", err)
	}
	config := pool.ConnConfig
	config.ConnectTimeout = 10 * time.Second
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the database: %w", err)
	}
	d := &database{Conn: conn, password: config.Password}
	d.address, err = withoutPassword(address)
	var version int
	if err == nil {
		err = conn.QueryRow(ctx, "select current_setting('server_version_num')::int").Scan(&version)
	}
	d.major = version / 10_000
	if err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return d, nil
}

// ours are parameters of pgx that libpq does not know.
var ours = []string{"default_query_exec_mode", "statement_cache_capacity", "description_cache_capacity"}

// withoutPassword returns an address for a command line, which other users of the machine can see.
func withoutPassword(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("DATABASE_URL is no address")
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for name := range query {
		if name == "password" || strings.HasPrefix(name, "pool_") || slices.Contains(ours, name) {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// command prepares one of PostgreSQL's programs of at least the server's version.
func (d *database) command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	tool, err := embeddedpg.Tool(ctx, name, d.major)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+d.password, "LC_ALL=C")
	cmd.WaitDelay = 5 * time.Second
	return cmd, nil
}

// close closes the connection. Nothing is lost if that fails.
func (d *database) close() { _ = d.Close(context.Background()) }
