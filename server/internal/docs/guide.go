package docs

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// repository is the base of links from guides to files outside of docs/.
const repository = "https://github.com/sininho/sininho/blob/main/"

// fromMarkdown renders guides and the descriptions in the contract. It omits HTML.
var fromMarkdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(
		renderer.WithNodeRenderers(util.Prioritized(codeRenderer{}, 100),
			util.Prioritized(tableRenderer{extension.NewTableHTMLRenderer()}, 100)),
	),
)

// newGuide renders a guide. Its first heading is the title and its first paragraph the summary. A line
// `<!-- schema NAME -->` is replaced by the members of that schema of the contract.
func newGuide(name string, source []byte, schemas map[string]*schema) (*page, error) {
	root := fromMarkdown.Parser().Parse(text.NewReader(source))
	p := &page{Path: "/" + name, Kind: "Guide"}
	if err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			link.Destination = []byte(linkTo(string(link.Destination)))
		}
		return ast.WalkContinue, nil
	}); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		if err := p.add(&body, n, source, schemas); err != nil {
			return nil, fmt.Errorf("%s.md: %w", name, err)
		}
	}
	if p.Title == "" || p.Summary == "" {
		return nil, fmt.Errorf("%s.md begins with no title and summary", name)
	}
	p.Body = template.HTML(body.String()) //nolint:gosec // rendered from our own files
	return p, nil
}

var schemaComment = regexp.MustCompile(`^<!-- schema (\w+) -->\s*$`)

// add renders one block and collects its text for the search and its headings for the contents.
func (p *page) add(body *bytes.Buffer, n ast.Node, source []byte, schemas map[string]*schema) error {
	switch n := n.(type) {
	case *ast.Heading:
		title := plain(n, source)
		if n.Level == 1 {
			p.Title = title
			return nil // the layout shows it
		}
		id, _ := n.AttributeString("id")
		begun := part{ID: string(id.([]byte)), Title: title}
		p.Parts = append(p.Parts, begun)
		if n.Level == 2 {
			p.Outline = append(p.Outline, begun)
		}
	case *ast.HTMLBlock:
		comment := schemaComment.FindSubmatch(n.Lines().Value(source))
		if comment == nil {
			return fmt.Errorf("HTML is not rendered: %.40q", n.Lines().Value(source))
		}
		s := schemas[string(comment[1])]
		if s == nil {
			return fmt.Errorf("the contract has no schema %s", comment[1])
		}
		return templates.ExecuteTemplate(body, "schema", s)
	case *ast.Paragraph:
		if p.Summary == "" {
			p.Summary = plain(n, source)
		}
		p.index(plain(n, source))
	default:
		p.index(plain(n, source))
	}
	return fromMarkdown.Renderer().Render(body, source, n)
}

// index adds words to the searchable text of the latest part.
func (p *page) index(words string) {
	if len(p.Parts) == 0 {
		p.Text += words + " "
		return
	}
	p.Parts[len(p.Parts)-1].Text += words + " "
}

// plain returns the text of a node without markup.
func plain(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				out.Write(util.UnescapePunctuations(n.Segment.Value(source)))
				if n.SoftLineBreak() || n.HardLineBreak() {
					out.WriteByte(' ')
				}
			}
		case *ast.FencedCodeBlock:
			if entering {
				out.Write(n.Lines().Value(source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				out.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(out.String()), " ")
}

// linkTo converts a link between files to a link between pages.
func linkTo(target string) string {
	if outside, ok := strings.CutPrefix(target, "../"); ok {
		return repository + outside
	}
	name, fragment, cut := strings.Cut(target, "#")
	guide, ok := strings.CutSuffix(name, ".md")
	if !ok || strings.Contains(guide, "/") {
		return target
	}
	if cut {
		fragment = "#" + fragment
	}
	return Base + "/" + strings.TrimSuffix(guide, ".gen") + fragment
}

// describe renders a description from the contract.
func describe(source string) template.HTML {
	var out bytes.Buffer
	if err := fromMarkdown.Convert([]byte(source), &out); err != nil {
		panic("docs: " + err.Error()) // cannot happen: writing to a buffer does not fail
	}
	return template.HTML(out.String()) //nolint:gosec // rendered from our own contract
}

// codeRenderer renders code blocks with a label and their output. The script turns consecutive blocks, which show the
// same thing in several languages, into tabs.
type codeRenderer struct{}

func (r codeRenderer) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	register.Register(ast.KindFencedCodeBlock, r.render)
}

func (codeRenderer) render(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	shown := codeOf(node, source)
	var content bytes.Buffer
	if !shown.Output {
		fmt.Fprintf(&content, `<div class="snippet" data-tab="%s">`, shown.Tab)
	}
	err := templates.ExecuteTemplate(&content, "code", shown)
	if next := node.NextSibling(); next == nil || !codeOf(next, source).Output {
		content.WriteString("</div>\n")
	}
	_, _ = w.Write(content.Bytes())
	return ast.WalkSkipChildren, err
}

// code is a code block to show.
type code struct {
	Label, Tab, Text string
	Output           bool // printed by the block before it
}

// codeOf returns the code block of a node, or a zero code if the node is something else.
func codeOf(node ast.Node, source []byte) code {
	n, ok := node.(*ast.FencedCodeBlock)
	if !ok {
		return code{}
	}
	info := ""
	if n.Info != nil {
		info = string(n.Info.Segment.Value(source))
	}
	return newCode(info, string(n.Lines().Value(source)))
}

// newCode interprets the first two words of a fence; `sh curl` and `sh cli` get the labels of what they call.
func newCode(info, text string) code {
	words := append(strings.Fields(info), "", "")
	switch {
	case words[0] == "output" || words[1] == "output":
		return code{Label: "Prints", Text: text, Output: true}
	case words[1] == "curl":
		return code{Label: "curl", Tab: "curl", Text: text}
	case words[1] == "cli":
		return code{Label: "CLI", Tab: "cli", Text: text}
	}
	switch words[0] {
	case "sh":
		return code{Label: "Shell", Text: text}
	case "go":
		return code{Label: "Go", Tab: "go", Text: text}
	case "ts":
		return code{Label: "TypeScript", Tab: "ts", Text: text}
	case "python":
		return code{Label: "Python", Text: text}
	case "json":
		return code{Label: "JSON", Text: text}
	case "yaml":
		return code{Label: "YAML", Text: text}
	}
	return code{Label: "Text", Text: text}
}

// tableRenderer makes a wide table scrollable on its own, with the keyboard too.
type tableRenderer struct{ renderer.NodeRenderer }

func (r tableRenderer) RegisterFuncs(register renderer.NodeRendererFuncRegisterer) {
	r.NodeRenderer.RegisterFuncs(framing{register})
}

type framing struct {
	renderer.NodeRendererFuncRegisterer
}

func (f framing) Register(kind ast.NodeKind, render renderer.NodeRendererFunc) {
	if kind != extast.KindTable {
		f.NodeRendererFuncRegisterer.Register(kind, render)
		return
	}
	f.NodeRendererFuncRegisterer.Register(kind,
		func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				_, _ = w.WriteString(`<div class="wide" role="group" aria-label="Table" tabindex="0">`)
			}
			status, err := render(w, source, n, entering)
			if !entering {
				_, _ = w.WriteString("</div>\n")
			}
			return status, err
		})
}
