package httpapi

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
)

const (
	defaultLimit = 10
	maxOffset    = 10_000
)

// fromAPIPage returns the page of a list that the parameters ask for.
func fromAPIPage(limit, offset *int32, cursor *string) (core.Page, error) {
	p := core.Page{Limit: defaultLimit, Offset: int(value(offset))}
	if limit != nil {
		p.Limit = int(*limit)
	}
	if cursor == nil {
		return p, nil
	}
	if p.Offset != 0 {
		return p, core.Invalid(core.FieldError{Pointer: "query:cursor", Code: "exclusive",
			Detail: core.Text{EN: "cannot be combined with an offset other than 0",
				PT: "não pode ser combinado com um offset diferente de 0"}})
	}
	after, err := core.ParseCursor(*cursor)
	p.After = &after
	return p, err
}

// nextOffset returns the Link header for the next page, or nil when there is none.
func (c *call) nextOffset(p core.Page, answered int, total int64) *string {
	next := p.Offset + answered
	if answered == 0 || int64(next) >= total || next > maxOffset {
		return nil
	}
	return c.link("offset", strconv.Itoa(next))
}

// link returns a Link header with this request's URL and one parameter changed.
func (c *call) link(name, value string) *string {
	query := c.request.URL.Query()
	query.Del("offset")
	query.Set(name, value)
	next := url.URL{Path: c.request.URL.Path, RawQuery: query.Encode()}
	return new(fmt.Sprintf(`<%s>; rel="next"`, next.String()))
}

// convert maps list with to. The result is never nil, so it encodes as [] rather than null.
func convert[T, U any](list []T, to func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = to(x)
	}
	return out
}

// optional returns nil for the zero value, so that the field is omitted.
func optional[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// value returns *p, or the zero value when p is nil.
func value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// utc converts a time to UTC and truncates it to microseconds, the precision of the database.
func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	return new(t.UTC().Truncate(time.Microsecond))
}

// fromAPIPatch distinguishes an omitted field from one that is null.
func fromAPIPatch[T any](n nullable.Nullable[T]) core.Patch[T] {
	p := core.Patch[T]{Set: n.IsSpecified()}
	if v, err := n.Get(); err == nil {
		p.Value = &v
	}
	return p
}

func toAPIPublisherRef(p core.Publisher) api.PublisherRef {
	return api.PublisherRef{ID: p.ID, Slug: p.Slug, Name: p.Name, Avatar: optional(p.Avatar)}
}

func toAPIChannelRef(c core.ChannelRef) api.ChannelRef {
	return api.ChannelRef{ID: c.ID, PublisherSlug: c.PublisherSlug, Slug: c.Slug, Name: c.Name, Icon: optional(c.Icon)}
}
