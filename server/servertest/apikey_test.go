package servertest_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/servertest"
)

type apiKey struct {
	ID, Name, Hint, Secret string
	Scopes                 []string
	ExpiresAt, LastUsedAt  *time.Time
}

func TestAPIKeyLife(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/api-keys"
	who := func(secret string, want int) {
		t.Helper()
		call(t, ana.Request(http.MethodGet, "/auth", nil), secret, want, nil)
	}
	keys := func() (list page[apiKey]) {
		t.Helper()
		ana.Do(http.MethodGet, path, nil, 200, &list)
		return list
	}
	var made, again apiKey
	body := object{"name": "CI", "scopes": []string{"read", "publish"}}
	a := asks(t, ana, http.MethodPost, path, body, 201, &made, "Idempotency-Key", "k")
	if !strings.HasPrefix(made.Secret, "snh_live_") || !strings.HasSuffix(made.Secret, made.Hint) || !slices.Equal(made.Scopes, []string{"read", "publish"}) ||
		a.Header.Get("Location") != "/api/v1"+path+"/"+made.ID {
		t.Errorf("%+v %v", made, a.Header)
	}
	if a := asks(t, ana, http.MethodPost, path, body, 201, &again, "Idempotency-Key", "k"); again.ID != made.ID || again.Secret != "" || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	for _, bad := range []object{{"name": " ", "scopes": []string{"read"}}, {"name": "CI", "scopes": []string{}}, {"name": "CI", "scopes": []string{"all"}},
		{"name": "CI", "scopes": []string{"read", "read"}}, {"name": "CI", "scopes": []string{"read"}, "expiresAt": "2020-01-01T00:00:00Z"}} {
		ana.Do(http.MethodPost, path, bad, 422, nil)
	}
	who(made.Secret, 200)
	if list := keys(); list.Meta.Total != 1 || list.Data[0].LastUsedAt == nil || list.Data[0].Secret != "" || list.Data[0].Hint != made.Hint {
		t.Errorf("%+v", list)
	}
	for _, what := range []string{"/publishers/eletrico/members", path} { // API keys cannot manage a publisher
		call(t, ana.Request(http.MethodGet, what, nil), made.Secret, 403, nil)
	}
	for range 2 {
		ana.Do(http.MethodDelete, path+"/"+made.ID, nil, 204, nil)
		who(made.Secret, 401)
	}
	if list := keys(); list.Meta.Total != 0 {
		t.Errorf("%+v", list)
	}
	ana.Do(http.MethodPost, path+"/"+made.ID+"/rotate", object{}, 404, nil)
	ana.Do(http.MethodDelete, "/publishers/demo/api-keys/"+made.ID, nil, 404, nil)
}

func TestRotateAPIKey(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/api-keys"
	ends := time.Now().Add(90 * 24 * time.Hour).UTC().Truncate(time.Second)
	var first, second, again, third apiKey
	ana.Do(http.MethodPost, path, object{"name": "CI", "scopes": []string{"read"}, "expiresAt": ends}, 201, &first)
	began := time.Now()
	rotate := path + "/" + first.ID + "/rotate"
	a := asks(t, ana, http.MethodPost, rotate, object{}, 201, &second, "Idempotency-Key", "k")
	if second.ID == first.ID || second.Secret == first.Secret || second.Name != "CI" || !slices.Equal(second.Scopes, first.Scopes) || !second.ExpiresAt.Equal(ends) ||
		a.Header.Get("Location") != "/api/v1"+path+"/"+second.ID {
		t.Errorf("%+v %v", second, a.Header)
	}
	if a := asks(t, ana, http.MethodPost, rotate, object{}, 201, &again, "Idempotency-Key", "k"); again.ID != second.ID || again.Secret != "" || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	for _, secret := range []string{first.Secret, second.Secret} {
		call(t, ana.Request(http.MethodGet, "/auth", nil), secret, 200, nil)
	}
	if a := asks(t, ana, http.MethodPost, rotate, object{}, 409, nil); a.Code != "already_rotated" {
		t.Errorf("rotated twice: %s", a.Code)
	}
	var list page[apiKey]
	ana.Do(http.MethodGet, path, nil, 200, &list)
	if list.Meta.Total != 2 || list.Data[0].ID != second.ID {
		t.Fatalf("%+v", list)
	}
	if left := list.Data[1].ExpiresAt.Sub(began); left < 24*time.Hour-time.Minute || left > 24*time.Hour+time.Minute {
		t.Errorf("the old one is good for %s", left)
	}
	ana.Do(http.MethodPost, path+"/"+second.ID+"/rotate", object{"oldExpiresAt": "2020-01-01T00:00:00Z"}, 201, &third)
	call(t, ana.Request(http.MethodGet, "/auth", nil), second.Secret, 401, nil)
	call(t, ana.Request(http.MethodGet, "/auth", nil), third.Secret, 200, nil)
	ana.Do(http.MethodPost, path+"/"+third.ID+"/rotate", object{"oldExpiresAt": "9999-12-31T23:00:00-05:00"}, 422, nil)
}
