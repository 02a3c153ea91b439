package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// ListCategories lists the categories.
func (a *server) ListCategories(ctx context.Context, in gen.ListCategoriesRequestObject) (gen.ListCategoriesResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	data, total, err := a.Categories.Categories(ctx, page)
	if err != nil {
		return nil, err
	}
	return gen.ListCategories200JSONResponse{
		Body:    api.CategoryPage{Data: convert(data, toAPICategory), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListCategories200ResponseHeaders{Link: callOf(ctx).nextOffset(page, len(data), total)},
	}, nil
}

func toAPICategory(c core.Category) api.Category {
	return api.Category{ID: c.ID, Slug: c.Slug, Name: c.Name, ChannelCount: c.ChannelCount}
}
