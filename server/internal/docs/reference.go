package docs

import (
	"bytes"
	"cmp"
	"html/template"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// reference is the contract, prepared for display.
type reference struct {
	Tags    []tag
	schemas map[string]*schema
}

type tag struct {
	Name        string
	Description template.HTML
	Operations  []*operation
}

// newReference loads the contracts. If two have a schema with the same name, it keeps the first one's.
func newReference(documents ...[]byte) (*reference, error) {
	r := &reference{schemas: map[string]*schema{}}
	for _, document := range documents {
		doc, err := openapi3.NewLoader().LoadFromData(document)
		if err != nil {
			return nil, err
		}
		r.add(doc)
	}
	return r, nil
}

func (r *reference) add(doc *openapi3.T) {
	for name, s := range doc.Components.Schemas {
		if r.schemas[name] == nil {
			r.schemas[name] = newSchema(s)
		}
	}
	byTag := map[string][]*operation{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			o := newOperation(doc, path, method, item, op)
			byTag[o.Tag] = append(byTag[o.Tag], o)
		}
	}
	for _, t := range doc.Tags {
		slices.SortFunc(byTag[t.Name], func(a, b *operation) int {
			return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(rank(a.Method), rank(b.Method)))
		})
		r.Tags = append(r.Tags, tag{t.Name, describe(t.Description + "."), byTag[t.Name]})
	}
}

// rank returns the position of a method among the operations of a path.
func rank(method string) int {
	return slices.Index([]string{"GET", "POST", "PUT", "PATCH", "DELETE"}, method)
}

// pages returns the list of all operations and a page for each.
func (r *reference) pages() ([]*page, error) {
	list := &page{
		Path: "/reference", Title: "API reference", Kind: "Reference",
		Summary: "Every operation of the API, generated from its contract: permissions, parameters, responses " +
			"and errors.",
	}
	if err := list.fill("reference", r); err != nil {
		return nil, err
	}
	pages := []*page{list}
	for _, t := range r.Tags {
		list.Parts = append(list.Parts, part{ID: t.Name, Title: t.Name})
		for _, o := range t.Operations {
			p := &page{
				Path: "/reference/" + o.ID, Title: o.Summary, Kind: "Reference", Tag: t.Name, Outline: o.Outline(),
				Text: o.Method + " " + o.Path + " " + o.ID + " " + o.About,
			}
			if err := p.fill("operation", o); err != nil {
				return nil, err
			}
			pages = append(pages, p)
		}
	}
	return pages, nil
}

func (p *page) fill(name string, data any) error {
	var body bytes.Buffer
	err := templates.ExecuteTemplate(&body, name, data)
	p.Body = template.HTML(body.String()) //nolint:gosec // html/template escaped it
	return err
}
