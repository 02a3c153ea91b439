package payload_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/payload"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(text))
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatalf("gzip: %v", err)
	}
	return b.String()
}

func TestRead(t *testing.T) {
	t.Parallel()
	const object, form = `{"title":"é"}`, "application/x-www-form-urlencoded"
	const repaired, asText = "payload:# was not JSON, and was repaired", "payload:# is not JSON, and is read as a text"
	for name, test := range map[string]struct{ media, encoding, body, want, adjusted string }{
		"JSON":                    {"application/json", "", object, object, ""},
		"no media type":           {"", "", object, object, ""},
		"text/plain":              {"text/plain; charset=UTF-8", "", object, object, ""},
		"a vendor's JSON":         {"application/cloudevents+json", "", object, object, ""},
		"a malformed media type":  {"application/json; charset", "", object, object, ""},
		"a byte-order mark":       {"application/json", "", "\xEF\xBB\xBF" + object, object, ""},
		"an unknown charset":      {"application/json; charset=x-odd", "", object, object, ""},
		"a wrong charset":         {"application/json; charset=iso-8859-1", "", object, object, ""},
		"Latin-1":                 {"application/json; charset=iso-8859-1", "", "{\"title\":\"\xe9\"}", object, "payload:# was decoded from windows-1252"},
		"undeclared Latin-1":      {"application/json", "", "{\"title\":\"\xe9\"}", object, "payload:# was decoded from Windows-1252"},
		"Shift JIS":               {"application/json; charset=shift_jis", "", "{\"title\":\"\x93\xfa\"}", `{"title":"日"}`, "payload:# was decoded from shift_jis"},
		"UTF-16 with a mark":      {"application/json; charset=utf-16", "", "\xff\xfe{\x00}\x00", "{}", "payload:# was decoded from UTF-16"},
		"UTF-16":                  {"application/json; charset=utf-16le", "", "{\x00}\x00", "{}", "payload:# was decoded from UTF-16"},
		"gzip":                    {"application/json", "gzip", gzipped(t, object), object, ""},
		"a charset as encoding":   {"application/json", "utf-8", object, object, ""},
		"GitHub's form":           {form, "", "payload=%7B%22title%22%3A%22%C3%A9%22%7D", object, ""},
		"a form":                  {form, "", "title=%C3%A9&message=a+b&title=c", `{"message":"a b","title":"é"}`, ""},
		"JSON declared as a form": {form, "", object, object, ""},
		"a text declared as form": {form, "", "Backup done", `{"text":"Backup done"}`, asText},
		"a form with parts": {"multipart/form-data; boundary=b", "",
			"--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\né\r\n" +
				"--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n",
			object, "payload:#/file was a file, and was dropped"},
		"a list of one object": {"application/json", "", "[ " + object + " ]", object, ""},
		"a list":               {"application/json", "", `[{"a":1},{"a":2}]`, `{"items":[{"a":1},{"a":2}]}`, ""},
		"a JSON text":          {"application/json", "", `"done"`, `{"text":"done"}`, ""},
		"a text":               {"text/plain", "", "done\nin 3 s", `{"text":"done\nin 3 s"}`, asText},
		"a raw line break":     {"application/json", "", "{\"title\":\"a\nb\tc\"}", `{"title":"a\u000ab\u0009c"}`, repaired},
		"a path of Windows":    {"application/json", "", `{"title":"C:\Users\ana\x"}`, `{"title":"C:\\Users\\ana\\x"}`, repaired},
		"a last comma":         {"application/json", "", `{"a":[1,2,],}`, `{"a":[1,2]}`, repaired},
		"broken JSON":          {"text/plain", "", `{"title": "x"`, `{"text":"{\"title\": \"x\""}`, asText},
		"repeated names":       {"application/json", "", `{"a":1,"a":2}`, `{"a":1,"a":2}`, "payload:#/a is given more than once; the last counts"},
	} {
		got, err := payload.Read(http.Header{"Content-Type": {test.media}, "Content-Encoding": {test.encoding}},
			[]byte(test.body), true)
		var adjusted []string
		for _, a := range got.Adjusted {
			adjusted = append(adjusted, a.Pointer+" "+a.Reason)
		}
		if err != nil || string(got.JSON) != test.want || strings.Join(adjusted, "; ") != test.adjusted {
			t.Errorf("%s: got %s, %q, %v; want %s, %q", name, got.JSON, adjusted, err, test.want, test.adjusted)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", payload.MaxDepth+1)
	for name, test := range map[string]struct {
		encoding, body string
		texts          bool
		want           core.Code
	}{
		"white space":                  {"", " \n", true, core.CodeMalformed},
		"an unknown encoding":          {"br", "x", true, core.CodeMalformed},
		"what is not gzip":             {"gzip", "x", true, core.CodeMalformed},
		"too much gzip":                {"gzip", gzipped(t, strings.Repeat(" ", payload.MaxBody+1)), true, core.CodeTooLarge},
		"a text, of a known sender":    {"", "done", false, core.CodeMalformed},
		"broken JSON, of a known one":  {"", `{"a":`, false, core.CodeMalformed},
		"a list, of a known sender":    {"", `[{"a":1},{"a":2}]`, false, core.CodeMalformed},
		"JSON that is nested too much": {"", deep, true, core.CodeMalformed},
	} {
		header := http.Header{"Content-Encoding": {test.encoding}}
		if got, err := payload.Read(header, []byte(test.body), test.texts); !core.IsCode(err, test.want) {
			t.Errorf("%s: got %.80q, %v; want the code %s", name, got.JSON, err, test.want)
		}
	}
}

// TestStorm reads more alerts than fit.
func TestStorm(t *testing.T) {
	t.Parallel()
	var alerts []string
	for i := range 600 {
		alerts = append(alerts, fmt.Sprintf(`{"status":"firing","labels":{"instance":"host-%d"},"annotations":{"description":%q}}`,
			i, strings.Repeat("x", 1500)))
	}
	body := `{"status":"firing","alerts":[` + strings.Join(alerts, ",") + `],"commonLabels":{"alertname":"Down"},"truncatedAlerts":7}`
	got, err := payload.Read(http.Header{}, []byte(body), false)
	if err != nil {
		t.Fatalf("read the storm: %v", err)
	}
	var out struct {
		Alerts          []struct{ Labels map[string]string }
		CommonLabels    map[string]string
		TruncatedAlerts int
	}
	if err := json.Unmarshal(got.JSON, &out); err != nil {
		t.Fatalf("the payload: %v", err)
	}
	if len(out.Alerts) < 50 || len(out.Alerts)+out.TruncatedAlerts != 607 || out.CommonLabels["alertname"] != "Down" {
		t.Errorf("alerts of the storm: got %d and %d more, with %v; want 607 together, and the labels",
			len(out.Alerts), out.TruncatedAlerts, out.CommonLabels)
	}
	if len(got.Adjusted) == 0 || got.Adjusted[0].Pointer != "payload:#/alerts" {
		t.Errorf("adjustments: got %v, want the alerts", got.Adjusted)
	}
}

func TestLargeBodiesShrink(t *testing.T) {
	t.Parallel()
	const large = 2 << 20
	for name, body := range map[string]string{
		"a long text":      `{"title":"a","body":"` + strings.Repeat("é", large/2) + `"}`,
		"escapes":          `{"body":"` + strings.Repeat(`\u0000`, large/6) + `"}`,
		"many members":     `{` + strings.TrimSuffix(strings.Repeat(`"é":1,`, large/7), ",") + `}`,
		"many lists":       `{"a":[` + strings.TrimSuffix(strings.Repeat(`[1,2],`, large/6), ",") + `]}`,
		"a long number":    `{"a":` + strings.Repeat("1", large) + `}`,
		"a long name":      `{"` + strings.Repeat("a", large) + `":1}`,
		"a deep object":    strings.Repeat(`{"`+strings.Repeat("a", 200)+`":`, 9_000) + "1" + strings.Repeat("}", 9_000),
		"many long texts":  `{"a":[` + strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("\\t", 9_000)+`",`, large/18_000), ",") + `]}`,
		"a form":           "a=" + strings.Repeat("x", large),
		"a text":           strings.Repeat("line\n", large/5),
		"one of two lists": `{"a":[` + strings.TrimSuffix(strings.Repeat(`{"b":"c"},`, large/10), ",") + `],"b":"end"}`,
	} {
		header := http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		got, err := payload.Read(header, []byte(body), true)
		if err != nil || len(got.JSON) > core.MaxPayload || !json.Valid(got.JSON) || len(got.Adjusted) == 0 {
			t.Errorf("%s: got %d bytes (valid JSON: %t), %v, %v; want at most %d, and an adjustment", name, len(got.JSON),
				json.Valid(got.JSON), got.Adjusted, err, core.MaxPayload)
		}
		if name == "one of two lists" && !strings.Contains(string(got.JSON), `"end"`) {
			t.Errorf("%s: got %s, want what follows the long list", name, got.JSON)
		}
	}
}

