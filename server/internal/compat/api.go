package compat

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
)

// prefix begins all paths of the API.
const prefix = "/api/v1"

// API calls the API in the same process, for the sender of a request.
type API struct {
	Handler http.Handler
}

// Call is a call of the API.
type Call struct {
	Method string
	Path   string // after /api/v1
	Query  url.Values
	Header http.Header
	Body   any // in JSON, unless it is an io.Reader
}

// passed are the headers of a request that its calls have too.
var passed = []string{"Authorization", "X-Forwarded-For", "User-Agent", "Accept-Language", "Traceparent", "Tracestate",
	"X-Request-Id", "Idempotency-Key"}

// Do makes a call and decodes its response into out, unless that is nil. A response other than 2xx is an *Error.
func (a API) Do(r *http.Request, c Call, out any) (status int, err error) {
	req, err := c.request(r.Context(), r)
	if err != nil {
		return 0, err
	}
	w := &recorder{header: http.Header{}}
	a.Handler.ServeHTTP(w, req)
	if w.status < 200 || w.status > 299 {
		return w.status, newError(w)
	}
	if out != nil {
		err = json.Unmarshal(w.body.Bytes(), out)
	}
	return w.status, err
}

// request returns the request of a call, as if the sender of r had sent it.
func (c Call) request(ctx context.Context, r *http.Request) (*http.Request, error) {
	body, raw := c.Body.(io.Reader)
	if !raw && c.Body != nil {
		b, err := json.Marshal(c.Body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	address := &url.URL{Path: prefix + c.Path, RawQuery: c.Query.Encode()}
	req, err := http.NewRequestWithContext(ctx, c.Method, address.String(), body)
	if err != nil {
		return nil, err
	}
	for _, name := range passed {
		if values := r.Header.Values(name); len(values) > 0 {
			req.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if c.Body != nil && !raw {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, values := range c.Header {
		req.Header[name] = values
	}
	req.Host, req.RemoteAddr, req.TLS, req.RequestURI = r.Host, r.RemoteAddr, r.TLS, address.String()
	return req, nil
}

// recorder keeps a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// ReadBody reads the body of a request up to a limit. It returns an *Error for one that is larger.
func ReadBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	return body, bodyError(err)
}
