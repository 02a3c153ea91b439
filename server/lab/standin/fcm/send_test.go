package fcm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"firebase.google.com/go/v4/errorutils"
	"firebase.google.com/go/v4/messaging"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"

	"github.com/sininho/sininho/server/lab/standin/fcm"
)

func TestSendWithAdminSDK(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	client := f.messaging(t)
	names := map[string]bool{}
	for _, token := range []string{"a", "b", "a"} {
		name, err := client.Send(t.Context(), &messaging.Message{
			Fid: token, Data: map[string]string{"token": "not this", "id": "1"},
			Notification: &messaging.Notification{Title: "Olá", Body: `com "aspas" e \ e <b>`},
		})
		if err != nil {
			t.Fatalf("send: %v", err)
		}
		if prefix := "projects/" + project + "/messages/"; !strings.HasPrefix(name, prefix) {
			t.Errorf("message name: got %q, want it to begin with %q", name, prefix)
		}
		if names[name] {
			t.Errorf("message name %q: got it twice, want unique names", name)
		}
		names[name] = true
	}
	sent := f.Sent(0, "")
	if len(sent) != 3 {
		t.Fatalf("recorded messages: got %d, want 3", len(sent))
	}
	for i, token := range []string{"a", "b", "a"} {
		want := `{"data":{"id":"1","token":"not this"},"notification":{"title":"Olá","body":"com \"aspas\" e \\ e <b>"},"fid":"` + token + `"}`
		if diff := cmp.Diff(canonical(t, []byte(want)), canonical(t, sent[i].Message)); diff != "" {
			t.Errorf("recorded message %d (-want +got):\n%s", i, diff)
		}
		if got := sent[i]; got.Token != token || got.Seq != int64(i+1) {
			t.Errorf("record %d: got token %q and seq %d, want %q and %d", i, got.Token, got.Seq, token, i+1)
		}
		if !names[sent[i].Name] {
			t.Errorf("record %d: got name %q, want a name that a send returned", i, sent[i].Name)
		}
		if age := time.Since(sent[i].At); age > time.Minute {
			t.Errorf("record %d: got age %s, want less than a minute", i, age)
		}
	}
	if n := len(f.Sent(0, "a")); n != 2 {
		t.Errorf("records of token a: got %d, want 2", n)
	}
}

func canonical(t *testing.T, b []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("decode %s: %v", b, err)
	}
	c, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("encode JSON: %v", err)
	}
	return string(c)
}

func TestErrorsWithAdminSDK(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	client := f.messaging(t)
	is := map[string]func(error) bool{
		"unregistered": messaging.IsUnregistered, "sender": messaging.IsSenderIDMismatch,
		"argument": messaging.IsInvalidArgument, "third party": messaging.IsThirdPartyAuthError,
		"quota": messaging.IsQuotaExceeded, "internal": messaging.IsInternal, "unavailable": messaging.IsUnavailable,
		"unauthenticated": errorutils.IsUnauthenticated, "exhausted": errorutils.IsResourceExhausted,
	}
	for _, c := range []struct {
		fault  fcm.Fault
		status int
		are    string
	}{
		{fcm.Fault{Error: "UNREGISTERED"}, 404, "unregistered"},
		{fcm.Fault{Error: "SENDER_ID_MISMATCH"}, 403, "sender"},
		{fcm.Fault{Error: "INVALID_ARGUMENT"}, 400, "argument"},
		{fcm.Fault{Error: "INVALID_TOKEN"}, 400, "argument"},
		{fcm.Fault{Error: "THIRD_PARTY_AUTH_ERROR"}, 401, "third party, unauthenticated"},
		{fcm.Fault{Error: "UNAUTHENTICATED"}, 401, "unauthenticated"},
		{fcm.Fault{Error: "QUOTA_EXCEEDED", RetryAfter: "30"}, 429, "exhausted, quota"},
		{fcm.Fault{Error: "RATE_LIMIT_EXCEEDED"}, 429, "exhausted"}, // FCM does the same: firebase-admin-go issue 719
		{fcm.Fault{Error: "INTERNAL", RetryAfter: "Fri, 31 Dec 1999 23:59:59 GMT"}, 500, "internal"},
		{fcm.Fault{Error: "UNAVAILABLE", RetryAfter: "86400"}, 503, "unavailable"}, // too long for the SDK to retry
	} {
		t.Run(c.fault.Error, func(t *testing.T) {
			t.Parallel()
			c.fault.Token = "token of " + c.fault.Error
			f.fail(t, c.fault)
			_, err := client.Send(t.Context(), &messaging.Message{Fid: c.fault.Token})
			res := errorutils.HTTPResponse(err) //nolint:bodyclose // the SDK read and closed it
			if res == nil {
				t.Fatalf("send: got %v, want an error with a response", err)
			}
			if res.StatusCode != c.status {
				t.Errorf("status: got %d, want %d", res.StatusCode, c.status)
			}
			if got := res.Header.Get("Retry-After"); got != c.fault.RetryAfter {
				t.Errorf("Retry-After: got %q, want %q", got, c.fault.RetryAfter)
			}
			for name, is := range is {
				if want := strings.Contains(c.are+",", name+","); is(err) != want {
					t.Errorf("error %v is %s: got %t, want %t", err, name, !want, want)
				}
			}
			if n := len(f.Sent(0, c.fault.Token)); n != 0 {
				t.Errorf("accepted messages: got %d, want 0", n)
			}
		})
	}
}

