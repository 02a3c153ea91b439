package sininho

import (
	"context"
	"iter"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
)

// CategoriesService lists what channels are grouped by (API: /categories). To change them is
// for operators, with their access token.
type CategoriesService struct{ api *api.Client }

// Category groups channels.
type Category struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	// Position is its place among the others; smaller comes first.
	Position int `json:"position"`
	// ChannelCount counts the public channels in it.
	ChannelCount int64 `json:"channelCount"`
	// Version is set by Get, Create and Update, for [IfVersion].
	Version string `json:"-"`
}

func (c *Category) setVersion(version string) { c.Version = version }

// CategoryRef is a category as a channel names it.
type CategoryRef struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// List goes through all categories in their order. An error ends it.
func (s *CategoriesService) List(ctx context.Context) iter.Seq2[Category, error] {
	return listed(func(c Category) string { return c.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListCategories(ctx, &api.ListCategoriesParams{Limit: limit, Offset: offset})
	})
}

// Get shows one category, with the version that [IfVersion] takes.
func (s *CategoriesService) Get(ctx context.Context, id string) (*Category, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Category](s.api.GetCategory(ctx, parsed))
}

// CategoryInput is a category to create. Name is needed, of 1 to 100 characters.
type CategoryInput struct {
	Name string
	// Position is its place among the others, 0 to 1,000,000.
	Position int
}

// Create creates a category. A slug that is taken is an [ErrConflict].
func (s *CategoriesService) Create(ctx context.Context, slug string, in CategoryInput, opts ...CallOption) (*Category, error) {
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	f := checkCategory(&slug, &in.Name, &in.Position)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[Category](s.api.CreateCategory(ctx, &api.CreateCategoryParams{IdempotencyKey: &c.key},
		api.CategoryInput{Slug: slug, Name: in.Name, Position: position(&in.Position)}))
}

// CategoryUpdate is what to change; what is nil stays.
type CategoryUpdate struct {
	Slug, Name *string
	Position   *int
}

// Update changes a category and returns it as it is now.
func (s *CategoriesService) Update(ctx context.Context, id string, in CategoryUpdate, opts ...ChangeOption) (*Category, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	f := checkCategory(in.Slug, in.Name, in.Position)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[Category](s.api.UpdateCategory(ctx, parsed, &api.UpdateCategoryParams{IfMatch: newChange(opts).version},
		api.CategoryPatch{Slug: in.Slug, Name: in.Name, Position: position(in.Position)}))
}

// Delete deletes a category. One that has channels is an [ErrConflict] with the code
// [CodeInUse]: move them first.
func (s *CategoriesService) Delete(ctx context.Context, id string, opts ...ChangeOption) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.DeleteCategory(ctx, parsed, &api.DeleteCategoryParams{IfMatch: newChange(opts).version}))
}

// maxPosition is the last place that a category can have.
const maxPosition = 1_000_000

func checkCategory(slug, name *string, place *int) faults {
	var f faults
	f.texts(map[string]*string{"slug": slug, "name": name})
	if place != nil && (*place < 0 || *place > maxPosition) {
		f.add("position", "out_of_range", "must be 0 to %d, not %d", maxPosition, *place)
	}
	return f
}

// position is what checkCategory has seen to fit.
func position(place *int) *int32 {
	if place == nil {
		return nil
	}
	return new(int32(*place)) //nolint:gosec // at most maxPosition
}
