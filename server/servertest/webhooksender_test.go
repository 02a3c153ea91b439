package servertest_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/servertest"
)

const hooksPath = "/channels/demo/novidades/webhooks"

type template map[string]string

type made struct {
	ID, URL, Secret, Signing, Sender string
	Signed                           bool
	Template                         template
}

// received is the response to a post, or a webhook event as shown to its owner.
type received struct {
	ID, Kind, Outcome, NotificationID, Detail, Code string
	Duplicate                                       bool
	Payload                                         map[string]any
	Headers                                         map[string]string
}

func mac(secret, text string) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil))
}

// deliver posts a webhook event as its sender does.
func deliver(t *testing.T, address, body string, header http.Header, want int) (got received) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	maps.Copy(req.Header, header)
	answer := call(t, req, "", want, &got)
	if got.Detail == "" && got.Outcome != "published" {
		t.Errorf("no reason: %s", answer.Body)
	}
	return got
}

func notificationOf(t *testing.T, ana *servertest.Subscriber, id string) (n struct{ Title, Body, Link, Icon, Importance, ExternalID string }) {
	t.Helper()
	ana.Do(http.MethodGet, "/channels/demo/novidades/notifications/"+id, nil, http.StatusOK, &n)
	return n
}

const issueOpened = `{"action":"opened","issue":{"number":1,"title":"Spelling error","html_url":"https://github.com/octocat/Hello-World/issues/1","body":"Twice."},
	"repository":{"full_name":"octocat/Hello-World","html_url":"https://github.com/octocat/Hello-World"},"sender":{"login":"octocat","avatar_url":"https://github.com/octocat.png"}}`

func github(secret, kind, delivery, body string) http.Header {
	return http.Header{"X-Github-Event": {kind}, "X-Github-Delivery": {delivery}, "X-Hub-Signature-256": {"sha256=" + mac(secret, body)}, "Cookie": {"a=b"}}
}