// bearer returns an access token, obtained as the SDK does.
func (f *fixture) bearer(t testing.TB, account []byte) (string, error) {
	t.Helper()
	conf, err := google.JWTConfigFromJSON(account, "https://www.googleapis.com/auth/firebase.messaging")
	if err != nil {
		t.Fatalf("read the service account: %v", err)
	}
	token, err := conf.TokenSource(context.WithValue(t.Context(), oauth2.HTTPClient, f.client)).Token()
	if err != nil {
		return "", err
	}
	return "Bearer " + token.AccessToken, nil
}

// send posts a body with valid authorization.
func (f *fixture) send(t testing.TB, body string) (int, string) {
	t.Helper()
	if f.authorization == "" {
		var err error
		if f.authorization, err = f.bearer(t, f.account()); err != nil {
			t.Fatalf("get an access token: %v", err)
		}
	}
	return f.call(t, http.MethodPost, "/v1/projects/"+project+"/messages:send", body, "Authorization", f.authorization)
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	bearer, err := f.bearer(t, f.account())
	if err != nil {
		t.Fatalf("get an access token: %v", err)
	}
	again := start(t, fcm.Config{Credentials: f.account()})
	for _, c := range []struct {
		name   string
		at     *fixture
		header []string
		status int
	}{
		{"right", f, []string{"Authorization", bearer}, 200},
		{"of an earlier run", again, []string{"Authorization", bearer}, 200},
		{"none", f, nil, 401},
		{"unknown", f, []string{"Authorization", "Bearer ya29.other"}, 401},
		{"later than it says", f, []string{"Authorization", strings.Replace(bearer, "in.1", "in.2", 1)}, 401},
		{"of another", start(t, fcm.Config{}), []string{"Authorization", bearer}, 401},
	} {
		status, body := c.at.call(t, http.MethodPost, "/v1/projects/sininho-test/messages:send",
			`{"message":{"token":"t"}}`, c.header...)
		if status != c.status {
			t.Errorf("send with credentials %s: got %d %s, want %d", c.name, status, body, c.status)
		}
		if status != 401 {
			continue
		}
		if !strings.Contains(body, `"UNAUTHENTICATED"`) || strings.Contains(body, "FcmError") {
			t.Errorf("send with credentials %s: got %s, want UNAUTHENTICATED without FcmError", c.name, body)
		}
	}
	other := start(t, fcm.Config{})
	wrongKey := other.ServiceAccountJSON(f.url + "/token")
	var refused *oauth2.RetrieveError
	if _, err := f.bearer(t, wrongKey); !errors.As(err, &refused) {
		t.Fatalf("assertion signed with another key: got %v, want an oauth2.RetrieveError", err)
	}
	if got := refused.Response.StatusCode; got != 400 || !strings.Contains(string(refused.Body), `"invalid_grant"`) {
		t.Errorf("assertion signed with another key: got %d %s, want 400 invalid_grant", got, refused.Body)
	}
	if _, err := fcm.New(fcm.Config{Credentials: []byte(`{"private_key":"x"}`)}); err == nil {
		t.Error("New with credentials without a key: got no error, want one")
	}
}

