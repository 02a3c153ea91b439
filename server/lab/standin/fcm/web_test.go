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
	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// browser acts as the web SDK does, according to its source (firebase 13.2).
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
	body := f.ok(t, http.MethodPost, "/v1/projects/p/installations",
		`{"fid":"`+fid+`","authVersion":"FIS_v2","appId":"1:1:web:1","sdkVersion":"w:0.6.24"}`)
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		t.Fatalf("decode JSON: %v", err)
	}
	if in.FID != fid || in.RefreshToken == "" || in.AuthToken.ExpiresIn != "604800s" {
		t.Errorf("installation: got %+v, want id %s, a refresh token and a token for 604800s", in, fid)
	}
	body = f.ok(t, http.MethodPost, "/v1/projects/p/installations/"+fid+"/authTokens:generate", `{}`, "Authorization",
		"FIS_v2 "+in.RefreshToken)
	if err := json.Unmarshal([]byte(body), &in.AuthToken); err != nil {
		t.Fatalf("decode JSON: %v", err)
	}
	return &browser{f, fid, "FIS " + in.AuthToken.Token}
}

const web = `"web":{"origin":"localhost:8080","endpoint":"https://fcm.googleapis.com/fcm/send/1","p256dh":"key","auth":"secret","applicationPubKey":"vapid"},"fcm_sdk_version":"0.13.3"`

func (b *browser) register(t *testing.T, method, path, body string) (address string) {
	t.Helper()
	var registration struct{ Name string }
	got := b.f.ok(t, method, "/v1/projects/p/registrations"+path, body, "X-Goog-Firebase-Installations-Auth", b.auth,
		"X-Goog-Api-Key", "k")
	if err := json.Unmarshal([]byte(got), &registration); err != nil {
		t.Fatalf("decode JSON: %v", err)
	}
	return strings.TrimPrefix(registration.Name, "projects/p/registrations/")
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

func TestBrowserReceivesMessages(t *testing.T) {
	t.Parallel()
	var box inbox
	f := start(t, fcm.Config{Deliver: box.deliver})
	b, client := f.browser(t), f.messaging(t)
	for range 2 { // the second time as it does every week
		if address := b.register(t, http.MethodPost, "", "{"+web+"}"); address != b.fid {
			t.Errorf("registration address: got %q, want the installation %q", address, b.fid)
		}
	}
	name, err := client.Send(t.Context(), &messaging.Message{
		Fid: b.fid, Data: map[string]string{"id": "1", "over": "all"},
		Notification: &messaging.Notification{Title: "Título", Body: "Corpo", ImageURL: "https://example.com/i.png"},
		Webpush: &messaging.WebpushConfig{
			Headers: map[string]string{"Urgency": "high"}, Data: map[string]string{"over": "web"},
			Notification: &messaging.WebpushNotification{Body: "Corpo web", Icon: "/icon.png", Tag: "n1"},
			FCMOptions:   &messaging.WebpushFCMOptions{Link: "https://example.com/n"},
		},
	})
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	to := fcm.Subscription{Endpoint: "https://fcm.googleapis.com/fcm/send/1", P256dh: "key", Auth: "secret"}
	if diff := cmp.Diff(to, box.to); diff != "" {
		t.Errorf("subscription pushed to (-want +got):\n%s", diff)
	}
	want := `{"from":"123456789012","fcmMessageId":"` + name[strings.LastIndex(name, "/")+1:] + `","priority":"high",
		"notification":{"title":"Título","body":"Corpo web","image":"https://example.com/i.png","icon":"/icon.png","tag":"n1"},
		"data":{"id":"1","over":"web"},"fcmOptions":{"link":"https://example.com/n"}}`
	if diff := cmp.Diff(canonical(t, []byte(want)), canonical(t, []byte(box.payloads[0]))); diff != "" {
		t.Errorf("payload (-want +got):\n%s", diff)
	}
	b.register(t, http.MethodDelete, "/"+b.fid, "")
	if _, err := client.Send(t.Context(), &messaging.Message{Fid: b.fid}); !messaging.IsUnregistered(err) {
		t.Errorf("send to the deleted registration: got %v, want unregistered", err)
	}
}

func TestMessageWithoutANotification(t *testing.T) {
	t.Parallel()
	var box inbox
	f := start(t, fcm.Config{Deliver: box.deliver})
	b := f.browser(t)
	b.register(t, http.MethodPost, "", "{"+web+"}")
	if _, err := f.messaging(t).
		Send(t.Context(), &messaging.Message{Fid: b.fid, Data: map[string]string{"a": "b"}}); err != nil {
		t.Fatalf("send: %v", err)
	}
	if len(box.payloads) != 1 || strings.Contains(box.payloads[0], `"notification"`) {
		t.Errorf("payloads: got %q, want one without a notification", box.payloads)
	}
}

func TestErrorsOfThePushServiceAreReturned(t *testing.T) {
	t.Parallel()
	for err, is := range map[error]func(error) bool{
		fcm.ErrGone: messaging.IsUnregistered, errors.New("broken"): messaging.IsInternal,
	} {
		box := inbox{err: err}
		f := start(t, fcm.Config{Deliver: box.deliver})
		address := f.browser(t).register(t, http.MethodPost, "", "{"+web+"}")
		if _, got := f.messaging(t).Send(t.Context(), &messaging.Message{Fid: address}); !is(got) {
			t.Errorf("send with push service error %q: got %v, want the matching FCM error", err, got)
		}
		if n := len(f.Sent(0, "")); n != 0 {
			t.Errorf("accepted messages with push service error %q: got %d, want 0", err, n)
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
		status, body := f.call(t, c.method, "/v1/projects/p"+c.path, c.body,
			"X-Goog-Firebase-Installations-Auth", c.auth)
		if status != c.status {
			t.Errorf("%s %s with %s: got %d %s, want %d", c.method, c.path, c.body, status, body, c.status)
		}
	}
	// an invalid id is replaced by a valid one
	var in struct{ FID string }
	if err := json.Unmarshal(
		[]byte(f.ok(t, http.MethodPost, "/v1/projects/p/installations", `{"fid":"x","appId":"1:1:web:1"}`)), &in,
	); err != nil {
		t.Fatalf("decode JSON: %v", err)
	}
	if b, err := base64.RawURLEncoding.DecodeString(in.FID + "AA"); err != nil || len(in.FID) != 22 || b[0]>>4 != 7 {
		t.Errorf("installation id: got %q, want 22 characters that begin as Firebase's do", in.FID)
	}
}
