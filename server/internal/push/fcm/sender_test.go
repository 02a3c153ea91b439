package fcm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/push/fcm"
	"github.com/sininho/sininho/server/lab/standin"
	standinfcm "github.com/sininho/sininho/server/lab/standin/fcm"
)

const project = "sininho-test"

// service is an FCM stand-in that counts the requests to messages:send.
type service struct {
	url      string
	account  []byte
	requests atomic.Int32
}

func startService(t testing.TB) *service {
	t.Helper()
	s := &service{}
	messaging, err := standinfcm.New(standinfcm.Config{ProjectID: project})
	if err != nil {
		t.Fatalf("make the FCM stand-in: %v", err)
	}
	handler := messaging.Handler()
	server, err := standin.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/messages:send") {
			s.requests.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	if err != nil {
		t.Fatalf("serve the stand-in: %v", err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Errorf("close the stand-in: %v", err)
		}
	})
	s.url = server.URL()
	s.account = messaging.ServiceAccountJSON(s.url + "/token")
	return s
}

func (s *service) sender(t testing.TB, timeout time.Duration) *fcm.Sender {
	t.Helper()
	return newSender(t, s.account, s.url, timeout)
}

func newSender(t testing.TB, account []byte, url string, timeout time.Duration) *fcm.Sender {
	t.Helper()
	// The context of the test would end the sender's token source too early.
	sender, err := fcm.New(context.Background(),
		fcm.Config{ProjectID: project, Credentials: account, Endpoint: url + "/v1", Timeout: timeout})
	if err != nil {
		t.Fatalf("make the sender: %v", err)
	}
	return sender
}

// call sends a request to the stand-in's controls.
func (s *service) call(t testing.TB, method, path, body string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatalf("build the request: %v", err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatalf("request: %v", err)
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode/100 != 2 {
		t.Fatalf("%s %s: got %s %s and %v, want 2xx", method, path, res.Status, b, err)
	}
	return b
}

func (s *service) sentTo(t testing.TB, token string) int {
	t.Helper()
	return bytes.Count(s.call(t, http.MethodGet, "/sent?token="+token, ""), []byte("\n"))
}

func push() core.Push {
	return core.Push{
		ID: "0198c9a1-9d1c-7b6e-8d7c-3f2b1a0c9d8e", Title: "Novo aviso", Body: "Corpo do aviso", Link: "/avisos/1",
		Channel: "padaria/fornadas", ChannelID: "0198c9a1-0000-7b6e-8d7c-3f2b1a0c9d8e", High: true,
		Expires: time.Now().Add(time.Hour),
	}
}

// again and unauthenticated are the results that several responses have in common.
var (
	again           = core.Result{Cause: core.CauseUnavailable}
	unauthenticated = core.Result{Cause: core.CauseCredentials, Pause: 30 * time.Second}
)

func gone(cause string) core.Result {
	return core.Result{Outcome: core.Failed, Cause: cause, Retire: true}
}

func wait(r core.Result, d time.Duration) core.Result {
	r.Wait = d
	return r
}

func quota(pause time.Duration) core.Result {
	return core.Result{Cause: core.CauseQuota, Pause: pause}
}

// TestEachResponse checks the table in README.md. Each message is sent once, whatever the response.
func TestEachResponse(t *testing.T) {
	t.Parallel()
	inAnHour := time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)
	for _, c := range []struct {
		name, fault string
		want        core.Result
		accepted    int
	}{
		{"accepted", ``, core.Result{Outcome: core.Accepted}, 1},
		{"slow", `{"delay":"20ms"}`, core.Result{Outcome: core.Accepted}, 1},
		{"unregistered", `{"error":"UNREGISTERED"}`, gone(core.CauseUnregistered), 0},
		{"sender mismatch", `{"error":"SENDER_ID_MISMATCH"}`, gone(core.CauseSenderMismatch), 0},
		{"token at fault", `{"error":"INVALID_TOKEN"}`, gone(core.CauseInvalid), 0},
		{
			"message at fault", `{"error":"INVALID_ARGUMENT"}`,
			core.Result{Outcome: core.Failed, Cause: core.CauseInvalid}, 0,
		},
		{
			"third party", `{"error":"THIRD_PARTY_AUTH_ERROR"}`,
			core.Result{Cause: core.CauseCredentials, Wait: 30 * time.Second}, 0,
		},
		{"unauthenticated", `{"error":"UNAUTHENTICATED"}`, unauthenticated, 0},
		{"device's quota", `{"error":"QUOTA_EXCEEDED"}`, core.Result{Cause: core.CauseQuota, Wait: time.Minute}, 0},
		{"quota", `{"error":"RATE_LIMIT_EXCEEDED"}`, quota(time.Minute), 0},
		{"quota, seconds", `{"error":"RATE_LIMIT_EXCEEDED","retryAfter":"90"}`, quota(90 * time.Second), 0},
		{"quota, date", `{"error":"RATE_LIMIT_EXCEEDED","retryAfter":"` + inAnHour + `"}`, quota(time.Hour), 0},
		{"internal", `{"error":"INTERNAL"}`, again, 0},
		{"internal, seconds", `{"error":"INTERNAL","retryAfter":"30"}`, wait(again, 30*time.Second), 0},
		{"unavailable", `{"error":"UNAVAILABLE"}`, again, 0},
		{"unavailable, seconds", `{"error":"UNAVAILABLE","retryAfter":"1"}`, wait(again, time.Second), 0},
		{"unavailable, date", `{"error":"UNAVAILABLE","retryAfter":"` + inAnHour + `"}`, wait(again, time.Hour), 0},
		{"cut before", `{"cut":"before"}`, again, 0},
		{"cut after", `{"cut":"after"}`, again, 1},
		{"hanging", `{"hang":true}`, again, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := startService(t)
			timeout := 30 * time.Second
			if strings.Contains(c.fault, "hang") {
				timeout = 3 * time.Second
			}
			if c.fault != "" {
				s.call(t, http.MethodPost, "/faults", c.fault)
			}
			check(t, s.sender(t, timeout).Send(t.Context(), push(), device), c.want)
			if n := s.requests.Load(); n != 1 {
				t.Errorf("requests: got %d, want 1", n)
			}
			if n := s.sentTo(t, "device"); n != c.accepted {
				t.Errorf("accepted messages: got %d, want %d", n, c.accepted)
			}
		})
	}
}