func TestGitHubWebhook(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	as(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "GitHub", "sender": "github"}, http.StatusCreated, &hook)
	if hook.Signing != "github" || hook.Sender != "github" || !hook.Signed || hook.Secret == "" {
		t.Fatalf("%+v", hook)
	}
	one := deliver(t, hook.URL, issueOpened, github(hook.Secret, "issues", "d1", issueOpened), http.StatusAccepted)
	if one.Outcome != "published" || one.Duplicate {
		t.Errorf("%+v", one)
	}
	if n := notificationOf(t, ana, one.NotificationID); n.Title != "octocat/Hello-World: issue #1 opened – Spelling error" || n.Body != "Twice." ||
		n.Link != "https://github.com/octocat/Hello-World/issues/1" || n.Icon != "https://github.com/octocat.png" {
		t.Errorf("%+v", n)
	}
	if again := deliver(t, hook.URL, issueOpened, github(hook.Secret, "issues", "d1", issueOpened), http.StatusAccepted); !again.Duplicate || again.NotificationID != one.NotificationID {
		t.Errorf("%+v", again)
	}
	const ping = `{"zen":"Speak like a human."}`
	if got := deliver(t, hook.URL, ping, github(hook.Secret, "ping", "d2", ping), http.StatusAccepted); got.Outcome != "skipped" || got.Detail != "the webhook is connected" {
		t.Errorf("%+v", got)
	}
	deliver(t, hook.URL, issueOpened, github("other", "issues", "d4", issueOpened), http.StatusUnauthorized)
	deliver(t, hook.URL, issueOpened, http.Header{"X-Github-Event": {"issues"}, "Authorization": {"Bearer " + hook.Secret}, "X-Gitlab-Token": {hook.Secret}}, http.StatusUnauthorized)

	var list struct{ Data []received }
	as(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events", nil, http.StatusOK, &list)
	if len(list.Data) != 2 || list.Data[0].Kind != "ping" || list.Data[1].Outcome != "published" || list.Data[1].Payload != nil {
		t.Errorf("%+v", list)
	}
	var event received
	as(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events/d1", nil, http.StatusOK, &event)
	want := map[string]string{"content-type": "application/json", "user-agent": "Go-http-client/1.1", "x-github-event": "issues", "x-github-delivery": "d1"}
	if event.Payload["action"] != "opened" || !maps.Equal(event.Headers, want) {
		t.Errorf("%+v", event)
	}
	as(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events/none", nil, http.StatusNotFound, nil)
}

// TestGitHubForms posts forms, which GitHub sends by default. The signature is of the form's bytes.
func TestGitHubForms(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	as(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "GitHub", "sender": "github"}, http.StatusCreated, &hook)
	send := func(id, body string, want int) received {
		t.Helper()
		header := github(hook.Secret, "issues", id, body)
		header.Set("Content-Type", "application/x-www-form-urlencoded")
		return deliver(t, hook.URL, body, header, want)
	}
	fields := url.Values{"payload": {issueOpened}, "other": {"x"}}.Encode()
	got := send("d1", fields, http.StatusAccepted)
	if n := notificationOf(t, ana, got.NotificationID); n.Title != "octocat/Hello-World: issue #1 opened – Spelling error" {
		t.Errorf("%+v", n)
	}
	if again := deliver(t, hook.URL, issueOpened, github(hook.Secret, "issues", "d1", issueOpened), http.StatusAccepted); again.NotificationID != got.NotificationID || !again.Duplicate {
		t.Errorf("as JSON: %+v", again)
	}
	forged := github("other", "issues", "d2", fields)
	forged.Set("Content-Type", "application/x-www-form-urlencoded")
	deliver(t, hook.URL, fields, forged, http.StatusUnauthorized)
	one := hooksPath + "/" + hook.ID + "/events/"
	var event received
	as(t, ana, s, http.MethodGet, one+"d1", nil, http.StatusOK, &event)
	if event.Payload["action"] != "opened" || event.Kind != "issues" {
		t.Errorf("what is kept: %+v", event)
	}
	for id, bad := range map[string]string{"empty": "", "none": "title=x", "two": "payload={}&payload={}", "escape": "payload=%zz", "list": "payload=[]"} {
		got := send(id, bad, map[bool]int{true: http.StatusUnprocessableEntity, false: http.StatusBadRequest}[id == "list"])
		as(t, ana, s, http.MethodGet, one+id, nil, http.StatusOK, &event)
		if got.Detail == "" || event.Outcome != "refused" || event.Detail == "" {
			t.Errorf("%s: %+v, then %+v", id, got, event)
		}
	}
	call(t, ana.Request(http.MethodPost, one+"list/replay", nil), s.APIKey, http.StatusOK, nil)
}

// TestWebhookEventsTooLarge expects too large a payload to be neither published nor kept, and to be shown to the
// webhook's owner.
func TestWebhookEventsTooLarge(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	as(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "w"}, http.StatusCreated, &hook)
	large := `{"title":"` + strings.Repeat("x", 256<<10) + `"}`
	deliver(t, hook.URL, large, sign(t, "forged", large, webhook.NewSecret()), http.StatusUnauthorized)
	deliver(t, hook.URL, large, sign(t, "e", large, hook.Secret), http.StatusRequestEntityTooLarge)
	var list struct{ Data []received }
	one := hooksPath + "/" + hook.ID + "/events"
	as(t, ana, s, http.MethodGet, one, nil, http.StatusOK, &list)
	if len(list.Data) != 1 || list.Data[0].ID != "e" || list.Data[0].Outcome != "refused" || list.Data[0].Detail != "The body has more than 256 KiB." {
		t.Errorf("%+v", list)
	}
	if a := as(t, ana, s, http.MethodPost, one+"/e/replay", nil, http.StatusUnprocessableEntity, nil); a.Code != "not_kept" {
		t.Errorf("%s", a.Body)
	}
	huge := strings.Repeat(" ", 1<<20) + large
	deliver(t, hook.URL, huge, sign(t, "huge", huge, hook.Secret), http.StatusRequestEntityTooLarge)
}

