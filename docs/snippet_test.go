package docs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/sininho/sininho/docs"
)

// snippet is a block of code in a guide, which the tests run.
type snippet struct {
	guide      string
	line       int
	language   string // sh, go or ts
	tab        string // curl or cli, of sh
	background bool
	notRun     string // the reason not to run it
	only       string // the reason not to show it in every language
	follows    bool   // it stands directly below another block

	text       string
	output     string // the output that the guide shows
	outputJSON bool
	hasOutput  bool
}

// kind returns the tab of the snippet, or its language.
func (s *snippet) kind() string {
	if s.tab != "" {
		return s.tab
	}
	return s.language
}

// program reports whether the snippet is a whole Go program.
func (s *snippet) program() bool { return strings.HasPrefix(s.text, "package main\n") }

// readSnippets returns the snippets of a guide in order.
func readSnippets(t *testing.T, guide string) []*snippet {
	t.Helper()
	source, err := docs.Read(guide)
	if err != nil {
		t.Fatalf("read %s.md: %v", guide, err)
	}
	var all []*snippet
	var last *snippet
	root := goldmark.New().Parser().Parse(text.NewReader(source))
	err = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		info := ""
		if block.Info != nil {
			info = string(block.Info.Segment.Value(source))
		}
		line := strings.Count(string(source[:block.Lines().At(0).Start]), "\n")
		info, notRun, _ := strings.Cut(info, "norun:")
		info, only, _ := strings.Cut(info, "only:")
		words := strings.Fields(info)
		content := string(block.Lines().Value(source))
		switch {
		case len(words) == 0:
			t.Errorf("block at %s.md:%d: got no language, want one", guide, line)
		case words[0] == "output", slices.Contains(words, "output"):
			if last == nil || last.hasOutput {
				t.Errorf("output at %s.md:%d: no snippet without output before it", guide, line)
			} else {
				last.output, last.hasOutput = content, true
				last.outputJSON = words[0] == "json"
			}
		case words[0] == "sh" || words[0] == "go" || words[0] == "ts":
			last = &snippet{guide: guide, line: line, language: words[0], text: content}
			last.background = slices.Contains(words, "background")
			if len(words) > 1 && words[1] != "background" {
				last.tab = words[1]
			}
			last.notRun, last.only = strings.TrimSpace(notRun), strings.TrimSpace(only)
			last.follows = n.PreviousSibling() != nil && n.PreviousSibling().Kind() == ast.KindFencedCodeBlock
			all = append(all, last)
		case !slices.Contains([]string{"text", "json", "yaml", "python"}, words[0]):
			t.Errorf("language of the block at %s.md:%d: got %q, want one that is known", guide, line, words[0])
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatalf("walk the guide: %v", err)
	}
	return all
}
