package ntfy

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/compat"
)

// What is read of a channel's history.
const (
	pageSize = 100
	maxPages = 10 // so the newest 1,000 messages
)

// history sends what was published in a channel, the oldest first, and calls seen with each. Pages come newest first,
// so they are read back to the first that is wanted, and again on the way forward: one of them is in memory at a time.
func (s *server) history(r *http.Request, t topic, from since, seen func(api.Notification) error) error {
	if from.none {
		return nil
	}
	cursors := []string{""}
	for {
		page, err := s.page(r, t, cursors[len(cursors)-1], from)
		if err != nil {
			return err
		}
		if page.next != "" && len(cursors) < maxPages {
			cursors = append(cursors, page.next)
			continue
		}
		for i := len(cursors) - 1; ; i-- {
			for _, n := range slices.Backward(page.data) {
				if err := seen(n); err != nil {
					return err
				}
			}
			if i == 0 {
				return nil
			}
			if page, err = s.page(r, t, cursors[i-1], from); err != nil {
				return err
			}
		}
	}
}

// historyPage is a page of what is wanted, newest first. It has no next one when it has the oldest that is wanted.
type historyPage struct {
	data []api.Notification
	next string
}

func (s *server) page(r *http.Request, t topic, cursor string, from since) (historyPage, error) {
	query := url.Values{"limit": {strconv.Itoa(pageSize)}}
	if from.latest {
		query.Set("limit", "1")
	}
	if cursor != "" {
		query.Set("cursor", cursor)
	}
	var page api.NotificationPage
	list := compat.Call{Method: http.MethodGet, Path: t.path() + "/notifications", Query: query}
	_, err := s.API.Do(r, list, &page)
	if err != nil {
		return historyPage{}, err
	}
	if end := slices.IndexFunc(page.Data, from.ends); end >= 0 {
		return historyPage{data: page.Data[:end]}, nil
	}
	if from.latest {
		return historyPage{data: page.Data}, nil
	}
	return historyPage{page.Data, value(page.Meta.NextCursor)}, nil
}

// scheduled sends what is still to be published, to those who may see it.
func (s *server) scheduled(r *http.Request, t topic, seen func(api.Notification) error) error {
	var page api.NotificationPage
	status, err := s.API.Do(r, compat.Call{Method: http.MethodGet, Path: t.path() + "/notifications",
		Query: url.Values{"scheduled": {"true"}, "limit": {strconv.Itoa(pageSize)}}}, &page)
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return nil
	}
	for _, n := range page.Data {
		if err := seen(n); err != nil {
			return err
		}
	}
	return err
}
