package template_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/template"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// examples is the directory in which npm installs GitHub's example payloads.
const examples = "node_modules/@octokit/webhooks-examples"

// root returns the directory of the repository.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("working folder: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("there is no go.mod above the test")
		}
		dir = up
	}
}

func senders(t testing.TB) *template.Senders {
	t.Helper()
	s, err := template.New()
	if err != nil {
		t.Fatalf("parse the shipped templates: %v", err)
	}
	return s
}

// describe formats a rendered event on one or two lines for the golden files.
func describe(r core.Rendered, err error) string {
	if err != nil {
		return "refused: " + err.Error()
	}
	if r.Skip != "" {
		return "skipped: " + r.Skip
	}
	n := r.Notification
	s := n.Title
	if n.Importance == core.Important {
		s = "! " + s
	}
	for _, part := range []string{n.Body, n.Link, n.Icon} {
		if part != "" {
			s += "\n        " + strings.ReplaceAll(part, "\n", " / ")
		}
	}
	return s
}

// golden compares got with a file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatalf("write the file: %v", err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read the file: %v", err)
	}
	if got != string(want) {
		gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range min(len(gotLines), len(wantLines)) {
			if gotLines[i] != wantLines[i] {
				t.Fatalf("%s:%d: got\n%s\nwant\n%s\nTo accept it: go test ./server/internal/template -update",
					path, i+1, gotLines[i], wantLines[i])
			}
		}
		t.Fatalf("lines of %s: got %d, want %d", path, len(gotLines), len(wantLines))
	}
}

// TestGitHubsExamples renders every example payload that GitHub publishes, for github.com and for each release of its
// enterprise server, into a golden file that people can review.
func TestGitHubsExamples(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(root(t), examples)
	indexes, err := filepath.Glob(filepath.Join(dir, "*", "index.json"))
	if err != nil || len(indexes) != 6 {
		t.Fatalf("indexes in %s: got %d, want 6 (%v): run `npm ci`, as `make test-go` does", dir, len(indexes), err)
	}
	s := senders(t)
	var out strings.Builder
	count := 0
	for _, index := range indexes {
		fmt.Fprintf(&out, "# %s\n\n", filepath.Base(filepath.Dir(index)))
		content, err := os.ReadFile(index)
		if err != nil {
			t.Fatalf("read the file: %v", err)
		}
		var kinds []struct {
			Name     string
			Examples []json.RawMessage
		}
		if err := json.Unmarshal(content, &kinds); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
		for _, kind := range kinds {
			for _, example := range kind.Examples {
				count++
				var has struct{ Action string }
				if err := json.Unmarshal(example, &has); err != nil {
					t.Fatalf("decode JSON: %v", err)
				}
				r, err := s.Render(t.Context(), core.SenderGitHub, nil, example,
					map[string]string{"x-github-event": kind.Name, "x-github-delivery": "d"})
				if r.Kind != kind.Name || r.ID != "d" {
					t.Errorf("event of %s: got kind %q and id %q, want id d", kind.Name, r.Kind, r.ID)
				}
				sensible(t, kind.Name, r, err)
				fmt.Fprintf(&out, "%-40s%s\n", kind.Name+" "+has.Action, describe(r, err))
			}
		}
		out.WriteString("\n")
	}
	if count != 726 {
		t.Errorf("examples: got %d, want 726", count)
	}
	golden(t, "github.txt", out.String())
}

// sensible checks that the result is a complete notification or a reason to skip the event.
func sensible(t *testing.T, what string, r core.Rendered, err error) {
	t.Helper()
	n := r.Notification
	switch {
	case err != nil:
		t.Errorf("render %s: %v", what, err)
	case r.Skip != "":
		if len(r.Skip) < 10 {
			t.Errorf("reason to skip %s: got %q, want at least 10 characters", what, r.Skip)
		}
	case strings.TrimSpace(n.Title) == "" || strings.Contains(n.Title, "  ") || strings.HasPrefix(n.Title, ":") ||
		strings.HasSuffix(n.Title, "–") ||
		strings.Contains(n.Title, "map["):
		t.Errorf("title of %s: got %q, want text without gaps", what, n.Title)
	case !strings.HasPrefix(n.Link, "https://"), !strings.HasPrefix(n.Icon, "https://"):
		t.Errorf("%s: got link %q and icon %q of %q, want HTTPS addresses", what, n.Link, n.Icon, n.Title)
	case strings.Contains(n.Body, "map[") || len([]rune(n.Body)) > 1500:
		t.Errorf("body of %s: got %q, want at most 1500 characters of text", what, n.Body)
	}
	production := core.NewRules(core.LinkRules{}, core.EventRules{}, nil)
	if faults := n.Validate(production, time.Now()); r.Skip == "" && len(faults) > 0 {
		t.Errorf("faults of %s: got %v, want none", what, faults)
	}
}
