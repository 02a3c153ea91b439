package sininho

import (
	"context"
	"iter"

	"github.com/sininho/sininho/pkg/api"
)

// CategoriesService lists what channels are grouped by (API: /categories).
type CategoriesService struct{ api *api.Client }

// Category groups channels.
type Category struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	// ChannelCount counts the public channels in it.
	ChannelCount int64 `json:"channelCount"`
}

// CategoryRef is a category as a channel names it.
type CategoryRef struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// List goes through all categories in their order. An error ends it.
func (s *CategoriesService) List(ctx context.Context) iter.Seq2[Category, error] {
	size := int32(maxPageSize)
	return eachOffset(size, func(c Category) string { return c.ID }, func(offset int32) (*page[Category], error) {
		return decode[page[Category]](s.api.ListCategories(ctx, &api.ListCategoriesParams{Limit: &size, Offset: &offset}))
	})
}
