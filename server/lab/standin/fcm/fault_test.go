package fcm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/lab/standin/fcm"
)

func TestFaultsByHTTP(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	if got := f.ok(t, http.MethodGet, "/faults", ""); got != "[]\n" {
		t.Errorf("faults of a new stand-in: got %s, want []", got)
	}
	f.ok(t, http.MethodPost, "/faults", `{"token":"gone","error":"UNREGISTERED"}`)
	all := f.ok(t, http.MethodPost, "/faults",
		` [{"share":0.5,"error":"QUOTA_EXCEEDED","retryAfter":"30","times":1},{"delay":"1ms"}]`)
	want := `[{"token":"gone","error":"UNREGISTERED"},{"share":0.5,"error":"QUOTA_EXCEEDED","retryAfter":"30","times":1},{"delay":"1ms"}]` + "\n"
	if all != want {
		t.Errorf("faults after adding three: got %s, want %s", all, want)
	}
	if status, _ := f.send(t, `{"message":{"token":"gone"}}`); status != 404 {
		t.Errorf("send to the unregistered token: got status %d, want 404", status)
	}
	f.ok(t, http.MethodDelete, "/faults", "")
	if status, body := f.send(t, `{"message":{"token":"gone"}}`); status != 200 {
		t.Errorf("send after the faults were cleared: got %d %s, want 200", status, body)
	}
}

func TestInvalidFaultsAreRefused(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	for body, want := range map[string]string{
		`{"error":"GONE"}`:                              "unknown error \"GONE\"; known are INTERNAL",
		`{"eror":"INTERNAL"}`:                           `unknown field \"eror\"`,
		`{"token":"a","share":0.1,"error":"INTERNAL"}`:  "a token or a share",
		`{"share":1.5,"error":"INTERNAL"}`:              "share is 1.5",
		`{"error":"INTERNAL","times":-1}`:               "times is -1",
		`{"error":"INTERNAL","retryAfter":"soon"}`:      "retryAfter is",
		`{"retryAfter":"1","delay":"1s"}`:               "needs an error",
		`{"delay":"50"}`:                                "delay is",
		`{"cut":"during"}`:                              "cut is",
		`{"error":"INTERNAL","hang":true}`:              "one of error, cut and hang",
		`{"token":"a"}`:                                 "needs an error",
		`[{"error":"INTERNAL"},{"cut":"x","times":-1}]`: "fault 2: times is -1, but cannot be negative\\ncut is",
		`nonsense`: "invalid character",
	} {
		status, response := f.call(t, http.MethodPost, "/faults", body)
		if status != 400 {
			t.Errorf("add fault %s: got status %d, want 400", body, status)
		}
		got, want := strings.ReplaceAll(response, `\"`, `"`), strings.ReplaceAll(want, `\"`, `"`)
		if !strings.Contains(got, want) {
			t.Errorf("add fault %s: got %s, want an error with %s", body, got, want)
		}
	}
	if got := f.ok(t, http.MethodGet, "/faults", ""); got != "[]\n" {
		t.Errorf("faults after the refusals: got %s, want []", got)
	}
}

func TestFaultTimesArePerToken(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	f.fail(t, fcm.Fault{Error: "INTERNAL", Times: 2}, fcm.Fault{Token: "a", Error: "UNREGISTERED", Times: 1})
	var got []int
	for _, token := range []string{"a", "a", "b", "a", "b", "a", "b"} {
		status, _ := f.send(t, `{"message":{"token":"`+token+`"}}`)
		got = append(got, status)
	}
	if want := "[500 500 500 404 500 200 200]"; fmt.Sprint(got) != want {
		t.Errorf("statuses: got %v, want %v", got, want)
	}
}

func TestFaultShareIsDeterministic(t *testing.T) {
	t.Parallel()
	f, again := start(t, fcm.Config{}), start(t, fcm.Config{})
	failing := map[int]int{}
	for i := range 400 {
		for _, f := range []*fixture{f, again} {
			if i == 0 {
				f.fail(t, fcm.Fault{Share: 0.1, Error: "UNREGISTERED"})
			}
			if status, _ := f.send(t, fmt.Sprintf(`{"message":{"token":"device-%d"}}`, i)); status == 404 {
				failing[i]++
			}
		}
	}
	for i, n := range failing {
		if n != 2 {
			t.Errorf("device-%d: failed on %d of 2 stand-ins, want both", i, n)
		}
	}
	if n := len(failing); n < 20 || n > 60 {
		t.Errorf("failing devices with a share of 0.1: got %d of 400, want 20 to 60", n)
	}
}

