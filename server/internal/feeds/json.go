package feeds

import (
	"encoding/json"
	"time"
)

type jsonDocument struct {
	Version     string       `json:"version"`
	Title       string       `json:"title"`
	HomePageURL string       `json:"home_page_url"`
	FeedURL     string       `json:"feed_url"`
	Description string       `json:"description,omitempty"`
	Icon        string       `json:"icon"`
	Authors     []jsonAuthor `json:"authors,omitempty"`
	Items       []jsonItem   `json:"items"`
}

type jsonAuthor struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

type jsonItem struct {
	ID            string       `json:"id"`
	URL           string       `json:"url"`
	ExternalURL   string       `json:"external_url,omitempty"`
	Title         string       `json:"title"`
	ContentText   string       `json:"content_text"`
	Image         string       `json:"image,omitempty"`
	DatePublished time.Time    `json:"date_published"`
	DateModified  time.Time    `json:"date_modified"`
	Authors       []jsonAuthor `json:"authors"`
	Tags          []string     `json:"tags"`
}

// writeJSON writes a feed as JSON Feed 1.1.
func writeJSON(d document) []byte {
	out := jsonDocument{Version: "https://jsonfeed.org/version/1.1", Title: d.title, HomePageURL: d.page,
		FeedURL: d.address + jsonExtension, Description: d.description, Icon: d.picture, Items: []jsonItem{}}
	if d.author != "" {
		out.Authors = []jsonAuthor{{Name: d.author}}
	}
	for _, e := range d.entries {
		out.Items = append(out.Items, e.json())
	}
	text, err := json.Marshal(out)
	if err != nil {
		panic(err) // cannot happen: the types above can be marshaled
	}
	return text
}

func (e entry) json() jsonItem {
	item := jsonItem{ID: e.id, URL: e.page, ExternalURL: e.link, Title: e.title, ContentText: e.text, Image: e.picture,
		DatePublished: e.published.UTC(), DateModified: e.updated.UTC(),
		Authors: []jsonAuthor{{Name: e.author, URL: e.authorPage}}, Tags: []string{e.channel}}
	if e.important {
		item.Tags = append(item.Tags, importantTag)
	}
	return item
}
