package sininho

import (
	"context"
	"iter"
	"net/http"

	"github.com/sininho/sininho/pkg/api"
)

// CategoriesService reads and changes the categories of channels (API: /categories). Changing them
// needs the access token of an operator.
type CategoriesService struct{ api *api.Client }

// Category groups channels.
type Category struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
	// Position orders the categories; smaller comes first.
	Position int `json:"position"`
	// ChannelCount is the number of public channels in the category.
	ChannelCount int64 `json:"channelCount"`
	// Version is set by Get, Create and Update, for [IfVersion].
	Version string `json:"-"`
}

func (c *Category) setVersion(version string) { c.Version = version }

// CategoryRef is a category as referenced by a channel.
type CategoryRef struct {
	ID   string `json:"id"`
	Slug string `json:"slug"`
	Name string `json:"name"`
}

// List iterates over all categories by position. The iteration ends at the first error.
func (s *CategoriesService) List(ctx context.Context) iter.Seq2[Category, error] {
	return listed(func(c Category) string { return c.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListCategories(ctx, &api.ListCategoriesParams{Limit: limit, Offset: offset})
	})
}

// Get returns a category with its version for [IfVersion].
func (s *CategoriesService) Get(ctx context.Context, id string) (*Category, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[Category](s.api.GetCategory(ctx, parsed))
}

// CategoryInput describes a category to create. Name is required and has 1 to 100 characters.
type CategoryInput struct {
	Name string
	// Position orders the categories, from 0 to 1,000,000; smaller comes first.
	Position int
}

// Create creates a category. It fails with [ErrConflict] if the slug is taken.
func (s *CategoriesService) Create(
	ctx context.Context, slug string, in CategoryInput, opts ...CallOption,
) (*Category, error) {
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

// CategoryUpdate holds the fields to change; nil fields stay unchanged.
type CategoryUpdate struct {
	Slug, Name *string
	Position   *int
}

// Update changes a category and returns its new state.
func (s *CategoriesService) Update(
	ctx context.Context, id string, in CategoryUpdate, opts ...ChangeOption,
) (*Category, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	f := checkCategory(in.Slug, in.Name, in.Position)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[Category](s.api.UpdateCategory(ctx, parsed,
		&api.UpdateCategoryParams{IfMatch: newChange(opts).version},
		api.CategoryPatch{Slug: in.Slug, Name: in.Name, Position: position(in.Position)}))
}

// Delete deletes a category. If it has channels, Delete fails with [ErrConflict] and the code
// [CodeInUse]: move them first.
func (s *CategoriesService) Delete(ctx context.Context, id string, opts ...ChangeOption) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.DeleteCategory(ctx, parsed, &api.DeleteCategoryParams{IfMatch: newChange(opts).version}))
}

// maxPosition is the largest allowed position of a category.
const maxPosition = 1_000_000

func checkCategory(slug, name *string, place *int) faults {
	var f faults
	f.texts(map[string]*string{"slug": slug, "name": name})
	if place != nil && (*place < 0 || *place > maxPosition) {
		f.add("position", "out_of_range", "must be 0 to %d, not %d", maxPosition, *place)
	}
	return f
}

// position converts a position that checkCategory has accepted.
func position(place *int) *int32 {
	if place == nil {
		return nil
	}
	return pointerTo(int32(*place)) //nolint:gosec // at most maxPosition
}