func TestFaultCutAndHang(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	bearer, err := f.bearer(t, f.account())
	if err != nil {
		t.Fatalf("get an access token: %v", err)
	}
	f.fail(t, fcm.Fault{Token: "before", Cut: "before"}, fcm.Fault{Token: "after", Cut: "after"},
		fcm.Fault{Token: "hang", Hang: true})
	h2 := new(http.Protocols)
	h2.SetUnencryptedHTTP2(true)
	overHTTP2 := &http.Transport{Protocols: h2}
	defer overHTTP2.CloseIdleConnections()
	for _, client := range []*http.Client{f.client, {Transport: overHTTP2}} {
		for token, accepted := range map[string]int{"before": 0, "after": 1, "hang": 0} {
			f.ok(t, http.MethodDelete, "/sent", "")
			limit := 30 * time.Second
			if token == "hang" {
				limit = time.Second
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url+"/v1/projects/sininho-test/messages:send",
				strings.NewReader(`{"message":{"token":"`+token+`"}}`))
			if err != nil {
				t.Fatalf("build the request: %v", err)
			}
			r.Header.Set("Authorization", bearer)
			res, err := client.Do(r)
			if err == nil {
				_ = res.Body.Close()
			}
			if err == nil {
				t.Errorf("send to %s: got a response, want an error", token)
			}
			if late := errors.Is(err, context.DeadlineExceeded); late != (token == "hang") {
				t.Errorf("send to %s: timed out %t, want %t (%v)", token, late, !late, err)
			}
			cancel()
			if n := len(f.Sent(0, token)); n != accepted {
				t.Errorf("accepted messages to %s: got %d, want %d", token, n, accepted)
			}
		}
	}
	if st := f.Stats(); st.Cut != 4 || st.Hung != 2 {
		t.Errorf("stats: got %+v, want 4 cut and 2 hung", st)
	}
}

func TestFaultDelay(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	f.fail(t, fcm.Fault{Delay: "30ms"})
	began := time.Now()
	if status, body := f.send(t, `{"message":{"token":"t"}}`); status != 200 {
		t.Errorf("send: got %d %s, want 200", status, body)
	}
	if took := time.Since(began); took < 30*time.Millisecond {
		t.Errorf("delayed send: took %s, want at least 30 ms", took)
	}
}

// TestErrorForms pins the response bodies to those observed from FCM.
func TestErrorForms(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	const fcmError = `"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":`
	for name, want := range map[string]string{
		"UNREGISTERED":           `{"error":{"code":404,"message":"Requested entity was not found.","status":"NOT_FOUND","details":[{` + fcmError + `"UNREGISTERED"}]}}`,
		"SENDER_ID_MISMATCH":     `{"error":{"code":403,"message":"SenderId mismatch","status":"PERMISSION_DENIED","details":[{` + fcmError + `"SENDER_ID_MISMATCH"}]}}`,
		"THIRD_PARTY_AUTH_ERROR": `{"error":{"code":401,"message":"Auth error from APNS or Web Push Service","status":"UNAUTHENTICATED","details":[{` + fcmError + `"THIRD_PARTY_AUTH_ERROR"}]}}`,
		"INVALID_TOKEN": `{"error":{"code":400,"message":"The registration token is not a valid FCM registration token","status":"INVALID_ARGUMENT","details":[{` + fcmError + `"INVALID_ARGUMENT"},` +
			`{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"message.token","description":"Invalid registration token"}]}]}}`,
	} {
		f.fail(t, fcm.Fault{Token: name, Error: name})
		_, got := f.send(t, `{"message":{"token":"`+name+`"}}`)
		if diff := cmp.Diff(canonical(t, []byte(want)), canonical(t, []byte(got))); diff != "" {
			t.Errorf("response with fault %s (-want +got):\n%s", name, diff)
		}
	}
}
