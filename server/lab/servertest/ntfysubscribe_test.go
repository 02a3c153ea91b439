package servertest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// waitLine reads lines until one has every word.
func waitLine(t *testing.T, read func() (string, error), words ...string) {
	t.Helper()
	for lines := ""; ; {
		line, err := read()
		if err != nil {
			t.Fatalf("read until %q: %v after %s", words, err, lines)
		}
		lines += line
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
			return
		}
	}
}

// TestNtfySubscribes follows a channel in the four forms, from before the first message on, through a correction and a
// withdrawal.
func TestNtfySubscribes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	for _, form := range []string{"json", "sse", "raw", "ws"} {
		t.Run(form, func(t *testing.T) {
			before, _ := send(ntfyRequest{"POST", "/demo_novidades", []string{"Title: Before"}, "before " + form})
			read := openNtfy(t, s, "/demo_novidades/"+form+"?since=latest")
			if form != "raw" {
				waitLine(t, read, `"open"`, `"topic":"demo_novidades"`)
				waitLine(t, read, before.ID)
			} else {
				waitLine(t, read, "before raw")
			}
			path := "/demo_novidades/live-" + form
			m, _ := send(ntfyRequest{"POST", path, []string{"Title: Now"}, "one\ntwo"})
			if form == "raw" {
				waitLine(t, read, "one two")
				return
			}
			waitLine(t, read, m.ID, `"message":"one\ntwo"`)
			send(ntfyRequest{"POST", path, nil, "three"})
			waitLine(t, read, m.ID, `"message":"three"`, `"sequence_id":"live-`+form+`"`)
			send(ntfyRequest{"DELETE", path, nil, ""})
			waitLine(t, read, m.ID, `"message_delete"`, `"sequence_id":"live-`+form+`"`)
		})
	}
}

// TestNtfySubscriptionsStay expects a subscription to be told that it is alive, after the time that a request may take,
// and to go on.
func TestNtfySubscriptionsStay(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	read := openNtfy(t, s, "/demo_novidades/json")
	waitLine(t, read, `"open"`)
	waitLine(t, read, `"keepalive"`, `"topic":"demo_novidades"`)
	m, _ := send(ntfyRequest{"POST", "/demo_novidades", nil, "still here"})
	waitLine(t, read, m.ID)
}

// openNtfy opens a subscription and returns a function that reads a line.
func openNtfy(t *testing.T, s *servertest.Server, path string) (read func() (string, error)) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	if strings.Contains(path, "/ws") {
		conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(s.URL, "http")+path, nil) //nolint:bodyclose // it has none
		if err != nil {
			t.Fatalf("open %s: %v", path, err)
		}
		t.Cleanup(func() { _ = conn.CloseNow() })
		return func() (string, error) {
			_, line, err := conn.Read(ctx)
			return string(line), err
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatalf("make a request: %v", err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("open %s: %v, %v", path, res, err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	lines := bufio.NewReader(res.Body)
	return func() (string, error) { return lines.ReadString('\n') }
}

// ntfyTitles polls topics and returns the titles, or the code of a refusal.
func ntfyTitles(t *testing.T, s *servertest.Server, path string, headers ...string) (titles string) {
	t.Helper()
	res := sendPlain(t, s, http.MethodGet, path, "", headers...)
	for decoder := json.NewDecoder(res.Body); ; {
		var m ntfyMessage
		if decoder.Decode(&m) != nil {
			return strings.TrimSpace(titles)
		}
		if m.Code != 0 {
			return strconv.Itoa(m.Code)
		}
		titles += " " + m.Title
	}
}

// TestNtfySelects expects the messages that since and the filters name, the oldest first, of more than a page.
func TestNtfySelects(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ids := make([]string, 130)
	batch := make([]object, 0, len(ids))
	for i := range ids {
		n := object{"title": strconv.Itoa(i), "body": "b", "data": object{"tags": "all," + []string{"even", "odd"}[i%2]}}
		if i == 7 {
			n["importance"] = "important"
		}
		batch = append(batch, n)
	}
	var published struct{ Data []struct{ ID string } }
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications/batch", object{"notifications": batch[:100]}, 200, &published)
	for i, n := range published.Data {
		ids[i] = n.ID
	}
	f.owner.Do(http.MethodPost, "/channels/p/c/notifications/batch", object{"notifications": batch[100:]}, 200, &published)
	for i, n := range published.Data {
		ids[100+i] = n.ID
	}
	for query, want := range map[string]string{
		"since=latest": "129", "since=" + ids[126]: "127 128 129", "since=none": "", "since=1h&title=5": "5",
		"priority=high": "7", "prio=5,4": "7", "p=min": "", "tags=odd&since=" + ids[124]: "125 127 129",
		"ta=odd,even": "", "id=" + ids[3]: "3", "m=c": "", "since=" + strconv.FormatInt(time.Now().Add(time.Hour).Unix(), 10): "",
	} {
		check.Equal(t, "titles with "+query, ntfyTitles(t, f.Server, "/p_c/json?poll=1&"+query), want)
	}
	all := strings.Fields(ntfyTitles(t, f.Server, "/p_c/json?poll=1"))
	if len(all) != len(ids) || all[0] != "0" || all[129] != "129" {
		t.Errorf("all: got %d titles from %s to %s, want 130 in their order", len(all), all[0], all[len(all)-1])
	}
	check.Equal(t, "of two topics", ntfyTitles(t, f.Server, "/p_c,demo_novidades/json?poll=1&id="+ids[1]), "1")
}
