package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
)

// constraints maps constraint violations to domain errors.
var constraints = map[string]func() error{
	"channels_publisher_slug_key": func() error { return core.ErrChannelSlugTaken() },
	"publishers_slug_key":         func() error { return core.ErrPublisherSlugTaken() },
	"categories_slug_key":         func() error { return core.ErrCategorySlugTaken() },
	"passkeys_credential_id_key":  func() error { return core.ErrPasskeyTaken() },
	"drafts_channel_name_key":     func() error { return core.ErrTemplateNameTaken() },
	"channels_category_id_fkey":   func() error { return core.ErrUnknownCategory() },
	// One in 20 to the power of 8.
	"device_sign_ins_user_code_key": func() error { return core.Unavailable(nil) },

	// What the row belongs to was deleted at the same time.
	"api_keys_publisher_id_fkey":               notFound,
	"channels_publisher_id_fkey":               notFound,
	"event_endpoints_publisher_id_fkey":        notFound,
	"event_deliveries_endpoint_id_fkey":        notFound,
	"membership_invitations_publisher_id_fkey": notFound,
	"subscriptions_channel_id_fkey":            notFound,
	"channel_heads_channel_id_fkey":            notFound,
	"webhook_events_webhook_id_fkey":           notFound,
	"drafts_author_fkey":                       notFound,

	// What the event publishes was published before; the caller finds that.
	"webhook_events_body_key": notFound,

	// The subscriber deleted their account at the same time, which signs them out.
	"access_tokens_subscriber_id_fkey":        sessionEnded,
	"device_sign_ins_subscriber_id_fkey":      sessionEnded,
	"devices_subscriber_id_fkey":              sessionEnded,
	"publisher_members_subscriber_id_fkey":    sessionEnded,
	"membership_invitations_invited_by_fkey":  sessionEnded,
	"membership_invitations_answered_by_fkey": sessionEnded,
	"invitation_times_inviter_id_fkey":        sessionEnded,
	"receipts_subscriber_id_fkey":             sessionEnded,
	"sessions_subscriber_id_fkey":             sessionEnded,
	"subscriptions_subscriber_id_fkey":        sessionEnded,
	"passkeys_subscriber_id_fkey":             sessionEnded,
	"feed_addresses_subscriber_id_fkey":       sessionEnded,
}

func notFound() error { return core.NotFound() }

func sessionEnded() error { return core.ErrSessionEnded() }

func invalid(pointer, code, en, pt string) error {
	return core.Invalid(core.FieldError{Pointer: pointer, Code: code, Detail: core.Text{EN: en, PT: pt}})
}

// Error maps an error of the driver to a domain error, by SQLSTATE and constraint name.
func Error(err error) error {
	var domain *core.Error
	var pg *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case err == nil, errors.As(err, &domain):
		return err
	case errors.Is(err, sql.ErrNoRows), errors.Is(err, pgx.ErrNoRows):
		return core.NotFound()
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &pg):
		return mapState(pg, err)
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded),
		pgconn.SafeToRetry(err), isLost(err):
		return core.Unavailable(err)
	default:
		return err
	}
}

// isLost reports whether a connection ended during a statement, or before it. Whether that statement was executed is
// unknown.
func isLost(err error) bool {
	for _, lost := range []error{
		io.EOF, io.ErrUnexpectedEOF, pgconn.ErrConnClosed, driver.ErrBadConn, sql.ErrConnDone,
	} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return false
}

func mapState(pg *pgconn.PgError, err error) error {
	if domain, ok := constraints[pg.ConstraintName]; ok {
		return domain()
	}
	switch pg.Code[:2] {
	case "08", "53", "57": // connection, resources, operator intervention
		return core.Unavailable(err)
	}
	switch pg.Code {
	case "40001", "40P01", "55P03": // serialization, deadlock, lock timeout
		if pg.Where != "" { // what was waited for
			err = fmt.Errorf("%w, %s", err, pg.Where)
		}
		return core.Unavailable(err)
	case "54000": // a value too long for its index
		return invalid("#", "too_long", "contains text that is too long to store",
			"contém um texto demasiado longo para ser guardado")
	case "22021", "22P05": // a character that cannot be stored
		return invalid("#", "text", "contains a character that cannot be stored",
			"contém um carácter que não pode ser guardado")
	}
	return err
}

// affected returns CodeNotFound when a statement changed no row.
func affected(res sql.Result, err error) error {
	if err != nil {
		return Error(err)
	}
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		return core.NotFound()
	}
	return err
}

// IsLockTimeout reports whether a statement gave up waiting for another transaction.
func IsLockTimeout(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "55P03"
}
