package mend_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
)

func TestUTF8(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ bytes, text, reason string }{
		"UTF-8":                     {"ação", "ação", ""},
		"nothing":                   {"", "", ""},
		"UTF-8 with a mark":         {"\xEF\xBB\xBFação", "ação", ""},
		"UTF-16 with a mark":        {"\xFF\xFEa\x00\xe7\x00", "aç", "was decoded from UTF-16"},
		"big-endian UTF-16":         {"\xFE\xFF\x00a\x00\xe7", "aç", "was decoded from UTF-16"},
		"UTF-16 without a mark":     {"{\x00\"\x00\xe7\x00", "{\"ç", "was decoded from UTF-16"},
		"big-endian without a mark": {"\x00{\x00\"\x00\xe7", "{\"ç", "was decoded from UTF-16"},
		"an emoji in UTF-16":        {"\xFF\xFE\x3d\xd8\x87\xde", "🚇", "was decoded from UTF-16"},
		"Latin-1":                   {"a\xe7\xe3o", "ação", "was decoded from Windows-1252"},
		"Windows-1252":              {"5 \x80 \x93x\x94", "5 € “x”", "was decoded from Windows-1252"},
		"UTF-8 cut in a character":  {"ação \xc3", "ação \ufffd", "had 1 byte outside UTF-8, replaced"},
	} {
		text, reason := mend.UTF8([]byte(test.bytes))
		if text != test.text || reason != test.reason {
			t.Errorf("%s: UTF8(%q): got %q, %q; want %q, %q", name, test.bytes, text, reason, test.text, test.reason)
		}
	}
}

func TestLineAndProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		" Linha\r\n\tazul ":                               {"Linha azul", " Linha\n\tazul "},
		"a\u2028b\u2029c\u0085d\x00e":                     {"a b c d e", "a\nb\nc\nde"},
		"a\u202eb\u2066c\u200fd":                          {"abcd", "abcd"},
		"\x1b[1;31mFAIL\x1b[0m ok":                        {"FAIL ok", "FAIL ok"},
		"\x1b]0;window title\x07ok":                       {"ok", "ok"},
		"\x1b]8;;https://x.example\x1b\\ok\x1b]8;;\x1b\\": {"ok", "ok"},
		"\x1b]never ended: the report\nsecond":            {"never ended: the report second", "never ended: the report\nsecond"},
		"\u009b31mred":                                    {"red", "red"},
		"\x1b(Bplain\x1b7\x1b[?25l":                       {"plain", "plain"},
		"bell\x07 \x7f":                                   {"bell", "bell "},
		"a\r\nb\rc\n":                                     {"a b c", "a\nb\nc\n"},
		"bad \xff":                                        {"bad \ufffd", "bad \ufffd"},
		"family 👩\u200d🔬":                                 {"family 👩\u200d🔬", "family 👩\u200d🔬"},
	} {
		if got := mend.Line(text); got != want[0] {
			t.Errorf("Line(%+q): got %+q, want %+q", text, got, want[0])
		}
		if got, _ := mend.Prose(text); got != want[1] {
			t.Errorf("Prose(%+q): got %+q, want %+q", text, got, want[1])
		}
	}
	if _, reason := mend.Prose("a\r\nb\u2028c"); reason != "" {
		t.Errorf("reason for other spellings of line breaks: got %q, want none", reason)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("palavra ", 30) + "fim"
	lines := strings.Repeat("one line of a log\n", 2000) + "the error"
	for name, test := range map[string]struct {
		title, body string
		keep        mend.Keep
		check       func(title, body string) bool
		adjusted    string
	}{
		"fine": {"a", "b\n", mend.Keep{}, func(title, body string) bool { return title == "a" && body == "b\n" }, ""},
		"no title": {" ", "\n\nfirst\n\nrest", mend.Keep{},
			func(title, body string) bool { return title == "first" && body == "rest" },
			"#/title was missing, and is the first line of the body"},
		"nothing visible": {"\u200b", "\n\t", mend.Keep{}, func(title, body string) bool { return title == "" }, ""},
		"a long title": {long, "b", mend.Keep{},
			func(title, body string) bool { return strings.HasSuffix(title, "palavra…") && body == long+"\n\nb" },
			"#/title was cut from 243 to 200 characters; the body begins with the whole"},
		"a long title that the body begins with": {long, long + "\nb", mend.Keep{},
			func(_, body string) bool { return body == long+"\nb" },
			"#/title was cut from 243 to 200 characters; the body begins with the whole"},
		"a long body": {"a", lines, mend.Keep{},
			func(_, body string) bool {
				return strings.HasPrefix(body, "one line") && strings.HasSuffix(body, "…")
			},
			"#/body was cut from 36,009 to "},
		"the end of a long body": {"a", lines, mend.Keep{End: true},
			func(_, body string) bool {
				return strings.HasPrefix(body, "[… 16,") && strings.HasSuffix(body, " cut …]\n"+body[strings.IndexByte(body, '\n')+1:]) &&
					strings.HasSuffix(body, "\nthe error")
			}, "#/body was cut from 36,009 to "},
		"what was cut before": {"a", "end", mend.Keep{End: true, Skipped: 1_000_000},
			func(_, body string) bool { return body == "[… 1,000,000 characters cut …]\nend" },
			"#/body was cut from 1,000,003 to 34 characters"},
		"one line of a megabyte": {strings.Repeat("x", 1<<20), lines, mend.Keep{End: true},
			func(_, body string) bool {
				return strings.HasSuffix(body, "the error") && strings.Contains(body, "[… ")
			},
			"#/title was cut from 1,048,576 to 200 characters; the body begins with the whole"},
	} {
		title, body, adjusted := mend.Texts(test.title, test.body, test.keep)
		if !test.check(title, body) {
			t.Errorf("%s: got the title %.250q and the body %.80q … %.80q", name, title, body, body[max(0, len(body)-80):])
		}
		if utf8.RuneCountInString(title) > rules.MaxTitle || utf8.RuneCountInString(body) > rules.MaxBody {
			t.Errorf("%s: got %d and %d characters, want at most the limits", name, len(title), len(body))
		}
		if got := listed(adjusted); !strings.Contains(got, test.adjusted) || (test.adjusted == "") != (got == "") {
			t.Errorf("%s: adjustments: got %q, want %q", name, got, test.adjusted)
		}
	}
}

