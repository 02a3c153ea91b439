package httpapi

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// asCurl is the media type that curl -d declares.
const asCurl = "Content-Type: application/x-www-form-urlencoded"

const noType = "Content-Type: "

// parts writes a form as curl -F does.
func parts(lines ...string) string {
	var b strings.Builder
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		b.WriteString("--x\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n")
	}
	return b.String() + "--x--\r\n"
}

const asParts = "Content-Type: multipart/form-data; boundary=x"

// shown writes what was published in one line.
func shown(t *testing.T, a *response) string {
	t.Helper()
	var n api.Notification
	a.mustDecode("the notification", &n)
	out := n.Title + "|" + n.Body
	for name, value := range map[string]*string{"link": n.Link, "id": n.ExternalID} {
		if value != nil {
			out += "|" + name + "=" + *value
		}
	}
	if n.Importance == "important" {
		out += "|important"
	}
	if n.Adjusted != nil {
		for _, each := range *n.Adjusted {
			out += "|" + each.Pointer + " " + each.Reason
		}
	}
	return out
}

func TestTextsAndForms(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		query, body string
		header      []string
		want        string
	}{
		"curl -d":                   {"", "Cópia feita", []string{asCurl}, "Cópia feita|"},
		"text/plain":                {"", "Cópia feita", []string{"Content-Type: text/plain"}, "Cópia feita|"},
		"a charset":                 {"", "Cópia feita", []string{"Content-Type: text/plain; charset=utf-8"}, "Cópia feita|"},
		"no media type":             {"", "Cópia feita", []string{noType}, "Cópia feita|"},
		"any media type":            {"", "Cópia feita", []string{"Content-Type: application/octet-stream"}, "Cópia feita|"},
		"lines":                     {"", "Cópia feita\n\n3 GB\nem 5 s\n", []string{asCurl}, "Cópia feita|3 GB\nem 5 s\n"},
		"lines of Windows":          {"", "a\r\n\r\nb\r\n", []string{asCurl}, "a|b\n"},
		"an empty line first":       {"", "\n\na\nb", []string{asCurl}, "a|b"},
		"curl --data-urlencode":     {"", "C%C3%B3pia%20feita", []string{asCurl}, "Cópia feita|"},
		"a percent sign":            {"", "100% feito", []string{asCurl}, "100% feito|"},
		"an equals sign":            {"", "a=b & c", []string{asCurl}, "a=b & c|"},
		"JSON without a media type": {"", `{"title":"x","body":"y"}`, []string{asCurl}, "x|y"},
		"JSON of fetch":             {"", `{"title":"x"}`, []string{"Content-Type: text/plain;charset=UTF-8"}, "x|"},
		"a titled text like JSON":   {"?title=x", `{"a":1}`, []string{asCurl}, `x|{"a":1}`},
		"a list":                    {"", "[ok] a", []string{asCurl}, "[ok] a|"},
		"query":                     {"?title=Feito&link=https://a.example&importance=important", "log", []string{asCurl}, "Feito|log|link=https://a.example|important"},
		"a title alone":             {"?title=Feito", "", nil, "Feito|"},
		"headers":                   {"", "log", []string{asCurl, "Title: Cópia", "Link: https://a.example", "Priority: high"}, "Cópia|log|link=https://a.example|important"},
		"a header of emails":        {"", "log", []string{asCurl, "Title: =?UTF-8?B?Q8OzcGlh?="}, "Cópia|log"},
		"a header in Latin-1":       {"", "log", []string{asCurl, "Title: C\xf3pia"}, "Cópia|log"},
		"priority 5":                {"", "a", []string{asCurl, "Priority: 5"}, "a||important"},
		"priority low":              {"", "a", []string{asCurl, "Priority: LOW"}, "a|"},
		"priority of a browser":     {"", "a", []string{asCurl, "Priority: u=1, i"}, "a|"},
		"headers of a form":         {"", "body=log", []string{asCurl, "Title: a"}, "a|log"},
		"a form":                    {"", "title=Feito&body=C%C3%B3pia+1&externalId=7&link=", []string{asCurl}, "Feito|Cópia 1|id=7"},
		"a form of curl -d":         {"", "title=Cópia feita; já", []string{asCurl}, "Cópia feita; já|"},
		"a form without title":      {"", "body=a%0Ab", []string{asCurl}, "a|b|#/title was missing, and is the first line of the body"},
		"curl -F":                   {"", parts("title=Feito", "body=a\nb", "importance=important"), []string{asParts}, "Feito|a\nb|important"},
		"control characters":        {"", "\x1b[31mFAIL\x1b[0m\n\x00a\x07", []string{asCurl}, "FAIL|a|#/body had 2 characters of terminal control or text direction, removed|#/title had 9 characters of terminal control or text direction, removed"},
		"Windows-1252":              {"", "C\xf3pia", []string{asCurl}, "Cópia||#/body was decoded from Windows-1252"},
		"a declared charset":        {"", "C\xf3pia", []string{"Content-Type: text/plain; charset=iso-8859-15"}, "Cópia||#/body was decoded from iso-8859-15"},
		"JSON and headers":          {"", `{"title":"x"}`, []string{"Title: y", "Priority: u=1", "Link: <a>; rel=b"}, "x|"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			a := w.send("POST", publish+c.query, c.body, append(c.header, w.bearer())...)
			a.mustStatus("publish", 201)
			check.Equal(t, "published", shown(t, a), c.want)
		})
	}
}

