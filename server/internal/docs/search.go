package docs

// entry is a possible search result: a page, or a part of one.
type entry struct {
	Address string `json:"a"`
	Page    string `json:"p"`
	Part    string `json:"h,omitempty"`
	Kind    string `json:"k"`
	Text    string `json:"t"`
}

// newIndex returns all pages and their parts for the search in assets/docs.js.
func newIndex(pages []*page) []entry {
	var index []entry
	for _, p := range pages {
		index = append(index, entry{Address: Base + p.Path, Page: p.Title, Kind: p.Kind, Text: p.Text + p.Summary})
		for _, part := range p.Parts {
			index = append(index, entry{Base + p.Path + "#" + part.ID, p.Title, part.Title, p.Kind, part.Text})
		}
	}
	return index
}
