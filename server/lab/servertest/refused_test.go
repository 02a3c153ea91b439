package servertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// refused sends what an operation must refuse.
func (g *generator) refused(id string, valid probe) {
	g.f.t.Helper()
	op := g.operations[id]
	g.wrongParameters(op, valid)
	g.wrongCredentials(id, valid)
	schema := op.body()
	if schema == nil {
		return
	}
	var body any
	if err := json.Unmarshal(valid.body, &body); err != nil {
		g.f.t.Fatalf("decode the valid body: %v", err)
	}
	if op.OperationID == "receiveWebhook" {
		g.forgiven(valid)
		return
	}
	for _, v := range violations(schema, body) {
		p := valid.clone(v.what, http.StatusUnprocessableEntity)
		p.pointer, p.code = v.pointer, v.code
		if p.setBody(g.f.t, v.value); len(p.body) > op.bodyLimit() {
			p.statuses, p.pointer = []int{http.StatusRequestEntityTooLarge}, "" // many long items
		}
		g.try(p)
	}
	g.wrongBodies(op, valid)
}

// bodyLimit returns how many bytes the body of an operation may have.
func (o described) bodyLimit() int {
	if limit, ok := o.RequestBody.Value.Extensions["x-max-bytes"].(float64); ok {
		return int(limit)
	}
	return 16 << 10
}

// forgiven sends a webhook bodies that the API refuses. Whatever becomes of each, it is neither a failure of the server
// nor a refusal of its media type.
func (g *generator) forgiven(valid probe) {
	g.f.t.Helper()
	outcomes := []int{http.StatusAccepted, http.StatusBadRequest, http.StatusUnprocessableEntity}
	for what, body := range brokenBodies(valid) {
		for _, media := range []string{"application/json", "text/plain", "", "application/x-www-form-urlencoded", ";"} {
			p := valid.clone(what+" of type "+media, outcomes...)
			p.header.Set("Content-Type", media)
			p.body = []byte(body)
			g.try(p)
		}
	}
}

