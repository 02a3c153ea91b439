package servertest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

// ntfyMessage is a message of ntfy, without what differs each time.
type ntfyMessage struct {
	Event, Topic, Title, Message, Click, Icon string
	Priority                                  int
	Tags                                      []string
	Attachment                                *struct{ Name, URL string }
	Sequence                                  string `json:"sequence_id"`
	ContentType                               string `json:"content_type"`
	ID                                        string `json:"id"`
	Time                                      int64
	Code, HTTP                                int
	Error                                     string
}

// ntfyRequest is a request as ntfy documents it.
type ntfyRequest struct {
	method, path string
	headers      []string
	body         string
}

// ntfyTo returns a function that sends requests of ntfy to a server, with its API key as the password of a user.
func ntfyTo(t *testing.T, s *servertest.Server) func(ntfyRequest) (m ntfyMessage, status int) {
	t.Helper()
	basic := "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("phil:"+s.APIKey))
	return func(in ntfyRequest) (m ntfyMessage, status int) {
		t.Helper()
		res := sendPlain(t, s, in.method, in.path, in.body, append([]string{basic}, in.headers...)...)
		if !strings.HasPrefix(res.Header.Get("Content-Type"), "application/") {
			return m, res.StatusCode // of the web app
		}
		if err := json.NewDecoder(res.Body).Decode(&m); err != nil && !errors.Is(err, io.EOF) {
			t.Fatalf("%s %s: got %d, %v; want JSON", in.method, in.path, res.StatusCode, err)
		}
		return m, res.StatusCode
	}
}

