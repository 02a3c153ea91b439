package sininho

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// maxResponseBytes bounds the size of a response: a full page of the longest notifications, with
// every character escaped, has about 13 MB.
const maxResponseBytes = 32 << 20

// caller sends the requests of the generated client. It adds the credential, bounds each attempt
// and retries; it interprets a response only as far as retrying needs.
type caller struct {
	http     *http.Client
	identify func(http.Header)
	redact   func([]byte) []byte
	retries  int
	// limitsEnd makes a 429 response end the call instead of being retried.
	limitsEnd bool
	timeout   time.Duration
	logger    *slog.Logger
}

func newCaller(s settings) *caller {
	client := &http.Client{Transport: defaultTransport()}
	if s.http != nil {
		copied := *s.http
		client = &copied
	}
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	for i := len(s.middleware) - 1; i >= 0; i-- {
		client.Transport = s.middleware[i](client.Transport)
	}
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &caller{
		http: client, identify: identifier(s.key), redact: redactor(s.key),
		retries: s.retries, limitsEnd: s.limitsEnd, timeout: s.timeout, logger: s.logger,
	}
}

// defaultTransport keeps enough idle connections for publishing many notifications at once.
func defaultTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 64
	return t
}

// identifier keeps the key in a closure, so that no %+v of a client can print it.
func identifier(key string) func(http.Header) {
	return func(h http.Header) {
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
		h.Set("User-Agent", userAgent())
	}
}

func redactor(key string) func([]byte) []byte {
	return func(text []byte) []byte {
		if key == "" {
			return text
		}
		return bytes.ReplaceAll(text, []byte(key), []byte("[redacted]"))
	}
}

// Do implements api.HttpRequestDoer. It repeats the attempt until the result is final.
func (c *caller) Do(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	for attempt := 0; ; attempt++ {
		resp, err := c.attempt(req)
		if ctx.Err() != nil && err != nil {
			return nil, callError(req, ctx.Err())
		}
		if attempt >= c.retries || !c.retriable(resp, err) {
			return resp, wrapUnreachable(req, err)
		}
		wait, ok := backoff(ctx, attempt, resp)
		if !ok {
			return resp, wrapUnreachable(req, err)
		}
		c.logRetry(req, attempt, wait, resp, err)
		if sleep(ctx, wait) != nil {
			return nil, fmt.Errorf("%w (waiting to try again after %s)", callError(req, ctx.Err()), outcome(resp, err))
		}
	}
}

// attempt sends the request once and reads the whole response within the timeout.
func (c *caller) attempt(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), c.timeout)
	defer cancel()
	copied, err := c.prepare(ctx, req)
	if err != nil {
		return nil, err
	}
	resp, err := c.http.Do(copied)
	if err != nil {
		return nil, withoutURL(err)
	}
	defer resp.Body.Close()
	noteRateLimit(ctx, resp.Header)
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponseBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading the response: %w", err)
	}
	if len(body) > maxResponseBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", errResponse, maxResponseBytes)
	}
	if resp.StatusCode >= 300 {
		body = c.redact(body)
	}
	resp.Body = newBody(body)
	resp.Request = req // a custom transport may leave it unset
	return resp, nil
}

func newBody(b []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(b)) }

// prepare copies the request with a fresh body, because an attempt consumes it.
func (c *caller) prepare(ctx context.Context, req *http.Request) (*http.Request, error) {
	copied := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		copied.Body = body
	}
	c.identify(copied.Header)
	if copied.Header.Get("Accept") == "" {
		copied.Header.Set("Accept", "application/json, application/problem+json")
	}
	return copied, nil
}

func (c *caller) logRetry(req *http.Request, attempt int, wait time.Duration, resp *http.Response, err error) {
	c.logger.InfoContext(req.Context(), "sininho: trying again",
		"method", req.Method, "path", safePath(req.URL), "attempt", attempt+1,
		"wait", wait, "after", outcome(resp, err))
}

func outcome(resp *http.Response, err error) string {
	if err != nil {
		return err.Error()
	}
	return resp.Status
}

// retriable reports whether another attempt may succeed.
func (c *caller) retriable(resp *http.Response, err error) bool {
	if err != nil {
		return !isPermanent(err)
	}
	switch status := resp.StatusCode; {
	case status == http.StatusConflict:
		return peekCode(resp) == codeIdempotencyInFlight
	case status == http.StatusNotImplemented:
		return false
	case status == http.StatusTooManyRequests:
		return !c.limitsEnd
	default:
		return status >= 500
	}
}

func isPermanent(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate) || errors.Is(err, errResponse)
}

// withoutURL removes the *url.Error around a transport error: callError already names the path, and
// a URL may hold a credential.
func withoutURL(err error) error {
	var outer *url.Error
	if errors.As(err, &outer) {
		return outer.Err
	}
	return err
}

func wrapUnreachable(req *http.Request, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, errResponse) {
		return callError(req, err)
	}
	return callError(req, fmt.Errorf("%w: %w", ErrUnreachable, err))
}

func callError(req *http.Request, err error) error {
	return fmt.Errorf("sininho: %s %s: %w", req.Method, safePath(req.URL), err)
}
