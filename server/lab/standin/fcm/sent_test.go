package fcm_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/standin/fcm"
)

// lines parses the response of GET /sent.
func lines(t *testing.T, body string) []fcm.Sent {
	t.Helper()
	var all []fcm.Sent
	for line := range strings.Lines(body) {
		var s fcm.Sent
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatalf("decode line %q: %v", line, err)
		}
		all = append(all, s)
	}
	return all
}

func TestSentByHTTP(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	for _, token := range []string{"a", "b", "a"} {
		f.send(t, `{"message":{"token":"`+token+`","data":{"k":"<v>"}}}`)
	}
	seqs := func(query string) string {
		var seqs []int64
		for _, s := range lines(t, f.ok(t, http.MethodGet, "/sent"+query, "")) {
			seqs = append(seqs, s.Seq)
		}
		return fmt.Sprint(seqs)
	}
	for query, want := range map[string]string{
		"": "[1 2 3]", "?since=1": "[2 3]", "?token=a": "[1 3]", "?since=1&token=a": "[3]", "?since=3": "[]",
		"?since=99": "[]",
	} {
		if got := seqs(query); got != want {
			t.Errorf("GET /sent%s: got seqs %s, want %s", query, got, want)
		}
	}
	first, _, _ := strings.Cut(f.ok(t, http.MethodGet, "/sent", ""), "\n")
	if prefix := `{"seq":1,"at":"20`; !strings.HasPrefix(first, prefix) {
		t.Errorf("first line: got %s, want it to begin with %s", first, prefix)
	}
	if suffix := `,"token":"a","message":{"token":"a","data":{"k":"<v>"}}}`; !strings.HasSuffix(first, suffix) {
		t.Errorf("first line: got %s, want it to end with %s", first, suffix)
	}
	f.ok(t, http.MethodDelete, "/sent", "")
	f.send(t, `{"message":{"token":"c"}}`)
	if got := seqs(""); got != "[4]" {
		t.Errorf("seqs after the log was emptied: got %s, want [4]", got)
	}
	for _, query := range []string{"?since=-1", "?since=x", "?wait=2", "?tokn=a"} {
		if status, body := f.call(t, http.MethodGet, "/sent"+query, ""); status != 400 {
			t.Errorf("GET /sent%s: got %d %s, want 400", query, status, body)
		}
	}
}

func TestSentWaits(t *testing.T) {
	t.Parallel()
	f := start(t, fcm.Config{})
	f.send(t, `{"message":{"token":"a"}}`)
	if got := f.ok(t, http.MethodGet, "/sent?since=1&wait=1ms", ""); got != "" {
		t.Errorf("wait without a new message: got %s, want nothing", got)
	}
	got := make(chan string, 1)
	go func() { got <- f.ok(t, http.MethodGet, "/sent?since=1&token=b&wait=30s", "") }()
	f.send(t, `{"message":{"token":"a"}}`)
	f.send(t, `{"message":{"token":"b"}}`)
	if s := lines(t, <-got); len(s) != 1 || s[0].Seq != 3 {
		t.Errorf("wait for token b: got %+v, want only seq 3", s)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if s := f.WaitSent(ctx, 2, ""); len(s) != 1 || s[0].Token != "b" {
		t.Errorf("WaitSent after 2: got %+v, want only the message to b", s)
	}
}
