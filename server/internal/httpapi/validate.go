package httpapi

import (
	"errors"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/google/uuid"

	"github.com/sininho/sininho/server/internal/core"
)

// validate checks the request against the contract and reports every fault at once.
func (a *server) validate(w http.ResponseWriter, r *http.Request, c *call) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil && c.webhook == nil {
		return core.Malformed(core.Text{
			EN: "The query is not valid percent-encoding; encode %, &, ; and = in values.",
			PT: "A query não tem codificação percentual válida; codifique %, &, ; e = nos valores."})
	}
	var f faults
	for _, p := range c.operation.params {
		f.param(p, p.raw(r, query))
	}
	f.unknown(query, c.operation.names)
	f.query(c.operation, query)
	if err := a.readBody(w, r, c, query, &f); err != nil {
		return err
	}
	if len(f.list) == 0 {
		return nil
	}
	// core validates a request that matches the contract. When the contract is already broken, its rules run here, so
	// that all faults are reported together.
	if convert := a.inputs[c.operation.id]; convert != nil && c.body != nil {
		f.merge(convert(f.faultless(c.body)).Validate(a.Rules, a.Now()))
	}
	return core.Invalid(f.list...)
}

// readBody reads the body and adds its faults to f. It returns an error when that is no body of the operation at all.
func (a *server) readBody(
	w http.ResponseWriter, r *http.Request, c *call, query url.Values, f *faults,
) (err error) {
	switch {
	case c.operation.pictures:
		return a.receivePicture(w, r, c)
	case c.operation.body == nil:
		return refuseBody(r)
	case c.webhook != nil:
		err = a.receiveEvent(w, r, c)
	default:
		err = a.receive(w, r, c)
	}
	if err != nil {
		return err
	}
	done, err := a.admitLarge(r.Context(), c)
	if err != nil {
		return err
	}
	defer done()
	if c.webhook != nil {
		return c.readEvent(query)
	}
	return f.body(r, c, query)
}

// maxEmptyBody is the length of the longest body that says nothing, with white space.
const maxEmptyBody = 64

// refuseBody refuses a body where none is expected, which the caller thinks has an effect. Some clients send an empty
// object or null with every request; those say nothing.
func refuseBody(r *http.Request) error {
	if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxEmptyBody+1)) // one that breaks off is not an empty one
	switch strings.TrimSpace(string(body)) {
	case "", "{}", "[]", "null", `""`:
		if len(body) <= maxEmptyBody {
			return nil
		}
	}
	return core.Malformed(core.Text{EN: "This operation takes no body; leave it out.",
		PT: "Esta operação não tem corpo; retire-o."})
}

// raw returns all values of the parameter in the request.
func (p param) raw(r *http.Request, query url.Values) []string {
	switch p.in {
	case openapi3.ParameterInQuery:
		return query[p.name]
	case openapi3.ParameterInHeader:
		return r.Header.Values(p.name)
	default:
		return []string{pathValue(r, p.name)}
	}
}

// pathValue returns a path parameter. When the path has unusual escapes, the router has matched it in its escaped form.
func pathValue(r *http.Request, name string) string {
	value := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return value
	}
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}

// parse converts a parameter to the type of its schema.
func (p param) parse(raw string) (value any, ok bool) {
	switch {
	case p.schema.Type.Is(openapi3.TypeInteger):
		n, err := strconv.ParseInt(raw, 10, 64)
		return n, err == nil
	case p.schema.Type.Is(openapi3.TypeBoolean):
		return raw == "true", raw == "true" || raw == "false"
	default:
		return raw, true
	}
}

func (f *faults) param(p param, values []string) {
	switch len(values) {
	case 0:
		if p.required {
			f.add(p.pointer, "required", textRequired)
		}
		return
	case 1:
	default:
		f.add(p.pointer, "duplicate", textDuplicate)
		return
	}
	value, ok := p.parse(values[0])
	switch {
	case !ok:
		f.add(p.pointer, "type", textType(p.schema))
	default:
		if f.text(p.pointer, values[0]) {
			f.schema(p.pointer, p.schema.VisitJSON(value, schemaOptions...))
		}
	}
}

// query adds the rule violations of searches and cursors, which have the same rules in every operation.
func (f *faults) query(o *operation, query url.Values) {
	if o.names["q"] {
		_, err := core.ParseSearch(query.Get("q"))
		f.mergeError(err)
	}
	if o.names["cursor"] && query.Has("cursor") {
		offset, _ := strconv.ParseInt(query.Get("offset"), 10, 32) // 0 if it has a fault of its own
		_, err := fromAPIPage(nil, new(int32(offset)), new(query.Get("cursor")))
		f.mergeError(err)
	}
}

func (f *faults) mergeError(err error) {
	if broken, ok := errors.AsType[*core.Error](err); ok {
		f.merge(broken.Fields)
	}
}

func (f *faults) unknown(query url.Values, known map[string]bool) {
	for name := range query {
		if known != nil && !known[name] {
			f.add("query:"+name, "unknown_parameter",
				core.Text{EN: "is not a parameter of this operation", PT: "não é um parâmetro desta operação"})
		}
	}
}

// schemaOptions applies schemas to requests, collects all violations, and checks the formats below.
var schemaOptions = []openapi3.SchemaValidationOption{
	openapi3.VisitAsRequest(),
	openapi3.MultiErrors(),
	openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
		"uuid":      openapi3.NewCallbackValidator(checkUUID),
		"date-time": openapi3.NewCallbackValidator(checkTime),
		"email":     openapi3.NewCallbackValidator(checkEmail),
		"uri":       openapi3.NewCallbackValidator(checkURI),
	}),
}

var errFormat = errors.New("format")

const uuidLength = 36 // uuid.Parse also accepts other notations

func checkUUID(s string) error {
	if _, err := uuid.Parse(s); err != nil || len(s) != uuidLength {
		return errFormat
	}
	return nil
}

func checkTime(s string) error {
	var t time.Time
	if err := t.UnmarshalText([]byte(s)); err != nil || t.UTC().Year() < 1 || t.UTC().Year() > 9999 {
		return errFormat
	}
	return nil
}

func checkEmail(s string) error {
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
		return errFormat
	}
	return nil
}

func checkURI(s string) error {
	if u, err := url.Parse(s); err != nil || u.Scheme == "" {
		return errFormat
	}
	return nil
}
