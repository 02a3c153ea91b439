package servertest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sininho/sininho/server/servertest"
)

// answered is a response: its body and, for a problem, its code.
type answered struct {
	*http.Response
	Code string
	Body []byte
}

// call sends req with bearer as its bearer token, or unchanged when bearer is empty.
func call(t *testing.T, req *http.Request, bearer string, want int, out any) answered {
	t.Helper()
	if bearer != "" {
		req.Header.Del("Cookie")
		req.Header.Set("Authorization", "Bearer "+bearer)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // the body has been read in full
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != want {
		t.Fatalf("%s %s: %s, want %d: %s %v", req.Method, req.URL, res.Status, want, body, err)
	}
	a := answered{Response: res, Body: body}
	var problem struct{ Code string }
	if json.Unmarshal(body, &problem) == nil {
		a.Code = problem.Code
	}
	if out != nil {
		if err := json.Unmarshal(body, out); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
	}
	return a
}

// visit posts without a credential.
func visit(t *testing.T, s *servertest.Server, path string, body any, want int, out any) answered {
	t.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/v1"+path, bytes.NewReader(b))
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	return call(t, req, "", want, out)
}

type token struct {
	ID, Name, Hint, Secret string
	LastUsedAt             *time.Time
	ExpiresAt              time.Time
}

type tokens struct {
	Data []token
	Meta struct{ Total int }
}

func newToken(t *testing.T, p *servertest.Subscriber, name string) (made token) {
	t.Helper()
	p.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": name}, http.StatusCreated, &made)
	return made
}

func TestAccessTokens(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	create := func(key, name string, want int) (made token, a answered) {
		req := ana.Request(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": name})
		req.Header.Set("Idempotency-Key", key)
		a = call(t, req, "", want, &made)
		return made, a
	}
	made, a := create("k", "CLI", http.StatusCreated)
	if !strings.HasPrefix(made.Secret, "sna_live_") || !strings.HasSuffix(made.Secret, made.Hint) || a.Header.Get("Location") != "/api/v1/subscribers/access-tokens/"+made.ID {
		t.Errorf("%+v %v", made, a.Header)
	}
	if again, a := create("k", "CLI", http.StatusCreated); again.ID != made.ID || again.Secret != "" || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	create("k", "other", http.StatusUnprocessableEntity)
	ana.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": "CLI", "expiresAt": "2020-01-01T00:00:00Z"}, http.StatusUnprocessableEntity, nil)
	ana.Do(http.MethodPost, "/subscribers/access-tokens", map[string]string{"name": " "}, http.StatusUnprocessableEntity, nil)

	var me struct{ Email string }
	call(t, ana.Request(http.MethodGet, "/subscribers/me", nil), made.Secret, http.StatusOK, &me)
	if me.Email != "ana@example.com" {
		t.Errorf("%+v", me)
	}
	var list tokens
	call(t, ana.Request(http.MethodGet, "/subscribers/access-tokens", nil), made.Secret, http.StatusOK, &list)
	if list.Meta.Total != 1 || list.Data[0].LastUsedAt == nil || list.Data[0].Secret != "" {
		t.Errorf("%+v", list)
	}
	device := map[string]string{"installationId": "installation-cli", "kind": "token", "address": "token-cli", "platform": "web", "name": "CLI"}
	call(t, ana.Request(http.MethodPost, "/subscribers/devices", device), made.Secret, http.StatusCreated, nil)

	soon := time.Now().Add(time.Hour).Truncate(time.Microsecond)
	var brief token
	call(t, ana.Request(http.MethodPost, "/subscribers/access-tokens", map[string]any{"name": "brief", "expiresAt": soon}), "", http.StatusCreated, &brief)
	for expiry, want := range map[time.Duration]int{0: http.StatusCreated, time.Second: http.StatusUnprocessableEntity} {
		longer := map[string]any{"name": "longer", "expiresAt": soon.Add(expiry)}
		var outlives token
		call(t, ana.Request(http.MethodPost, "/subscribers/access-tokens", longer), brief.Secret, want, &outlives)
		if outlives.ID != "" {
			ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+outlives.ID, nil, http.StatusNoContent, nil)
		}
	}
	var inherits token
	call(t, ana.Request(http.MethodPost, "/subscribers/access-tokens", map[string]any{"name": "endless"}), brief.Secret, http.StatusCreated, &inherits)
	if !inherits.ExpiresAt.Equal(soon) {
		t.Errorf("a token created by one that ends at %s ends at %s", soon, inherits.ExpiresAt)
	}
	ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+inherits.ID, nil, http.StatusNoContent, nil)
	ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+brief.ID, nil, http.StatusNoContent, nil)

	rui.Do(http.MethodDelete, "/subscribers/access-tokens/"+made.ID, nil, http.StatusNotFound, nil)
	for range 2 {
		ana.Do(http.MethodDelete, "/subscribers/access-tokens/"+made.ID, nil, http.StatusNoContent, nil)
	}
	call(t, ana.Request(http.MethodGet, "/auth", nil), made.Secret, http.StatusUnauthorized, nil)
	ana.Do(http.MethodGet, "/subscribers/access-tokens", nil, http.StatusOK, &list)
	if list.Meta.Total != 0 {
		t.Errorf("%+v", list)
	}
}

