package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/payload"
)

const (
	formMedia      = "application/x-www-form-urlencoded"
	multipartMedia = "multipart/form-data"
	anyMedia       = "application/octet-stream"
)

// A text body is a text or a form in place of JSON, which programs such as curl send without knowing the API. It
// becomes the object of the operation's schema, and everything after that, such as idempotency, knows only the object.

// textBody is a text or a form as it is read.
type textBody struct {
	*faults
	text   string            // of a body that is no form
	fields map[string]string // from the form, the query and the headers
}

// isText reports whether the body is a text or a form, rather than JSON. It returns an error for any other media type,
// and for a caller with a cookie, in whose name a form of another site might be sent.
func (c *call) isText(query url.Values) (bool, error) {
	if !c.operation.texts || isJSON(c.request.Header) {
		return false, nil
	}
	if c.caller.Is(core.CallerSubscriber) && !c.caller.ByToken() {
		return false, errMedia()
	}
	declared := c.request.Header.Get("Content-Type")
	media, _, err := mime.ParseMediaType(declared)
	if err != nil && declared != "" || c.request.Header.Get("Content-Encoding") != "" {
		return false, errTextMedia()
	}
	switch media {
	case multipartMedia:
		return true, nil
	case "", "text/plain", formMedia, anyMedia: // with JSON too, from programs that do not set the media type
		titled := query.Get("title") != "" || c.request.Header.Get("Title") != ""
		return titled || !bytes.HasPrefix(bytes.TrimSpace(c.body), []byte("{")), nil
	default:
		return false, errTextMedia()
	}
}

func errTextMedia() *core.Error {
	return &core.Error{Code: codeMedia, Detail: core.Text{
		EN: "The body must be application/json, text/plain or a form, in UTF-8, without Content-Encoding.",
		PT: "O corpo tem de ser application/json, text/plain ou um formulário, em UTF-8, sem Content-Encoding."}}
}

// textBody puts an object in place of a text or form, and validates it.
func (f *faults) textBody(r *http.Request, c *call, query url.Values) error {
	b := &textBody{faults: f, fields: map[string]string{}}
	if err := b.read(r, c); err != nil {
		return err
	}
	for _, p := range c.operation.textParams {
		b.param(p, p.raw(r, query))
	}
	if len(b.fields) == 0 && strings.TrimSpace(b.text) == "" && len(f.list) == 0 {
		return core.Malformed(core.Text{EN: "The body is empty; send a text, a form or JSON, or a title in the query.",
			PT: "O corpo está vazio; envie um texto, um formulário ou JSON, ou um título na query."})
	}
	object := b.object(c)
	var err error
	if c.body, err = json.Marshal(object); err != nil {
		return err
	}
	f.object(r, c, object)
	return nil
}

// read reads the text, or the fields of the form.
func (b *textBody) read(r *http.Request, c *call) error {
	media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media == multipartMedia {
		return b.multipart(c, params["boundary"])
	}
	text, reason := payload.Decoded(c.body, params["charset"])
	if media != formMedia {
		c.adjusted.Add("#/body", reason)
		b.text = text
		return nil
	}
	first, _, paired := strings.Cut(text, "=")
	if paired && c.operation.isTextField(first) {
		return b.form(c, text)
	}
	c.adjusted.Add("#/body", reason)
	b.text = unescaped(text)
	return nil
}

// unescaped undoes what curl --data-urlencode does to a text. A text that has other characters is left as it is.
func unescaped(text string) string {
	plain := func(r rune) bool {
		return r != '%' && r != '+' && !('0' <= r && r <= '9') && !('a' <= r && r <= 'z') && !('A' <= r && r <= 'Z') &&
			!strings.ContainsRune("-_.~*", r)
	}
	if !strings.Contains(text, "%") || strings.ContainsFunc(text, plain) {
		return text
	}
	if decoded, err := url.QueryUnescape(text); err == nil {
		return decoded
	}
	return text
}

// maxFields is how many fields a form may have. No form has as many different ones.
const maxFields = 20

// form reads a form. url.ParseQuery would refuse a semicolon, which scripts send as it is.
func (b *textBody) form(c *call, text string) error {
	n := 0
	for pair := range strings.SplitSeq(text, "&") {
		if n++; n > maxFields {
			b.add("#", "too_many", rules.TooMany(maxFields))
			return nil
		}
		name, value, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(name)
		value, err := url.QueryUnescape(value)
		if err != nil || nameErr != nil {
			return core.Malformed(core.Text{
				EN: "The form is not valid percent-encoding; encode %, & and + in values, " +
					"as curl --data-urlencode does.",
				PT: "O formulário não tem codificação percentual válida; codifique %, & e + nos valores, " +
					"como faz curl --data-urlencode."})
		}
		b.field(c, name, []byte(value))
	}
	return nil
}

