package sininho

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/sininho/sininho/pkg/api"
)

// Call sends a request that this package has no method for, with the client's credential, retries and time limits. The
// path is below the base URL and may have a query, such as /channels?sort=newest. in is sent as JSON unless it is nil,
// and the JSON of the response is decoded into out unless that is nil. A refusal is an *[Error]. A POST has an
// idempotency key, so that repeating it does no harm where the operation knows such keys.
func (c *Client) Call(ctx context.Context, method, path string, in, out any, opts ...CallOption) (http.Header, error) {
	options, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	target, err := url.Parse(path)
	if err != nil || target.Host != "" || !strings.HasPrefix(target.Path, "/") {
		return nil, inputFault("path", "invalid", "must be a path of the API, such as /channels")
	}
	var body []byte
	if in != nil {
		if body, err = json.Marshal(in); err != nil {
			return nil, inputFault("#", "invalid", "cannot be written as JSON: "+err.Error())
		}
	}
	address := strings.TrimSuffix(c.calls.Server, "/") + target.RequestURI()
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, inputFault("method", "invalid", "is not a method of HTTP")
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPost {
		req.Header.Set("Idempotency-Key", options.key)
	}
	return readCall(c.calls, req, out)
}

// readCall sends a request and decodes its response.
func readCall(calls *api.Client, req *http.Request, out any) (http.Header, error) {
	resp, err := calls.Client.Do(req)
	if err := check(resp, err); err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if out == nil || resp.StatusCode == http.StatusNoContent {
		return resp.Header, nil
	}
	raw, err := decode[json.RawMessage](resp, nil)
	if err != nil {
		return nil, err
	}
	return resp.Header, json.Unmarshal(*raw, out)
}
