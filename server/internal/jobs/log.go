package jobs

import (
	"context"
	"errors"
	"log/slog"
)

// clientLog lowers what River logs as an error in a canceled context: the client of the request has left, or the server
// stops, and neither is a fault.
type clientLog struct{ slog.Handler }

// Handle implements slog.Handler.
func (l clientLog) Handle(ctx context.Context, r slog.Record) error {
	if errors.Is(ctx.Err(), context.Canceled) && r.Level > slog.LevelDebug {
		if r.Level = slog.LevelDebug; !l.Enabled(ctx, r.Level) {
			return nil
		}
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l clientLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return clientLog{l.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (l clientLog) WithGroup(name string) slog.Handler { return clientLog{l.Handler.WithGroup(name)} }
