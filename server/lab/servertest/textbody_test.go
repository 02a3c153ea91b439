package servertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// TestCurlPublishesInOneLine publishes as people do by hand, with curl itself.
func TestCurlPublishesInOneLine(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	file := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(file, []byte("Cópia feita\n3 GB\n"), 0o600); err != nil {
		t.Fatalf("write the log: %v", err)
	}
	api := s.URL + "/api/v1/channels/demo/novidades/notifications"
	bearer, basic := []string{"-H", "Authorization: Bearer " + s.APIKey}, []string{"-u", ":" + s.APIKey}
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"-d":                  {append([]string{"-d", "Cópia feita", api}, bearer...), "Cópia feita|"},
		"-d with a password":  {append([]string{"-d", "Cópia feita", api}, basic...), "Cópia feita|"},
		"-d with a user":      {[]string{"-d", "Cópia feita", "-u", s.APIKey + ":", api}, "Cópia feita|"},
		"--data-binary":       {append([]string{"--data-binary", "@" + file, api}, bearer...), "Cópia feita|3 GB\n"},
		"--data-binary, text": {append([]string{"--data-binary", "@" + file, "-H", "Content-Type: text/plain", api}, bearer...), "Cópia feita|3 GB\n"},
		"--data-urlencode":    {append([]string{"--data-urlencode", "Cópia feita", api}, bearer...), "Cópia feita|"},
		"a form":              {append([]string{"-d", "title=Cópia", "-d", "body=feita", api}, bearer...), "Cópia|feita"},
		"an encoded form":     {append([]string{"--data-urlencode", "title=Cópia & mais", "-d", "importance=important", api}, bearer...), "Cópia & mais||important"},
		"a form with parts":   {append([]string{"-F", "title=Cópia", "-F", "body=<" + file, api}, bearer...), "Cópia|Cópia feita\n3 GB\n"},
		"a title in the query": {append([]string{"--data-binary", "@" + file, api + "?title=Noite"}, bearer...),
			"Noite|Cópia feita\n3 GB\n"},
		"a title alone": {append([]string{"-X", "POST", api + "?title=Noite"}, bearer...), "Noite|"},
		"headers":       {append([]string{"-d", "feita", "-H", "Title: Cópia", "-H", "Priority: high", api}, bearer...), "Cópia|feita|important"},
		"JSON":          {append([]string{"-d", `{"title": "Cópia"}`, api}, bearer...), "Cópia|"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), "curl", append([]string{"-sS"}, c.args...)...).CombinedOutput()
			var n struct{ Title, Body, Importance string }
			if json.Unmarshal(out, &n) != nil || n.Title == "" {
				t.Fatalf("curl: got %s, %v; want a notification", out, err)
			}
			got := strings.TrimSuffix(n.Title+"|"+n.Body+"|"+n.Importance, "|normal")
			check.Equal(t, "published", got, c.want)
		})
	}
	t.Run("a webhook", func(t *testing.T) {
		out, err := exec.CommandContext(t.Context(), "curl", "-sS", "-d", "feita", s.DemoWebhook+"?title=C%C3%B3pia").CombinedOutput()
		if !strings.Contains(string(out), `"outcome":"published"`) {
			t.Errorf("curl: got %s, %v; want a receipt", out, err)
		}
	})
}

// hostileTexts are bodies that cost a careless reader of texts and forms much, or confuse it.
func hostileTexts() map[string]string {
	part := "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n"
	return map[string]string{
		"nothing": "", "white space": " \n", "NULs": strings.Repeat("\x00", 1000), "a long line": strings.Repeat("a", 500<<10),
		"many lines": strings.Repeat("\n", 500<<10), "escapes": strings.Repeat("\x1b[", 200<<10),
		"unended escapes": strings.Repeat("\x1b]0;", 100<<10), "direction": "\u202egpj.exe", "no UTF-8": "\xff\xfe\xfd",
		"half of UTF-16": "\xff\xfea", "fields": "title=a" + strings.Repeat("&title=b", 60_000), "ampersands": "title=a" + strings.Repeat("&", 500<<10),
		"names": "title=a&" + strings.Repeat("b", 500<<10), "percent": "title=" + strings.Repeat("%41", 100<<10), "bad percent": "title=%",
		"braces": strings.Repeat("{", 500<<10), "objects": strings.Repeat(`{"a":`, 90<<10), "markup": "<script>alert(1)</script>",
		"headers of a part":       part + strings.Repeat("A: b\r\n", 80_000) + "\r\na\r\n--x--\r\n",
		"a long header of a part": part + "A: " + strings.Repeat("b", 500<<10) + "\r\n\r\na\r\n--x--\r\n",
		"parts":                   strings.Repeat(part+"\r\na\r\n", 8_000) + "--x--\r\n",
		"a part without an end":   part + "\r\na", "boundaries": strings.Repeat("--x\r\n", 90<<10),
		"quoted-printable": part + "Content-Transfer-Encoding: quoted-printable\r\n\r\n=41\xff=\r\n--x--\r\n",
	}
}