func TestWrongTextsAndForms(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		query, body string
		header      []string
		status      int
		fault       string
	}{
		"nothing":                {"", "", nil, 400, ""},
		"white space":            {"", " \n\t\n", []string{asCurl}, 400, ""},
		"nothing visible":        {"", "\u200b\u202e", []string{asCurl}, 422, "#/title required"},
		"another media type":     {"", "<p>", []string{"Content-Type: text/html"}, 415, ""},
		"no media type at all":   {"", "a", []string{"Content-Type: ;"}, 415, ""},
		"compressed":             {"", "a", []string{asCurl, "Content-Encoding: gzip"}, 415, ""},
		"a cookie":               {"", "a", []string{asCurl, signedIn}, 415, ""},
		"a form with a cookie":   {"", parts("title=a"), []string{asParts, signedIn}, 415, ""},
		"broken JSON":            {"", `{"title":"x"`, []string{asCurl}, 400, ""},
		"large":                  {"", strings.Repeat("a", 512<<10+1), []string{asCurl}, 413, ""},
		"query and JSON":         {"?title=a", `{"title":"x"}`, nil, 422, "query:title unknown_parameter"},
		"title twice":            {"?title=a", "b", []string{asCurl, "Title: a"}, 422, "header:title duplicate"},
		"query twice":            {"?title=a&title=b", "b", []string{asCurl}, 422, "query:title duplicate"},
		"header twice":           {"", "b", []string{asCurl, "Title: a", "Title: b"}, 422, "header:title duplicate"},
		"form and query":         {"?title=a", "title=b", []string{asCurl}, 422, "query:title duplicate"},
		"two importances":        {"?importance=normal", "b", []string{asCurl, "Priority: high"}, 422, "header:priority duplicate"},
		"unknown priority":       {"", "b", []string{asCurl, "Priority: soon"}, 422, "header:priority enum"},
		"unknown importance":     {"?importance=high", "b", []string{asCurl}, 422, "#/importance enum"},
		"a wrong link":           {"", "b", []string{asCurl, "Link: javascript:alert(1)"}, 422, "#/link link"},
		"a NUL in an id":         {"?externalId=%00", "b", []string{asCurl}, 422, "query:externalId text"},
		"unknown parameter":      {"?colour=red", "b", []string{asCurl}, 422, "query:colour unknown_parameter"},
		"body in the query":      {"?body=a", "b", []string{asCurl}, 422, "query:body unknown_parameter"},
		"unknown field":          {"", "title=a&colour=red", []string{asCurl}, 422, "#/colour unknown_field"},
		"data in a form":         {"", "title=a&data=b", []string{asCurl}, 422, "#/data unknown_field"},
		"field twice":            {"", "title=a&title=b", []string{asCurl}, 422, "#/title duplicate"},
		"bad encoding":           {"", "title=100% feito", []string{asCurl}, 400, ""},
		"many fields":            {"", "title=a" + strings.Repeat("&a=b", 100_000), []string{asCurl}, 422, "# too_many;#/a unknown_field"},
		"many parts":             {"", parts(strings.Split(strings.Repeat("title=a,", 5000), ",")...), []string{asParts}, 422, "# too_many;#/title duplicate"},
		"a part twice":           {"", parts("title=a", "title=b"), []string{asParts}, 422, "#/title duplicate"},
		"no boundary":            {"", parts("title=a"), []string{"Content-Type: multipart/form-data"}, 400, ""},
		"another boundary":       {"", parts("title=a"), []string{"Content-Type: multipart/form-data; boundary=y"}, 400, ""},
		"a form that broke off":  {"", strings.TrimSuffix(parts("title=a"), "--x--\r\n"), []string{asParts}, 400, ""},
		"a file":                 {"", strings.Replace(parts("title=a", "image=b"), `"image"`, `"image"; filename="a.png"`, 1), []string{asParts}, 422, "#/image type"},
		"a header of 400 KB":     {"", strings.Replace(parts("title=a"), "\r\n\r\n", "\r\nA: "+strings.Repeat("a", 400<<10)+"\r\n\r\n", 1), []string{asParts}, 201, ""},
		"many headers of a part": {"", strings.Replace(parts("title=a"), "\r\n\r\n", strings.Repeat("\r\nA: a", 60_000)+"\r\n\r\n", 1), []string{asParts}, 400, ""},
		"a time":                 {"?scheduledAt=tomorrow", "b", []string{asCurl}, 422, "#/scheduledAt format"},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			if !strings.Contains(strings.Join(c.header, "\n"), signedIn) {
				c.header = append(c.header, w.bearer())
			}
			a := w.send("POST", publish+c.query, c.body, c.header...)
			a.mustStatus("publish", c.status)
			if c.status < 400 {
				return
			}
			var found []string
			for _, fault := range a.problem().Errors {
				found = append(found, fault.Pointer+" "+fault.Code)
			}
			check.Equal(t, "faults", strings.Join(found, ";"), c.fault)
		})
	}
}

