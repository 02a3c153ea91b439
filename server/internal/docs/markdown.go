package docs

import (
	"fmt"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
)

// markdownType is the media type of pages for programs that read.
const markdownType = "text/markdown; charset=utf-8"

var toMarkdown = converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(),
	table.NewTablePlugin()))

// markdown returns the page in Markdown, without the navigation around it.
func (p *page) markdown() ([]byte, error) {
	body, err := toMarkdown.ConvertString(string(p.Body))
	if err != nil {
		return nil, err
	}
	summary := ""
	if p.Kind != "Guide" || p.Path == "" { // a guide begins with it
		summary = p.Summary + "\n\n"
	}
	return []byte("# " + p.Title + "\n\n" + summary + strings.TrimSpace(body) + "\n"), nil
}

// LLMsPath is where programs that read for people find what there is to read (llmstxt.org).
const LLMsPath = "/llms.txt"

// contents lists all pages in Markdown, as llmstxt.org has it.
func contents(home *page, sections []section, r *reference) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# Sininho\n\n> %s\n\nEvery page is also in Markdown: add .md to its address, or ask for "+
		"text/markdown.\nThe contract is OpenAPI: [openapi.json](/api/v1/openapi.json).\n", home.Summary)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n", s.Title)
		for _, p := range s.Pages {
			fmt.Fprintf(&b, "- [%s](%s%s.md): %s\n", p.Title, Base, p.Path, p.Summary)
		}
	}
	for _, t := range r.Tags {
		fmt.Fprintf(&b, "\n## API: %s\n\n", t.Name)
		for _, o := range t.Operations {
			fmt.Fprintf(&b, "- [%s](%s/reference/%s.md): %s %s\n", o.Summary, Base, o.ID, o.Method, o.Path)
		}
	}
	return []byte(b.String())
}