func TestMessagesAreValidated(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	// frame is the size of a message without its token and the padding.
	frame := len(`{"token":"","data":{"a":""}}`)
	pad := func(n int) string { return strings.Repeat("x", n-frame) }
	for _, c := range []struct {
		name, body string
		status     int
		has        string
		lacks      string
	}{
		{"smallest", `{"message":{"token":"t"}}`, 200, `{"name":"projects/` + project + `/messages/`, ""},
		{"spaced", "{ \"message\" : {\n \"token\" : \"t\", \"data\":{} } }", 200, "", ""},
		{
			"both spellings",
			`{"message":{"token":"t","webpush":{"fcmOptions":{"link":"https://example.com/a"}}},"validateOnly":false}`,
			200, "", "",
		},
		{"validate only", `{"message":{"token":"dry"},"validate_only":true}`, 200, "fake_message_id", ""},
		{"largest", `{"message":{"token":"long token","data":{"a":"` + pad(4096) + `"}}}`, 200, "", ""},
		{
			"too large", `{"message":{"token":"long token","data":{"a":"` + pad(4097) + `"}}}`, 400,
			"Message is too big", "fieldViolations",
		},
		{"much too large", `{"message":{"token":"t","data":{"a":"` + pad(70_000) + `"}}}`, 400, "exceeds", ""},
		{"to an installation", `{"message":{"fid":"f"}}`, 200, "", ""},
		{
			"to an installation and a token", `{"message":{"fid":"f","token":"t"}}`, 400,
			"Only one recipient of the message may be set.", "",
		},
		{"no token", `{"message":{"data":{}}}`, 400, "Recipient of the message is not set.", ""},
		{"empty token", `{"message":{"token":""}}`, 400, "Recipient of the message is not set.", ""},
		{"no message", `{}`, 400, "google.rpc.BadRequest", ""},
		{"topic", `{"message":{"topic":"all"}}`, 400, "INVALID_ARGUMENT", ""},
		{
			"http link", `{"message":{"token":"t","webpush":{"fcm_options":{"link":"http://example.com"}}}}`, 400,
			"message.webpush.fcm_options.link", "",
		},
		{
			"number in data", `{"message":{"token":"t","data":{"a":1}}}`, 400,
			"Invalid value at 'message.data'", "FcmError",
		},
		{
			"unknown field", `{"message":{"token":"t","dta":{}}}`, 400,
			`Unknown name \"dta\" at 'message': Cannot find field.`, "FcmError",
		},
		{"reserved key", `{"message":{"token":"t","data":{"google.x":"1"}}}`, 400, "Invalid data payload key", ""},
		{"wrong case", `{"message":{"Token":"t"}}`, 400, "INVALID_ARGUMENT", ""},
		{"not JSON", `{"message":`, 400, "Invalid JSON payload received.", ""},
	} {
		for range 2 { // the second is recognized as the same template
			status, body := f.send(t, c.body)
			if status != c.status || !strings.Contains(body, c.has) {
				t.Errorf("send %s: got %d %s, want %d with %q", c.name, status, body, c.status, c.has)
			}
			if c.lacks != "" && strings.Contains(body, c.lacks) {
				t.Errorf("send %s: got %s, want a body without %q", c.name, body, c.lacks)
			}
		}
	}
	if n := len(f.Sent(0, "dry")); n != 0 {
		t.Errorf("accepted messages with validate_only: got %d, want 0", n)
	}
}

// TestTokensAreNotMixedUp sends bodies that a careless parser would confuse.
func TestTokensAreNotMixedUp(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	type message struct {
		Token string            `json:"token"`
		Data  map[string]string `json:"data"`
	}
	var want []message
	for _, order := range []string{
		`{"message":{"token":%s,"data":{"token":%s}}}`, `{"message":{"data":{"token":%[2]s},"token":%[1]s}}`,
	} {
		for _, token := range []string{"a", "b", `q"uote`, "é", "a"} {
			for _, other := range []string{"a", "b", `","token":"x`} {
				literal := func(s string) string { b, _ := json.Marshal(s); return string(b) }
				if status, body := f.send(t, fmt.Sprintf(order, literal(token), literal(other))); status != 200 {
					t.Fatalf("send to %q: got %d %s, want 200", token, status, body)
				}
				want = append(want, message{token, map[string]string{"token": other}})
			}
		}
	}
	for i, s := range f.Sent(0, "") {
		var got message
		if err := json.Unmarshal(s.Message, &got); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
		if s.Token != want[i].Token || got.Token != want[i].Token || got.Data["token"] != want[i].Data["token"] {
			t.Errorf("record %d: got %s for token %q, want %+v", i, s.Message, s.Token, want[i])
		}
	}
}

func TestSendConcurrently(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	client := f.messaging(t)
	var all sync.WaitGroup
	const senders, each = 8, 50
	for i := range senders {
		all.Go(func() {
			for j := range each {
				if _, err := client.Send(t.Context(),
					&messaging.Message{
						Fid: fmt.Sprintf("%d/%d", i, j), Data: map[string]string{"n": fmt.Sprint(j % 5)},
					}); err != nil {
					t.Errorf("send: %v", err)
				}
			}
		})
	}
	all.Wait()
	tokens := map[string]bool{}
	for i, s := range f.Sent(0, "") {
		if tokens[s.Token] = true; s.Seq != int64(i+1) {
			t.Errorf("seq of record %d: got %d, want %d", i, s.Seq, i+1)
		}
	}
	st := f.Stats()
	if n := len(tokens); n != senders*each {
		t.Errorf("recorded tokens: got %d, want %d", n, senders*each)
	}
	if st.Accepted != senders*each || st.Responses["200"] != senders*each {
		t.Errorf("stats: got %+v, want %d accepted and as many responses with 200", st, senders*each)
	}
	if st.InFlight != 0 || st.PeakInFlight < 1 {
		t.Errorf("stats: got %d in flight and a peak of %d, want 0 and at least 1", st.InFlight, st.PeakInFlight)
	}
}
