package guard

import "context"

type roomKey struct{}

// WithRoom returns a context in which Room calls take.
func WithRoom(ctx context.Context, take func(ctx context.Context) error) context.Context {
	return context.WithValue(ctx, roomKey{}, take)
}

// Room waits until there is memory for a large page, which is taken until the end of what the context belongs to. It
// does nothing in a context of another kind.
func Room(ctx context.Context) error {
	if take, ok := ctx.Value(roomKey{}).(func(ctx context.Context) error); ok {
		return take(ctx)
	}
	return nil
}
