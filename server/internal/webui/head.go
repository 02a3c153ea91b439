package webui

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"net/url"

	"github.com/sininho/sininho/server/internal/core"
)

const appName = "Sininho"

// head is what crawlers and link previews read of a page.
type head struct {
	Title       string // without the name of the app; "" for a page that says nothing about itself
	Description string
	Path        string // of the page's own address; "" for none
	Image       string // address of a publisher's picture; "" for the app's icon
	Large       bool   // previews show the image in its own right
	Article     bool
	Hidden      bool   // no search engine may list the page
	Feed        string // path of the feed of the page's channel or publisher, without its extension; "" for none
}

// policyHead returns the head of an operator's text. Its title is the text's own, if it begins with one.
func policyHead(general head, text string) head {
	title, _ := cutTitle(text)
	general.Title = cmp.Or(title, general.Title)
	return general
}

func (t texts) channelHead(c core.Channel) head {
	return head{Title: oneLine(c.Name), Path: "/channels/" + c.Address(), Image: cmp.Or(c.Icon, c.Publisher.Avatar),
		Description: cmp.Or(excerpt(c.Description), excerpt(fmt.Sprintf(t.channel, c.Publisher.Name, c.Name))),
		Hidden:      c.Visibility != core.Public, Feed: channelFeed(c)}
}

// channelFeed returns the path of a channel's feed. A demonstration has none.
func channelFeed(c core.Channel) string {
	if c.Demonstration {
		return ""
	}
	return "/channels/" + c.Address() + "/feed"
}

// publisherHead hides publishers without a channel that anyone can find, which everyone can create.
func (t texts) publisherHead(p core.Publisher) head {
	return head{Title: oneLine(p.Name), Path: "/channels/" + p.Slug, Image: p.Avatar,
		Description: cmp.Or(excerpt(p.Description), excerpt(fmt.Sprintf(t.publisher, p.Name))),
		Hidden:      p.ChannelCount == 0, Feed: "/channels/" + p.Slug + "/feed"}
}

func (t texts) notificationHead(n core.Notification, c core.Channel) head {
	return head{Title: oneLine(n.Title), Path: "/channels/" + c.Address() + "/" + n.ID.String(), Article: true,
		Description: cmp.Or(excerpt(n.Body), excerpt(fmt.Sprintf(t.notification, c.Name, c.Publisher.Name))),
		Image:       cmp.Or(n.Image, n.Icon, c.Icon, c.Publisher.Avatar), Large: n.Image != "",
		Hidden: c.Visibility != core.Public, Feed: channelFeed(c)}
}

// The indentation is that of index.html.
var headTemplate = template.Must(template.New("head").Parse(
	`<title>{{with .Title}}{{.}} · {{end}}{{.AppName}}</title>
    <meta name="description" content="{{.Description}}" />
{{- if .Hidden}}
    <meta name="robots" content="noindex" />
{{- else if .URL}}
    <link rel="canonical" href="{{.URL}}" />
{{- end}}
{{- with .FeedURL}}
    <link rel="alternate" type="application/atom+xml" title="Atom" href="{{.}}.atom" />
    <link rel="alternate" type="application/feed+json" title="JSON Feed" href="{{.}}.json" />
{{- end}}
    <meta property="og:type" content="{{if .Article}}article{{else}}website{{end}}" />
    <meta property="og:site_name" content="{{.AppName}}" />
    <meta property="og:title" content="{{or .Title .AppName}}" />
    <meta property="og:description" content="{{.Description}}" />
{{- with .URL}}
    <meta property="og:url" content="{{.}}" />
{{- end}}
    <meta property="og:image" content="{{.Picture}}" />
    <meta property="og:locale" content="{{.Locale}}" />
    <meta name="twitter:card" content="{{if .Large}}summary_large_image{{else}}summary{{end}}" />
    <meta name="twitter:title" content="{{or .Title .AppName}}" />
    <meta name="twitter:description" content="{{.Description}}" />
    <meta name="twitter:image" content="{{.Picture}}" />`))

// html returns a head as HTML, with addresses on this server.
func (t texts) html(h head, config Config) []byte {
	address, feed, picture := "", "", picture(config, h.Image)
	if h.Path != "" {
		address = config.PublicURL + h.Path
	}
	if h.Feed != "" {
		feed = config.PublicURL + h.Feed
	}
	if picture == "" {
		picture, h.Large = config.PublicURL+"/icon-512.png", false
	}
	var out bytes.Buffer
	err := headTemplate.Execute(&out, struct {
		head
		AppName, URL, FeedURL, Picture, Locale string
	}{h, appName, address, feed, picture, t.locale})
	if err != nil {
		panic(err) // cannot happen: the template uses only the fields above
	}
	return out.Bytes()
}

// picture returns the absolute address at which readers load a publisher's picture, or "" for none.
func picture(config Config, address string) string {
	if config.Picture != nil && address != "" {
		return config.Picture(address)
	}
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return address
}
