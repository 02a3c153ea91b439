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

	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
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
	Adjusted                                        []adjustment
}

type adjustment struct{ Pointer, Reason string }

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
	res := call(t, req, "", want, &got)
	if got.Detail == "" && got.Outcome != "published" {
		t.Errorf("webhook event that was not published: got %s, want a detail", res.Body)
	}
	return got
}

type notification struct{ Title, Body, Link, Icon, Importance, ExternalID string }

func notificationOf(t *testing.T, ana *servertest.Subscriber, id string) (n notification) {
	t.Helper()
	ana.Do(http.MethodGet, "/channels/demo/novidades/notifications/"+id, nil, http.StatusOK, &n)
	return n
}

const issueOpened = `{"action":"opened",
	"issue":{"number":1,"title":"Spelling error","html_url":"https://github.com/octocat/Hello-World/issues/1","body":"Twice."},
	"repository":{"full_name":"octocat/Hello-World","html_url":"https://github.com/octocat/Hello-World"},
	"sender":{"login":"octocat","avatar_url":"https://github.com/octocat.png"}}`

func github(secret, kind, delivery, body string) http.Header {
	return http.Header{"X-Github-Event": {kind}, "X-Github-Delivery": {delivery},
		"X-Hub-Signature-256": {"sha256=" + mac(secret, body)}, "Cookie": {"a=b"}}
}