// TestTextsAreCut publishes texts that are longer than a notification.
func TestTextsAreCut(t *testing.T) {
	w := newWorld(t)
	line := strings.Repeat("palavra ", 60_000)
	a := w.send("POST", publish, line+"\nthe end", asCurl, w.bearer())
	a.mustStatus("publish", 201)
	var n api.Notification
	a.mustDecode("the notification", &n)
	if !strings.HasSuffix(n.Title, "palavra…") || !strings.HasSuffix(n.Body, "the end") || n.Adjusted == nil {
		t.Errorf("a long text: got the title %q, a body that ends in %q, adjusted %v; want both cut, and said so",
			n.Title, n.Body[max(0, len(n.Body)-20):], n.Adjusted)
	}
}

// TestTextsAreIdempotent sends the same in several ways. What differs in any field is another request.
func TestTextsAreIdempotent(t *testing.T) {
	w := newWorld(t)
	hash := func(query, body string, header ...string) string {
		t.Helper()
		a := w.send("POST", publish+query, body, append(header, w.bearer(), "Idempotency-Key: k")...)
		a.mustStatus("publish "+query+" "+body, 201)
		return string(w.memory.key.BodyHash)
	}
	same := hash("?title=a", "b", asCurl)
	check.Equal(t, "in another order of parts, with another boundary",
		hash("", strings.ReplaceAll(parts("body=b", "title=a"), "--x", "--y"), "Content-Type: multipart/form-data; boundary=y"),
		same)
	check.Equal(t, "by a header", hash("", "b", asCurl, "Title: a"), same)
	for name, other := range map[string]string{
		"another query":  hash("?title=c", "b", asCurl),
		"another header": hash("?title=a", "b", asCurl, "Priority: 4"),
		"another text":   hash("?title=a", "c", asCurl),
	} {
		if other == same {
			t.Errorf("%s: got the hash of another request", name)
		}
	}
}

func TestBasicAuthentication(t *testing.T) {
	w := newWorld(t)
	const me, public = "/api/v1/subscribers/me", "/api/v1/auth"
	basic := func(pair string) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
	}
	token := strings.TrimPrefix(w.token(cli), "Authorization: Bearer ")
	for name, c := range map[string]struct {
		path   string
		header []string
		status int
	}{
		"a key as the password":   {public, []string{basic(":" + w.key)}, 200},
		"a key as the user":       {public, []string{basic(w.key + ":")}, 200},
		"lower case":              {public, []string{strings.Replace(basic(w.key+":"), "Basic", "basic", 1)}, 200},
		"a token as the password": {me, []string{basic(":" + token)}, 200},
		"a token as the user":     {me, []string{basic(token + ":")}, 200},
		"a user and a key":        {public, []string{basic("ana:" + w.key)}, 401},
		"nothing":                 {public, []string{basic(":")}, 401},
		"no base64":               {public, []string{"Authorization: Basic " + w.key}, 401},
		"a wrong key":             {public, []string{basic(":snh_live_x")}, 401},
		"a session's cookie":      {me, []string{basic(":good")}, 401},
		"two headers":             {public, []string{basic(":" + w.key), basic(":" + w.key)}, 401},
		"key where people may":    {me, []string{basic(":" + w.key)}, 403},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			a := w.send("GET", c.path, "", c.header...)
			a.wantStatus("GET "+c.path, c.status)
			if c.status == 401 {
				a.wantHeader("GET "+c.path, "WWW-Authenticate", `Bearer realm="sininho", error="invalid_token"`)
			}
		})
	}
	a := w.send("POST", publish, "a", asCurl, basic(":"+w.key), "Sec-Fetch-Site: cross-site")
	a.wantStatus("Basic of another site's page", 403)
}