func TestNotJSON(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"a":1}` + "\n":            "",
		`{"a":1,"a":"\ud800"}`:      "",
		`{a}`:                       "The body is not JSON at byte 2: 'a' is not expected here.",
		`{'a':1}`:                   "The body is not JSON at byte 2: texts and names are in double quotation marks.",
		`{"a":{"b":[1,2,x]}}`:       "The body is not JSON at byte 16, in #/a/b/2: 'x' is not expected here.",
		"{\"a\":\"x\ny\"}":          "The body is not JSON at byte 8, in #/a: the control character U+000A must be escaped.",
		`{"a":"\x"}`:                "The body is not JSON at byte 7, in #/a: JSON has no such escape.",
		`{"a":"x`:                   "The body is not JSON: it ends at byte 7, before its JSON does, in #/a.",
		`{"a":1} x`:                 "The body has something after its JSON, at byte 9.",
		"\xEF\xBB\xBF{}":            "The body is not JSON at byte 1: it begins with a byte-order mark; leave it out.",
		"\xFF\xFE{\x00}\x00":        "The body is not UTF-8 at byte 1: it looks like UTF-16.",
		"{\"a\":\"\xff\"}":          "The body is not UTF-8 at byte 7.",
		strings.Repeat("[", 10_001): "The body is nested more than 10,000 levels deep, at byte 10001.",
	} {
		err := payload.NotJSON([]byte(body))
		got := ""
		if err != nil {
			got = strings.TrimPrefix(err.Error(), "malformed: ")
		}
		if got != want {
			t.Errorf("NotJSON(%.40q): got %q, want %q", body, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("application/json", []byte(`{"a":[1,"\u00e9"],"b":`))
	f.Add("application/x-www-form-urlencoded", []byte(`payload=%7B%7D&a=b`))
	f.Add("multipart/form-data; boundary=b", []byte("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b--"))
	f.Add("text/plain; charset=utf-16", []byte("\xff\xfe{\x00"))
	f.Fuzz(func(t *testing.T, media string, body []byte) {
		got, err := payload.Read(http.Header{"Content-Type": {media}}, body, true)
		if err != nil {
			return
		}
		var object map[string]any
		if err := json.Unmarshal(got.JSON, &object); err != nil {
			t.Errorf("read %q as %q: got %q, which is no object: %v", body, media, got.JSON, err)
		}
	})
}