// multipart reads a form with parts, as curl -F sends it.
func (b *textBody) multipart(c *call, boundary string) error {
	parts := multipart.NewReader(bytes.NewReader(c.body), boundary)
	for n := 0; ; n++ {
		part, err := parts.NextPart()
		switch {
		case err == io.EOF && n > 0: //nolint:errorlint // the reader returns exactly this
			return nil
		case err != nil:
			return errForm(err)
		case n == maxFields:
			b.add("#", "too_many", rules.TooMany(maxFields))
			return nil
		}
		if part.FileName() != "" {
			b.add("#/"+core.EscapePointer(truncate(part.FormName(), maxPointer)), "type", core.Text{
				EN: "is a file; send its text, with curl as 'body=<FILE', or upload a picture first",
				PT: "é um ficheiro; envie o texto dele, com curl como 'body=<FICHEIRO', ou carregue primeiro a imagem"})
			continue
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return errForm(err)
		}
		b.field(c, part.FormName(), value)
	}
}

func errForm(err error) error {
	e := core.Malformed(core.Text{EN: "The form is not multipart/form-data with the boundary of its Content-Type.",
		PT: "O formulário não é multipart/form-data com o boundary do seu Content-Type."})
	e.Err = err
	return e
}

// field sets a field of a form.
func (b *textBody) field(c *call, name string, value []byte) {
	pointer := "#/" + core.EscapePointer(truncate(name, maxPointer))
	if !c.operation.isTextField(name) {
		b.add(pointer, "unknown_field", core.Text{EN: "is not a field of the form", PT: "não é um campo do formulário"})
		return
	}
	text := string(value)
	if isProse(name) {
		var reason string
		text, reason = payload.Decoded(value, "")
		c.adjusted.Add(pointer, reason)
	}
	b.set(pointer, name, text)
}

// isProse reports whether a field is a text for people, which is mended rather than refused.
func isProse(name string) bool { return name == "title" || name == "body" }

// set sets a field, which may be given in one place only. HTML sends fields that are empty; they are not given.
func (b *textBody) set(pointer, name, value string) {
	if _, given := b.fields[name]; given && value != "" {
		b.add(pointer, "duplicate", textDuplicate)
	}
	if value != "" && (isProse(name) || b.faults.text(pointer, value)) {
		b.fields[name] = value
	}
}

// param sets a field from a query parameter or a header.
func (b *textBody) param(p param, values []string) {
	if p.name == "Priority" {
		values = priorities(values)
	}
	switch len(values) {
	case 0:
	case 1:
		b.paramValue(p, values[0])
	default:
		b.add(p.pointer, "duplicate", textDuplicate)
	}
}

func (b *textBody) paramValue(p param, value string) {
	switch p.name {
	case "Priority":
		importance, ok := importances[strings.ToLower(strings.TrimSpace(value))]
		if !ok {
			b.add(p.pointer, "enum", rules.NoneOf(slices.Sorted(maps.Keys(importances))))
			return
		}
		b.set(p.pointer, "importance", string(importance))
	case "Title":
		b.set(p.pointer, "title", mend.Header(value))
	case "title":
		text, _ := mend.UTF8([]byte(value))
		b.set(p.pointer, "title", text)
	default:
		b.set(p.pointer, strings.ToLower(p.name[:1])+p.name[1:], value)
	}
}

// importances are the values of the header Priority.
var importances = map[string]core.Importance{
	"normal": core.Normal, "default": core.Normal, "low": core.Normal, "min": core.Normal,
	"1": core.Normal, "2": core.Normal, "3": core.Normal,
	"important": core.Important, "high": core.Important, "urgent": core.Important, "max": core.Important,
	"4": core.Important, "5": core.Important,
}

// priorities returns the values without those of RFC 9218, which say how soon a browser needs the response.
func priorities(values []string) (ours []string) {
	for _, value := range values {
		first, _, _ := strings.Cut(strings.ToLower(value), ",")
		if first = strings.TrimSpace(first); !strings.HasPrefix(first, "u=") && first != "i" && first != "" {
			ours = append(ours, value)
		}
	}
	return ours
}

// object returns the object of the fields, with a title and a body without faults.
func (b *textBody) object(c *call) map[string]any {
	title, body := b.fields["title"], b.fields["body"]
	if b.text != "" {
		body = b.text
		if title == "" {
			title, body = mend.SplitTitle(b.text)
		}
	}
	title, body, adjusted := mend.Texts(title, body, mend.Keep{End: true})
	for _, each := range adjusted {
		c.adjusted.Add(each.Pointer, each.Reason)
	}
	object := map[string]any{}
	for name, value := range b.fields {
		object[name] = value
	}
	delete(object, "title")
	delete(object, "body")
	if title != "" {
		object["title"] = title
	}
	if body != "" {
		object["body"] = body
	}
	return object
}

// noTextParams refuses what is only for texts and forms in a request with JSON. Headers are ignored: browsers send
// Priority with each request.
func (f *faults) noTextParams(o *operation, query url.Values) {
	for _, p := range o.textParams {
		if p.in == "query" && query.Has(p.name) {
			f.add(p.pointer, "unknown_parameter", text("is for texts and forms; put %q into the JSON",
				"é para textos e formulários; ponha %q no JSON", p.name))
		}
	}
}