// ntfyDocumented are the requests of ntfy's documentation of publishing (2.17), with what a subscriber receives.
var ntfyDocumented = map[string]struct {
	ntfyRequest
	want ntfyMessage
}{
	"a text": {ntfyRequest{"POST", "/demo_novidades", nil, "Backup successful 😀"},
		ntfyMessage{Message: "Backup successful 😀"}},
	"by PUT": {ntfyRequest{"PUT", "/demo_novidades", nil, "Backup successful"}, ntfyMessage{Message: "Backup successful"}},
	"several lines": {ntfyRequest{"POST", "/demo_novidades", nil, "Line one\nLine two\n"},
		ntfyMessage{Message: "Line one\nLine two"}},
	"title, priority, tags": {ntfyRequest{"POST", "/demo_novidades",
		[]string{"Title: Unauthorized access detected", "Priority: urgent", "Tags: warning,skull"},
		"Remote access to phils-laptop detected. Act right away."},
		ntfyMessage{Title: "Unauthorized access detected", Priority: 5, Tags: []string{"warning", "skull"},
			Message: "Remote access to phils-laptop detected. Act right away."}},
	"click, actions, attachment": {ntfyRequest{"POST", "/demo_novidades",
		[]string{"Click: https://home.nest.com/", "Attach: https://nest.com/view/yAxkasd.jpg",
			"Actions: view, Open door, https://api.nest.com/open/yAxkA"}, "There's someone at the door. 🐶"},
		ntfyMessage{Click: "https://home.nest.com/",
			Message:    "There's someone at the door. 🐶\nOpen door: https://api.nest.com/open/yAxkA",
			Attachment: &struct{ Name, URL string }{"yAxkasd.jpg", "https://nest.com/view/yAxkasd.jpg"}}},
	"an encoded title": {ntfyRequest{"POST", "/demo_novidades", []string{"Title: =?UTF-8?B?8J+HqfCfh6o=?="}, "Oh"},
		ntfyMessage{Title: "🇩🇪", Message: "Oh"}},
	"X-Title, in UTF-8": {ntfyRequest{"POST", "/demo_novidades", []string{"X-Title: Dogs are better than cats ✓"}, "Oh my"},
		ntfyMessage{Title: "Dogs are better than cats ✓", Message: "Oh my"}},
	"the lowest priority": {ntfyRequest{"POST", "/demo_novidades", []string{"p: min"}, "low"},
		ntfyMessage{Message: "low", Priority: 1}},
	"no priority of a browser": {ntfyRequest{"POST", "/demo_novidades", []string{"Priority: u=1, i", "X-Priority: 4"}, "high"},
		ntfyMessage{Message: "high", Priority: 4}},
	"the query": {ntfyRequest{"POST", "/demo_novidades?ti=Titel&prio=high&ta=tag1,tag2&click=https://example.com/", nil, "x"},
		ntfyMessage{Title: "Titel", Priority: 4, Tags: []string{"tag1", "tag2"}, Click: "https://example.com/", Message: "x"}},
	"a message in a header": {ntfyRequest{"PUT", "/demo_novidades", []string{`Message: one\ntwo`}, ""},
		ntfyMessage{Message: "one\ntwo"}},
	"GET publish": {ntfyRequest{"GET", "/demo_novidades/publish?message=Webhook+triggered&title=From+GET", nil, ""},
		ntfyMessage{Title: "From GET", Message: "Webhook triggered"}},
	"GET send":          {ntfyRequest{"GET", "/demo_novidades/send?m=Hi&p=high", nil, ""}, ntfyMessage{Message: "Hi", Priority: 4}},
	"GET trigger":       {ntfyRequest{"GET", "/demo_novidades/trigger", nil, ""}, ntfyMessage{Message: "triggered"}},
	"nothing":           {ntfyRequest{"POST", "/demo_novidades", nil, ""}, ntfyMessage{Message: "triggered"}},
	"Markdown":          {ntfyRequest{"POST", "/demo_novidades", []string{"Markdown: yes"}, "Look ma, **bold**"}, ntfyMessage{Message: "Look ma, **bold**", ContentType: "text/markdown"}},
	"Markdown by media": {ntfyRequest{"POST", "/demo_novidades", []string{"Content-Type: text/markdown"}, "*a*"}, ntfyMessage{Message: "*a*", ContentType: "text/markdown"}},
	"icon": {ntfyRequest{"POST", "/demo_novidades", []string{"Icon: https://styles.redditmedia.com/icon.png",
		"Title: Kodi: Resuming Playback", "Tags: arrow_forward"}, "The Wire, S01E01"},
		ntfyMessage{Title: "Kodi: Resuming Playback", Tags: []string{"arrow_forward"}, Message: "The Wire, S01E01",
			Icon: "https://styles.redditmedia.com/icon.png"}},
	"an action opens": {ntfyRequest{"POST", "/demo_novidades",
		[]string{`Actions: action=view, label="Show, please", url='https://example.com/a;b', clear=true`}, "x"},
		ntfyMessage{Message: "x", Click: "https://example.com/a;b"}},
	"a link to a file": {ntfyRequest{"POST", "/demo_novidades", []string{"Attach: https://f-droid.org/F-Droid.apk"}, ""},
		ntfyMessage{Message: "You received a file: F-Droid.apk", Click: "https://f-droid.org/F-Droid.apk",
			Attachment: &struct{ Name, URL string }{"F-Droid.apk", "https://f-droid.org/F-Droid.apk"}}},
	"JSON": {ntfyRequest{"POST", "/", nil, `{"topic": "demo_novidades", "message": "Disk space is low at 5.1 GB",
		"title": "Low disk space alert", "tags": ["warning","cd"], "priority": 4,
		"attach": "https://filesrv.lan/space.jpg", "filename": "diskspace.jpg", "click": "https://homecamera.lan/xasds1h2xsSsa/",
		"actions": [{ "action": "view", "label": "Admin panel", "url": "https://filesrv.lan/admin" }], "unknown": 1}`},
		ntfyMessage{Title: "Low disk space alert", Message: "Disk space is low at 5.1 GB\nAdmin panel: https://filesrv.lan/admin",
			Tags: []string{"warning", "cd"}, Priority: 4, Click: "https://homecamera.lan/xasds1h2xsSsa/",
			Attachment: &struct{ Name, URL string }{"diskspace.jpg", "https://filesrv.lan/space.jpg"}}},
	"JSON by PUT": {ntfyRequest{"PUT", "/", nil, `{"topic": "demo_novidades", "message": "x", "priority": "max"}`},
		ntfyMessage{Message: "x", Priority: 5}},
	"a sequence": {ntfyRequest{"POST", "/demo_novidades/download-1", nil, "Downloading"},
		ntfyMessage{Message: "Downloading", Sequence: "download-1"}},
	"a sequence in a header": {ntfyRequest{"POST", "/demo_novidades", []string{"SID: download-2"}, "Downloading"},
		ntfyMessage{Message: "Downloading", Sequence: "download-2"}},
	"no cache, no Firebase": {ntfyRequest{"POST", "/demo_novidades", []string{"Cache: no", "Firebase: no"}, "x"}, ntfyMessage{Message: "x"}},
}

// TestNtfyPublishes sends every request that ntfy documents, and expects a subscriber to receive what was published.
func TestNtfyPublishes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	for name, c := range ntfyDocumented {
		t.Run(name, func(t *testing.T) {
			published, status := send(c.ntfyRequest)
			if status != http.StatusOK {
				t.Fatalf("got %d, %s", status, published.Error)
			}
			if time.Since(time.Unix(published.Time, 0)) > time.Minute {
				t.Errorf("time: got %d, want now", published.Time)
			}
			c.want.Event, c.want.Topic, c.want.ID, c.want.Time = "message", "demo_novidades", published.ID, published.Time
			check.Equal(t, "response", published, c.want)
			received, _ := send(ntfyRequest{"GET", "/demo_novidades/json?poll=1&id=" + published.ID, nil, ""})
			check.Equal(t, "received", received, c.want)
		})
	}
}

