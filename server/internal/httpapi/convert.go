package httpapi

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/handler"
)

const maxOffset = 10_000 // the contract's limit

// fromAPIPage returns the page that the parameters select.
func fromAPIPage(limit, offset *int32, cursor *string) (core.Page, error) {
	p := handler.Page(limit, offset)
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

// NextOffset implements handler.Request. There is no Link to a page that begins after maxOffset.
func (c *call) NextOffset(p core.Page, returned int, total int64) *string {
	next := p.Offset + returned
	if returned == 0 || int64(next) >= total || next > maxOffset {
		return nil
	}
	return c.link("offset", strconv.Itoa(next))
}

// link returns a Link header with this request's URL, without its offset and with one parameter set.
func (c *call) link(name, value string) *string {
	query := c.request.URL.Query()
	query.Del("offset")
	query.Set(name, value)
	next := url.URL{Path: c.request.URL.Path, RawQuery: query.Encode()}
	return new(fmt.Sprintf(`<%s>; rel="next"`, next.String()))
}

// Short names for package handler's conversions: the mappings below and in the other files are dense.

func convert[T, U any](list []T, to func(T) U) []U { return handler.Convert(list, to) }

func optional[T comparable](v T) *T { return handler.Optional(v) }

func value[T any](p *T) T { return handler.Value(p) }

func utc(t *time.Time) *time.Time { return handler.UTC(t) }

// fromAPIPatch distinguishes an omitted field from one that is null.
func fromAPIPatch[T any](n nullable.Nullable[T]) core.Patch[T] {
	p := core.Patch[T]{Set: n.IsSpecified()}
	if v, err := n.Get(); err == nil {
		p.Value = &v
	}
	return p
}

// number converts an optional number, which the contract bounds.
func number[To, From int | int32](n *From) *To {
	if n == nil {
		return nil
	}
	return new(To(*n))
}

func fromAPINumber(n nullable.Nullable[int32]) core.Patch[int] {
	p := fromAPIPatch(n)
	return core.Patch[int]{Set: p.Set, Value: number[int](p.Value)}
}

// Pictures returns the address at which this server serves a picture, and "" if it does not serve it. It is nil without
// a proxy.
type Pictures func(picture string) string

func (pics Pictures) proxy(picture string) *string {
	if pics == nil || picture == "" {
		return nil
	}
	return optional(pics(picture))
}

func (pics Pictures) toAPIPublisherRef(p core.Publisher) api.PublisherRef {
	return api.PublisherRef{ID: p.ID, Slug: p.Slug, Name: p.Name, Website: optional(p.Website),
		Avatar: optional(p.Avatar), AvatarProxy: pics.proxy(p.Avatar)}
}

func (pics Pictures) toAPIChannelRef(c core.ChannelRef) api.ChannelRef {
	return api.ChannelRef{ID: c.ID, PublisherSlug: c.PublisherSlug, Slug: c.Slug, Name: c.Name, Icon: optional(c.Icon),
		IconProxy: pics.proxy(c.Icon), Private: optional(c.Private)}
}
