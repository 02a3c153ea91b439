package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type category struct {
	ID, Slug, Name         string
	Position, ChannelCount int
}

func TestCategoryLife(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, eva := s.SignIn(t, "ana@example.com"), s.SignIn(t, servertest.Operator)
	var made, again, is category
	body := object{"slug": "passatempos", "name": "Passatempos", "position": 1000}
	ana.Do(http.MethodPost, "/categories", body, 403, nil)
	a := send(t, eva, http.MethodPost, "/categories", body, 201, &made, "Idempotency-Key", "k")
	version := a.wantNewVersion("")
	check.Equal(t, "new category", made,
		category{ID: made.ID, Slug: "passatempos", Name: "Passatempos", Position: 1000})
	a.wantHeader("Location", "/api/v1/categories/"+made.ID)
	send(t, eva, http.MethodPost, "/categories", body, 201, &again, "Idempotency-Key", "k").wantReplayed()
	check.Equal(t, "replayed category", again, made)
	send(t, eva, http.MethodPost, "/categories", body, 409, nil).wantCode("slug_taken")
	eva.Do(http.MethodPost, "/categories", object{"slug": "x", "name": "\u200b"}, 422, nil)
	var list page[category]
	ana.Do(http.MethodGet, "/categories?limit=100", nil, 200, &list)
	check.Equal(t, "last of the categories", list.Data[len(list.Data)-1], made)

	path := "/categories/" + made.ID
	send(t, ana, http.MethodGet, path, nil, 200, &is).wantHeader("ETag", version)
	check.Equal(t, "category", is, made)
	ana.Do(http.MethodGet, "/categories/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", nil, 404, nil)
	ana.Do(http.MethodPatch, path, object{"name": "x"}, 403, nil)
	ana.Do(http.MethodDelete, path, nil, 403, nil)
	a = send(t, eva, http.MethodPatch, path, object{"name": "Lazer", "slug": "lazer"}, 200, &is, "If-Match", version)
	a.wantNewVersion(version)
	check.Equal(t, "changed category", is, category{ID: made.ID, Slug: "lazer", Name: "Lazer", Position: 1000})
	send(t, eva, http.MethodPatch, path, object{"position": 1}, 412, nil, "If-Match", version)
	send(t, eva, http.MethodDelete, path, nil, 412, nil, "If-Match", version)

	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	ana.Do(http.MethodPost, "/channels", object{"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas",
		"categoryId": made.ID, "visibility": "unlisted"}, 201, nil)
	send(t, eva, http.MethodDelete, path, nil, 409, nil).wantCode("in_use")
	ana.Do(http.MethodDelete, "/channels/eletrico/linhas", nil, 204, nil)
	send(t, eva, http.MethodDelete, path, nil, 204, nil, "If-Match", a.Header.Get("ETag"))
	eva.Do(http.MethodDelete, path, nil, 404, nil)
	eva.Do(http.MethodPatch, path, object{"name": "x"}, 404, nil)
}
