package feeds

import (
	"cmp"
	"net/url"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// appName is the title of the feeds of people, who follow channels of many publishers.
const appName = "Sininho"

// format is a format in which feeds are written.
type format struct {
	contentType string
	write       func(document) []byte
}

// The ends of the addresses of feeds.
const (
	atomExtension = ".atom"
	jsonExtension = ".json"
)

// formats are all of them, by the ends of addresses.
var formats = map[string]format{
	atomExtension: {"application/atom+xml; charset=utf-8", writeAtom},
	jsonExtension: {"application/feed+json; charset=utf-8", writeJSON},
}

// document is what a feed shows, with addresses on this server.
type document struct {
	id, title, description, author string
	address                        string // without the extension of a format
	page                           string // in the web app
	picture                        string
	updated                        time.Time
	entries                        []entry
}

// entry is what a feed shows of a notification.
type entry struct {
	id, title, text, link string
	page, channel         string // of the notification, and the name of its channel
	author, authorPage    string
	picture               string
	important             bool
	published, updated    time.Time
}

// document returns what is shown of a feed at an address.
func (h *handler) document(f core.WebFeed, items []core.WebFeedItem, address string) document {
	d := document{id: urn(f.ID), title: cmp.Or(f.Title, appName), description: f.Description, author: f.Author,
		address: h.PublicURL + address, page: h.PublicURL + "/feed", updated: f.ChangedAt,
		picture: cmp.Or(h.picture(f.Picture), h.PublicURL+"/icon-512.png")}
	if f.Kind != core.PersonalWebFeed {
		d.page = h.PublicURL + address[:len(address)-len("/feed")]
	}
	for _, item := range items {
		e := h.entry(item)
		if e.updated.After(d.updated) {
			d.updated = e.updated
		}
		d.entries = append(d.entries, e)
	}
	return d
}

func (h *handler) entry(n core.WebFeedItem) entry {
	e := entry{id: urn(n.ID), title: n.Title, text: n.Body, link: n.Link, channel: n.Channel.Name,
		page:   h.PublicURL + "/channels/" + n.Channel.Address() + "/" + n.ID.String(),
		author: cmp.Or(n.Publisher, n.Channel.PublisherSlug), picture: h.picture(n.Image),
		authorPage: h.PublicURL + "/channels/" + n.Channel.PublisherSlug,
		important:  n.Importance == core.Important, published: *n.PublishedAt, updated: *n.PublishedAt}
	if n.EditedAt != nil && n.EditedAt.After(e.updated) {
		e.updated = *n.EditedAt
	}
	return e
}

// urn returns an id that is the same at whatever address the server is.
func urn(id core.ID) string { return id.URN() }

// picture returns the absolute address at which readers load a publisher's picture, or "" for none.
func (h *handler) picture(address string) string {
	if h.Picture != nil && address != "" {
		return h.Picture(address)
	}
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return address
}
