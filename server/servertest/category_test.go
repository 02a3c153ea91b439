package servertest_test

import (
	"net/http"
	"testing"

	"github.com/sininho/sininho/server/servertest"
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
	a := asks(t, eva, http.MethodPost, "/categories", body, 201, &made, "Idempotency-Key", "k")
	version := a.Header.Get("ETag")
	if made.Slug != "passatempos" || made.Position != 1000 || version == "" || a.Header.Get("Location") != "/api/v1/categories/"+made.ID {
		t.Errorf("%+v %v", made, a.Header)
	}
	if a := asks(t, eva, http.MethodPost, "/categories", body, 201, &again, "Idempotency-Key", "k"); again != made || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	if a := asks(t, eva, http.MethodPost, "/categories", body, 409, nil); a.Code != "slug_taken" {
		t.Error(a.Code)
	}
	eva.Do(http.MethodPost, "/categories", object{"slug": "x", "name": "\u200b"}, 422, nil)
	var list page[category]
	ana.Do(http.MethodGet, "/categories?limit=100", nil, 200, &list)
	if last := list.Data[len(list.Data)-1]; last != made {
		t.Errorf("%+v", list)
	}

	path := "/categories/" + made.ID
	if a := asks(t, ana, http.MethodGet, path, nil, 200, &is); is != made || a.Header.Get("ETag") != version {
		t.Errorf("%+v %v", is, a.Header)
	}
	ana.Do(http.MethodGet, "/categories/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", nil, 404, nil)
	ana.Do(http.MethodPatch, path, object{"name": "x"}, 403, nil)
	ana.Do(http.MethodDelete, path, nil, 403, nil)
	a = asks(t, eva, http.MethodPatch, path, object{"name": "Lazer", "slug": "lazer"}, 200, &is, "If-Match", version)
	if is.Name != "Lazer" || is.Slug != "lazer" || is.Position != 1000 || a.Header.Get("ETag") == version {
		t.Errorf("%+v %v", is, a.Header)
	}
	asks(t, eva, http.MethodPatch, path, object{"position": 1}, 412, nil, "If-Match", version)
	asks(t, eva, http.MethodDelete, path, nil, 412, nil, "If-Match", version)

	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	ana.Do(http.MethodPost, "/channels", object{"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": made.ID, "visibility": "unlisted"}, 201, nil)
	if a := asks(t, eva, http.MethodDelete, path, nil, 409, nil); a.Code != "in_use" {
		t.Error(a.Code)
	}
	ana.Do(http.MethodDelete, "/channels/eletrico/linhas", nil, 204, nil)
	asks(t, eva, http.MethodDelete, path, nil, 204, nil, "If-Match", a.Header.Get("ETag"))
	eva.Do(http.MethodDelete, path, nil, 404, nil)
	eva.Do(http.MethodPatch, path, object{"name": "x"}, 404, nil)
}
