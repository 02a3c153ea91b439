package feeds

import (
	"encoding/xml"
	"html"
	"strings"
	"time"
)

type atomFeed struct {
	XMLName  xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	ID       string      `xml:"id"`
	Title    string      `xml:"title"`
	Subtitle string      `xml:"subtitle,omitempty"`
	Updated  string      `xml:"updated"`
	Author   *atomPerson `xml:"author"`
	Icon     string      `xml:"icon,omitempty"`
	Logo     string      `xml:"logo,omitempty"`
	Links    []atomLink  `xml:"link"`
	Entries  []atomEntry `xml:"entry"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Published  string         `xml:"published"`
	Updated    string         `xml:"updated"`
	Author     atomPerson     `xml:"author"`
	Categories []atomCategory `xml:"category"`
	Links      []atomLink     `xml:"link"`
	Content    *atomText      `xml:"content"`
}

type atomPerson struct {
	Name string `xml:"name"`
	URI  string `xml:"uri,omitempty"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr,omitempty"`
	Href string `xml:"href,attr"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// writeAtom writes a feed as Atom. The encoder replaces what XML forbids.
func writeAtom(d document) []byte {
	feed := atomFeed{ID: d.id, Title: d.title, Subtitle: d.description, Updated: atomTime(d.updated), Icon: d.picture,
		Logo: d.picture, Links: []atomLink{
			{Rel: "self", Type: "application/atom+xml", Href: d.address + atomExtension},
			{Rel: "alternate", Type: "text/html", Href: d.page},
			{Rel: "alternate", Type: "application/feed+json", Href: d.address + jsonExtension},
		}}
	if d.author != "" {
		feed.Author = &atomPerson{Name: d.author}
	}
	for _, e := range d.entries {
		feed.Entries = append(feed.Entries, e.atom())
	}
	text, err := xml.Marshal(feed)
	if err != nil {
		panic(err) // cannot happen: the types above can be marshaled
	}
	return append([]byte(xml.Header), text...)
}

func (e entry) atom() atomEntry {
	out := atomEntry{ID: e.id, Title: e.title, Published: atomTime(e.published), Updated: atomTime(e.updated),
		Author: atomPerson{Name: e.author, URI: e.authorPage}, Categories: []atomCategory{{e.channel}},
		Links: []atomLink{{Rel: "alternate", Type: "text/html", Href: e.page}}}
	if e.important {
		out.Categories = append(out.Categories, atomCategory{importantTag})
	}
	if e.link != "" {
		out.Links = append(out.Links, atomLink{Rel: "related", Href: e.link})
	}
	if e.picture != "" {
		out.Links = append(out.Links, atomLink{Rel: "enclosure", Href: e.picture})
	}
	if content := e.html(); content != "" {
		out.Content = &atomText{Type: "html", Text: content}
	}
	return out
}

// importantTag marks important notifications.
const importantTag = "important"

// html returns the text and the link of a notification as HTML, in which nothing that its publisher wrote is markup.
func (e entry) html() string {
	var out strings.Builder
	for paragraph := range strings.SplitSeq(e.text, "\n\n") {
		if paragraph = strings.Trim(paragraph, "\n"); paragraph != "" {
			out.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(paragraph), "\n", "<br>") + "</p>")
		}
	}
	if e.link != "" {
		link := html.EscapeString(e.link)
		out.WriteString(`<p><a href="` + link + `">` + link + `</a></p>`)
	}
	return out.String()
}

func atomTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
