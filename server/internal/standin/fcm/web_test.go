package fcm_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"

	"firebase.google.com/go/v4/messaging"

	"github.com/sininho/sininho/server/internal/standin/fcm"
)

// browser acts as the web SDK does, according to its source (firebase 12.19).
type browser struct {
	f         *fixture
	fid, auth string
}

func (f *fixture) browser(t *testing.T) *browser {
	t.Helper()
	const fid = "cAbCdEfGhIjKlMnOpQrStU"
	var in struct {
		FID, RefreshToken string
		AuthToken         struct{ Token, ExpiresIn string }
	}
	body := f.ok(t, http.MethodPost, "/v1/projects/p/installations", `{"fid":"`+fid+`","authVersion":"FIS_v2","appId":"1:1:web:1","sdkVersion":"w:0.6.24"}`)
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		t.Fatal(err)
	}
	if in.FID != fid || in.RefreshToken == "" || in.AuthToken.ExpiresIn != "604800s" {
		t.Errorf("installation %+v", in)
	}
	body = f.ok(t, http.MethodPost, "/v1/projects/p/installations/"+fid+"/authTokens:generate", `{}`, "Authorization", "FIS_v2 "+in.RefreshToken)
	if err := json.Unmarshal([]byte(body), &in.AuthToken); err != nil {
		t.Fatal(err)
	}
	return &browser{f, fid, "FIS " + in.AuthToken.Token}
}

const web = `"web":{"origin":"localhost:8080","endpoint":"https://fcm.googleapis.com/fcm/send/1","p256dh":"key","auth":"secret","applicationPubKey":"vapid"}`

func (b *browser) register(t *testing.T, method, path, body string) (address string) {
	t.Helper()
	var answer struct{ Token, Name string }
	got := b.f.ok(t, method, "/v1/projects/p/registrations"+path, body, "X-Goog-Firebase-Installations-Auth", b.auth, "X-Goog-Api-Key", "k")
	if err := json.Unmarshal([]byte(got), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Token + strings.TrimPrefix(answer.Name, "projects/p/registrations/")
}

// inbox is a push service.
type inbox struct {
	mu       sync.Mutex
	to       fcm.Subscription
	payloads []string
	err      error
}

func (i *inbox) deliver(_ context.Context, to fcm.Subscription, payload []byte) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.to, i.payloads = to, append(i.payloads, string(payload))
	return i.err
}

func TestBrowserGetsWhatIsSentToItsToken(t *testing.T) {
	t.Parallel()
	var box inbox
	f := start(t, fcm.Config{Deliver: box.deliver})
	b, client := f.browser(t), f.messaging(t)
	token := b.register(t, http.MethodPost, "", "{"+web+"}")
	if !strings.HasPrefix(token, b.fid+":APA91b") || b.register(t, http.MethodPatch, "/"+token, "{"+web+"}") != token {
		t.Errorf("token %q", token)
	}
	name, err := client.Send(t.Context(), &messaging.Message{
		Token: token, Data: map[string]string{"id": "1", "over": "all"},
		Notification: &messaging.Notification{Title: "Título", Body: "Corpo", ImageURL: "https://example.com/i.png"},
		Webpush: &messaging.WebpushConfig{
			Headers: map[string]string{"Urgency": "high"}, Data: map[string]string{"over": "web"},
			Notification: &messaging.WebpushNotification{Body: "Corpo web", Icon: "/icon.png", Tag: "n1"},
			FCMOptions:   &messaging.WebpushFCMOptions{Link: "https://example.com/n"},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if box.to != (fcm.Subscription{Endpoint: "https://fcm.googleapis.com/fcm/send/1", P256dh: "key", Auth: "secret"}) {
		t.Errorf("to %+v", box.to)
	}
	want := `{"from":"123456789012","fcmMessageId":"` + name[strings.LastIndex(name, "/")+1:] + `","priority":"high",
		"notification":{"title":"Título","body":"Corpo web","image":"https://example.com/i.png","icon":"/icon.png","tag":"n1"},
		"data":{"id":"1","over":"web"},"fcmOptions":{"link":"https://example.com/n"}}`
	if got := canonical(t, []byte(box.payloads[0])); got != canonical(t, []byte(want)) {
		t.Errorf("payload\n%s, want\n%s", got, want)
	}
	b.register(t, http.MethodDelete, "/"+token, "")
	if _, err := client.Send(t.Context(), &messaging.Message{Token: token}); !messaging.IsUnregistered(err) {
		t.Errorf("after it was deleted: %v", err)
	}
}

func TestBrowserRegistersByInstallation(t *testing.T) {
	t.Parallel()
	var box inbox
	f := start(t, fcm.Config{Deliver: box.deliver})
	b := f.browser(t)
	if address := b.register(t, http.MethodPost, "", `{`+web+`,"fcm_sdk_version":"0.13.3"}`); address != b.fid {
		t.Fatalf("registered as %q", address)
	}
	if _, err := f.messaging(t).Send(t.Context(), &messaging.Message{Token: b.fid, Data: map[string]string{"a": "b"}}); err != nil {
		t.Fatal(err)
	}
	if len(box.payloads) != 1 || strings.Contains(box.payloads[0], `"notification"`) {
		t.Errorf("got %q", box.payloads)
	}
}

func TestPushServiceRefuses(t *testing.T) {
	t.Parallel()
	for err, is := range map[error]func(error) bool{fcm.ErrGone: messaging.IsUnregistered, errors.New("broken"): messaging.IsInternal} {
		box := inbox{err: err}
		f := start(t, fcm.Config{Deliver: box.deliver})
		token := f.browser(t).register(t, http.MethodPost, "", "{"+web+"}")
		if _, got := f.messaging(t).Send(t.Context(), &messaging.Message{Token: token}); !is(got) || len(f.Sent(0, "")) != 0 {
			t.Errorf("%v: %v, and %d sent", err, got, len(f.Sent(0, "")))
		}
	}
}

func TestWebRequestsAreChecked(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	auth := f.browser(t).auth
	for _, c := range []struct {
		method, path, body, auth string
		status                   int
	}{
		{http.MethodPost, "/registrations", "{" + web + "}", "", 401},
		{http.MethodPost, "/registrations", `{"web":{"endpoint":"x"}}`, auth, 400},
		{http.MethodPost, "/registrations", `nonsense`, auth, 400},
		{http.MethodDelete, "/registrations/x", ``, "", 401},
		{http.MethodPost, "/installations", `{"fid":"x"}`, "", 400},
		{http.MethodPost, "/installations/x/authTokens:generate", `{}`, "", 401},
		{http.MethodOptions, "/registrations", ``, "", 204},
	} {
		if status, body := f.call(t, c.method, "/v1/projects/p"+c.path, c.body, "X-Goog-Firebase-Installations-Auth", c.auth); status != c.status {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, status, body)
		}
	}
	// an invalid id is replaced by a valid one
	var in struct{ FID string }
	if err := json.Unmarshal([]byte(f.ok(t, http.MethodPost, "/v1/projects/p/installations", `{"fid":"x","appId":"1:1:web:1"}`)), &in); err != nil {
		t.Fatal(err)
	}
	if b, err := base64.RawURLEncoding.DecodeString(in.FID + "AA"); err != nil || len(in.FID) != 22 || b[0]>>4 != 7 {
		t.Errorf("installation id %q", in.FID)
	}
}