func execute(t *testing.T, s *servertest.Server, query string, args ...any) {
	t.Helper()
	db, err := pgx.Connect(t.Context(), s.DatabaseURL)
	if err != nil {
		t.Fatalf("connect to the database: %v", err)
	}
	_, err = db.Exec(t.Context(), query, args...)
	if err := errors.Join(err, db.Close(t.Context())); err != nil {
		t.Fatalf("close the database connection: %v", err)
	}
}

type quietHours struct {
	Start string `json:"start,omitempty"`
	End   string `json:"end,omitempty"`
}

type profile struct {
	Name, Locale, Timezone, BellDefault string
	QuietHours                          *quietHours
}

func TestProfile(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var me profile
	first := call(t, ana.Request(http.MethodGet, "/subscribers/me", nil), "", http.StatusOK, &me)
	if me.BellDefault != "all" || me.QuietHours != nil || first.Header.Get("ETag") == "" {
		t.Errorf("%+v %v", me, first.Header)
	}
	patch := func(body any, etag string, want int, out any) answered {
		t.Helper()
		req := ana.Request(http.MethodPatch, "/subscribers/me", body)
		if etag != "" {
			req.Header.Set("If-Match", etag)
		}
		return call(t, req, "", want, out)
	}
	me = profile{}
	changed := patch(map[string]any{"name": "Ana Maria", "timezone": "Atlantic/Azores", "bellDefault": "important", "quietHours": quietHours{"22:00", "07:00"}},
		first.Header.Get("ETag"), http.StatusOK, &me)
	if me.Name != "Ana Maria" || me.Timezone != "Atlantic/Azores" || me.BellDefault != "important" || *me.QuietHours != (quietHours{"22:00", "07:00"}) {
		t.Errorf("%+v", me)
	}
	patch(map[string]any{"name": "x"}, first.Header.Get("ETag"), http.StatusPreconditionFailed, nil)
	for _, bad := range []map[string]any{
		{}, {"name": " "}, {"locale": "pt_PT"}, {"timezone": "Local"}, {"timezone": ""}, {"timezone": "Lisboa"}, {"bellDefault": "loud"}, {"email": "x@example.com"},
		{"quietHours": quietHours{"22:00", "22:00"}}, {"quietHours": quietHours{"24:00", "07:00"}}, {"quietHours": quietHours{Start: "22:00"}},
	} {
		patch(bad, "", http.StatusUnprocessableEntity, nil)
	}
	again := s.SignIn(t, "ana@example.com")
	me = profile{}
	now := call(t, again.Request(http.MethodGet, "/subscribers/me", nil), "", http.StatusOK, &me)
	if me.Name != "Ana Maria" || now.Header.Get("ETag") != changed.Header.Get("ETag") {
		t.Errorf("after signing in again: %+v %v", me, now.Header)
	}
	me = profile{}
	if patch(map[string]any{"quietHours": nil}, now.Header.Get("ETag"), http.StatusOK, &me); me.QuietHours != nil || me.Name != "Ana Maria" {
		t.Errorf("%+v", me)
	}
}

func TestDeleteMe(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var before, after struct{ SubscriberCount int }
	ana.Do(http.MethodGet, "/channels/demo/novidades", nil, http.StatusOK, &before)
	ana.Follow("demo/novidades")
	ana.Device("token-ana")
	bearer := newToken(t, ana, "CLI").Secret
	join := "insert into publisher_members (publisher_id, subscriber_id, role) select p.id, s.id, 'owner' from publishers p, subscribers s where p.slug = 'demo' and s.email = $1"
	execute(t, s, join, "ana@example.com")
	a := call(t, ana.Request(http.MethodDelete, "/subscribers/me", nil), bearer, http.StatusConflict, nil)
	if a.Code != "last_owner" || !bytes.Contains(a.Body, []byte("demo")) {
		t.Errorf("%s", a.Body)
	}
	s.SignIn(t, "rui@example.com")
	execute(t, s, join, "rui@example.com")
	a = call(t, ana.Request(http.MethodDelete, "/subscribers/me", nil), bearer, http.StatusNoContent, nil)
	if c := a.Cookies(); len(c) != 1 || c[0].MaxAge >= 0 {
		t.Errorf("the cookie stays: %v", c)
	}
	call(t, ana.Request(http.MethodGet, "/subscribers/me", nil), bearer, http.StatusUnauthorized, nil)
	ana.Do(http.MethodGet, "/subscribers/me", nil, http.StatusUnauthorized, nil)
	ana.Do(http.MethodGet, "/channels/demo/novidades", nil, http.StatusOK, &after) // as a visitor
	if after != before {
		t.Errorf("%+v, were %+v", after, before)
	}
	anew := s.SignIn(t, "ana@example.com")
	var following tokens
	if anew.Do(http.MethodGet, "/subscribers/channels", nil, http.StatusOK, &following); following.Meta.Total != 0 {
		t.Errorf("%+v", following)
	}
}

