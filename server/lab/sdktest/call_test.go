package sdktest_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/check"
)

// testCall sends requests by hand, and pages.
func testCall(t *testing.T, f *fixture) {
	ctx := t.Context()
	path := "/channels/" + f.channel + "/notifications"
	for _, title := range []string{"a", "b", "c"} {
		var n sininho.Notification
		in := map[string]string{"title": title, "externalId": "id-" + title}
		header, err := f.key.Call(ctx, http.MethodPost, path, in, &n)
		if err != nil {
			t.Fatalf("publish by hand: %v", err)
		}
		check.Equal(t, "title", n.Title, title)
		check.Equal(t, "has a version", header.Get("ETag") != "", true)
	}
	var list struct{ Data []sininho.Notification }
	if _, err := f.visitor().Call(ctx, http.MethodGet, path+"?limit=2", nil, &list); err != nil {
		t.Fatalf("list by hand: %v", err)
	}
	check.Equal(t, "listed", len(list.Data), 2)
	_, err := f.key.Call(ctx, http.MethodPost, path, map[string]string{}, nil)
	if refusal, ok := errors.AsType[*sininho.Error](err); !ok || refusal.Status != http.StatusUnprocessableEntity {
		t.Errorf("publish nothing by hand: got %v, want an *Error", err)
	}
	for _, bad := range []string{"channels", "https://attacker.example/channels", "//attacker.example/x", "%"} {
		if _, err := f.key.Call(ctx, http.MethodGet, bad, nil, nil); !errors.Is(err, sininho.ErrInvalid) {
			t.Errorf("call %s: got %v, want %v", bad, err, sininho.ErrInvalid)
		}
	}

	titles := ""
	for cursor := ""; ; {
		page, err := f.key.Notifications.Page(ctx, f.channel, cursor, sininho.ListOptions{PageSize: 2})
		if err != nil {
			t.Fatalf("get a page: %v", err)
		}
		check.Equal(t, "total", page.Total, 3)
		for _, n := range page.Data {
			titles += n.Title
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	check.Equal(t, "titles of all pages", titles, "cba")

	found, err := f.key.Notifications.GetByExternalID(ctx, f.channel, "id-b")
	if err != nil {
		t.Fatalf("get by the external id: %v", err)
	}
	check.Equal(t, "found", found.Title, "b")
	if _, err := f.key.Notifications.GetByExternalID(ctx, f.channel, "none"); !errors.Is(err, sininho.ErrNotFound) {
		t.Errorf("get by an unknown id: got %v, want %v", err, sininho.ErrNotFound)
	}
}