// check compares results. A wait until a date may have become up to a minute shorter.
func check(t *testing.T, got, want core.Result) {
	t.Helper()
	near := func(got, want time.Duration) bool {
		return got == want || want >= time.Hour && got > want-time.Minute && got <= want
	}
	if got.Outcome != want.Outcome || got.Cause != want.Cause || got.Retire != want.Retire {
		t.Errorf("result: got %+v, want %+v", got, want)
	}
	if !near(got.Wait, want.Wait) || !near(got.Pause, want.Pause) {
		t.Errorf("result: got wait %s and pause %s, want %s and %s", got.Wait, got.Pause, want.Wait, want.Pause)
	}
	if accepted := want.Outcome == core.Accepted; (got.Err == nil) != accepted {
		t.Errorf("error: got %v, want none: %t", got.Err, accepted)
	}
}

func TestRefusedCredentials(t *testing.T) {
	t.Parallel()
	s, other := startService(t), startService(t)
	account := bytes.ReplaceAll(other.account, []byte(other.url), []byte(s.url))
	check(t, newSender(t, account, s.url, 30*time.Second).Send(t.Context(), push(), device), unauthenticated)
	if n := s.requests.Load(); n != 0 {
		t.Errorf("requests without an access token: got %d, want 0", n)
	}
}

func TestConnectionRefused(t *testing.T) {
	t.Parallel()
	s := startService(t)
	closed, err := standin.Serve(http.NotFoundHandler())
	if err != nil {
		t.Fatalf("serve the stand-in: %v", err)
	}
	if err := closed.Close(); err != nil {
		t.Fatalf("close the stand-in: %v", err)
	}
	got := newSender(t, s.account, closed.URL(), 30*time.Second).Send(t.Context(), push(), device)
	check(t, got, again)
	if got.Err == nil || !strings.Contains(got.Err.Error(), "connection refused") {
		t.Errorf("error: got %v, want connection refused in it", got.Err)
	}
	account := bytes.ReplaceAll(s.account, []byte(s.url), []byte(closed.URL()))
	check(t, newSender(t, account, s.url, 30*time.Second).Send(t.Context(), push(), device), again)
	if n := s.requests.Load(); n != 0 {
		t.Errorf("requests without an access token: got %d, want 0", n)
	}
}

