package servertest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/servertest"
)

// in returns the time in that many hours.
func in(hours int) string {
	return time.Now().Add(time.Duration(hours) * time.Hour).UTC().Format(time.RFC3339)
}

type receipt struct {
	NotificationID string
	Duplicate      bool
}

// post sends a body to a webhook's address.
func post(t *testing.T, address, body string, header http.Header) (status int, got receipt) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	if header != nil {
		req.Header = header.Clone()
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("%s %s: %v", req.Method, req.URL, err)
	}
	defer res.Body.Close() // only the start of the body is needed
	_ = json.NewDecoder(res.Body).Decode(&got)
	return res.StatusCode, got
}

func sign(t *testing.T, id, body, secret string) http.Header {
	t.Helper()
	header, err := webhook.Sign(webhook.Message{ID: id, Timestamp: time.Now(), Body: []byte(body)}, secret)
	if err != nil {
		t.Fatalf("sign: %v", err)
	}
	return header
}

type hook struct {
	ID, Name, URL, Secret string
	Signed                bool
	LastEventAt           *time.Time
}

func TestWebhookLife(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades/webhooks"
	const body = `{"title":"x"}`
	var made, again, got hook
	a := as(t, ana, s, http.MethodPost, path, map[string]any{"name": "CI"}, http.StatusCreated, &made, "Idempotency-Key", "k")
	if !made.Signed || !strings.HasPrefix(made.Secret, "whsec_") || !strings.HasPrefix(made.URL, s.URL+"/api/v1/webhooks/channels/") ||
		a.Header.Get("Location") != "/api/v1"+path+"/"+made.ID || a.Header.Get("ETag") == "" {
		t.Fatalf("%+v %v", made, a.Header)
	}
	version := a.Header.Get("ETag")
	a = as(t, ana, s, http.MethodPost, path, map[string]any{"name": "CI"}, http.StatusCreated, &again, "Idempotency-Key", "k")
	if again.ID != made.ID || again.URL != made.URL || again.Secret != "" || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	as(t, ana, s, http.MethodPost, path, map[string]any{"name": " "}, http.StatusUnprocessableEntity, nil)

	one := path + "/" + made.ID
	expect := func(what string, want int, address string, header http.Header) {
		t.Helper()
		if status, _ := post(t, address, body, header); status != want {
			t.Errorf("%s: %d, want %d", what, status, want)
		}
	}
	expect("signed", http.StatusAccepted, made.URL, sign(t, "e1", body, made.Secret))
	expect("unsigned", http.StatusUnauthorized, made.URL, nil)
	a = as(t, ana, s, http.MethodGet, one, nil, http.StatusOK, &got)
	if got.LastEventAt == nil || got.Secret != "" || a.Header.Get("ETag") != version {
		t.Errorf("%+v %v", got, a.Header)
	}
	a = as(t, ana, s, http.MethodPatch, one, map[string]any{"name": "Outro"}, http.StatusOK, &got, "If-Match", version)
	if got.Name != "Outro" || a.Header.Get("ETag") == version {
		t.Errorf("%+v", got)
	}
	as(t, ana, s, http.MethodPatch, one, map[string]any{"name": "Tarde"}, http.StatusPreconditionFailed, nil, "If-Match", version)

	var rotated, moved hook
	as(t, ana, s, http.MethodPost, one+"/rotate", map[string]any{"what": "secret"}, http.StatusOK, &rotated, "Idempotency-Key", "r")
	a = as(t, ana, s, http.MethodPost, one+"/rotate", map[string]any{"what": "secret"}, http.StatusOK, &again, "Idempotency-Key", "r")
	if again.ID != made.ID || again.Secret != "" || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("rotation repeated: %+v", again)
	}
	if rotated.Secret == made.Secret || rotated.URL != made.URL {
		t.Errorf("%+v", rotated)
	}
	expect("by the old secret", http.StatusAccepted, made.URL, sign(t, "e2", body, made.Secret))
	expect("by the new secret", http.StatusAccepted, made.URL, sign(t, "e3", body, rotated.Secret))
	expect("by no secret of it", http.StatusUnauthorized, made.URL, sign(t, "e4", body, webhook.NewSecret()))
	as(t, ana, s, http.MethodPost, one+"/rotate", map[string]any{"what": "address"}, http.StatusOK, &moved)
	if moved.Secret != "" || moved.URL == made.URL {
		t.Errorf("%+v", moved)
	}
	expect("at the old address", http.StatusNotFound, made.URL, sign(t, "e5", body, rotated.Secret))
	expect("at the new address", http.StatusAccepted, moved.URL, sign(t, "e5", body, rotated.Secret))

	as(t, ana, s, http.MethodDelete, one, nil, http.StatusPreconditionFailed, nil, "If-Match", version)
	as(t, ana, s, http.MethodDelete, one, nil, http.StatusNoContent, nil)
	as(t, ana, s, http.MethodDelete, one, nil, http.StatusNotFound, nil)
	expect("after the end", http.StatusNotFound, moved.URL, sign(t, "e6", body, rotated.Secret))
	ana.Do(http.MethodGet, path, nil, http.StatusNotFound, nil) // not a member
}

