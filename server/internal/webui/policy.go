package webui

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// policies are the pages of the operator's texts, by the names of these. Without its text, a page does not exist.
var policies = map[kind]string{privacy: "privacy", terms: "terms"}

// markdown renders the operator's texts. It knows no HTML, which is shown as it was written, and links to no scripts.
var markdown = goldmark.New(
	goldmark.WithParser(parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewATXHeadingParser(), 600),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewEmphasisParser(), 500),
		),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)),
	goldmark.WithExtensions(extension.Linkify),
)

// policyFile returns an operator's text as the app shows it: its title, if it begins with one, and the rest as HTML.
func policyFile(name, source string) *file {
	title, body := cutTitle(source)
	shown, err := json.Marshal(map[string]string{"title": title, "html": render(body)})
	if err != nil {
		panic(err) // cannot happen: every string can be marshaled
	}
	return newCompressedFile(name, shown)
}

// cutTitle returns the title with which a text begins, or "", and the rest of it.
func cutTitle(source string) (title, body string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(source), "\n")
	if title, ok := strings.CutPrefix(first, "# "); ok {
		return oneLine(title), rest
	}
	return "", source
}

// render returns the HTML of a text whose headings are below a title.
func render(body string) string {
	source := []byte(body)
	root := markdown.Parser().Parse(text.NewReader(source))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if heading, ok := n.(*ast.Heading); ok {
			heading.Level = min(max(heading.Level, 2), 3)
		}
	}
	var out bytes.Buffer
	if err := markdown.Renderer().Render(&out, source, root); err != nil {
		panic(err) // cannot happen: writing to a buffer does not fail
	}
	return out.String()
}
