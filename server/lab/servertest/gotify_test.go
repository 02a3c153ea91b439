package servertest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// gotifyReply is a response of Gotify: a message or an error.
type gotifyReply struct {
	ID, AppID              int64
	Title, Message         string
	Priority               int
	Version, Health, Error string
	ErrorCode              int
	ErrorDescription       string
}

// askGotify sends a request. A header is a name and a value.
func askGotify(t *testing.T, s *servertest.Server, method, path, body string, headers ...string) (int, gotifyReply) {
	t.Helper()
	res := sendPlain(t, s, method, path, body, headers...)
	var reply gotifyReply
	if err := json.NewDecoder(res.Body).Decode(&reply); err != nil {
		t.Fatalf("%s %s: got %d, %v; want JSON", method, path, res.StatusCode, err)
	}
	return res.StatusCode, reply
}

// TestGotifyPublishes sends the requests of Gotify's documentation of pushing messages (2.7).
func TestGotifyPublishes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	const form, jsonMedia = "Content-Type: application/x-www-form-urlencoded", "Content-Type: application/json"
	parts := "--x\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nmy title\r\n--x\r\n" +
		"Content-Disposition: form-data; name=\"message\"\r\n\r\nmy message\r\n--x\r\n" +
		"Content-Disposition: form-data; name=\"priority\"\r\n\r\n5\r\n--x--\r\n"
	for name, c := range map[string]struct {
		path, body string
		headers    []string
		want       string // of the notification
	}{
		"a form with parts": {"/message?token=novidades:" + s.APIKey, parts,
			[]string{"Content-Type: multipart/form-data; boundary=x"}, "my title|my message|normal||"},
		"a form": {"/message?token=novidades:" + s.APIKey, "title=my+title&message=my+message&priority=9", []string{form},
			"my title|my message|important||"},
		"JSON, with a header": {"/message", `{"title": "my title", "message": "my message", "priority": 5}`,
			[]string{jsonMedia, "X-Gotify-Key: novidades:" + s.APIKey}, "my title|my message|normal||"},
		"Bearer": {"/message", `{"message": "my message"}`,
			[]string{jsonMedia, "Authorization: Bearer demo/novidades:" + s.APIKey}, "my message||normal||"},
		"extras": {"/message?token=novidades:" + s.APIKey, `{"message": "**m**", "title": "t", "extras": {
			"client::display": {"contentType": "text/markdown"}, "home::appliances::lighting::on": {"brightness": 15},
			"client::notification": {"click": {"url": "https://gotify.net/"}, "bigImageUrl": "https://gotify.net/a.png"}}}`,
			[]string{jsonMedia}, "t|**m**|normal|https://gotify.net/|https://gotify.net/a.png"},
	} {
		t.Run(name, func(t *testing.T) {
			status, reply := askGotify(t, s, http.MethodPost, c.path, c.body, c.headers...)
			if status != http.StatusOK || reply.ID == 0 || reply.AppID == 0 || reply.Message == "" {
				t.Fatalf("got %d, %+v; want the message", status, reply)
			}
			var page struct {
				Data []struct{ Title, Body, Importance, Link, Image string }
			}
			listed := sendPlain(t, s, http.MethodGet, "/api/v1/channels/demo/novidades/notifications?limit=1", "")
			if err := json.NewDecoder(listed.Body).Decode(&page); err != nil {
				t.Fatalf("list: %v", err)
			}
			n := page.Data[0]
			check.Equal(t, "published", strings.Join([]string{n.Title, n.Body, n.Importance, n.Link, n.Image}, "|"), c.want)
		})
	}
	_, version := askGotify(t, s, http.MethodGet, "/version", "")
	_, health := askGotify(t, s, http.MethodGet, "/health", "")
	check.Equal(t, "version and health", version.Version+" "+health.Health, "2.7.3 green")
}

// TestGotifyRefuses expects Gotify's errors, without a word about channels of others.
func TestGotifyRefuses(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	key := f.newKey("publish").Secret
	status, _ := askGotify(t, f.Server, http.MethodPost, "/message?token="+key, `{"message": "x"}`)
	check.Equal(t, "status for the only channel of a publisher", status, 200)
	f.newChannel()
	demo := "novidades:" + f.APIKey
	for name, c := range map[string]struct {
		token, body string
		status      int
	}{
		"no token":               {"", `{"message": "x"}`, 401},
		"a wrong one":            {"sk_wrong", `{"message": "x"}`, 401},
		"another's channel":      {"p/c:" + f.APIKey, `{"message": "x"}`, 404},
		"no channel":             {"nowhere:" + f.APIKey, `{"message": "x"}`, 404},
		"no slug":                {"../c:" + f.APIKey, `{"message": "x"}`, 400},
		"one of several":         {key, `{"message": "x"}`, 400},
		"no message":             {demo, `{"title": "x"}`, 400},
		"no JSON":                {demo, `{`, 400},
		"bad extras":             {demo, `{"message": "x", "extras": "x"}`, 200},
		"a dangerous link":       {demo, `{"message": "x", "extras": {"client::notification": {"click": {"url": "javascript:a"}}}}`, 400},
		"too much":               {demo, `{"message": "` + strings.Repeat("x", 200<<10) + `"}`, 413},
		"control characters":     {demo, `{"message": "a\u0000\u001b[31mb"}`, 200},
		"a title without an end": {demo, `{"message": "x", "title": "` + strings.Repeat("t", 5000) + `"}`, 200},
	} {
		t.Run(name, func(t *testing.T) {
			status, reply := askGotify(t, f.Server, http.MethodPost, "/message?token="+c.token, c.body, "Content-Type: application/json")
			if status != c.status || status != 200 && (reply.ErrorCode != status || reply.ErrorDescription == "") {
				t.Errorf("got %d, %+v; want %d", status, reply, c.status)
			}
		})
	}
	res := sendPlain(t, f.Server, http.MethodPost, "/message", `{"message": "x"}`, "Cookie: "+cookieOf(f.owner))
	check.Equal(t, "status with the cookie of a member", res.StatusCode, 401)
}