// TestNtfyRefuses expects ntfy's own errors.
func TestNtfyRefuses(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	for name, c := range map[string]struct {
		ntfyRequest
		code int
	}{
		"email":                   {ntfyRequest{"POST", "/demo_novidades", []string{"Email: phil@example.com"}, "x"}, 40001},
		"a delay without a cache": {ntfyRequest{"POST", "/demo_novidades", []string{"In: 10m", "Cache: no"}, "x"}, 40002},
		"a bad delay":             {ntfyRequest{"POST", "/demo_novidades", []string{"Delay: soon"}, "x"}, 40004},
		"a short delay":           {ntfyRequest{"POST", "/demo_novidades", []string{"Delay: 1s"}, "x"}, 40005},
		"a long delay":            {ntfyRequest{"POST", "/demo_novidades", []string{"Delay: 1000 days"}, "x"}, 40006},
		"a bad priority":          {ntfyRequest{"POST", "/demo_novidades", []string{"Priority: 9"}, "x"}, 40007},
		"a bad since":             {ntfyRequest{"GET", "/demo_novidades/json?poll=1&since=yesterday", nil, ""}, 40008},
		"a bad topic":             {ntfyRequest{"POST", "/demo_novidades_x", nil, "x"}, 40009},
		"no topic":                {ntfyRequest{"POST", "/", nil, `{"message": "x"}`}, 40009},
		"a bad attachment":        {ntfyRequest{"POST", "/demo_novidades", []string{"Attach: ftp://example.com"}, "x"}, 40013},
		"a file":                  {ntfyRequest{"PUT", "/demo_novidades", []string{"Filename: notes.txt"}, "x"}, 40014},
		"bytes":                   {ntfyRequest{"PUT", "/demo_novidades", nil, "\x00\xff\xfe"}, 40014},
		"no web socket":           {ntfyRequest{"GET", "/demo_novidades/ws", nil, ""}, 40016},
		"no JSON":                 {ntfyRequest{"POST", "/", nil, `{"topic": `}, 40017},
		"an action elsewhere":     {ntfyRequest{"POST", "/demo_novidades", []string{"Actions: http, Close, https://a.example"}, "x"}, 40018},
		"an action with no label": {ntfyRequest{"POST", "/demo_novidades", []string{"Actions: view"}, "x"}, 40018},
		"an open quote":           {ntfyRequest{"POST", "/demo_novidades", []string{`Actions: view, "a`}, "x"}, 40018},
		"a bad icon":              {ntfyRequest{"POST", "/demo_novidades", []string{"Icon: x"}, "x"}, 40021},
		"a call":                  {ntfyRequest{"POST", "/demo_novidades", []string{"Call: yes"}, "x"}, 40032},
		"a template":              {ntfyRequest{"POST", "/demo_novidades?template=yes", nil, "{}"}, 40043},
		"a dangerous link":        {ntfyRequest{"POST", "/demo_novidades", []string{"Click: javascript:alert(1)"}, "x"}, 40000},
		"another's channel":       {ntfyRequest{"POST", "/metro_linhas", nil, "x"}, 40401},
		"a path":                  {ntfyRequest{"PATCH", "/demo_novidades", nil, "x"}, 40401},
		"an unknown sequence":     {ntfyRequest{"DELETE", "/demo_novidades/none", nil, ""}, 40401},
		"too many bytes":          {ntfyRequest{"POST", "/", nil, strings.Repeat(" ", 200<<10)}, 41301},
	} {
		t.Run(name, func(t *testing.T) {
			got, status := send(c.ntfyRequest)
			if got.Code != c.code || got.HTTP != status || got.Error == "" || status != c.code/100 {
				t.Errorf("got %d, %+v; want the error %d", status, got, c.code)
			}
		})
	}
}

// TestNtfyCredentials sends a credential in all the ways of ntfy's clients.
func TestNtfyCredentials(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	basic := "Basic " + base64.StdEncoding.EncodeToString([]byte("phil:"+s.APIKey))
	query := func(header string) string {
		return "/demo_novidades?auth=" + base64.RawURLEncoding.EncodeToString([]byte(header))
	}
	for name, c := range map[string]struct {
		path, header string
		code         int
	}{
		"Bearer":              {"/demo_novidades", "Bearer " + s.APIKey, 0},
		"the user of Basic":   {"/demo_novidades", "Basic " + base64.StdEncoding.EncodeToString([]byte(s.APIKey+":")), 0},
		"Basic in the query":  {query(basic), "", 0},
		"Bearer in the query": {query("Bearer " + s.APIKey), "", 0},
		"none":                {"/demo_novidades", "", 40301},
		"another":             {"/demo_novidades", "Bearer sk_wrong", 40101},
		"another in a query":  {query("Bearer sk_wrong"), "Bearer " + s.APIKey, 40101},
		"no base64":           {"/demo_novidades?auth=!", "", 40101},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := send(ntfyRequest{"POST", c.path, []string{"Authorization: " + c.header}, "x"})
			check.Equal(t, "code", got.Code, c.code)
		})
	}
}

