package guard

import (
	"context"
	"log/slog"
	"runtime/debug"
)

// Run runs the steps in order. It logs a panic in a step with its stack and continues with the next step.
func Run(ctx context.Context, log *slog.Logger, steps ...func(context.Context)) {
	for _, step := range steps {
		run(ctx, log, step)
	}
}

func run(ctx context.Context, log *slog.Logger, step func(context.Context)) {
	defer func() {
		if panicked := recover(); panicked != nil {
			log.ErrorContext(ctx, "panic", "panic", panicked, "stack", string(debug.Stack()))
		}
	}()
	step(ctx)
}