func listed(a mend.Adjustments) string {
	var lines []string
	for _, each := range a {
		lines = append(lines, each.Pointer+" "+each.Reason)
	}
	return strings.Join(lines, "; ")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	const escaped = "had characters that were escaped"
	links := rules.Links{Origin: "https://sininho.example.com", HTTPPictures: true, Schemes: []string{"ssh"}}
	for link, want := range map[string][2]string{
		"":                                     {"", ""},
		"https://example.com/x":                {"https://example.com/x", ""},
		" https://example.com/x\n":             {"https://example.com/x", ""},
		"http://nas.local:8080/a b?c=\"d\"":    {"http://nas.local:8080/a%20b?c=%22d%22", escaped},
		"mailto:ana@example.com":               {"mailto:ana@example.com", ""},
		"tel:+351 210 000 000":                 {"tel:+351%20210%20000%20000", escaped},
		"ssh://git@nas.local/repo":             {"ssh://git@nas.local/repo", ""},
		"ftp://nas.local/repo":                 {"", "was dropped, because it must be an https, http, mailto or tel address"},
		"http://localhost:3000/d/1":            {"", "was dropped, because it leads to the machine of whoever opens it"},
		"https://127.0.0.1/":                   {"", "was dropped, because it leads to the machine of whoever opens it"},
		"http://grafana.localhost/":            {"", "was dropped, because it leads to the machine of whoever opens it"},
		"http://[::1]:3000/":                   {"", "was dropped, because it leads to the machine of whoever opens it"},
		"http://0.0.0.0:3000/":                 {"", "was dropped, because it leads to the machine of whoever opens it"},
		"https://sininho.example.com/settings": {"", "was dropped, because it leads to a page of this server"},
		"https://sininho.example.com\\@x.pt/a": {"", "was dropped"},
		"https://exa mple.com/":                {"", "was dropped"},
		"javascript:alert(1)":                  {"", "was dropped"},
		"data:text/html,<script>x</script>":    {"", "was dropped"},
		"nas.local:8080/x":                     {"", "was dropped"},
		"/relative":                            {"", "was dropped"},
		"https://example.com/" + strings.Repeat("x", rules.MaxLink): {"", "was dropped"},
	} {
		n, adjusted := mend.Notification(rules.Notification{Title: "a", Link: link}, links)
		if n.Link != want[0] || !strings.Contains(listed(adjusted), want[1]) || (want[1] == "") != (len(adjusted) == 0) {
			t.Errorf("link %q: got %q, %q; want %q, %q", link, n.Link, listed(adjusted), want[0], want[1])
		}
	}
}

func TestNotification(t *testing.T) {
	t.Parallel()
	data := map[string]string{"not ok": "x", "long": strings.Repeat("x", 600)}
	n, adjusted := mend.Notification(rules.Notification{Title: "a", Importance: "Important", Data: data,
		ExternalID: strings.Repeat("i", 300), Image: "ftp://x/y.png", Icon: "https://example.com/a b.png"}, rules.Links{})
	if n.Importance != "important" || len(n.Data) != 1 || len(n.ExternalID) != 32 || n.Image != "" ||
		n.Icon != "https://example.com/a%20b.png" {
		t.Errorf("mended: got %+v", n)
	}
	for _, pointer := range []string{"#/data ", "#/data/long", "#/externalId", "#/image", "#/icon"} {
		if !strings.Contains(listed(adjusted), pointer) {
			t.Errorf("adjustments: got %s, want %s in them", listed(adjusted), pointer)
		}
	}
}
