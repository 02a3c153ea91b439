package docs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// operation is an operation of the contract, prepared for display.
type operation struct {
	ID, Method, Path, Tag, Summary string
	About                          string // searchable text
	Description                    template.HTML
	Who                            []string
	Parameters                     []parameter
	Body                           *content
	Responses                      []response // the successful responses
	Errors                         []response
	Curl                           code
}

type parameter struct {
	Name, In string
	Required bool
	*schema
}

// content is a request or response body with an example.
type content struct {
	MediaType string
	Schema    *schema
	Example   code
}

type response struct {
	Status      string
	Reason      string
	Description template.HTML
	Headers     []parameter
	Body        *content
}

func newOperation(doc *openapi3.T, path, method string, item *openapi3.PathItem, op *openapi3.Operation) *operation {
	o := &operation{ID: op.OperationID, Method: method, Path: path, Tag: op.Tags[0], Summary: op.Summary,
		Description: describe(op.Description), About: op.Description, Who: whoMay(doc, op)}
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		o.Parameters = append(o.Parameters, newParameter(ref.Value))
	}
	if op.RequestBody != nil {
		o.Body = newContent(op.RequestBody.Value.Content)
	}
	statuses := op.Responses.Map()
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		a := newResponse(status, statuses[status].Value)
		if status < "400" {
			o.Responses = append(o.Responses, a)
		} else {
			o.Errors = append(o.Errors, a)
		}
	}
	o.Curl = code{Label: "curl", Text: o.command(item, op)}
	return o
}

// whoMay describes the security requirements of an operation.
func whoMay(doc *openapi3.T, op *openapi3.Operation) []string {
	security := doc.Security
	if op.Security != nil {
		security = *op.Security
	}
	if len(security) == 0 {
		return []string{"anyone, without a credential"}
	}
	var who []string
	for _, requirement := range security {
		if len(requirement) == 0 {
			who = append(who, "anyone")
		}
		for name := range requirement {
			who = append(who, caller(name, op))
		}
	}
	return who
}

// caller describes the holder of a credential of the scheme.
func caller(scheme string, op *openapi3.Operation) string {
	switch scheme {
	case "session":
		if anonymous, _ := op.Extensions["x-anonymous"].(bool); anonymous {
			return "a signed-in person or an anonymous subscriber, in a browser"
		}
		return "a signed-in person, in a browser"
	case "accessToken":
		return "a person's access token" + tokenScope(op)
	case "bearer":
		who := "a publisher's API key"
		if scope, ok := op.Extensions["x-scope"].(string); ok {
			who += " with the scope " + strings.Join(strings.Fields(scope), " and the scope ")
		}
		return who
	}
	panic("docs: the contract has a new kind of credential: " + scheme)
}

// tokenScope returns the scope that an access token needs for the operation, as the end of a phrase.
func tokenScope(op *openapi3.Operation) string {
	if scope, ok := op.Extensions["x-token-scope"].(string); ok && scope != "any" {
		return " with the scope " + scope
	}
	return ""
}

func newParameter(p *openapi3.Parameter) parameter {
	s := newSchema(p.Schema)
	if p.Description != "" {
		s.Description = describe(p.Description)
	}
	return parameter{p.Name, p.In, p.Required, s}
}

// newContent returns the only media type of a body, or nil if there is none.
func newContent(media openapi3.Content) *content {
	for name, m := range media {
		shown := &content{MediaType: name, Schema: newSchema(m.Schema)}
		if name == "text/event-stream" {
			shown.Example = code{Label: "Example", Text: fmt.Sprint(m.Schema.Value.Example)}
		} else {
			shown.Example = code{Label: "Example", Text: indented(exampleOf(m.Schema.Value))}
		}
		return shown
	}
	return nil
}

func newResponse(status string, r *openapi3.Response) response {
	a := response{Status: status, Description: describe(*r.Description + "."), Body: newContent(r.Content)}
	var code int
	_, _ = fmt.Sscan(status, &code)
	a.Reason = http.StatusText(code)
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		if strings.HasPrefix(name, "RateLimit") {
			continue // on every response; described in the guide on limits
		}
		h := r.Headers[name].Value
		s := newSchema(h.Schema)
		s.Description = describe(h.Description)
		a.Headers = append(a.Headers, parameter{Name: name, In: "header", schema: s})
	}
	return a
}

func indented(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		panic("docs: " + err.Error()) // cannot happen: the value came from the contract
	}
	return out.String()
}

// command returns the curl command that calls the operation with the contract's examples.
func (o *operation) command(item *openapi3.PathItem, op *openapi3.Operation) string {
	path := o.Path
	var query []string
	for _, ref := range slices.Concat(item.Parameters, op.Parameters) {
		p := ref.Value
		example := fmt.Sprint(cmp.Or(p.Example, exampleOf(p.Schema.Value)))
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", example)
		case p.In == "query" && p.Required:
			query = append(query, p.Name+"="+example)
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	lines := []string{o.verb() + ` "$SININHO_URL/api/v1` + path + `"`}
	if credential := o.credential(); credential != "" {
		lines = append(lines, `-H "Authorization: Bearer $`+credential+`"`)
	}
	if o.Body != nil {
		lines = append(lines, "-H 'Content-Type: application/json'", "-d '"+strings.TrimSpace(o.Body.Example.Text)+"'")
	}
	return strings.Join(lines, " \\\n  ") + "\n"
}

// Outline returns the parts of the operation's page.
func (o *operation) Outline() []part {
	parts := []part{{ID: "who", Title: "Who may"}, {ID: "call", Title: "Call it"}}
	if len(o.Parameters) > 0 {
		parts = append(parts, part{ID: "parameters", Title: "Parameters"})
	}
	if o.Body != nil {
		parts = append(parts, part{ID: "body", Title: "Body"})
	}
	return append(parts, part{ID: "responses", Title: "Responses"}, part{ID: "errors", Title: "Errors"})
}

// Route returns the path with line breaks allowed at its slashes.
func (o *operation) Route() template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(o.Path), "/", "<wbr>/")) //nolint:gosec // escaped
}

// verb omits the method where curl chooses it by default.
func (o *operation) verb() string {
	stream := len(o.Responses) > 0 && o.Responses[0].Body != nil && o.Responses[0].Body.MediaType == "text/event-stream"
	switch {
	case stream:
		return "curl -N"
	case o.Method == http.MethodGet, o.Method == http.MethodPost && o.Body != nil:
		return "curl"
	}
	return "curl -X " + o.Method
}

// credential returns the name of the environment variable with the credential that programs use.
func (o *operation) credential() string {
	switch {
	case slices.ContainsFunc(o.Who, func(who string) bool { return strings.Contains(who, "API key") }):
		return "SININHO_API_KEY"
	case slices.ContainsFunc(o.Who, func(who string) bool { return strings.Contains(who, "access token") }):
		return "SININHO_ACCESS_TOKEN"
	}
	return ""
}
