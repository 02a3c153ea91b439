package docs

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"

	guides "github.com/sininho/sininho/docs"
	"github.com/sininho/sininho/openapi"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed assets/docs.css assets/docs.js
var assets embed.FS

var templates = template.Must(template.ParseFS(templateFiles, "templates/*.html"))

// page is one page of the documentation.
type page struct {
	Path    string // below Base
	Kind    string // Guide or Reference
	Tag     string // for operations only
	Title   string
	Summary string
	Body    template.HTML
	Parts   []part
	Outline []part // the parts that are listed next to the page
	Text    string // searchable text before the first part

	Previous, Next *page
}

// part is the content below a heading.
type part struct {
	ID, Title, Text string
}

// section is a group of guides in the table of contents.
type section struct {
	Title string
	Pages []*page
}

// layout is the data of the template around every page.
type layout struct {
	*page
	Base                  string
	Sections              []section
	Reference             *reference
	Style, Script, Search string // addresses
}

// build renders every page.
func build() (map[string]*file, error) {
	r, err := newReference(openapi.Sininho, openapi.Waitlist)
	if err != nil {
		return nil, err
	}
	sections, pages, err := readGuides(r)
	if err != nil {
		return nil, err
	}
	operations, err := r.pages()
	if err != nil {
		return nil, err
	}
	home := &page{
		Path: "", Kind: "Guide", Title: "Sininho for developers",
		Summary: "Publish to notification channels from any system: by the API, with the SDKs, from the command line " +
			"or through a webhook.",
	}
	if err := home.fill("home", sections); err != nil {
		return nil, err
	}
	missing := &page{
		Path: notFound, Title: "There is no such page", Summary: "The contents and the search know all that there are.",
	}
	pages = append(pages, operations...)
	files := map[string]*file{}
	l := layout{Base: Base, Sections: sections, Reference: r}
	if err := l.addAssets(files, pages); err != nil {
		return nil, err
	}
	for _, p := range append(pages, home, missing) {
		l.page = p
		var out bytes.Buffer
		if err := templates.ExecuteTemplate(&out, "layout", l); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Path, err)
		}
		if files[p.Path], err = newFile(Base+p.Path, "text/html; charset=utf-8", checked, out.Bytes()); err != nil {
			return nil, err
		}
		text, err := p.markdown()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Path, err)
		}
		path := p.Path + ".md"
		if files[path], err = newFile(Base+path, markdownType, checked, text); err != nil {
			return nil, err
		}
	}
	files[LLMsPath], err = newFile(LLMsPath, "text/plain; charset=utf-8", checked, contents(home, sections, r))
	return files, err
}

func readGuides(r *reference) (sections []section, pages []*page, err error) {
	for _, s := range guides.Sections {
		shown := section{Title: s.Title}
		for _, name := range s.Guides {
			source, err := guides.Read(name)
			if err != nil {
				return nil, nil, err
			}
			guide, err := newGuide(name, source, r.schemas)
			if err != nil {
				return nil, nil, err
			}
			shown.Pages = append(shown.Pages, guide)
		}
		sections, pages = append(sections, shown), append(pages, shown.Pages...)
	}
	for i, next := range pages[1:] {
		pages[i].Next, next.Previous = next, pages[i]
	}
	return sections, pages, nil
}

// addAssets adds the assets under names that contain their hash, so that browsers can cache them permanently.
func (l *layout) addAssets(files map[string]*file, pages []*page) error {
	style, err := assets.ReadFile("assets/docs.css")
	if err != nil {
		return err
	}
	script, err := assets.ReadFile("assets/docs.js")
	if err != nil {
		return err
	}
	index, err := json.Marshal(newIndex(pages))
	if err != nil {
		return err
	}
	for _, asset := range []struct {
		address         *string
		name, extension string
		contentType     string
		content         []byte
	}{
		{&l.Style, "docs", "css", "text/css; charset=utf-8", style},
		{&l.Script, "docs", "js", "text/javascript; charset=utf-8", script},
		{&l.Search, "search", "json", "application/json", index},
	} {
		path := fmt.Sprintf("/assets/%s-%s.%s", asset.name, hash(asset.content), asset.extension)
		*asset.address = Base + path
		if files[path], err = newFile(*asset.address, asset.contentType, forGood, asset.content); err != nil {
			return err
		}
	}
	return nil
}
