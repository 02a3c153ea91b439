package postgres_test

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

func TestLostConnectionsAreUnavailable(t *testing.T) {
	t.Parallel()
	for _, lost := range []error{
		io.ErrUnexpectedEOF, io.EOF, pgconn.ErrConnClosed, driver.ErrBadConn, sql.ErrConnDone,
		&net.OpError{Op: "read", Err: io.ErrClosedPipe},
	} {
		if err := postgres.Error(fmt.Errorf("read a row: %w", lost)); !core.IsCode(err, core.CodeUnavailable) {
			t.Errorf("error of a lost connection (%v): got %v, want CodeUnavailable", lost, err)
		}
	}
}
