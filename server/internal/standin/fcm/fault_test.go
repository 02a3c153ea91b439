package fcm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/standin/fcm"
)

func TestFaultsByHTTP(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	if got := f.ok(t, http.MethodGet, "/faults", ""); got != "[]\n" {
		t.Errorf("at first: %s", got)
	}
	f.ok(t, http.MethodPost, "/faults", `{"token":"gone","error":"UNREGISTERED"}`)
	all := f.ok(t, http.MethodPost, "/faults", ` [{"share":0.5,"error":"QUOTA_EXCEEDED","retryAfter":"30","times":1},{"delay":"1ms"}]`)
	want := `[{"token":"gone","error":"UNREGISTERED"},{"share":0.5,"error":"QUOTA_EXCEEDED","retryAfter":"30","times":1},{"delay":"1ms"}]` + "\n"
	if all != want {
		t.Errorf("all: %s", all)
	}
	if status, _ := f.send(t, `{"message":{"token":"gone"}}`); status != 404 {
		t.Errorf("gone: %d", status)
	}
	f.ok(t, http.MethodDelete, "/faults", "")
	if status, body := f.send(t, `{"message":{"token":"gone"}}`); status != 200 {
		t.Errorf("after all were cleared: %d %s", status, body)
	}
}

func TestFaultsAreRefused(t *testing.T) {
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
		status, answer := f.call(t, http.MethodPost, "/faults", body)
		if status != 400 || !strings.Contains(strings.ReplaceAll(answer, `\"`, `"`), strings.ReplaceAll(want, `\"`, `"`)) {
			t.Errorf("%s: %d %s", body, status, answer)
		}
	}
	if got := f.ok(t, http.MethodGet, "/faults", ""); got != "[]\n" {
		t.Errorf("some were kept: %s", got)
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
		t.Errorf("got %v, want %v", got, want)
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
			t.Errorf("device-%d fails only sometimes", i)
		}
	}
	if n := len(failing); n < 20 || n > 60 {
		t.Errorf("%d of 400 fail, of a share of a tenth", n)
	}
}

func TestFaultCutAndHang(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	bearer, err := f.bearer(t, f.account())
	if err != nil {
		t.Fatal(err)
	}
	f.fail(t, fcm.Fault{Token: "before", Cut: "before"}, fcm.Fault{Token: "after", Cut: "after"}, fcm.Fault{Token: "hang", Hang: true})
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
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url+"/v1/projects/sininho-test/messages:send", strings.NewReader(`{"message":{"token":"`+token+`"}}`))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", bearer)
			res, err := client.Do(r)
			if err == nil {
				_ = res.Body.Close()
			}
			if err == nil || errors.Is(err, context.DeadlineExceeded) != (token == "hang") {
				t.Errorf("%s: %v", token, err)
			}
			cancel()
			if n := len(f.Sent(0, token)); n != accepted {
				t.Errorf("%s: %d were accepted", token, n)
			}
		}
	}
	if st := f.Stats(); st.Cut != 4 || st.Hung != 2 {
		t.Errorf("stats %+v", st)
	}
}

func TestFaultDelay(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	f.fail(t, fcm.Fault{Delay: "30ms"})
	began := time.Now()
	if status, body := f.send(t, `{"message":{"token":"t"}}`); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	if took := time.Since(began); took < 30*time.Millisecond {
		t.Errorf("took %s", took)
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
		if canonical(t, []byte(got)) != canonical(t, []byte(want)) || !json.Valid([]byte(got)) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}
