package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListCategories lists the categories.
func (a *server) ListCategories(
	ctx context.Context, in gen.ListCategoriesRequestObject,
) (gen.ListCategoriesResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	data, total, err := a.Categories.List(ctx, page)
	if err != nil {
		return nil, err
	}
	return gen.ListCategories200JSONResponse{
		Body:    api.CategoryPage{Data: convert(data, toAPICategory), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListCategories200ResponseHeaders{Link: callOf(ctx).NextOffset(page, len(data), total)},
	}, nil
}

// CreateCategory creates a category.
func (a *server) CreateCategory(
	ctx context.Context, in gen.CreateCategoryRequestObject,
) (gen.CreateCategoryResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	c, creation, err := a.Categories.Create(ctx, callOf(ctx).caller, fromAPICategoryInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	location := prefix + "/categories/" + c.ID.String()
	return gen.CreateCategory201JSONResponse{
		Body: toAPICategory(c),
		Headers: gen.CreateCategory201ResponseHeaders{
			Location: &location, ETag: etag(c.Version()), IdempotencyReplayed: replayed(creation),
		},
	}, nil
}

// GetCategory returns a category.
func (a *server) GetCategory(
	ctx context.Context, in gen.GetCategoryRequestObject,
) (gen.GetCategoryResponseObject, error) {
	c, err := a.Categories.Get(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return gen.GetCategory200JSONResponse{
		Body: toAPICategory(c), Headers: gen.GetCategory200ResponseHeaders{ETag: etag(c.Version())},
	}, nil
}

// UpdateCategory updates a category.
func (a *server) UpdateCategory(
	ctx context.Context, in gen.UpdateCategoryRequestObject,
) (gen.UpdateCategoryResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	c, err := a.Categories.Update(ctx, callOf(ctx).caller, in.ID, fromAPICategoryPatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateCategory200JSONResponse{
		Body: toAPICategory(c), Headers: gen.UpdateCategory200ResponseHeaders{ETag: etag(c.Version())},
	}, nil
}

// DeleteCategory deletes a category.
func (a *server) DeleteCategory(
	ctx context.Context, in gen.DeleteCategoryRequestObject,
) (gen.DeleteCategoryResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := a.Categories.Delete(ctx, callOf(ctx).caller, in.ID, version); err != nil {
		return nil, err
	}
	return gen.DeleteCategory204Response{}, nil
}

func fromAPICategoryInput(in api.CategoryInput) core.CategoryInput {
	return core.CategoryInput{Slug: in.Slug, Name: in.Name, Position: int(value(in.Position))}
}

func fromAPICategoryPatch(in api.CategoryPatch) core.CategoryPatch {
	out := core.CategoryPatch{Slug: in.Slug, Name: in.Name}
	if in.Position != nil {
		out.Position = new(int(*in.Position))
	}
	return out
}

func toAPICategory(c core.Category) api.Category {
	return api.Category{
		ID: c.ID, Slug: c.Slug, Name: c.Name, ChannelCount: c.ChannelCount,
		Position: int32(c.Position), //nolint:gosec // the column is an int4
	}
}