func TestWebhookList(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades/webhooks"
	var open hook
	as(t, ana, s, http.MethodPost, path, map[string]any{"name": "aberto", "signed": false}, http.StatusCreated, &open)
	if open.Signed || open.Secret != "" {
		t.Errorf("%+v", open)
	}
	if status, _ := post(t, open.URL, `{"title":"x"}`, nil); status != http.StatusAccepted {
		t.Error(status)
	}
	as(t, ana, s, http.MethodPost, path+"/"+open.ID+"/rotate", map[string]any{"what": "secret"}, http.StatusUnprocessableEntity, nil)
	for i := range 49 {
		as(t, ana, s, http.MethodPost, path, map[string]any{"name": fmt.Sprint(i)}, http.StatusCreated, nil)
	}
	if a := as(t, ana, s, http.MethodPost, path, map[string]any{"name": "x"}, http.StatusUnprocessableEntity, nil); a.Code != "too_many" {
		t.Errorf("%s", a.Body)
	}
	var list struct {
		Data []hook
		Meta struct{ Total int }
	}
	a := as(t, ana, s, http.MethodGet, path+"?limit=2", nil, http.StatusOK, &list)
	if list.Meta.Total != 50 || len(list.Data) != 2 || list.Data[0].ID != open.ID || a.Header.Get("Link") == "" {
		t.Errorf("%+v %v", list, a.Header)
	}
}

func TestWebhookEvents(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades/webhooks"
	var made hook
	as(t, ana, s, http.MethodPost, path, map[string]any{"name": "CI"}, http.StatusCreated, &made)
	send := func(id, body, secret string, want int) receipt {
		t.Helper()
		status, got := post(t, made.URL, body, sign(t, id, body, secret))
		if status != want {
			t.Errorf("%s %s: %d, want %d", id, body, status, want)
		}
		return got
	}
	send("forged", `{"title":"x"}`, webhook.NewSecret(), http.StatusUnauthorized)
	send("forged", `[]`, webhook.NewSecret(), http.StatusUnauthorized)
	send("mended", `{"title":""}`, made.Secret, http.StatusUnprocessableEntity)
	send("list", `[]`, made.Secret, http.StatusUnprocessableEntity)
	send("broken", `{`, made.Secret, http.StatusBadRequest)
	published := send("mended", `{"title":"x"}`, made.Secret, http.StatusAccepted)
	if again := send("mended", `{"title":"x"}`, made.Secret, http.StatusAccepted); !again.Duplicate || again.NotificationID != published.NotificationID {
		t.Errorf("%+v, then %+v", published, again)
	}
	var list struct {
		Data []struct {
			ID, Outcome, NotificationID, Detail string
			ReceivedAt                          time.Time
		}
		Meta struct{ Total int }
	}
	events := path + "/" + made.ID + "/events"
	as(t, ana, s, http.MethodGet, events, nil, http.StatusOK, &list)
	if list.Meta.Total != 3 || len(list.Data) != 3 {
		t.Fatalf("%+v", list)
	}
	if e := list.Data[0]; e.ID != "mended" || e.Outcome != "published" || e.NotificationID != published.NotificationID || e.Detail != "" {
		t.Errorf("%+v", e)
	}
	for i, id := range []string{"broken", "list"} {
		if e := list.Data[i+1]; e.ID != id || e.Outcome != "refused" || e.NotificationID != "" || e.Detail == "" {
			t.Errorf("%+v", e)
		}
	}
	if a := as(t, ana, s, http.MethodGet, events+"?limit=1&offset=1", nil, http.StatusOK, &list); len(list.Data) != 1 || list.Data[0].ID != "broken" || a.Header.Get("Link") == "" {
		t.Errorf("%+v", list)
	}
	as(t, ana, s, http.MethodGet, path+"/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f/events", nil, http.StatusNotFound, nil)

	if status, _ := post(t, s.DemoWebhook, `{"title":"sem id"}`, nil); status != http.StatusAccepted {
		t.Fatal(status)
	}
	const demonstrationHooks = demonstration + "/webhooks"
	var hooks struct{ Data []hook }
	as(t, ana, s, http.MethodGet, demonstrationHooks, nil, http.StatusOK, &hooks)
	if len(hooks.Data) != 1 {
		t.Fatalf("webhooks of the demonstration channel: %+v, want one", hooks.Data)
	}
	as(t, ana, s, http.MethodGet, demonstrationHooks+"/"+hooks.Data[0].ID+"/events", nil, http.StatusOK, &list)
	if len(list.Data) != 1 || len(list.Data[0].ID) != 36 || list.Data[0].Outcome != "published" {
		t.Errorf("events of the demonstration webhook: %+v, want one, published, under a UUID", list)
	}
}