// TestWrongBasicCountsAsBearer sends wrong keys in each form: they share one limit.
func TestWrongBasicCountsAsBearer(t *testing.T) {
	w := newWorld(t)
	forms := []func(string) string{
		func(key string) string { return "Bearer " + key },
		func(key string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(":"+key)) },
		func(key string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(key+":")) },
	}
	for i := range 60 {
		key := "snh_live_" + strings.Repeat("x", i)
		want := map[bool]int{true: 401, false: 429}[i < 30]
		w.send("GET", "/api/v1/auth", "", "Authorization: "+forms[i%3](key)).mustStatus("a wrong key", want)
	}
}

// TestWebhookParameters completes texts and forms for webhooks. Nothing is refused for its form.
func TestWebhookParameters(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		query, body string
		header      []string
		want        string
	}{
		"a title":           {"?title=Feito", "log", []string{asCurl}, "Feito|log|"},
		"a title alone":     {"?title=Feito", "", nil, "Feito||"},
		"headers":           {"", "log", []string{asCurl, "Title: a", "Link: https://a.example", "Priority: urgent"}, "a|log|https://a.example|important"},
		"an odd priority":   {"", "log", []string{asCurl, "Priority: soon"}, "log||"},
		"a form has both":   {"?title=b", "title=a&body=log", []string{asCurl}, "a|log|"},
		"JSON is complete":  {"?title=b", `{"title":"a"}`, nil, "a||"},
		"other parameters":  {"?source=x", "log", []string{asCurl}, "log||"},
		"parts and a title": {"?title=b", parts("body=log"), []string{asParts}, "b|log|"},
	} {
		w.publishedEvents = nil
		address := w.hook(sent{tool: name, sender: core.SenderPlain, signing: "none"}, "")
		w.send("POST", hooks+address+c.query, c.body, c.header...).mustStatus(name, 202)
		n := w.publishedEvents[0]
		got := strings.TrimSuffix(n.Title+"|"+n.Body+"|"+n.Link+"|"+string(n.Importance), "|normal")
		check.Equal(t, name, got, c.want)
	}
	address := w.hook(sent{tool: "signed", sender: core.SenderPlain, signing: "standard"}, webhook.NewSecret())
	w.send("POST", hooks+address+"?title=a", "").wantStatus("a signed webhook without a body", 401)
	w.send("GET", hooks+address+"?title=a", "").wantStatus("GET", 405)
}

func TestGetPublishesNothing(t *testing.T) {
	w := newWorld(t)
	for _, method := range []string{"GET", "HEAD", "PUT"} {
		a := w.send(method, publish+"?title=a", "", w.bearer())
		if a.Code < 400 {
			t.Errorf("%s with a title: got %d, want a refusal", method, a.Code)
		}
	}
}

func FuzzTextBody(f *testing.F) {
	w := newWorld(f)
	f.Add("text/plain", "a\nb", "title=c", "high")
	f.Add("application/x-www-form-urlencoded", "title=a&body=%C3", "link=x", "u=1")
	f.Add("multipart/form-data; boundary=x", parts("title=a", "body=b"), "", "4")
	f.Fuzz(func(t *testing.T, media, body, query, priority string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		w.t = t
		a := w.send("POST", publish+"?"+values.Encode(), body, "Content-Type: "+media, w.bearer(),
			"Priority: "+priority)
		if a.Code >= 500 {
			t.Errorf("a body of type %q: got %d", media, a.Code)
		}
		if a.Code == 201 && !json.Valid(a.Body.Bytes()) {
			t.Errorf("response: got %s, want JSON", cmp.Diff("", a.Body.String()))
		}
	})
}