func TestSigningSchemes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	for sender, c := range map[string]struct {
		signing, body string
		sign          func(secret, body string) http.Header
		title         string
	}{
		"gitlab": {"gitlab", `{"object_kind":"release","action":"create","name":"v1","project":{"path_with_namespace":"a/b"}}`,
			func(secret, _ string) http.Header { return http.Header{"X-Gitlab-Token": {secret}} }, "a/b: release v1 published"},
		"stripe": {"stripe", `{"id":"evt_1","type":"payout.paid","livemode":true,"data":{"object":{"amount":1050,"currency":"eur"}}}`,
			func(secret, body string) http.Header {
				at := fmt.Sprint(time.Now().Unix())
				return http.Header{"Stripe-Signature": {"t=" + at + ",v1=" + mac(secret, at+"."+body)}}
			}, "Stripe: payout of EUR 10.50"},
		"sentry": {"sentry", `{"action":"triggered","data":{"event":{"title":"E"},"triggered_rule":"R"}}`,
			func(secret, body string) http.Header {
				return http.Header{"Sentry-Hook-Resource": {"event_alert"}, "Sentry-Hook-Signature": {mac(secret, body)}}
			}, "R – E"},
		"grafana": {"bearer", `{"status":"firing","alerts":[{"labels":{"alertname":"A"}}]}`,
			func(secret, _ string) http.Header { return http.Header{"Authorization": {"Bearer " + secret}} }, "Firing: A"},
	} {
		const own, next = "given-by-the-sender", "given-anew"
		var hook, rotated made
		as(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": sender, "sender": sender, "secret": own}, http.StatusCreated, &hook)
		if hook.Signing != c.signing || hook.Secret != "" {
			t.Errorf("%s: %+v", sender, hook)
		}
		got := deliver(t, hook.URL, c.body, c.sign(own, c.body), http.StatusAccepted)
		if n := notificationOf(t, ana, got.NotificationID); n.Title != c.title {
			t.Errorf("%s: %q, want %q", sender, n.Title, c.title)
		}
		deliver(t, hook.URL, c.body, c.sign(next, c.body), http.StatusUnauthorized)
		deliver(t, hook.URL, c.body, nil, http.StatusUnauthorized)
		as(t, ana, s, http.MethodPost, hooksPath+"/"+hook.ID+"/rotate", map[string]any{"what": "secret", "secret": next}, http.StatusOK, &rotated)
		if rotated.Secret != "" {
			t.Errorf("%s: the secret is told", sender)
		}
		deliver(t, hook.URL, c.body, c.sign(own, c.body), http.StatusAccepted)
		deliver(t, hook.URL, c.body, c.sign(next, c.body), http.StatusAccepted)
	}
	// An API key is not a webhook secret, and a webhook secret is not an API key.
	var hook made
	as(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "b", "signing": "bearer"}, http.StatusCreated, &hook)
	deliver(t, hook.URL, `{"title":"x"}`, http.Header{"Authorization": {"Bearer " + s.APIKey}}, http.StatusUnauthorized)
	deliver(t, hook.URL, `{"title":"x"}`, http.Header{"Authorization": {"Bearer " + hook.Secret}}, http.StatusAccepted)
	call(t, ana.Request(http.MethodGet, hooksPath, nil), hook.Secret, http.StatusUnauthorized, nil)
}

