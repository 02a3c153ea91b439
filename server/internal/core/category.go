package core

import "context"

// Category is what channels are grouped by.
type Category struct {
	ID           ID
	Slug, Name   string
	Position     int
	ChannelCount int64
}

// CategoryStore keeps categories.
type CategoryStore interface {
	Categories(ctx context.Context, page Page) (data []Category, total int64, err error)
}