// TestHostileTexts sends hostile texts and forms of each media type. They are published as data, or refused.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	op := documented(t)["publishNotification"]
	for name, body := range hostileTexts() {
		for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
			"multipart/form-data; boundary=" + strings.Repeat("x", 200), "application/octet-stream", "", "text/plain; charset=utf-7", ";"} {
			for _, caller := range []string{"key:publish", "owner"} {
				status, _, got := f.sendBody(op.method, caller, "/channels/p/c/notifications", media, []byte(body))
				if status >= http.StatusInternalServerError || op.Responses.Status(status) == nil {
					t.Errorf("%s as %q by %s: got %d, want a status of the contract below 500: %.300s", name, media, caller, status, got)
				}
				if caller == "owner" && status != http.StatusUnsupportedMediaType {
					t.Errorf("%s as %q with a cookie: got %d, want 415", name, media, status)
				}
			}
		}
	}
	for _, value := range hostile {
		for _, p := range op.Parameters {
			if p.Value.Extensions["x-for-texts"] != true || p.Value.In != "query" {
				continue
			}
			query := "?" + url.Values{p.Value.Name: {value}}.Encode()
			status, _, got := f.sendBody(op.method, "key:publish", "/channels/p/c/notifications"+query, "", []byte("a"))
			if status >= http.StatusInternalServerError || op.Responses.Status(status) == nil {
				t.Errorf("%.100s with a text: got %d, want a status of the contract below 500: %.300s", query, status, got)
			}
		}
	}
	execute(t, f.Server, `do $$ begin
		if exists (select from notifications where title ~ '[\x01-\x1f]' or title = '') then
			raise 'a title with controls';
		end if;
	end $$`)
}

// TestTextsOfOneKeyAreRepeatedSafely repeats a text with its Idempotency-Key, and then changes what matters.
func TestTextsOfOneKeyAreRepeatedSafely(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	publish := func(query, title, body string) (status int, replayed, read string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			s.URL+"/api/v1/channels/demo/novidades/notifications"+query, strings.NewReader(body))
		if err != nil {
			t.Fatalf("new request: %v", err)
		}
		req.SetBasicAuth("", s.APIKey)
		req.Header.Set("Idempotency-Key", "night-1")
		req.Header.Set("Content-Type", "text/plain")
		if title != "" {
			req.Header.Set("Title", title)
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatalf("publish: %v", err)
		}
		defer res.Body.Close() // read in full
		var b bytes.Buffer
		if _, err := b.ReadFrom(res.Body); err != nil {
			t.Fatalf("read the response: %v", err)
		}
		return res.StatusCode, res.Header.Get("Idempotency-Replayed"), b.String()
	}
	status, replayed, first := publish("", "", "\x1b[1mCópia\x1b[0m\nfeita")
	check.Equal(t, "first", fmt.Sprint(status, replayed), "201")
	if !strings.Contains(first, `"adjusted":[{"pointer":"#/title"`) {
		t.Errorf("first: got %s, want what was adjusted", first)
	}
	status, replayed, again := publish("", "", "\x1b[1mCópia\x1b[0m\nfeita")
	check.Equal(t, "again", fmt.Sprint(status, replayed), "201true")
	check.Equal(t, "body of the repetition", again, first)
	for name, c := range map[string][3]string{
		"another text": {"", "", "Cópia\nfalhou"}, "another query": {"?importance=important", "", "Cópia\nfeita"},
		"another header": {"", "Noite", "Cópia\nfeita"},
	} {
		status, _, _ := publish(c[0], c[1], c[2])
		check.Equal(t, name, status, http.StatusUnprocessableEntity)
	}
}
