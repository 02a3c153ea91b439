package sininhotest

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/sininho"
)

// page is a list as the API writes it.
type page[T any] struct {
	Data []T `json:"data"`
	Meta struct {
		Total      int    `json:"total"`
		NextCursor string `json:"nextCursor,omitzero"`
	} `json:"meta"`
}

// paged returns the part of a list that limit and offset select.
func paged[T any](r *request, all []T) *reply {
	from := min(number(r, "offset", 0), len(all))
	to := min(from+number(r, "limit", 10), len(all))
	p := page[T]{Data: append([]T{}, all[from:to]...)}
	p.Meta.Total = len(all)
	out := ok(p)
	if to > from && to < len(all) && to <= maxOffset {
		out.link = next(r, "offset", strconv.Itoa(to))
	}
	return out
}

// number reads a parameter that was validated before.
func number(r *request, name string, fallback int) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return fallback
	}
	return n
}

// next returns the Link header that leads to the next page.
func next(r *request, name, value string) string {
	query := r.URL.Query()
	query.Del("offset")
	query.Set(name, value)
	return fmt.Sprintf(`<%s>; rel="next"`, (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String())
}

// cursor is the position of a notification in a list: its time of publication and its id.
type cursor struct {
	at time.Time
	id uuid.UUID
}

func cursorOf(n sininho.Notification) cursor { return cursor{n.PublishedAt, uuid.MustParse(n.ID)} }

func (c cursor) String() string {
	b := binary.BigEndian.AppendUint64(nil, uint64(c.at.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(b, c.id[:]...))
}

// compare orders cursors in the order of lists, newest first.
func (c cursor) compare(other cursor) int {
	return cmp.Or(other.at.Compare(c.at), bytes.Compare(other.id[:], c.id[:]))
}

func parseCursor(s string) (cursor, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err == nil && len(b) == 24 {
		at := time.UnixMicro(int64(binary.BigEndian.Uint64(b))).UTC()
		if at.Year() >= 1970 && at.Year() <= 9999 {
			return cursor{at, uuid.UUID(b[8:])}, nil
		}
	}
	return cursor{}, invalid(sininho.FieldError{
		Pointer: "query:cursor", Code: "format", Detail: "is not a cursor from this server"})
}