func TestWebhookInputs(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	faults := func(body map[string]any, method, path string) (pointers []string) {
		t.Helper()
		var p struct {
			Errors []struct{ Pointer, Code, Detail string }
		}
		as(t, ana, s, method, path, body, http.StatusUnprocessableEntity, &p)
		for _, e := range p.Errors {
			pointers = append(pointers, e.Pointer+" "+e.Code)
		}
		return pointers
	}
	var hook, patched made
	as(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "w", "template": template{"title": "{{ payload.t }}"}}, http.StatusCreated, &hook)
	for want, body := range map[string]map[string]any{
		"[#/signed exclusive]": {"name": "w", "signed": false, "signing": "github"},
		"[#/secret exclusive]": {"name": "w", "signed": false, "secret": "12345678"},
		"[#/secret secret]":    {"name": "w", "secret": "12345678"},
		"[#/template/body template #/template/skip template]": {"name": "w", "template": template{"title": "x", "body": "a\n{{ b | c }}", "skip": "{% if %}"}},
		"[#/signing enum #/template/title template]":          {"name": "w", "signing": "md5", "template": template{"title": "{{"}},
		"[#/template/title required]":                         {"name": "w", "template": template{}},
		"[#/template/title too_long]":                         {"name": "w", "template": template{"title": strings.Repeat("a", 4001)}},
	} {
		if got := fmt.Sprint(faults(body, http.MethodPost, hooksPath)); got != want {
			t.Errorf("%v: %s, want %s", body, got, want)
		}
	}
	one := hooksPath + "/" + hook.ID
	if got := fmt.Sprint(faults(map[string]any{"template": template{"title": "{% for %}"}}, http.MethodPatch, one)); got != "[#/template/title template]" {
		t.Error(got)
	}
	if got := fmt.Sprint(faults(map[string]any{"what": "address", "secret": "12345678"}, http.MethodPost, one+"/rotate")); got != "[#/secret exclusive]" {
		t.Error(got)
	}
	as(t, ana, s, http.MethodPatch, one, map[string]any{"sender": "gitlab"}, http.StatusOK, &patched)
	if patched.Sender != "gitlab" || patched.Signing != "standard" || patched.Template["title"] != "{{ payload.t }}" {
		t.Errorf("%+v", patched)
	}
	patched = made{}
	as(t, ana, s, http.MethodPatch, one, map[string]any{"template": nil}, http.StatusOK, &patched)
	if patched.Template != nil || patched.Sender != "gitlab" {
		t.Errorf("%+v", patched)
	}
}

func TestPreviewWebhook(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	count := func() int {
		t.Helper()
		var n struct{ Meta struct{ Total int } }
		ana.Do(http.MethodGet, "/channels/demo/novidades/notifications", nil, http.StatusOK, &n)
		return n.Meta.Total
	}
	before := count()
	type preview struct {
		Outcome, Detail string
		Notification    *struct{ Title, Body, Link, Importance, ExternalID string }
	}
	show := func(body map[string]any) (p preview) {
		t.Helper()
		as(t, ana, s, http.MethodPost, hooksPath+"/preview", body, http.StatusOK, &p)
		return p
	}
	if p := show(map[string]any{"payload": map[string]any{"title": "Linha azul", "externalId": "e"}}); p.Outcome != "published" || p.Notification.Title != "Linha azul" ||
		p.Notification.Importance != "normal" || p.Notification.ExternalID != "e" {
		t.Errorf("%+v %+v", p, p.Notification)
	}
	if p := show(map[string]any{"sender": "github", "payload": json.RawMessage(issueOpened), "headers": map[string]string{"X-GitHub-Event": "issues"}}); p.Outcome != "published" ||
		!strings.Contains(p.Notification.Title, "issue #1 opened") {
		t.Errorf("%+v", p)
	}
	if p := show(map[string]any{"sender": "github", "payload": map[string]any{}, "headers": map[string]string{"x-github-event": "ping"}}); p.Outcome != "skipped" || p.Detail == "" || p.Notification != nil {
		t.Errorf("%+v", p)
	}
	if p := show(map[string]any{"payload": map[string]any{}}); p.Outcome != "refused" || !strings.Contains(p.Detail, "#/title is blank") || p.Notification != nil {
		t.Errorf("%+v", p)
	}
	own := template{"title": "{{ payload.n }}", "link": "http://example.com", "importance": "important"}
	if p := show(map[string]any{"template": own, "payload": json.RawMessage(`{"n":12345678901234567}`)}); p.Notification.Title != "12345678901234567" || p.Notification.Link != "" || p.Notification.Importance != "important" {
		t.Errorf("%+v", p)
	}
	begun := time.Now()
	if p := show(map[string]any{"template": template{"title": "{% for i in (1..100000000) %}{% for j in (1..100000000) %}x{% endfor %}{% endfor %}"}, "payload": map[string]any{}}); p.Outcome != "refused" || time.Since(begun) > 20*time.Second {
		t.Errorf("%+v after %s", p, time.Since(begun))
	}
	as(t, ana, s, http.MethodPost, hooksPath+"/preview", map[string]any{"template": template{"title": "{{"}, "payload": map[string]any{}}, http.StatusUnprocessableEntity, nil)
	as(t, ana, s, http.MethodPost, hooksPath+"/preview", map[string]any{"payload": map[string]any{"a": strings.Repeat("a", 256<<10)}}, http.StatusRequestEntityTooLarge, nil)
	ana.Do(http.MethodPost, hooksPath+"/preview", map[string]any{"payload": map[string]any{}}, http.StatusNotFound, nil)
	var hooks struct{ Data []made }
	as(t, ana, s, http.MethodGet, hooksPath, nil, http.StatusOK, &hooks)
	if len(hooks.Data) != 0 {
		t.Errorf("webhooks after the previews: %+v, want none", hooks.Data)
	}
	if after := count(); after != before {
		t.Errorf("notifications after the previews: %d, want %d as before", after, before)
	}
}