func TestGitHubWebhook(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	in := object{"name": "GitHub", "sender": "github"}
	withKey(t, ana, s, http.MethodPost, hooksPath, in, http.StatusCreated, &hook)
	check.Equal(t, "new GitHub webhook", hook, made{ID: hook.ID, URL: hook.URL, Secret: hook.Secret, Signing: "github",
		Sender: "github", Signed: true})
	if hook.Secret == "" {
		t.Error("the new GitHub webhook has no secret")
	}
	signed := github(hook.Secret, "issues", "d1", issueOpened)
	one := deliver(t, hook.URL, issueOpened, signed, http.StatusAccepted)
	check.Equal(t, "outcome of an opened issue", one.Outcome, "published")
	check.Equal(t, "the first event is a duplicate", one.Duplicate, false)
	check.Equal(t, "notification of an opened issue", notificationOf(t, ana, one.NotificationID), notification{
		Title: "octocat/Hello-World: issue #1 opened – Spelling error", Body: "Twice.", Importance: "normal",
		Link: "https://github.com/octocat/Hello-World/issues/1", Icon: "https://github.com/octocat.png"},
		cmpopts.IgnoreFields(notification{}, "ExternalID"))
	again := deliver(t, hook.URL, issueOpened, signed, http.StatusAccepted)
	check.Equal(t, "the second event is a duplicate", again.Duplicate, true)
	check.Equal(t, "notification of the second event", again.NotificationID, one.NotificationID)
	const ping = `{"zen":"Speak like a human."}`
	got := deliver(t, hook.URL, ping, github(hook.Secret, "ping", "d2", ping), http.StatusAccepted)
	check.Equal(t, "outcome of a ping", got.Outcome, "skipped")
	check.Equal(t, "detail of a ping", got.Detail, "the webhook is connected")
	deliver(t, hook.URL, issueOpened, github("other", "issues", "d4", issueOpened), http.StatusUnauthorized)
	unsigned := http.Header{
		"X-Github-Event": {"issues"}, "Authorization": {"Bearer " + hook.Secret}, "X-Gitlab-Token": {hook.Secret},
	}
	deliver(t, hook.URL, issueOpened, unsigned, http.StatusUnauthorized)

	var list page[received]
	withKey(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events", nil, http.StatusOK, &list)
	check.Equal(t, "events of the GitHub webhook", list.Data, []received{
		{ID: "d2", Kind: "ping", Outcome: "skipped", Detail: "the webhook is connected"},
		{ID: "d1", Kind: "issues", Outcome: "published", NotificationID: one.NotificationID},
	})
	var event received
	withKey(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events/d1", nil, http.StatusOK, &event)
	check.Equal(t, "kept action of the payload", event.Payload["action"], "opened")
	check.Equal(t, "kept headers", event.Headers, map[string]string{"content-type": "application/json",
		"user-agent": "Go-http-client/1.1", "x-github-event": "issues", "x-github-delivery": "d1"})
	withKey(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events/none", nil, http.StatusNotFound, nil)
}

// TestGitHubForms posts forms, which GitHub sends by default. The signature is of the form's bytes.
func TestGitHubForms(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	in := object{"name": "GitHub", "sender": "github"}
	withKey(t, ana, s, http.MethodPost, hooksPath, in, http.StatusCreated, &hook)
	send := func(id, body string, want int) received {
		t.Helper()
		header := github(hook.Secret, "issues", id, body)
		header.Set("Content-Type", "application/x-www-form-urlencoded")
		return deliver(t, hook.URL, body, header, want)
	}
	fields := url.Values{"payload": {issueOpened}, "other": {"x"}}.Encode()
	got := send("d1", fields, http.StatusAccepted)
	check.Equal(t, "title of the notification of a form", notificationOf(t, ana, got.NotificationID).Title,
		"octocat/Hello-World: issue #1 opened – Spelling error")
	signed := github(hook.Secret, "issues", "d1", issueOpened)
	again := deliver(t, hook.URL, issueOpened, signed, http.StatusAccepted)
	check.Equal(t, "the same event as JSON is a duplicate", again.Duplicate, true)
	check.Equal(t, "notification of the same event as JSON", again.NotificationID, got.NotificationID)
	forged := github("other", "issues", "d2", fields)
	forged.Set("Content-Type", "application/x-www-form-urlencoded")
	deliver(t, hook.URL, fields, forged, http.StatusUnauthorized)
	one := hooksPath + "/" + hook.ID + "/events/"
	var event received
	withKey(t, ana, s, http.MethodGet, one+"d1", nil, http.StatusOK, &event)
	check.Equal(t, "kept action of the form's payload", event.Payload["action"], "opened")
	check.Equal(t, "kept kind of the form", event.Kind, "issues")
	for id, bad := range map[string]string{
		"empty": "", "none": "title=x", "escape": "payload=%zz", "list": "payload=[]",
	} {
		got := send(id, bad, http.StatusBadRequest)
		withKey(t, ana, s, http.MethodGet, one+id, nil, http.StatusOK, &event)
		if got.Detail == "" || event.Outcome != "refused" || event.Detail == "" {
			t.Errorf("form %s: got %+v, kept %+v; want it refused with a detail", id, got, event)
		}
	}
	call(t, ana.Request(http.MethodPost, one+"list/replay", nil), s.APIKey, http.StatusOK, nil)
}

// TestLargeWebhookEvents expects what is too much of a payload to be left out, and the response and the event's record
// to say so.
func TestLargeWebhookEvents(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	var hook made
	withKey(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "w"}, http.StatusCreated, &hook)
	for id, size := range map[string]int{"large": 256 << 10, "huge": 3 << 20} {
		body := `{"log":"` + strings.Repeat("x", size) + `","title":"` + id + `"}`
		deliver(t, hook.URL, body, sign(t, "forged", body, webhook.NewSecret()), http.StatusUnauthorized)
		got := deliver(t, hook.URL, body, sign(t, id, body, hook.Secret), http.StatusAccepted)
		check.Equal(t, "title of a "+id+" event", notificationOf(t, ana, got.NotificationID).Title, id)
		want := []adjustment{
			{"payload:#/log", fmt.Sprintf("was cut from %d bytes, because the payload is too large", size)},
		}
		check.Equal(t, "adjustments in the response to a "+id+" event", got.Adjusted, want)
		var event received
		withKey(t, ana, s, http.MethodGet, hooksPath+"/"+hook.ID+"/events/"+id, nil, http.StatusOK, &event)
		check.Equal(t, "adjustments of the "+id+" event", event.Adjusted, want)
		check.Equal(t, "kept title of the "+id+" event", event.Payload["title"], any(id))
	}
	most := `{"title":"` + strings.Repeat("x", 4<<20) + `"}`
	deliver(t, hook.URL, most, sign(t, "most", most, hook.Secret), http.StatusRequestEntityTooLarge)
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
		"gitlab": {
			"gitlab", `{"object_kind":"release","action":"create","name":"v1","project":{"path_with_namespace":"a/b"}}`,
			func(secret, _ string) http.Header { return http.Header{"X-Gitlab-Token": {secret}} },
			"a/b: release v1 published",
		},
		"stripe": {"stripe",
			`{"id":"evt_1","type":"payout.paid","livemode":true,"data":{"object":{"amount":1050,"currency":"eur"}}}`,
			func(secret, body string) http.Header {
				at := fmt.Sprint(time.Now().Unix())
				return http.Header{"Stripe-Signature": {"t=" + at + ",v1=" + mac(secret, at+"."+body)}}
			}, "Stripe: payout of EUR 10.50"},
		"sentry": {"sentry", `{"action":"triggered","data":{"event":{"title":"E"},"triggered_rule":"R"}}`,
			func(secret, body string) http.Header {
				return http.Header{
					"Sentry-Hook-Resource": {"event_alert"}, "Sentry-Hook-Signature": {mac(secret, body)},
				}
			}, "R – E"},
		"grafana": {
			"bearer", `{"status":"firing","alerts":[{"labels":{"alertname":"A"}}]}`,
			func(secret, _ string) http.Header { return http.Header{"Authorization": {"Bearer " + secret}} },
			"Firing: A",
		},
	} {
		const own, next = "secret-of-the-sender", "next-secret-of-the-sender"
		var hook, rotated made
		in := object{"name": sender, "sender": sender, "secret": own}
		withKey(t, ana, s, http.MethodPost, hooksPath, in, http.StatusCreated, &hook)
		check.Equal(t, "signing of "+sender, hook.Signing, c.signing)
		check.Equal(t, "shown secret of "+sender, hook.Secret, "")
		got := deliver(t, hook.URL, c.body, c.sign(own, c.body), http.StatusAccepted)
		check.Equal(t, "title of "+sender, notificationOf(t, ana, got.NotificationID).Title, c.title)
		deliver(t, hook.URL, c.body, c.sign(next, c.body), http.StatusUnauthorized)
		deliver(t, hook.URL, c.body, nil, http.StatusUnauthorized)
		rotation := object{"what": "secret", "secret": next}
		withKey(t, ana, s, http.MethodPost, hooksPath+"/"+hook.ID+"/rotate", rotation, http.StatusOK, &rotated)
		check.Equal(t, "shown rotated secret of "+sender, rotated.Secret, "")
		deliver(t, hook.URL, c.body, c.sign(own, c.body), http.StatusAccepted)
		deliver(t, hook.URL, c.body, c.sign(next, c.body), http.StatusAccepted)
	}
	// An API key is not a webhook secret, and a webhook secret is not an API key.
	var hook made
	withKey(t, ana, s, http.MethodPost, hooksPath, object{"name": "b", "signing": "bearer"}, http.StatusCreated, &hook)
	bearer := func(secret string) http.Header { return http.Header{"Authorization": {"Bearer " + secret}} }
	deliver(t, hook.URL, `{"title":"x"}`, bearer(s.APIKey), http.StatusUnauthorized)
	deliver(t, hook.URL, `{"title":"x"}`, bearer(hook.Secret), http.StatusAccepted)
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
		withKey(t, ana, s, method, path, body, http.StatusUnprocessableEntity, &p)
		for _, e := range p.Errors {
			pointers = append(pointers, e.Pointer+" "+e.Code)
		}
		return pointers
	}
	var hook, patched made
	own := template{"title": "{{ payload.t }}"}
	withKey(t, ana, s, http.MethodPost, hooksPath, object{"name": "w", "template": own}, http.StatusCreated, &hook)
	for want, body := range map[string]map[string]any{
		"[#/signed exclusive]": {"name": "w", "signed": false, "signing": "github"},
		"[#/secret exclusive]": {"name": "w", "signed": false, "secret": "12345678"},
		"[#/secret secret]":    {"name": "w", "secret": "12345678"},
		"[#/template/body template #/template/skip template]": {
			"name": "w", "template": template{"title": "x", "body": "a\n{{ b | c }}", "skip": "{% if %}"}},
		"[#/signing enum #/template/title template]": {
			"name": "w", "signing": "md5", "template": template{"title": "{{"},
		},
		"[#/template/title required]": {"name": "w", "template": template{}},
		"[#/template/title too_long]": {"name": "w", "template": template{"title": strings.Repeat("a", 4001)}},
	} {
		if got := fmt.Sprint(faults(body, http.MethodPost, hooksPath)); got != want {
			t.Errorf("faults of %v: got %s, want %s", body, got, want)
		}
	}
	one := hooksPath + "/" + hook.ID
	badTemplate := faults(object{"template": template{"title": "{% for %}"}}, http.MethodPatch, one)
	check.Equal(t, "faults of a changed template", badTemplate, []string{"#/template/title template"})
	needless := faults(object{"what": "address", "secret": "12345678"}, http.MethodPost, one+"/rotate")
	check.Equal(t, "faults of a rotation", needless, []string{"#/secret exclusive"})
	withKey(t, ana, s, http.MethodPatch, one, object{"sender": "gitlab"}, http.StatusOK, &patched)
	want := made{ID: hook.ID, URL: hook.URL, Signing: "standard", Sender: "gitlab", Signed: true, Template: own}
	check.Equal(t, "webhook with another sender", patched, want)
	patched, want.Template = made{}, nil
	withKey(t, ana, s, http.MethodPatch, one, object{"template": nil}, http.StatusOK, &patched)
	check.Equal(t, "webhook without its template", patched, want)
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
		Notification    *notification
	}
	show := func(body map[string]any) (p preview) {
		t.Helper()
		withKey(t, ana, s, http.MethodPost, hooksPath+"/preview", body, http.StatusOK, &p)
		return p
	}
	plain := show(object{"payload": object{"title": "Linha azul", "externalId": "e"}})
	check.Equal(t, "preview of a plain payload", plain, preview{Outcome: "published",
		Notification: &notification{Title: "Linha azul", Importance: "normal", ExternalID: "e"}})
	issue := show(object{
		"sender": "github", "payload": json.RawMessage(issueOpened), "headers": object{"X-GitHub-Event": "issues"},
	})
	if issue.Outcome != "published" || !strings.Contains(issue.Notification.Title, "issue #1 opened") {
		t.Errorf("preview of an issue: got %s %+v, want it published as opened", issue.Outcome, issue.Notification)
	}
	ping := show(object{"sender": "github", "payload": object{}, "headers": object{"x-github-event": "ping"}})
	if ping.Outcome != "skipped" || ping.Detail == "" || ping.Notification != nil {
		t.Errorf("preview of a ping: got %+v, want it skipped with a detail and no notification", ping)
	}
	blank := show(object{"payload": object{}})
	if blank.Outcome != "refused" || !strings.Contains(blank.Detail, "#/title is blank") || blank.Notification != nil {
		t.Errorf("preview of an empty payload: got %+v, want it refused for its blank title", blank)
	}
	own := template{"title": "{{ payload.n }}", "link": "ftp://example.com", "importance": "important"}
	large := show(object{"template": own, "payload": json.RawMessage(`{"n":12345678901234567}`)})
	check.Equal(t, "notification of a template", large.Notification,
		&notification{Title: "12345678901234567", Importance: "important"})
	begun := time.Now()
	endless := template{"title": "{% for i in (1..100000000) %}{% for j in (1..100000000) %}x{% endfor %}{% endfor %}"}
	check.Equal(t, "outcome of an endless template",
		show(object{"template": endless, "payload": object{}}).Outcome, "refused")
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("preview of an endless template: took %s, want at most 20s", took)
	}
	path := hooksPath + "/preview"
	faulty := object{"template": template{"title": "{{"}, "payload": object{}}
	withKey(t, ana, s, http.MethodPost, path, faulty, http.StatusUnprocessableEntity, nil)
	tooLarge := object{"payload": object{"a": strings.Repeat("a", 256<<10)}}
	withKey(t, ana, s, http.MethodPost, path, tooLarge, http.StatusRequestEntityTooLarge, nil)
	ana.Do(http.MethodPost, path, object{"payload": object{}}, http.StatusNotFound, nil)
	var hooks struct{ Data []made }
	withKey(t, ana, s, http.MethodGet, hooksPath, nil, http.StatusOK, &hooks)
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
	withKey(t, ana, s, http.MethodPost, hooksPath, map[string]any{"name": "w"}, http.StatusCreated, &hook)
	const body = `{"name":"Linha azul","externalId":"e"}`
	deliver(t, hook.URL, body, sign(t, "msg/1", body, hook.Secret), http.StatusUnprocessableEntity)
	one := hooksPath + "/" + hook.ID
	event := one + "/events/msg%2F1"
	var got received
	withKey(t, ana, s, http.MethodPost, event+"/replay", nil, http.StatusOK, &got)
	if got.Outcome != "refused" || got.Detail == "" {
		t.Errorf("replay without a template: got %+v, want it refused with a detail", got)
	}
	own := template{"title": "{{ payload.name }}", "externalId": "{{ payload.externalId }}"}
	withKey(t, ana, s, http.MethodPatch, one, object{"template": own}, http.StatusOK, nil)
	ids := make([]string, 8)
	var together sync.WaitGroup
	for i := range ids {
		req := ana.Request(http.MethodPost, event+"/replay", nil)
		together.Go(func() {
			var got received
			call(t, req, s.APIKey, http.StatusOK, &got)
			ids[i] = got.NotificationID
			check.Equal(t, "outcome of a concurrent replay", got.Outcome, "published")
		})
	}
	together.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Errorf("notifications of concurrent replays: got %q, want the same one", ids)
		}
	}
	replayed := notification{Title: "Linha azul", Importance: "normal", ExternalID: "e"}
	check.Equal(t, "notification of the replays", notificationOf(t, ana, ids[0]), replayed,
		cmpopts.IgnoreFields(notification{}, "Icon"))
	withKey(t, ana, s, http.MethodPatch, one, map[string]any{"template": template{"title": "Outra"}},
		http.StatusOK, nil)
	withKey(t, ana, s, http.MethodPost, event+"/replay", nil, http.StatusOK, &got)
	check.Equal(t, "notification of a later replay", got.NotificationID, ids[0])
	check.Equal(t, "title after a later replay", notificationOf(t, ana, ids[0]).Title, "Linha azul")
	again := deliver(t, hook.URL, body, sign(t, "msg/1", body, hook.Secret), http.StatusAccepted)
	if !again.Duplicate || again.NotificationID != ids[0] {
		t.Errorf("the same event again: got %+v, want a duplicate of %s", again, ids[0])
	}
	withKey(t, ana, s, http.MethodPatch, one, map[string]any{"template": nil}, http.StatusOK, nil)
	const same = `{"title":"Outra vez","externalId":"e"}`
	other := deliver(t, hook.URL, same, sign(t, "msg2", same, hook.Secret), http.StatusAccepted)
	if !other.Duplicate || other.NotificationID != ids[0] {
		t.Errorf("another event with the same external id: got %+v, want a duplicate of %s", other, ids[0])
	}
	broken := `{"title":`
	deliver(t, hook.URL, broken, sign(t, "msg3", broken, hook.Secret), http.StatusBadRequest)
	got = received{}
	withKey(t, ana, s, http.MethodGet, one+"/events/msg3", nil, http.StatusOK, &got)
	if got.Outcome != "refused" || got.Payload != nil || got.Headers["webhook-id"] != "msg3" {
		t.Errorf("broken event: got %+v, want it refused, with its headers and no payload", got)
	}
	for name, secret := range got.Headers {
		if strings.Contains(name, "signature") || strings.Contains(secret, "v1,") {
			t.Errorf("kept headers of the broken event: got %s, want no signature", name)
		}
	}
	withKey(t, ana, s, http.MethodPost, one+"/events/msg3/replay", nil, http.StatusOK, &got)
	withKey(t, ana, s, http.MethodPost, one+"/events/none/replay", nil, http.StatusNotFound, nil)
	if err := webhook.CheckSecret(hook.Secret); err != nil {
		t.Errorf("secret %q of the webhook: %v", hook.Secret, err)
	}
}
