package servertest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/google/uuid"
)

// probe is a generated request, with the response that the contract demands.
type probe struct {
	id, what     string // the operation, and what is special about this request
	method, path string // the path is relative to /api/v1
	header       http.Header
	body         []byte // nil: none
	caller       string

	statuses      []int  // that are right; none: any documented one
	pointer, code string // of a fault that must be reported, if any
	allow         string // the header of a 405
}

// answer is a response that has been read.
type answer struct {
	*http.Response
	body []byte
}

// probeTime is longer than any request may take.
const probeTime = 25 * time.Second

var prober = &http.Client{
	Timeout:       probeTime,
	Transport:     &http.Transport{MaxIdleConnsPerHost: 8},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// request returns the request of a probe, which can be sent once.
func (p *probe) request(f *fixture) (*http.Request, error) {
	req, err := http.NewRequestWithContext(f.t.Context(), p.method, f.URL+"/api/v1"+p.path, bytes.NewReader(p.body))
	if err != nil {
		return nil, err
	}
	if f.sign[p.caller] != nil {
		f.sign[p.caller](req)
	}
	for name, values := range p.header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	return req, nil
}

// curl returns the command that repeats a request.
func curl(req *http.Request, body []byte) string {
	var out strings.Builder
	fmt.Fprintf(&out, "curl -i -X %s %s", req.Method, quote(req.URL.String()))
	for _, name := range slices.Sorted(keys(req.Header)) {
		for _, value := range req.Header[name] {
			out.WriteString(" -H " + quote(name+": "+value))
		}
	}
	if len(body) > 0 {
		out.WriteString(" --data-binary " + quote(string(body[:min(len(body), 4000)])))
	}
	return out.String()
}

func keys(h http.Header) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range h {
			if !yield(name) {
				return
			}
		}
	}
}

// quote quotes a text for bash.
func quote(s string) string {
	return "$" + strings.ReplaceAll("'"+strings.Trim(strconv.QuoteToASCII(strings.ReplaceAll(s, "'", "\x01")), `"`)+"'",
		`\x01`, `\'`)
}

// send sends a probe, reads its response unless that is an endless stream, and returns what is wrong with it.
func (p *probe) send(f *fixture, op described, requestID string) (faults []string, repeat string) {
	req, err := p.request(f)
	if err != nil {
		return []string{"the request cannot be made: " + err.Error()}, p.path
	}
	req.Header.Set("X-Request-Id", requestID)
	repeat = curl(req, p.body)
	res, err := prober.Do(req)
	if err != nil {
		return []string{err.Error()}, repeat
	}
	defer res.Body.Close() // the body has been read in full, or is endless
	a := answer{Response: res}
	if !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		if a.body, err = io.ReadAll(res.Body); err != nil {
			return []string{"read the response: " + err.Error()}, repeat
		}
	}
	faults = p.judge(op, a)
	if got := res.Header.Get("X-Request-Id"); got != requestID {
		faults = append(faults, fmt.Sprintf("X-Request-Id %q, want %q", got, requestID))
	}
	return faults, repeat
}

// judge returns what is wrong with a response.
func (p *probe) judge(op described, a answer) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if a.StatusCode >= 500 {
		add("status %d", a.StatusCode)
	}
	if len(p.statuses) > 0 && !slices.Contains(p.statuses, a.StatusCode) {
		add("status %d, want one of %d", a.StatusCode, p.statuses)
	}
	if got := a.Header.Get("Allow"); got != p.allow {
		add("Allow %q, want %q", got, p.allow)
	}
	if p.method == op.method {
		if err := validateResponse(op, a); err != nil {
			add("not as documented: %v", err)
		}
	}
	if a.StatusCode >= 400 && p.method != http.MethodHead {
		faults = append(faults, p.judgeProblem(op.doc, a)...)
	}
	if len(faults) > 0 {
		add("response: %s %.600s", a.Status, a.body)
	}
	return faults
}

// judgeProblem returns what is wrong with the response to a refused request.
func (p *probe) judgeProblem(doc *openapi3.T, a answer) (faults []string) {
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		faults = append(faults, "Content-Type "+got)
	}
	var value any
	var problem struct {
		Errors []struct{ Pointer, Code string }
	}
	if err := errors.Join(json.Unmarshal(a.body, &value), json.Unmarshal(a.body, &problem)); err != nil {
		return append(faults, "decode the problem: "+err.Error())
	}
	if err := doc.Components.Schemas["Problem"].Value.VisitJSON(value, asResponse...); err != nil {
		faults = append(faults, "no problem as documented: "+err.Error())
	}
	if p.pointer == "" {
		return faults
	}
	for _, fault := range problem.Errors {
		if fault.Pointer == p.pointer && (p.code == "" || fault.Code == p.code) {
			return faults
		}
	}
	return append(faults, fmt.Sprintf("want a fault %q at %q", p.code, p.pointer))
}

// validateResponse checks a response against the contract.
func validateResponse(op described, a answer) error {
	// A stream has no end, and HEAD no body.
	streams := strings.HasPrefix(a.Header.Get("Content-Type"), "text/event-stream")
	route := &routers.Route{Spec: op.doc, Path: op.path, PathItem: op.item, Method: op.method, Operation: op.Operation}
	options := &openapi3filter.Options{
		IncludeResponseStatus: true, ExcludeResponseBody: streams, MultiError: true,
		SchemaValidationOptions: formats,
	}
	return openapi3filter.ValidateResponse(a.Request.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: a.Request, Route: route},
		Status:                 a.StatusCode, Header: a.Header, Options: options,
		Body: io.NopCloser(bytes.NewReader(a.body)),
	})
}

var asResponse = append([]openapi3.SchemaValidationOption{openapi3.VisitAsResponse(), openapi3.MultiErrors()},
	formats...)

// formats are the formats of the contract, which the library ignores by default.
var formats = []openapi3.SchemaValidationOption{
	openapi3.WithStringFormatValidators(map[string]openapi3.StringFormatValidator{
		"uuid":      openapi3.NewCallbackValidator(func(s string) error { return uuid.Validate(s) }),
		"date-time": openapi3.NewCallbackValidator(func(s string) error { _, err := time.Parse(time.RFC3339, s); return err }),
		"uri":       openapi3.NewCallbackValidator(func(s string) error { _, err := url.ParseRequestURI(s); return err }),
		"email":     openapi3.NewCallbackValidator(func(s string) error { _, err := mail.ParseAddress(s); return err }),
	}),
}

// TestCurl expects the printed command to be one that bash reads as it was meant.
func TestCurl(t *testing.T) {
	t.Parallel()
	if got, want := quote("it's\n\x00é\"\\"), `$'it\'s\n\x00\u00e9\"\\'`; got != want {
		t.Errorf("quoted: got %s, want %s", got, want)
	}
}
