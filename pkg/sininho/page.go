package sininho

import (
	"fmt"
	"iter"
	"net/http"
)

const (
	defaultPageSize = 50
	maxPageSize     = 100
)

type page[T any] struct {
	Data []T `json:"data"`
	Meta struct {
		Total int64 `json:"total"`
	} `json:"meta"`
}

// pageSize checks the size of a page. 0 means the default.
func pageSize(n int) (int32, error) {
	if n == 0 {
		return defaultPageSize, nil
	}
	if n < 1 || n > maxPageSize {
		return 0, inputFault("query:limit", "out_of_range", fmt.Sprintf("must be 1 to %d, not %d", maxPageSize, n))
	}
	return int32(n), nil
}

// failed returns an iterator that only yields err.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, err)
	}
}

// listed iterates over a list by offset, in pages of the largest size.
func listed[T any](id func(T) string, fetch func(limit, offset *int32) (*http.Response, error)) iter.Seq2[T, error] {
	size := int32(maxPageSize)
	return eachOffset(id, func(offset int32) (*page[T], error) {
		return decode[page[T]](fetch(&size, &offset)) //nolint:bodyclose // decode closes it
	})
}

// eachPage iterates over pages, each of which has the cursor of the next.
func eachPage(fetch func(cursor string) (*NotificationPage, error)) iter.Seq2[Notification, error] {
	return func(yield func(Notification, error) bool) {
		cursor := ""
		for {
			page, err := fetch(cursor)
			if err != nil {
				yield(Notification{}, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if page.NextCursor == "" {
				return
			}
			if page.NextCursor == cursor {
				err := fmt.Errorf("sininho: %w: the cursor of a page leads back to that page", errResponse)
				yield(Notification{}, err)
				return
			}
			cursor = page.NextCursor
		}
	}
}

// eachOffset iterates over pages by offset and skips repeated items, because items may move between two requests. A
// page may have fewer items than were asked for, because of their size.
func eachOffset[T any](id func(T) string, fetch func(offset int32) (*page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seen := map[string]bool{}
		for offset := int32(0); ; {
			got, err := fetch(offset)
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			for _, item := range got.Data {
				if seen[id(item)] {
					continue
				}
				seen[id(item)] = true
				if !yield(item, nil) {
					return
				}
			}
			offset += int32(len(got.Data)) //nolint:gosec // at most a page
			if len(got.Data) == 0 || int64(offset) >= got.Meta.Total {
				return
			}
		}
	}
}
