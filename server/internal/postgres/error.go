package postgres

import (
	"context"
	"database/sql"
	"errors"
	"net"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sininho/sininho/server/internal/core"
)

// constraints are the domain errors that constraint violations stand for.
var constraints = map[string]func() error{
	"channels_publisher_slug_key": func() error {
		return core.Conflict("slug_taken", core.Text{EN: "The publisher already has a channel with this slug.", PT: "O editor já tem um canal com este slug."})
	},
	"publishers_slug_key": func() error { return core.ErrPublisherSlugTaken() },
	"categories_slug_key": func() error {
		return core.Conflict("slug_taken", core.Text{EN: "There is already a category with this slug.", PT: "Já existe uma categoria com este slug."})
	},
	// A publisher was deleted while something was made for it.
	"api_keys_publisher_id_fkey":        func() error { return core.NotFound() },
	"channels_publisher_id_fkey":        func() error { return core.NotFound() },
	"event_endpoints_publisher_id_fkey": func() error { return core.NotFound() },
	// An event endpoint was deleted while something was sent to it.
	"event_deliveries_endpoint_id_fkey": func() error { return core.NotFound() },
	"channels_category_id_fkey": func() error {
		return core.Invalid(core.FieldError{Pointer: "#/categoryId", Code: "unknown", Detail: core.Text{EN: "is no category", PT: "não é uma categoria"}})
	},
	"subscriptions_channel_id_fkey": func() error { return core.NotFound() },
	"notifications_channel_id_fkey": func() error { return core.NotFound() },
	// A webhook was deleted while it received.
	"webhook_events_webhook_id_fkey": func() error { return core.NotFound() },
	// One in 20 to the power of 8.
	"device_sign_ins_user_code_key": func() error { return core.Unavailable(nil) },
	// Whoever deletes their account is signed out everywhere.
	"access_tokens_subscriber_id_fkey":     func() error { return core.ErrSessionEnded() },
	"device_sign_ins_subscriber_id_fkey":   func() error { return core.ErrSessionEnded() },
	"devices_subscriber_id_fkey":           func() error { return core.ErrSessionEnded() },
	"publisher_members_subscriber_id_fkey": func() error { return core.ErrSessionEnded() },
	"receipts_subscriber_id_fkey":          func() error { return core.ErrSessionEnded() },
	"sessions_subscriber_id_fkey":          func() error { return core.ErrSessionEnded() },
	"subscriptions_subscriber_id_fkey":     func() error { return core.ErrSessionEnded() },
}

// Error maps a driver's error to the domain error it stands for, by SQLSTATE and constraint name.
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
	case errors.As(err, &connect), errors.As(err, &network), errors.Is(err, context.DeadlineExceeded), pgconn.SafeToRetry(err):
		return core.Unavailable(err)
	default:
		return err
	}
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
		return core.Unavailable(err)
	case "54000": // a value that is too long for its index
		return core.Invalid(core.FieldError{Pointer: "#", Code: "too_long", Detail: core.Text{EN: "holds a text that is too long to be kept", PT: "contém um texto demasiado longo para ser guardado"}})
	case "22021", "22P05": // a character that cannot be kept
		return core.Invalid(core.FieldError{Pointer: "#", Code: "text", Detail: core.Text{EN: "holds a character that cannot be kept", PT: "contém um carácter que não pode ser guardado"}})
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

// isLockTimeout reports whether a statement gave up waiting for another transaction.
func isLockTimeout(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "55P03"
}
