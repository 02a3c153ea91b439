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

// snippet is a block of code of a guide that is run.
type snippet struct {
	guide      string
	line       int
	language   string // sh, go or ts
	tab        string // curl or cli, of sh
	background bool
	notRun     string // why it is not run
	only       string // why it is not in every language
	follows    bool   // directly on another block

	text       string
	output     string // that is shown after it
	outputJSON bool
	hasOutput  bool
}

// kind is the tab that it is shown in, or its language.
func (s *snippet) kind() string {
	if s.tab != "" {
		return s.tab
	}
	return s.language
}

// program says that it is a whole Go program.
func (s *snippet) program() bool { return strings.HasPrefix(s.text, "package main\n") }

// readSnippets reads a guide's snippets in their order.
func readSnippets(t *testing.T, guide string) []*snippet {
	t.Helper()
	source, err := docs.Read(guide)
	if err != nil {
		t.Fatalf("read the guides: %v", err)
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
			t.Errorf("%s.md:%d: a block says what language it is in", guide, line)
		case words[0] == "output", slices.Contains(words, "output"):
			if last == nil || last.hasOutput {
				t.Errorf("%s.md:%d: the output of what?", guide, line)
			} else {
				last.output, last.outputJSON, last.hasOutput = content, words[0] == "json", true
			}
		case words[0] == "sh" || words[0] == "go" || words[0] == "ts":
			last = &snippet{guide: guide, line: line, language: words[0], text: content, background: slices.Contains(words, "background")}
			if len(words) > 1 && words[1] != "background" {
				last.tab = words[1]
			}
			last.notRun, last.only = strings.TrimSpace(notRun), strings.TrimSpace(only)
			last.follows = n.PreviousSibling() != nil && n.PreviousSibling().Kind() == ast.KindFencedCodeBlock
			all = append(all, last)
		case !slices.Contains([]string{"text", "json", "yaml"}, words[0]):
			t.Errorf("%s.md:%d: what is %q?", guide, line, words[0])
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatalf("walk the guide: %v", err)
	}
	return all
}