func TestReplayWebhookEvent(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	as(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "w"}, http.StatusCreated, &hook)
	const body = `{"name":"Linha azul","externalId":"e"}`
	if got := deliver(t, hook.URL, body, sign(t, "msg/1", body, hook.Secret), http.StatusUnprocessableEntity); got.Detail == "" {
		t.Errorf("%+v", got)
	}
	one := hooksPath + "/" + hook.ID
	event := one + "/events/msg%2F1"
	var got received
	as(t, ana, s, http.MethodPost, event+"/replay", nil, http.StatusOK, &got)
	if got.Outcome != "refused" || got.Detail == "" {
		t.Errorf("%+v", got)
	}
	as(t, ana, s, http.MethodPatch, one, map[string]any{"template": template{"title": "{{ payload.name }}", "externalId": "{{ payload.externalId }}"}}, http.StatusOK, nil)
	ids := make([]string, 8)
	var together sync.WaitGroup
	for i := range ids {
		req := ana.Request(http.MethodPost, event+"/replay", nil)
		together.Go(func() {
			var got received
			call(t, req, s.APIKey, http.StatusOK, &got)
			if ids[i] = got.NotificationID; got.Outcome != "published" {
				t.Errorf("%+v", got)
			}
		})
	}
	together.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Errorf("published more than once: %q", ids)
		}
	}
	if n := notificationOf(t, ana, ids[0]); n.Title != "Linha azul" || n.ExternalID != "e" {
		t.Errorf("%+v", n)
	}
	as(t, ana, s, http.MethodPatch, one, map[string]any{"template": template{"title": "Outra"}}, http.StatusOK, nil)
	as(t, ana, s, http.MethodPost, event+"/replay", nil, http.StatusOK, &got)
	if got.NotificationID != ids[0] || notificationOf(t, ana, ids[0]).Title != "Linha azul" {
		t.Errorf("%+v", got)
	}
	if again := deliver(t, hook.URL, body, sign(t, "msg/1", body, hook.Secret), http.StatusAccepted); !again.Duplicate || again.NotificationID != ids[0] {
		t.Errorf("sent again: %+v", again)
	}
	as(t, ana, s, http.MethodPatch, one, map[string]any{"template": nil}, http.StatusOK, nil)
	const same = `{"title":"Outra vez","externalId":"e"}`
	if other := deliver(t, hook.URL, same, sign(t, "msg2", same, hook.Secret), http.StatusAccepted); !other.Duplicate || other.NotificationID != ids[0] {
		t.Errorf("with the same external id: %+v", other)
	}
	broken := `{"title":`
	deliver(t, hook.URL, broken, sign(t, "msg3", broken, hook.Secret), http.StatusBadRequest)
	got = received{}
	as(t, ana, s, http.MethodGet, one+"/events/msg3", nil, http.StatusOK, &got)
	if got.Outcome != "refused" || got.Payload != nil || got.Headers["webhook-id"] != "msg3" {
		t.Errorf("%+v", got)
	}
	for name, secret := range got.Headers {
		if strings.Contains(name, "signature") || strings.Contains(secret, "v1,") {
			t.Errorf("%s is kept", name)
		}
	}
	as(t, ana, s, http.MethodPost, one+"/events/msg3/replay", nil, http.StatusOK, &got)
	as(t, ana, s, http.MethodPost, one+"/events/none/replay", nil, http.StatusNotFound, nil)
	if webhook.CheckSecret(hook.Secret) != nil {
		t.Error(hook.Secret)
	}
}