func TestSendSucceedsAfterFaults(t *testing.T) {
	t.Parallel()
	s := startService(t)
	s.call(t, http.MethodPost, "/faults", `{"error":"UNAVAILABLE","times":2}`)
	sender := s.sender(t, 30*time.Second)
	for _, want := range []core.Result{again, again, {Outcome: core.Accepted}} {
		check(t, sender.Send(t.Context(), push(), device), want)
	}
	if n := s.requests.Load(); n != 3 {
		t.Errorf("requests for three sends: got %d, want 3", n)
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	s := startService(t)
	sender := s.sender(t, 30*time.Second)
	for _, p := range []core.Push{
		push(), {
			ID: "n2", Title: "Longo", Body: strings.Repeat("ação 🔔 ", 2000), Channel: "a/b",
			Expires: time.Now().Add(time.Hour),
		},
	} {
		check(t, sender.Send(t.Context(), p, device), core.Result{Outcome: core.Accepted})
	}
	first, _, _ := bytes.Cut(s.call(t, http.MethodGet, "/sent", ""), []byte("\n"))
	var sent struct {
		Message struct {
			Token        string
			Data         map[string]string
			Notification struct{ Title, Body string }
			Webpush      struct {
				Headers      map[string]string
				Notification struct{ Tag string }
			}
		}
	}
	if err := json.Unmarshal(first, &sent); err != nil {
		t.Fatalf("decode JSON: %v", err)
	}
	m, p := sent.Message, push()
	got := map[string]string{"token": m.Token, "title": m.Notification.Title, "body": m.Notification.Body,
		"tag": m.Webpush.Notification.Tag, "urgency": m.Webpush.Headers["Urgency"],
		"id": m.Data["id"], "channel": m.Data["channel"], "channelId": m.Data["channelId"], "link": m.Data["link"]}
	want := map[string]string{"token": "device", "title": p.Title, "body": p.Body, "tag": p.ID, "urgency": "high",
		"id": p.ID, "channel": p.Channel, "channelId": p.ChannelID, "link": p.Link}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("message (-want +got):\n%s\nsent: %s", diff, first)
	}
}

func TestRevisionIsDataAlone(t *testing.T) {
	t.Parallel()
	s := startService(t)
	sender := s.sender(t, 30*time.Second)
	at := time.UnixMilli(1_700_000_000_123)
	corrected := push()
	corrected.Revision, corrected.RevisedAt = core.Corrected, at
	corrected.Body = strings.Repeat("ação 🔔 ", 2000)
	withdrawn := push()
	withdrawn.Revision, withdrawn.RevisedAt = core.Withdrawn, at
	summary := push()
	summary.Summary = true
	var got []map[string]any
	for i, p := range []core.Push{corrected, withdrawn, summary} {
		token := fmt.Sprint("device-", i)
		to := core.PushAddress{Kind: core.KindFCM, Address: token}
		check(t, sender.Send(t.Context(), p, to), core.Result{Outcome: core.Accepted})
		var sent struct{ Message map[string]any }
		if err := json.Unmarshal(s.call(t, http.MethodGet, "/sent?token="+token, ""), &sent); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
		got = append(got, sent.Message)
	}
	for i, name := range []string{"correction", "withdrawal"} {
		if n := got[i]["notification"]; n != nil {
			t.Errorf("%s: got notification %v, want data alone", name, n)
		}
	}
	data := got[0]["data"].(map[string]any)
	body := data["body"].(string)
	if !strings.HasSuffix(body, "…") {
		t.Errorf("body of the correction: got %q, want it cut with an ellipsis", body)
	}
	want := map[string]any{"id": corrected.ID, "revision": "corrected", "revisedAt": "1700000000123",
		"channel": corrected.Channel, "channelId": corrected.ChannelID, "title": corrected.Title, "link": corrected.Link, "body": body}
	if diff := cmp.Diff(want, data); diff != "" {
		t.Errorf("data of the correction (-want +got):\n%s", diff)
	}
	want = map[string]any{"id": withdrawn.ID, "revision": "withdrawn", "revisedAt": "1700000000123"}
	if diff := cmp.Diff(want, got[1]["data"]); diff != "" {
		t.Errorf("data of the withdrawal (-want +got):\n%s", diff)
	}
	tag := got[2]["webpush"].(map[string]any)["notification"].(map[string]any)["tag"]
	if want := "summary-" + summary.ID; tag != want {
		t.Errorf("tag of the summary: got %v, want %s", tag, want)
	}
}

func BenchmarkSend(b *testing.B) {
	s := startService(b)
	sender, p := s.sender(b, 30*time.Second), push()
	var n atomic.Int64
	b.SetParallelism(64)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if r := sender.Send(b.Context(), p, core.PushAddress{Kind: core.KindFCM,
				Address: fmt.Sprintf("device-%d", n.Add(1))}); r.Outcome != core.Accepted {
				b.Errorf("send: %v", r.Err)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sends/s")
}

var device = core.PushAddress{Kind: core.KindFCM, Address: "device"}
