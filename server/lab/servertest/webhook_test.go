package servertest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
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
		t.Fatalf("request %s %s: %v", req.Method, req.URL, err)
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
	a := withKey(t, ana, s, http.MethodPost, path, map[string]any{"name": "CI"}, http.StatusCreated, &made,
		"Idempotency-Key", "k")
	wantSecret(t, made.Secret, "whsec_", "")
	if !strings.HasPrefix(made.URL, s.URL+"/api/v1/webhooks/channels/") {
		t.Errorf("URL of the webhook: got %q, want it below %s/api/v1/webhooks/channels/", made.URL, s.URL)
	}
	check.Equal(t, "a new webhook is signed", made.Signed, true)
	a.wantHeader("Location", "/api/v1"+path+"/"+made.ID)
	version := a.wantNewVersion("")
	in := object{"name": "CI"}
	withKey(t, ana, s, http.MethodPost, path, in, http.StatusCreated, &again, "Idempotency-Key", "k").wantReplayed()
	check.Equal(t, "replayed webhook", again, hook{ID: made.ID, Name: "CI", URL: made.URL, Signed: true})
	withKey(t, ana, s, http.MethodPost, path, map[string]any{"name": " "}, http.StatusUnprocessableEntity, nil)

	one := path + "/" + made.ID
	expect := func(event string, want int, address string, header http.Header) {
		t.Helper()
		status, _ := post(t, address, body, header)
		check.Equal(t, "status of the event "+event, status, want)
	}
	expect("signed", http.StatusAccepted, made.URL, sign(t, "e1", body, made.Secret))
	expect("unsigned", http.StatusUnauthorized, made.URL, nil)
	a = withKey(t, ana, s, http.MethodGet, one, nil, http.StatusOK, &got)
	a.wantHeader("ETag", version)
	check.Equal(t, "secret of a webhook that is read", got.Secret, "")
	if got.LastEventAt == nil {
		t.Error("lastEventAt after an event: got none")
	}
	a = withKey(t, ana, s, http.MethodPatch, one, object{"name": "Outro"}, http.StatusOK, &got, "If-Match", version)
	a.wantNewVersion(version)
	check.Equal(t, "changed name", got.Name, "Outro")
	late := object{"name": "Tarde"}
	withKey(t, ana, s, http.MethodPatch, one, late, http.StatusPreconditionFailed, nil, "If-Match", version)

	var rotated, moved hook
	rotation := object{"what": "secret"}
	withKey(t, ana, s, http.MethodPost, one+"/rotate", rotation, http.StatusOK, &rotated, "Idempotency-Key", "r")
	a = withKey(t, ana, s, http.MethodPost, one+"/rotate", rotation, http.StatusOK, &again, "Idempotency-Key", "r")
	a.wantReplayed()
	check.Equal(t, "id of the replayed rotation", again.ID, made.ID)
	check.Equal(t, "secret of the replayed rotation", again.Secret, "")
	if rotated.Secret == made.Secret {
		t.Error("the rotation left the old secret")
	}
	check.Equal(t, "URL after the secret was rotated", rotated.URL, made.URL)
	expect("signed with the old secret", http.StatusAccepted, made.URL, sign(t, "e2", body, made.Secret))
	expect("signed with the new secret", http.StatusAccepted, made.URL, sign(t, "e3", body, rotated.Secret))
	expect("signed with another secret", http.StatusUnauthorized, made.URL, sign(t, "e4", body, webhook.NewSecret()))
	withKey(t, ana, s, http.MethodPost, one+"/rotate", object{"what": "address"}, http.StatusOK, &moved)
	check.Equal(t, "secret after the address was rotated", moved.Secret, "")
	if moved.URL == made.URL {
		t.Error("the rotation left the old address")
	}
	expect("at the old address", http.StatusNotFound, made.URL, sign(t, "e5", body, rotated.Secret))
	expect("at the new address", http.StatusAccepted, moved.URL, sign(t, "e5", body, rotated.Secret))

	withKey(t, ana, s, http.MethodDelete, one, nil, http.StatusPreconditionFailed, nil, "If-Match", version)
	withKey(t, ana, s, http.MethodDelete, one, nil, http.StatusNoContent, nil)
	withKey(t, ana, s, http.MethodDelete, one, nil, http.StatusNotFound, nil)
	expect("after the webhook was deleted", http.StatusNotFound, moved.URL, sign(t, "e6", body, rotated.Secret))
	ana.Do(http.MethodGet, path, nil, http.StatusNotFound, nil) // not a member
}

