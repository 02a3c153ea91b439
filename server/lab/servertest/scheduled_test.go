package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestScheduled lists scheduled notifications, for callers who may and may not see them.
func TestScheduled(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	var categories page[object]
	ana.Do(http.MethodGet, "/categories", nil, 200, &categories)
	lines := object{
		"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": categories.Data[0]["id"],
	}
	ana.Do(http.MethodPost, "/channels", lines, 201, nil)
	const path = "/channels/eletrico/linhas/notifications"
	type item struct{ ID, Title, ScheduledAt, PublishedAt string }
	var first, second item
	var third, gone item
	ana.Do(http.MethodPost, path, object{"title": "third", "scheduledAt": in(72)}, 201, &third)
	ana.Do(http.MethodPost, path, object{"title": "first", "scheduledAt": in(24)}, 201, &first)
	ana.Do(http.MethodPost, path, object{"title": "second", "scheduledAt": in(48)}, 201, &second)
	ana.Do(http.MethodPost, path, object{"title": "withdrawn", "scheduledAt": in(1)}, 201, &gone)
	ana.Do(http.MethodDelete, path+"/"+gone.ID, nil, 204, nil)
	ana.Do(http.MethodPost, path, object{"title": "published"}, 201, nil)

	var list page[item]
	a := send(t, ana, http.MethodGet, path+"?scheduled=true&limit=2", nil, 200, &list)
	check.Equal(t, "publishedAt of a scheduled notification", first.PublishedAt, "")
	check.Equal(t, "first page of scheduled notifications", list.Data, []item{first, second})
	check.Equal(t, "number of scheduled notifications", list.Meta.Total, 3)
	a.wantHeader("Link", `</api/v1`+path+`?limit=2&offset=2&scheduled=true>; rel="next"`)
	list = page[item]{}
	send(t, ana, http.MethodGet, path+"?scheduled=true&limit=2&offset=2", nil, 200, &list).wantHeader("Link", "")
	check.Equal(t, "last page of scheduled notifications", list.Data, []item{third})
	ana.Do(http.MethodGet, path+"?scheduled=false", nil, 200, &list)
	if list.Meta.Total != 1 || list.Data[0].Title != "published" {
		t.Errorf("published notifications: got %+v, want the one that is not scheduled", list)
	}
	ana.Do(http.MethodGet, path+"?scheduled=maybe", nil, 422, nil)
	ana.Do(http.MethodGet, path+"?scheduled=true&cursor=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", nil, 422, nil)

	rui.Do(http.MethodGet, path+"?scheduled=true", nil, 404, nil)
	visitor, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/v1"+path+"?scheduled=true", nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	call(t, visitor, "", http.StatusUnauthorized, nil)
	for scope, want := range map[string]int{"read": 200, "publish": 200, "channels": 403} {
		var key apiKey
		ana.Do(http.MethodPost, "/publishers/eletrico/api-keys",
			object{"name": scope, "scopes": []string{scope}}, 201, &key)
		call(t, ana.Request(http.MethodGet, path+"?scheduled=true", nil), key.Secret, want, nil)
	}
}
