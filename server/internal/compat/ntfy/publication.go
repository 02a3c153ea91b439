package ntfy

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/mend"
)

// publication is what a request publishes.
type publication struct {
	Topic    string   `json:"topic"`
	Sequence string   `json:"sequence_id"`
	Title    string   `json:"title"`
	Message  string   `json:"message"`
	Priority priority `json:"priority"`
	Tags     []string `json:"tags"`
	Click    string   `json:"click"`
	Icon     string   `json:"icon"`
	Attach   string   `json:"attach"`
	Filename string   `json:"filename"`
	Markdown bool     `json:"markdown"`
	Delay    string   `json:"delay"`
	Actions  []action `json:"actions"`
	Email    string   `json:"email"`
	Call     string   `json:"call"`
	Cache    string   `json:"cache"`

	template bool
	at       *time.Time
}

// priority is a number in JSON, and as generous programs write it, a text.
type priority int

// UnmarshalJSON implements json.Unmarshaler.
func (p *priority) UnmarshalJSON(b []byte) error {
	n, err := parsePriority(strings.Trim(string(b), `"`))
	if string(b) == "0" || string(b) == "null" {
		n, err = 0, nil
	}
	*p = priority(n)
	return err
}

// fromParams reads a publication from headers and the query.
func fromParams(r *http.Request) (p publication, err error) {
	p = publication{
		Topic:    r.PathValue("topic"),
		Sequence: r.PathValue("sequence"),
		Title:    param(r, "X-Title", "Title", "Ti", "T"),
		Message:  strings.ReplaceAll(param(r, "X-Message", "Message", "M"), `\n`, "\n"),
		Tags:     listParam(r, "X-Tags", "Tags", "Tag", "Ta"),
		Click:    param(r, "X-Click", "Click"),
		Icon:     param(r, "X-Icon", "Icon"),
		Attach:   param(r, "X-Attach", "Attach", "A"),
		Filename: param(r, "X-Filename", "Filename", "File", "F"),
		Markdown: boolParam(r, false, "X-Markdown", "Markdown", "MD") ||
			strings.HasPrefix(strings.ToLower(param(r, "Content-Type", "content_type")), "text/markdown"),
		Delay:    param(r, "X-Delay", "Delay", "X-At", "At", "X-In", "In"),
		Email:    param(r, "X-Email", "X-E-Mail", "Email", "E-Mail", "Mail", "E"),
		Call:     param(r, "X-Call", "Call"),
		Cache:    param(r, "X-Cache", "Cache"),
		template: param(r, "X-Template", "Template", "Tpl") != "",
	}
	if p.Sequence == "" {
		p.Sequence = param(r, "X-Sequence-ID", "Sequence-ID", "SID")
	}
	importance, err := parsePriority(param(r, "X-Priority", "Priority", "Prio", "P"))
	p.Priority = priority(importance)
	if actions := param(r, "X-Actions", "Actions", "Action"); err == nil && actions != "" {
		p.Actions, err = parseActions(actions)
	}
	return p, err
}

// fromJSON reads a publication from a body in JSON. Members that ntfy does not know are ignored, as it does.
func fromJSON(body []byte) (p publication, err error) {
	if err := json.Unmarshal(body, &p); err != nil {
		return p, asRefusal(err, errMessageJSON)
	}
	return p, checkActions(p.Actions)
}

// prepare refuses what cannot be done, and finds out where and when it is to be published. Times of day are in the
// server's timezone.
func (p *publication) prepare(now time.Time) (t topic, err error) {
	if t, err = parseTopic(p.Topic); err == nil {
		err = p.check()
	}
	if err == nil {
		p.at, err = parseDelay(p.Delay, now.Local())
	}
	return t, err
}

func (p *publication) check() error {
	switch {
	case p.Email != "":
		return errEmail
	case p.Call != "":
		return errCalls
	case p.template:
		return errTemplate.because("templates are those of an incoming webhook; post there instead")
	case p.Attach != "" && !isWeb(p.Attach):
		return errAttachURL
	case p.Icon != "" && !isWeb(p.Icon):
		return errIcon
	case p.Delay != "" && p.Cache != "" && !isYes(p.Cache):
		return errDelayNoCache
	default:
		return nil
	}
}

func isWeb(address string) bool {
	return strings.HasPrefix(address, "https://") || strings.HasPrefix(address, "http://")
}

// pictureTypes are the ends of the names of files that are shown as pictures.
var pictureTypes = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".avif"}

func isPicture(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	return slices.Contains(pictureTypes, strings.ToLower(path.Ext(address)))
}

// members returns the members of the notification, of which those that are not given are nil.
func (p *publication) members() map[string]any {
	title, body := p.texts()
	members := map[string]any{"title": title, "body": body, "importance": "normal", "data": p.data(body),
		"link": nil, "image": nil, "icon": nil}
	if p.Priority >= highPriority {
		members["importance"] = "important"
	}
	if link := p.link(); link != "" {
		members["link"] = link
	}
	if isPicture(p.Attach) {
		members["image"] = p.Attach
	}
	if p.Icon != "" {
		members["icon"] = p.Icon
	}
	return members
}

// texts returns the title, with the emojis of the tags, and the text, with the addresses for which the link has no
// place.
func (p *publication) texts() (title, body string) {
	title, body = p.Title, p.Message
	if body == "" && title == "" {
		body = "triggered"
		if p.Attach != "" || p.Filename != "" {
			body = "You received a file: " + p.attachmentName()
		}
	}
	if title == "" {
		title, body = mend.SplitTitle(body)
	}
	for _, a := range p.Actions {
		if a.URL != p.link() {
			body = strings.TrimSpace(body + "\n" + a.Label + ": " + a.URL)
		}
	}
	if p.Attach != "" && !isPicture(p.Attach) && p.Attach != p.link() {
		body = strings.TrimSpace(body + "\n" + p.Attach)
	}
	title, body, _ = mend.Texts(emojis(p.Tags)+title, body, mend.Keep{End: true})
	return title, body
}

// link returns the address that the notification opens.
func (p *publication) link() string {
	switch {
	case p.Click != "":
		return p.Click
	case len(p.Actions) > 0:
		return p.Actions[0].URL
	case p.Attach != "" && !isPicture(p.Attach):
		return p.Attach
	default:
		return ""
	}
}

func (p *publication) attachmentName() string {
	if p.Filename != "" || p.Attach == "" {
		return p.Filename
	}
	if name := path.Base(p.Attach); name != "." && name != "/" {
		return name
	}
	return "attachment"
}

// maxData is the length limit of a text of a notification's data, in characters.
const maxData = 500

// data returns what the notification has no member for. What does not fit is left out.
func (p *publication) data(body string) map[string]string {
	data := map[string]string{}
	keep := func(name, value string) {
		if value != "" && len(value) <= maxData {
			data[name] = value
		}
	}
	if p.Priority != 0 && p.Priority != defaultPriority {
		keep(dataPriority, strconv.Itoa(int(p.Priority)))
	}
	keep(dataTags, strings.Join(p.Tags, ","))
	keep(dataAttachment, p.Attach)
	keep(dataFilename, p.Filename)
	if p.Markdown {
		keep(dataMarkdown, "yes")
	}
	if p.Title == "" && body != "" {
		keep(dataUntitled, "yes")
	}
	return data
}
