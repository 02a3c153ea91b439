package webui

import (
	"bytes"
	"cmp"
	"html/template"
	"net/url"

	"github.com/sininho/sininho/server/internal/core"
)

// appName and the titles are those that the app sets itself (webapp/src/i18n).
const appName = "Sininho"

// head is what crawlers and link previews read of a page.
type head struct {
	Title       string // without the name of the app; "" for a page that says nothing about itself
	Description string
	Path        string // of the page's own address; "" for none
	Image       string // address of a publisher's picture; "" for the app's icon
	Large       bool   // previews show the image in its own right
	Article     bool
	Hidden      bool // no search engine may list the page
}

// general describes the app. Pages have it whose own head cannot be read.
var general = head{Description: "Siga o que importa. Receba na hora."}

// fixed are the heads of the pages that are the same for everyone.
var fixed = map[kind]head{
	landing: {Title: "Siga o que importa. Receba na hora.", Path: "/", Description: "Os canais que escolher, num só " +
		"lugar e em todos os seus dispositivos. Sem algoritmo: só o que decidiu seguir."},
	discovery: {Title: "Canais", Path: "/channels",
		Description: "Procure canais por nome, assunto ou categoria, e siga os que lhe interessam."},
	demonstration: {Title: "Demonstração", Path: "/demo", Description: "Escreva uma notificação, envie-a e veja-a " +
		"chegar, na hora. Fica à vista de quem aqui estiver, e desaparece ao fim de uma hora."},
	signIn: {Title: "Entrar no Sininho", Hidden: true,
		Description: "Para seguir canais e receber as suas notificações em todos os dispositivos."},
	private: {Description: general.Description, Hidden: true},
}

// missing are the heads of the pages that say that there is nothing: of a publisher's pages, and of any other path.
var missing = map[kind]head{
	publisherPage:    nothing,
	channelPage:      nothing,
	notificationPage: nothing,
	unknown: {Title: "Você Está Perdido??", Hidden: true, Description: "A página que procura não existe. O endereço " +
		"pode ter sido mal escrito ou a página mudou de lugar. Se isto parece um erro, contacte o suporte."},
}

var nothing = head{Title: "Not Found", Hidden: true,
	Description: "Pode ter sido apagado, ou o endereço estar mal escrito."}

func channelHead(c core.Channel) head {
	return head{Title: oneLine(c.Name), Path: "/channels/" + c.Address(), Image: cmp.Or(c.Icon, c.Publisher.Avatar),
		Description: cmp.Or(excerpt(c.Description), excerpt("O que "+c.Publisher.Name+" publica em "+c.Name+".")),
		Hidden:      c.Visibility != core.Public}
}

// publisherHead hides publishers without a channel that anyone can find, which everyone can create.
func publisherHead(p core.Publisher) head {
	return head{Title: oneLine(p.Name), Path: "/channels/" + p.Slug, Image: p.Avatar,
		Description: cmp.Or(excerpt(p.Description), excerpt("Os canais de "+p.Name+".")),
		Hidden:      p.ChannelCount == 0}
}

func notificationHead(n core.Notification, c core.Channel) head {
	return head{Title: oneLine(n.Title), Path: "/channels/" + c.Address() + "/" + n.ID.String(), Article: true,
		Description: cmp.Or(excerpt(n.Body), excerpt("Publicado em "+c.Name+", de "+c.Publisher.Name+".")),
		Image:       cmp.Or(n.Image, n.Icon, c.Icon, c.Publisher.Avatar), Large: n.Image != "",
		Hidden: c.Visibility != core.Public}
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
    <meta property="og:type" content="{{if .Article}}article{{else}}website{{end}}" />
    <meta property="og:site_name" content="{{.AppName}}" />
    <meta property="og:title" content="{{or .Title .AppName}}" />
    <meta property="og:description" content="{{.Description}}" />
{{- with .URL}}
    <meta property="og:url" content="{{.}}" />
{{- end}}
    <meta property="og:image" content="{{.Picture}}" />
    <meta property="og:locale" content="pt_PT" />
    <meta name="twitter:card" content="{{if .Large}}summary_large_image{{else}}summary{{end}}" />
    <meta name="twitter:title" content="{{or .Title .AppName}}" />
    <meta name="twitter:description" content="{{.Description}}" />
    <meta name="twitter:image" content="{{.Picture}}" />`))

// html returns the head as HTML, with addresses on this server.
func (h head) html(config Config) []byte {
	address, picture := "", picture(config, h.Image)
	if h.Path != "" {
		address = config.PublicURL + h.Path
	}
	if picture == "" {
		picture, h.Large = config.PublicURL+"/icon-512.png", false
	}
	var out bytes.Buffer
	err := headTemplate.Execute(&out, struct {
		head
		AppName, URL, Picture string
	}{h, appName, address, picture})
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
