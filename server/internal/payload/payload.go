package payload

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/encoding/htmlindex"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/internal/core"
)

// Pointers to the whole payload, and to its members, in adjustments.
const whole, member = "payload:#", "payload:#/"

// Payload is what a sender posted.
type Payload struct {
	JSON     []byte // an object of at most core.MaxPayload bytes
	Adjusted mend.Adjustments
	Cut      bool // something of the body is not in JSON
	Plain    bool // JSON is made of a text, or of the fields of a form

	texts    bool // what is no object is read too
	declared bool // the media type is JSON
}

// Read reads the body of a request to a webhook. If texts is set, what is no object becomes one: the fields of a form,
// a list as the member items, and a text as the member text, unless it begins as JSON does and the media type says that
// it is. Otherwise Read fails with core.CodeMalformed, as for a body that is compressed in another way than gzip.
func Read(header http.Header, body []byte, texts bool) (Payload, error) {
	p := Payload{texts: texts}
	body, err := decompressed(header.Get("Content-Encoding"), body)
	if err != nil {
		return p, err
	}
	media, params, _ := mime.ParseMediaType(header.Get("Content-Type"))
	if media == "multipart/form-data" {
		if form := readMultipart(body, params["boundary"], &p.Adjusted); len(form) > 0 {
			return p.form(form)
		}
	}
	p.declared = media == "application/json" || strings.HasSuffix(media, "+json")
	text, reason := Decoded(body, params["charset"])
	p.Adjusted.Add(whole, reason)
	if media == "application/x-www-form-urlencoded" && !looksLikeJSON(text) {
		if form, err := url.ParseQuery(text); err == nil && isForm(form, text) {
			return p.form(form)
		}
	}
	return p.json(text)
}

// isForm reports whether a text that parses as a form is one, and not a text with = in it, as scripts send by curl.
func isForm(form url.Values, text string) bool {
	if !strings.Contains(text, "=") {
		return false
	}
	for name := range form {
		if name == "payload" || name == "payload_json" || core.IsPlainMember(name) {
			return true
		}
	}
	return !strings.ContainsAny(text, " \r\n\t")
}

// form reads a form: the JSON of its field payload, as GitHub and programs for Slack send it, or of payload_json, as
// those for Discord, or all its fields. Uptime Kuma has its JSON in data.
func (p *Payload) form(form url.Values) (Payload, error) {
	names := []string{"payload", "payload_json"}
	if !p.texts {
		names = append(names, "data")
	}
	for _, name := range names {
		if sent := form.Get(name); looksLikeJSON(sent) {
			return p.json(sent)
		}
	}
	if !p.texts {
		return *p, malformed(core.Text{EN: "The form must have a field payload with a JSON object.",
			PT: "O formulário tem de ter um campo payload com um objeto JSON."})
	}
	p.Plain = true
	return p.object(fields(form))
}

// Complete adds members that the object does not have.
func (p *Payload) Complete(members map[string]string) error {
	if len(members) == 0 {
		return nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(p.JSON, &all); err != nil {
		return err
	}
	for name, value := range members {
		if all[name] != nil {
			p.Adjusted.Add("#/"+name, "is given more than once; that of the body counts")
			continue
		}
		all[name], _ = json.Marshal(strings.ToValidUTF8(value, "\uFFFD")) // a text cannot fail
	}
	completed, err := p.object(all)
	*p = completed
	return err
}

// decompressed undoes a content encoding. Some senders name the charset there.
func decompressed(encoding string, body []byte) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "", "identity", "utf-8", "utf8":
		return body, nil
	case "gzip", "x-gzip":
		r, err := gzip.NewReader(bytes.NewReader(body))
		if err == nil {
			body, err = io.ReadAll(io.LimitReader(r, MaxBody+1))
		}
		switch {
		case err != nil:
			return nil, malformed(core.Text{EN: "The body is not gzip, as its Content-Encoding says.",
				PT: "O corpo não é gzip, como diz o Content-Encoding."})
		case len(body) > MaxBody:
			return nil, TooLarge()
		}
		return body, nil
	default:
		return nil, malformed(core.Text{EN: "The body may be compressed only by gzip.",
			PT: "O corpo só pode ser comprimido com gzip."})
	}
}

// MaxBody is the maximum size of a body in bytes. What exceeds core.MaxPayload is left out of the payload.
const MaxBody = 4 << 20

// TooLarge returns the error for a body of more than MaxBody bytes.
func TooLarge() error {
	return &core.Error{Code: core.CodeTooLarge, Detail: core.Text{
		EN: fmt.Sprintf("The body has more than %d KiB.", MaxBody>>10),
		PT: fmt.Sprintf("O corpo tem mais de %d KiB.", MaxBody>>10)}}
}