// TestNtfySequences updates, clears and deletes what was published, also before its time.
func TestNtfySequences(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	do := func(method, path, body string, headers ...string) ntfyMessage {
		t.Helper()
		m, status := send(ntfyRequest{method, path, headers, body})
		if status != http.StatusOK {
			t.Fatalf("%s %s: got %d, %s", method, path, status, m.Error)
		}
		return m
	}
	seen := func(id string) string {
		m, _ := send(ntfyRequest{"GET", "/demo_novidades/json?poll=1&id=" + id, nil, ""})
		return m.Title + "|" + m.Message
	}
	first := do("POST", "/demo_novidades/job-1", "Downloading", "Title: Job", "Priority: high")
	second := do("POST", "/demo_novidades/job-1", "Done")
	check.Equal(t, "the updated message", second.ID, first.ID)
	check.Equal(t, "after the update", seen(first.ID), "|Done")
	plain := do("POST", "/demo_novidades", "Started")
	check.Equal(t, "updated by its id", do("POST", "/demo_novidades/"+plain.ID, "Ended").ID, plain.ID)
	check.Equal(t, "after that", seen(plain.ID), "|Ended")
	cleared := do("PUT", "/demo_novidades/job-1/clear", "")
	check.Equal(t, "clear", cleared.Event+" "+cleared.Sequence, "message_clear job-1")
	deleted := do("DELETE", "/demo_novidades/job-1", "")
	check.Equal(t, "delete", deleted.Event+" "+deleted.Sequence, "message_delete job-1")
	check.Equal(t, "after the deletion", seen(first.ID), "|")
	check.Equal(t, "published again", do("POST", "/demo_novidades/job-1", "Again").ID == first.ID, false)

	later := do("POST", "/demo_novidades/job-2", "Later", "At: tomorrow, 10am")
	if wait := time.Until(time.Unix(later.Time, 0)); wait < time.Minute || wait > 48*time.Hour {
		t.Errorf("tomorrow, 10am: got %v ahead", wait)
	}
	check.Equal(t, "before its time", seen(later.ID), "|")
	planned, _ := send(ntfyRequest{"GET", "/demo_novidades/json?poll=1&sched=1&id=" + later.ID, nil, ""})
	check.Equal(t, "what is scheduled", planned.Message, "Later")
	do("DELETE", "/demo_novidades/job-2", "")
	planned, _ = send(ntfyRequest{"GET", "/demo_novidades/json?poll=1&sched=1&id=" + later.ID, nil, ""})
	check.Equal(t, "after it was cancelled", planned.Message, "")
}

// TestNtfyAttachesPictures uploads the picture that a request has as its body.
func TestNtfyAttachesPictures(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	send := ntfyTo(t, s)
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewRGBA(image.Rect(0, 0, 4, 4))); err != nil {
		t.Fatalf("draw: %v", err)
	}
	m, status := send(ntfyRequest{"PUT", "/demo_novidades", []string{"Filename: flower.png"}, file.String()})
	if status != http.StatusOK || m.Attachment == nil {
		t.Fatalf("got %d, %+v; want an attachment", status, m)
	}
	check.Equal(t, "message and name", m.Message+"|"+m.Attachment.Name, "You received a file: flower.png|flower.png")
	res := sendPlain(t, s, http.MethodGet, strings.TrimPrefix(m.Attachment.URL, s.URL), "")
	check.Equal(t, "the picture's type", res.Header.Get("Content-Type"), "image/png")
}

// TestNtfyIsShownToOthers expects readers of the API to see the emojis of tags, the importance and the link.
func TestNtfyIsShownToOthers(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	m, _ := ntfyTo(t, s)(ntfyRequest{"POST", "/demo_novidades", []string{"Title: Alert", "Priority: 5",
		"Tags: warning,skull,backup", "Click: https://a.example/"}, "Act right away"})
	var n struct{ Title, Body, Importance, Link string }
	withKey(t, s.SignIn(t, "eva@example.com"), s, http.MethodGet, "/channels/demo/novidades/notifications/"+m.ID, nil, 200, &n)
	check.Equal(t, "shown", n.Title+"|"+n.Body+"|"+n.Importance+"|"+n.Link,
		"⚠️ 💀 Alert|Act right away|important|https://a.example/")
}