func brokenBodies(valid probe) map[string]string {
	return map[string]string{
		"no body": "", "cut": string(valid.body[:len(valid.body)-1]), "two values": string(valid.body) + "{}",
		"a closing bracket": string(valid.body) + "}", "single quotes": `{'a':1}`, "no UTF-8": "{\"a\":\"\xff\xfe\"}",
		"an overlong encoding": "{\"a\":\"\xc0\xaf\"}", "an encoded surrogate": "{\"a\":\"\xed\xa0\x80\"}",
		"a byte order mark": "\ufeff{}", "a bad escape": `{"a":"\x"}`, "a leading zero": `{"a":01}`,
		"a large exponent": `{"a":1e999}`, "NaN": `{"a":NaN}`, "a comment": `{/**/}`, "a NUL": "{\x00}",
		"a control character": "{\"a\":\"\n\"}", "a trailing comma": `{"a":1,}`,
		"deep nesting":  `{"a":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + "}",
		"open brackets": strings.Repeat("[", 12_000),
	}
}

// wrongBodies sends bodies that are no JSON, of another type, or too long.
func (g *generator) wrongBodies(op described, valid probe) {
	g.f.t.Helper()
	for what, body := range brokenBodies(valid) {
		p := valid.clone(what, http.StatusBadRequest)
		if len(body) > 10_000 {
			p.statuses = append(p.statuses, http.StatusRequestEntityTooLarge) // where only shorter ones are allowed
		}
		if p.body = []byte(body); body == "" {
			p.body = nil
		}
		g.try(p)
	}
	p := valid.clone("too long", http.StatusRequestEntityTooLarge)
	p.body = slices.Concat(valid.body, bytes.Repeat([]byte(" "), op.bodyLimit()))
	g.try(p)
	if first, rest, ok := bytes.Cut(valid.body, []byte(":")); ok { // {"name":...
		name := string(first[2 : len(first)-1])
		p := valid.clone("a name twice", http.StatusUnprocessableEntity)
		p.pointer, p.code = "#/"+name, "duplicate"
		p.body = slices.Concat(first, []byte(":1,"), first[1:], []byte(":"), rest)
		g.try(p)
		p = valid.clone("a lone surrogate", http.StatusUnprocessableEntity)
		p.body = []byte(`{"` + name + `":"\ud83d"}`)
		g.try(p)
	}
	for _, media := range []string{"text/plain", "", "application/json; charset=latin1", "application/json, text/plain",
		"application/problem+json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", ";"} {
		p := valid.clone("of type "+media, http.StatusUnsupportedMediaType)
		p.header.Set("Content-Type", media)
		g.try(p)
	}
	p = valid.clone("compressed", http.StatusUnsupportedMediaType)
	p.header.Set("Content-Encoding", "gzip")
	g.try(p)
}

// wrongCredentials sends a valid request without a credential, and with one that nobody was given.
func (g *generator) wrongCredentials(id string, valid probe) {
	g.f.t.Helper()
	who := strings.Fields(table[id].who)
	if visitor := who[slices.Index(callers, "visitor")]; visitor == "401" {
		p := valid.clone("no credential", http.StatusUnauthorized)
		p.caller = "visitor"
		g.try(p)
		p.what = "a session that does not exist"
		p.header.Set("Cookie", "__Host-sininho="+g.text(&openapi3.Schema{}, 20))
		g.try(p)
	}
	if who[slices.Index(callers, "expired-key")] != "401" {
		return // credentials are ignored
	}
	for _, credential := range []string{"Bearer", "Bearer snh_live_", "Bearer " + g.text(&openapi3.Schema{}, 50),
		"Basic b3duZXI6", "snh_live_x", "Bearer sna_live_" + strings.Repeat("0", 36)} {
		p := valid.clone("a wrong credential", http.StatusUnauthorized)
		p.caller = "visitor"
		p.header.Set("Authorization", credential)
		g.try(p)
	}
}

// wrongParameters breaks each constraint of each parameter.
func (g *generator) wrongParameters(op described, valid probe) {
	g.f.t.Helper()
	hasQuery := !isCallback(op.OperationID) && op.OperationID != "receiveWebhook" // providers and senders add parameters
	for _, parameter := range op.parameters() {
		g.wrongParameter(op, valid, parameter)
	}
	path, query, _ := strings.Cut(valid.path, "?")
	if hasQuery {
		p := valid.clone("an unknown parameter", http.StatusUnprocessableEntity)
		p.path, p.pointer, p.code = path+"?"+query+"&n%C3%A3o=1", "query:não", "unknown_parameter"
		g.try(p)
	}
	for _, broken := range []string{"%", "a=%zz", "a=1;b=2", "%f"} {
		if op.OperationID == "receiveWebhook" {
			break
		}
		p := valid.clone("a broken query", http.StatusBadRequest)
		p.path = path + "?" + broken
		g.try(p)
	}
}

func (g *generator) wrongParameter(op described, valid probe, parameter *openapi3.Parameter) {
	g.f.t.Helper()
	pointer := parameter.In + ":" + parameter.Name
	if parameter.In == openapi3.ParameterInHeader {
		pointer = parameter.In + ":" + strings.ToLower(parameter.Name)
	}
	refuse := func(what, code, value string) {
		g.f.t.Helper()
		p := valid.clone(what+" of "+pointer, http.StatusUnprocessableEntity)
		p.pointer, p.code = pointer, code
		if op.OperationID == "receiveWebhook" && parameter.In == openapi3.ParameterInPath {
			p.statuses, p.pointer = []int{http.StatusNotFound}, "" // who guesses an address learns nothing else
		}
		if parameter.In == openapi3.ParameterInPath {
			p.path = substituted(op.path, valid.path, map[string]string{parameter.Name: value})
		} else {
			p.set(parameter, value)
		}
		g.try(p)
	}
	schema := parameter.Schema.Value
	for code, wrong := range wrongTexts(schema) {
		if wrong != "" {
			refuse(code, code, wrong)
		}
	}
	switch {
	case schema.Type.Is(openapi3.TypeInteger):
		for _, wrong := range []string{"x", "1.5", "1e1", "0x1", "", " 1", "99999999999999999999"} {
			refuse("type", "type", wrong)
		}
		refuse("minimum", "minimum", fmt.Sprint(int(*schema.Min)-1))
		refuse("maximum", "maximum", fmt.Sprint(int(*schema.Max)+1))
	case schema.Type.Is(openapi3.TypeBoolean):
		refuse("type", "type", "maybe")
	case parameter.In != openapi3.ParameterInHeader: // where Go refuses them
		refuse("text", "", "a\x00b")
		refuse("text", "", "a\xffb")
	}
	switch path, query, _ := strings.Cut(valid.path, "?"); parameter.In {
	case openapi3.ParameterInQuery:
		p := valid.clone(pointer+" twice", http.StatusUnprocessableEntity)
		p.pointer, p.code = pointer, "duplicate"
		p.path = fmt.Sprintf("%s?%s&%s=1&%s=1", path, query, parameter.Name, parameter.Name)
		g.try(p)
		if parameter.Required {
			p = valid.clone("no "+pointer, http.StatusUnprocessableEntity)
			p.path, p.pointer, p.code = path, pointer, "required"
			g.try(p)
		}
	case openapi3.ParameterInHeader:
		p := valid.clone(pointer+" twice", http.StatusUnprocessableEntity)
		p.pointer, p.code = pointer, "duplicate"
		p.header[http.CanonicalHeaderKey(parameter.Name)] = []string{"1", "1"}
		g.try(p)
	}
}

// substituted returns the path of a request with other values of some parameters.
func substituted(template, path string, values map[string]string) string {
	path, query, hasQuery := strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for i, part := range strings.Split(template, "/") {
		if value, ok := values[strings.Trim(part, "{}")]; ok && strings.HasPrefix(part, "{") {
			parts[i] = url.PathEscape(value)
		}
	}
	path = strings.Join(parts, "/")
	if hasQuery {
		path += "?" + query
	}
	return path
}
