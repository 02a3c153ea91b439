package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

// TestReportsAreNeverLost reads what programs write, however long and in whichever encoding.
func TestReportsAreNeverLost(t *testing.T) {
	long := strings.Repeat("a line of a log\n", 200_000) + "the error"
	for name, test := range map[string]struct{ stdin, title, end, said string }{
		"a message":    {"title\n\nbody\n", "title", "body\n", ""},
		"blank lines":  {"\n\r\ntitle\r\nbody", "title", "body", ""},
		"colours":      {"\x1b[31mFAIL\x1b[0m\nmore \x1b[1mlines", "FAIL", "more lines", "terminal control"},
		"Latin-1":      {"a\xe7\xe3o\n", "ação", "", "was decoded from Windows-1252"},
		"UTF-16":       {"\xff\xfea\x00\xe7\x00\n\x00b\x00", "aç", "b", "was decoded from UTF-16"},
		"a long title": {strings.Repeat("word ", 100) + "end\nbody", strings.TrimSuffix(strings.Repeat("word ", 40), " ") + "…", "word end\n\nbody", "the title was cut"},
		"a long log":   {"title\n" + long, "title", "the error", "the body was cut"},
		"in UTF-16":    {"\xff\xfe" + wide("title\n"+long), "title", "the error", "the body was cut"},
	} {
		var said bytes.Buffer
		s := &session{in: strings.NewReader(test.stdin), err: &said}
		var in sininho.PublishInput
		if err := s.readMended(t.Context(), &in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if in.Title != test.title || !strings.HasSuffix(in.Body, test.end) {
			t.Errorf("%s: got %.250q and … %q; want %q and … %q", name, in.Title, in.Body[max(0, len(in.Body)-80):],
				test.title, test.end)
		}
		if err := in.Validate(); err != nil {
			t.Errorf("%s: what was read cannot be published: %v", name, err)
		}
		if !strings.Contains(said.String(), test.said) || test.said == "" && said.Len() > 0 {
			t.Errorf("%s: stderr: got %q, want %q", name, said.String(), test.said)
		}
	}
	s := &session{in: strings.NewReader(" \n\t\n"), err: &bytes.Buffer{}}
	if err := s.readMended(t.Context(), &sininho.PublishInput{}); err == nil {
		t.Error("nothing visible on stdin: got no error")
	}
}

// wide returns ASCII in UTF-16.
func wide(s string) string {
	b := make([]byte, 2*len(s))
	for i := range len(s) {
		b[2*i] = s[i]
	}
	return string(b)
}