// TestSigningOutUnbinds expects signing out to remove every device that the session registered, and no other.
func TestSigningOutUnbinds(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, again := s.SignIn(t, "ana@example.com"), s.SignIn(t, "ana@example.com")
	ana.Device("token-1")
	ana.Device("token-2")
	kept := again.Device("token-3")
	ana.Do(http.MethodDelete, "/auth", nil, http.StatusNoContent, nil)
	var list struct{ Data []struct{ ID string } }
	again.Do(http.MethodGet, "/subscribers/devices", nil, http.StatusOK, &list)
	if len(list.Data) != 1 || list.Data[0].ID != kept {
		t.Errorf("%+v", list)
	}
}

func TestExportMe(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Follow("demo/novidades")
	device := ana.Device("token-ana")
	newToken(t, ana, "CLI")
	var list struct{ Data []struct{ ID string } }
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &list)
	ana.Do(http.MethodPatch, "/subscribers/notifications/"+list.Data[0].ID, map[string]bool{"archived": true}, http.StatusOK, nil)
	execute(t, s, "insert into publisher_members (publisher_id, subscriber_id, role) select p.id, s.id, 'editor' from publishers p, subscribers s where p.slug = 'demo'")
	var e struct {
		ExportedAt    time.Time
		Subscriber    struct{ Email string }
		GoogleSubject string
		Onboarding    struct{ Step string }
		Subscriptions []struct{ Channel struct{ Slug string } }
		Receipts      []struct {
			NotificationID string
			ArchivedAt     *time.Time
		}
		Devices      []struct{ ID string }
		Sessions     []struct{ CreatedAt, LastSeenAt time.Time }
		AccessTokens []token
		Publishers   []struct {
			Slug, Role   string
			ChannelCount int
		}
	}
	a := call(t, ana.Request(http.MethodGet, "/subscribers/me/export", nil), "", http.StatusOK, &e)
	if e.ExportedAt.IsZero() || e.Subscriber.Email != "ana@example.com" || e.GoogleSubject == "" || e.Onboarding.Step != "interests" ||
		len(e.Subscriptions) != 1 || e.Subscriptions[0].Channel.Slug != "novidades" ||
		len(e.Receipts) != 1 || e.Receipts[0].NotificationID != list.Data[0].ID || e.Receipts[0].ArchivedAt == nil ||
		len(e.Devices) != 1 || e.Devices[0].ID != device || len(e.Sessions) != 1 || e.Sessions[0].LastSeenAt.IsZero() ||
		len(e.AccessTokens) != 1 || e.AccessTokens[0].Name != "CLI" || e.AccessTokens[0].Secret != "" ||
		len(e.Publishers) != 1 || e.Publishers[0].Slug != "demo" || e.Publishers[0].Role != "editor" || e.Publishers[0].ChannelCount == 0 {
		t.Errorf("%s", a.Body)
	}
}

func TestOneNotificationOfTheFeed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana@example.com"), s.SignIn(t, "rui@example.com")
	ana.Follow("demo/novidades")
	var list, one struct {
		ID, Title string
		ReadAt    *time.Time
		Data      []struct{ ID, Title string }
	}
	ana.Do(http.MethodGet, "/subscribers/notifications", nil, http.StatusOK, &list)
	path := "/subscribers/notifications/" + list.Data[0].ID
	ana.Do(http.MethodGet, path, nil, http.StatusOK, &one)
	if one.ID != list.Data[0].ID || one.Title != list.Data[0].Title || one.ReadAt == nil {
		t.Errorf("%+v", one)
	}
	rui.Do(http.MethodGet, path, nil, http.StatusNotFound, nil)
	if err := s.Client().Notifications.Withdraw(t.Context(), "demo/novidades", one.ID); err != nil {
		t.Fatalf("withdraw: %v", err)
	}
	ana.Do(http.MethodGet, path, nil, http.StatusNotFound, nil)
}
