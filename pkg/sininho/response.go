package sininho

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/rules"
)

// decode reads a 2xx response into T and returns an *Error for any other response.
func decode[T any](resp *http.Response, err error) (*T, error) {
	if err := check(resp, err); err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if !hasJSON(resp) {
		return nil, unexpectedType(resp, "JSON")
	}
	value := new(T)
	if err := json.NewDecoder(resp.Body).Decode(value); err != nil {
		return nil, callError(resp.Request, fmt.Errorf("%w: %w", errResponse, err))
	}
	return value, nil
}

// versioned is a type whose version is the ETag header of the response.
type versioned[T any] interface {
	*T
	setVersion(version string)
}

// decodeVersion is decode, and sets the version from the ETag header.
func decodeVersion[T any, P versioned[T]](resp *http.Response, err error) (*T, error) {
	value, err := decode[T](resp, err)
	if err != nil {
		return nil, err
	}
	P(value).setVersion(resp.Header.Get("ETag"))
	return value, nil
}

// check returns nil for a 2xx response; otherwise it closes the response and returns its *Error.
func check(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	if resp.StatusCode >= 200 && resp.StatusCode < 300 {
		return nil
	}
	defer resp.Body.Close()
	return readError(resp)
}

func readError(resp *http.Response) *Error {
	e := &Error{
		Status: resp.StatusCode, Title: http.StatusText(resp.StatusCode),
		RequestID:  resp.Header.Get("X-Request-Id"),
		RetryAfter: rules.RetryAfter(resp.Header.Get("Retry-After"), time.Now()),
	}
	if req := resp.Request; req != nil {
		e.Method, e.Path = req.Method, safePath(req.URL)
	}
	if location := redirect(resp); location != "" {
		e.Detail = "the server redirects to " + location +
			"; redirects are not followed: give that address as the base URL"
	}
	var problem api.Problem
	if !hasJSON(resp) || json.NewDecoder(resp.Body).Decode(&problem) != nil || problem.Code == "" {
		return e
	}
	e.Code = problem.Code
	e.Title = problem.Title
	e.RequestID = problem.RequestID
	if problem.Detail != nil {
		e.Detail = *problem.Detail
	}
	for _, f := range problem.Errors {
		e.Fields = append(e.Fields, FieldError{Pointer: f.Pointer, Code: f.Code, Detail: f.Detail})
	}
	return e
}

// redirect returns the address that a response redirects to, without credentials, or "".
func redirect(resp *http.Response) string {
	location, err := url.Parse(resp.Header.Get("Location"))
	if err != nil || resp.StatusCode >= http.StatusBadRequest {
		return ""
	}
	location.RawQuery, location.User = "", nil // may hold credentials
	return location.String()
}

// unexpectedType returns the error for a response whose Content-Type is not what the API sends.
func unexpectedType(resp *http.Response, want string) error {
	return callError(resp.Request, fmt.Errorf("%w: %q instead of %s; is the base URL right?",
		errResponse, resp.Header.Get("Content-Type"), want))
}

// peekCode returns the code of the problem and leaves the body readable.
func peekCode(resp *http.Response) string {
	body, _ := io.ReadAll(resp.Body)
	resp.Body = newBody(body)
	var problem struct{ Code string }
	if json.Unmarshal(body, &problem) != nil {
		return ""
	}
	return problem.Code
}

func hasJSON(resp *http.Response) bool {
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}
