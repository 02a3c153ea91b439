package servertest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
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
	auth := func(secret string, want int) {
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
	a := send(t, ana, http.MethodPost, path, body, 201, &made, "Idempotency-Key", "k")
	wantSecret(t, made.Secret, "snh_live_", made.Hint)
	check.Equal(t, "scopes of a new key", made.Scopes, []string{"read", "publish"})
	a.wantHeader("Location", "/api/v1"+path+"/"+made.ID)
	send(t, ana, http.MethodPost, path, body, 201, &again, "Idempotency-Key", "k").wantReplayed()
	check.Equal(t, "id of the replayed key", again.ID, made.ID)
	check.Equal(t, "secret of the replayed key", again.Secret, "")
	for _, bad := range []object{
		{"name": " ", "scopes": []string{"read"}}, {"name": "CI", "scopes": []string{}},
		{"name": "CI", "scopes": []string{"all"}},
		{"name": "CI", "scopes": []string{"read", "read"}},
		{"name": "CI", "scopes": []string{"read"}, "expiresAt": "2020-01-01T00:00:00Z"},
	} {
		ana.Do(http.MethodPost, path, bad, 422, nil)
	}
	auth(made.Secret, 200)
	list := keys()
	if list.Meta.Total != 1 || list.Data[0].LastUsedAt == nil {
		t.Fatalf("keys: got %+v, want one that was used", list)
	}
	check.Equal(t, "secret of a listed key", list.Data[0].Secret, "")
	check.Equal(t, "hint of a listed key", list.Data[0].Hint, made.Hint)
	for _, managed := range []string{"/publishers/eletrico/members", path} { // API keys cannot manage a publisher
		call(t, ana.Request(http.MethodGet, managed, nil), made.Secret, 403, nil)
	}
	for range 2 {
		ana.Do(http.MethodDelete, path+"/"+made.ID, nil, 204, nil)
		auth(made.Secret, 401)
	}
	check.Equal(t, "number of keys after the last was revoked", keys().Meta.Total, 0)
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
	a := send(t, ana, http.MethodPost, rotate, object{}, 201, &second, "Idempotency-Key", "k")
	if second.ID == first.ID || second.Secret == first.Secret {
		t.Errorf("rotated key: got %+v, want another id and secret than those of %+v", second, first)
	}
	check.Equal(t, "rotated key", second, apiKey{ID: second.ID, Name: "CI", Hint: second.Hint, Secret: second.Secret,
		Scopes: first.Scopes, ExpiresAt: &ends})
	a.wantHeader("Location", "/api/v1"+path+"/"+second.ID)
	send(t, ana, http.MethodPost, rotate, object{}, 201, &again, "Idempotency-Key", "k").wantReplayed()
	check.Equal(t, "id of the replayed rotation", again.ID, second.ID)
	check.Equal(t, "secret of the replayed rotation", again.Secret, "")
	for _, secret := range []string{first.Secret, second.Secret} {
		call(t, ana.Request(http.MethodGet, "/auth", nil), secret, 200, nil)
	}
	send(t, ana, http.MethodPost, rotate, object{}, 409, nil).wantCode("already_rotated")
	var list page[apiKey]
	ana.Do(http.MethodGet, path, nil, 200, &list)
	if list.Meta.Total != 2 || list.Data[0].ID != second.ID {
		t.Fatalf("keys after a rotation: got %+v, want two, the new one %s first", list, second.ID)
	}
	if left := list.Data[1].ExpiresAt.Sub(began); left < 24*time.Hour-time.Minute || left > 24*time.Hour+time.Minute {
		t.Errorf("validity of the old key: got %s, want about a day", left)
	}
	ana.Do(http.MethodPost, path+"/"+second.ID+"/rotate", object{"oldExpiresAt": "2020-01-01T00:00:00Z"}, 201, &third)
	call(t, ana.Request(http.MethodGet, "/auth", nil), second.Secret, 401, nil)
	call(t, ana.Request(http.MethodGet, "/auth", nil), third.Secret, 200, nil)
	ana.Do(http.MethodPost, path+"/"+third.ID+"/rotate", object{"oldExpiresAt": "9999-12-31T23:00:00-05:00"}, 422, nil)
}
