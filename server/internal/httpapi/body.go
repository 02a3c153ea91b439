package httpapi

import (
	"bytes"
	"cmp"
	"context"
	jsonv1 "encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/payload"
)

// body validates the body. It returns an error when that is no body at all; schema violations are added to f.
func (f *faults) body(r *http.Request, c *call, query url.Values) error {
	text, err := c.isText(query)
	switch {
	case err != nil:
		return err
	case text:
		return f.textBody(r, c, query)
	case !c.operation.texts && !isJSON(r.Header):
		return errMedia()
	}
	f.noTextParams(c.operation, query)
	return f.json(r, c)
}

// json validates a body of JSON.
func (f *faults) json(r *http.Request, c *call) error {
	if len(c.body) > largeBody && hasTooManyValues(c.body) {
		f.add("#", "too_many", rules.TooMany(maxValues))
		return core.Invalid(f.list...)
	}
	rules.MarkLoneSurrogates(c.body)
	value, repeated, err := parseJSON(c.body)
	if err != nil {
		return cmp.Or(payload.NotJSON(c.body), errNumber(err))
	}
	if repeated != "" {
		f.add("#"+repeated, "duplicate", textDuplicate)
	}
	f.object(r, c, value)
	return nil
}

// object validates the value of a body.
func (f *faults) object(r *http.Request, c *call, value any) {
	f.shorten(c.operation.body, value)
	f.schema("#", c.operation.body.VisitJSON(value, schemaOptions...))
	f.texts("#", c.operation.body, value)
	r.Body = &parsedBody{r.Body, value}
}

// errNumber returns the error for JSON of which only a number can be what cannot be read.
func errNumber(err error) error {
	return &core.Error{Code: core.CodeMalformed, Err: err, Detail: core.Text{
		EN: "The body has a number that is too large.", PT: "O corpo tem um número demasiado grande."}}
}

// parsedBody is a body that has been validated. The generated code takes the value once, and does not parse the body
// again.
type parsedBody struct {
	io.ReadCloser
	value any
}

// ValidatedValue returns the parsed body, and forgets it: it can take much more memory than what becomes of it.
func (b *parsedBody) ValidatedValue() (value any) {
	value, b.value = b.value, nil
	return value
}

// texts refuses texts that cannot be stored wherever the schema describes them. What it leaves to the caller, such as
// the payload of a webhook's preview, is not looked at.
func (f *faults) texts(pointer string, schema *openapi3.Schema, value any) {
	switch v := value.(type) {
	case string:
		f.text(pointer, v)
	case []any:
		for i, item := range v {
			if schema.Items != nil {
				f.texts(pointer+"/"+strconv.Itoa(i), schema.Items.Value, item)
			}
		}
	case map[string]any:
		for name, member := range v {
			described := cmp.Or(schema.Properties[name], schema.AdditionalProperties.Schema)
			if described == nil {
				continue
			}
			f.texts(pointer+"/"+core.EscapePointer(name), described.Value, member)
		}
	}
}

// text refuses a text that cannot be stored.
func (f *faults) text(pointer, text string) (ok bool) {
	var broken rules.Faults
	broken.Text(pointer, text)
	f.merge(broken)
	return len(broken) == 0
}

// shorten removes what a list has beyond the limit of its schema, which is a fault, so that a long list costs no more
// than one of that length.
func (f *faults) shorten(schema *openapi3.Schema, value any) {
	object, _ := value.(map[string]any)
	for name, property := range schema.Properties {
		list, _ := object[name].([]any)
		if most := property.Value.MaxItems; most != nil && uint64(len(list)) > *most {
			f.add("#/"+name, "too_many", rules.TooMany(int(*most))) //nolint:gosec // it fits
			object[name] = list[:*most]
		}
	}
}

// receive reads the body up to its limit into c, so that it can be read several times.
func (a *server) receive(w http.ResponseWriter, r *http.Request, c *call) error {
	if r.ContentLength > c.operation.maxBody {
		return errTooLarge(c.operation.maxBody)
	}
	body, err := a.readAll(r, c, http.MaxBytesReader(w, r.Body, c.operation.maxBody), c.operation.maxBody)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return errTooLarge(c.operation.maxBody)
	}
	return c.received(body, err)
}

// received keeps a body that was read into c.
func (c *call) received(body []byte, err error) error {
	if _, known := errors.AsType[*core.Error](err); known {
		return err
	}
	if err != nil {
		return &core.Error{Code: core.CodeMalformed, Err: err,
			Detail: core.Text{EN: "The body is incomplete.", PT: "O corpo está incompleto."}}
	}
	c.body, c.request.Body = body, io.NopCloser(bytes.NewReader(body))
	switch {
	case len(body) > 0 || c.operation.texts && !isJSON(c.request.Header):
		return nil // a text may be empty beside a title
	case c.webhook != nil && c.isTitled(c.request):
		return nil
	case c.operation.pictures:
		return core.Malformed(core.Text{EN: "The body is empty; send the picture's file.",
			PT: "O corpo está vazio; envie o ficheiro da imagem."})
	default:
		return core.Malformed(core.Text{EN: "A JSON body is required.", PT: "É preciso um corpo JSON."})
	}
}

// A parsed body takes up to a hundred times its size. So that many large ones cannot exhaust the memory, only some are
// validated at once. Parties have their turns one after another.
const (
	largeBody   = 64 << 10 // bytes
	largeAtOnce = maxBody
)

// admitLarge waits until a large body may be validated. The caller must call done afterwards.
func (a *server) admitLarge(ctx context.Context, c *call) (done func(), err error) {
	if len(c.body) <= largeBody {
		return func() {}, nil
	}
	return a.large.Take(ctx, c.account(), int64(len(c.body)))
}

// maxValues is how many values, with those inside others, a body may have. No body that the contract allows has half as
// many. Each takes far more memory than its text.
const maxValues = 100_000

// hasTooManyValues counts the values of a body without keeping them. It ignores what is wrong with the body otherwise.
func hasTooManyValues(body []byte) bool {
	d := jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for range 2 * maxValues { // a name is a token too, and so is an end
		if _, err := d.ReadToken(); err != nil {
			return false
		}
	}
	return true
}

// parseJSON returns the parsed body and the JSON pointer of the first member whose name its object has already used.
// Decoders disagree on such members: some take the last one, others merge it with the earlier ones.
func parseJSON(body []byte) (value any, repeated string, err error) {
	if !utf8.Valid(body) {
		return nil, "", errUnreadable
	}
	err = json.Unmarshal(body, &value, jsontext.AllowInvalidUTF8(true)) // escaped surrogates only
	if errors.Is(err, jsontext.ErrDuplicateName) {
		syntax, _ := errors.AsType[*jsontext.SyntacticError](err)
		repeated, value = string(syntax.JSONPointer), nil
		err = jsonv1.Unmarshal(body, &value) // of members with the same name it takes the last
	}
	return value, repeated, err
}

// errUnreadable is never shown: payload.NotJSON says more.
var errUnreadable = errors.New("not UTF-8")

func isJSON(h http.Header) bool { return isMedia(h, "application/json") }

// isMedia reports whether the body has the media type want, in UTF-8 and without a content encoding.
func isMedia(h http.Header, want string) bool {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	inUTF8 := charset == "" || strings.EqualFold(charset, "utf-8")
	return err == nil && media == want && inUTF8 && h.Get("Content-Encoding") == ""
}