// Decoded returns a body in UTF-8: by its byte-order mark, by what it looks like, or by the declared charset. Senders
// that declare another charset than they use mostly use UTF-8. reason says what was done, and is empty for UTF-8.
func Decoded(body []byte, charset string) (text, reason string) {
	text, reason = mend.UTF8(body)
	if declared := declared(charset); declared != "" && !strings.HasSuffix(reason, "UTF-16") &&
		(reason != "" || escapes(declared)) {
		known, _ := htmlindex.Get(declared)
		if decoded, err := known.NewDecoder().Bytes(body); err == nil {
			text, reason = string(decoded), "was decoded from "+declared
		}
	}
	return text, reason
}

// declared returns the usual name of a charset, or "" for UTF-8 and what is unknown.
func declared(charset string) string {
	known, err := htmlindex.Get(charset)
	if err != nil {
		return ""
	}
	name, err := htmlindex.Name(known)
	if err != nil || name == "utf-8" || name == "replacement" {
		return ""
	}
	return name
}

// escapes reports whether texts in a charset look like ASCII or like UTF-8 with NULs.
func escapes(charset string) bool {
	return charset == "iso-2022-jp" || strings.HasPrefix(charset, "utf-16")
}

// looksLikeJSON reports whether a text begins as the objects and lists of JSON do.
func looksLikeJSON(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// fields returns a form as an object. Of a field that is repeated, the first counts, as in most frameworks.
func fields(form url.Values) map[string]string {
	object := make(map[string]string, len(form))
	for name := range form {
		object[strings.ToValidUTF8(name, "\uFFFD")] = strings.ToValidUTF8(form.Get(name), "\uFFFD")
	}
	return object
}

func (p *Payload) object(members any) (Payload, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(members); err != nil {
		return *p, err
	}
	return p.bounded(bytes.TrimSpace(text.Bytes()))
}

// json reads a text that should be JSON.
func (p *Payload) json(text string) (Payload, error) {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\uFEFF"))
	value := []byte(text)
	fault := NotJSON(value)
	if fault != nil && looksLikeJSON(text) {
		if repaired := repair(value); NotJSON(repaired) == nil {
			value, fault = repaired, nil
			p.Adjusted.Add(whole, "was not JSON, and was repaired")
		}
	}
	if fault != nil {
		if text == "" || !p.texts || p.declared && looksLikeJSON(text) || tooNested(fault) {
			return *p, fault
		}
		p.Adjusted.Add(whole, "is not JSON, and is read as a text")
		p.Plain = true
		return p.object(map[string]string{"text": text})
	}
	switch only := only(value); {
	case value[0] == '{':
		return p.bounded(value)
	case only != nil:
		return p.bounded(only)
	case !p.texts:
		return *p, malformed(core.Text{EN: "The body is not a JSON object.", PT: "O corpo não é um objeto JSON."})
	case value[0] == '[':
		return p.bounded([]byte(`{"items":` + text + `}`))
	default: // a text, a number, true, false or null
		var scalar any
		_ = json.Unmarshal(value, &scalar)
		if said, ok := scalar.(string); ok {
			text = said
		}
		p.Plain = true
		return p.object(map[string]string{"text": text})
	}
}

// tooNested reports whether the fault is the depth, which costs later readers much.
func tooNested(fault error) bool {
	e, ok := errors.AsType[*core.Error](fault)
	return ok && strings.Contains(e.Detail.EN, "levels deep")
}

// only returns the object of a list that has nothing else.
func only(list []byte) []byte {
	d := jsontext.NewDecoder(bytes.NewReader(list), lenient...)
	if _, err := d.ReadToken(); err != nil || d.PeekKind() != '{' {
		return nil
	}
	start := bytes.IndexByte(list, '{')
	if d.SkipValue() != nil || d.PeekKind() != ']' {
		return nil
	}
	return list[start:d.InputOffset()]
}

// bounded completes the payload with its object, of which it leaves out what is too much.
func (p *Payload) bounded(object []byte) (Payload, error) {
	if len(object) > core.MaxPayload || countTokens(object) > maxTokens {
		object, p.Cut = shrink(object, &p.Adjusted), true
	}
	err := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowInvalidUTF8(true)).SkipValue()
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok && errors.Is(err, jsontext.ErrDuplicateName) {
		p.Adjusted.Add(whole+string(syntax.JSONPointer), "is given more than once; the last counts")
	}
	p.JSON = object
	return *p, nil
}

// maxTokens is how many tokens of JSON a template can read within its limits.
const maxTokens = 5_000

// countTokens counts the tokens of an object, and at most one more than maxTokens.
func countTokens(object []byte) (n int) {
	for d := jsontext.NewDecoder(bytes.NewReader(object), lenient...); n <= maxTokens; n++ {
		if _, err := d.ReadToken(); err != nil {
			return n
		}
	}
	return n
}