func TestWebhookList(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades/webhooks"
	var open hook
	withKey(t, ana, s, http.MethodPost, path, map[string]any{"name": "aberto", "signed": false},
		http.StatusCreated, &open)
	check.Equal(t, "webhook without signatures", open, hook{ID: open.ID, Name: "aberto", URL: open.URL})
	status, _ := post(t, open.URL, `{"title":"x"}`, nil)
	check.Equal(t, "status of an unsigned event", status, http.StatusAccepted)
	withKey(t, ana, s, http.MethodPost, path+"/"+open.ID+"/rotate", object{"what": "secret"}, 422, nil)
	for i := range 49 {
		withKey(t, ana, s, http.MethodPost, path, map[string]any{"name": fmt.Sprint(i)}, http.StatusCreated, nil)
	}
	withKey(t, ana, s, http.MethodPost, path, object{"name": "x"}, 422, nil).wantCode("too_many")
	var list page[hook]
	a := withKey(t, ana, s, http.MethodGet, path+"?limit=2", nil, http.StatusOK, &list)
	wantPage(t, a, list, 50, 2)
	check.Equal(t, "first of the webhooks", list.Data[0].ID, open.ID)
}

func TestWebhookEvents(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	const path = "/channels/demo/novidades/webhooks"
	var made hook
	withKey(t, ana, s, http.MethodPost, path, map[string]any{"name": "CI"}, http.StatusCreated, &made)
	send := func(id, body, secret string, want int) receipt {
		t.Helper()
		status, got := post(t, made.URL, body, sign(t, id, body, secret))
		check.Equal(t, "status of the event "+id+" "+body, status, want)
		return got
	}
	send("forged", `{"title":"x"}`, webhook.NewSecret(), http.StatusUnauthorized)
	send("forged", `[]`, webhook.NewSecret(), http.StatusUnauthorized)
	send("mended", `{"title":""}`, made.Secret, http.StatusUnprocessableEntity)
	send("list", `[]`, made.Secret, http.StatusUnprocessableEntity)
	send("broken", `{`, made.Secret, http.StatusBadRequest)
	published := send("mended", `{"title":"x"}`, made.Secret, http.StatusAccepted)
	again := send("mended", `{"title":"x"}`, made.Secret, http.StatusAccepted)
	check.Equal(t, "receipt of the same event again", again, receipt{published.NotificationID, true})
	var list page[received]
	events := path + "/" + made.ID + "/events"
	withKey(t, ana, s, http.MethodGet, events, nil, http.StatusOK, &list)
	check.Equal(t, "number of webhook events", list.Meta.Total, 3)
	check.Equal(t, "webhook events", list.Data, []received{
		{ID: "mended", Outcome: "published", NotificationID: published.NotificationID},
		{ID: "broken", Outcome: "refused"}, {ID: "list", Outcome: "refused"},
	}, cmpopts.IgnoreFields(received{}, "Detail"))
	for _, e := range list.Data {
		check.Equal(t, "the event "+e.ID+" has a detail", e.Detail != "", e.Outcome == "refused")
	}
	list = page[received]{}
	a := withKey(t, ana, s, http.MethodGet, events+"?limit=1&offset=1", nil, http.StatusOK, &list)
	wantPage(t, a, list, 3, 1)
	check.Equal(t, "second of the webhook events", list.Data[0].ID, "broken")
	withKey(t, ana, s, http.MethodGet, path+"/0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f/events", nil,
		http.StatusNotFound, nil)

	status, _ := post(t, s.DemoWebhook, `{"title":"sem id"}`, nil)
	check.Equal(t, "status of an event without an id", status, http.StatusAccepted)
	const demonstrationHooks = demonstration + "/webhooks"
	var hooks struct{ Data []hook }
	withKey(t, ana, s, http.MethodGet, demonstrationHooks, nil, http.StatusOK, &hooks)
	if len(hooks.Data) != 1 {
		t.Fatalf("webhooks of the demonstration channel: %+v, want one", hooks.Data)
	}
	events = demonstrationHooks + "/" + hooks.Data[0].ID + "/events"
	withKey(t, ana, s, http.MethodGet, events, nil, http.StatusOK, &list)
	if len(list.Data) != 1 || len(list.Data[0].ID) != 36 || list.Data[0].Outcome != "published" {
		t.Errorf("events of the demonstration webhook: %+v, want one, published, under a UUID", list)
	}
}
