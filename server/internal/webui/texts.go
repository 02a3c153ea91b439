package webui

import (
	"maps"

	"github.com/sininho/sininho/server/internal/core"
)

// texts are the words of the heads in a language. The titles and most of the descriptions are those of the app
// (webapp/src/i18n).
type texts struct {
	locale string // as Open Graph writes it
	// general describes the app. Pages have it whose own head cannot be read.
	general head
	// fixed are the heads of the pages that are the same for everyone.
	fixed map[kind]head
	// nothing is the head of a publisher's page that does not exist, and lost that of any other path.
	nothing, lost head
	// Descriptions of what has none, with the names of a publisher and a channel, a publisher, and a channel and a
	// publisher.
	channel, publisher, notification string
}

var translations = core.Translate(portuguese, brazilian, english)

// languages are all in which there are texts.
var languages = []core.Language{core.Portuguese, core.BrazilianPortuguese, core.English}

// missing returns the heads of the pages that say that there is nothing.
func (t texts) missing() map[kind]head {
	return map[kind]head{publisherPage: t.nothing, channelPage: t.nothing, notificationPage: t.nothing,
		privacy: t.lost, terms: t.lost, waitingList: t.lost, unknown: t.lost}
}

// in returns the texts in a language. All languages share which pages there are, and which of them are hidden.
func in(l core.Language) texts {
	t := translations.In(l)
	t.fixed = maps.Clone(t.fixed)
	for kind, head := range t.fixed {
		head.Path, head.Hidden = paths[kind], paths[kind] == ""
		t.fixed[kind] = head
	}
	t.fixed[private] = head{Description: t.general.Description, Hidden: true}
	t.fixed[waitingList] = t.fixed[private]
	t.nothing.Hidden, t.lost.Hidden = true, true
	return t
}

// paths are the addresses of the fixed pages that search engines may list.
var paths = map[kind]string{landing: "/", discovery: "/channels", demonstration: "/demo",
	guide: "/publicar", privacy: "/privacy", terms: "/terms"}
