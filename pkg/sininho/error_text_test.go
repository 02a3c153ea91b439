//go:build go1.26

package sininho_test

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
)

// scripted is a transport that returns the same response to every request, without setting its Request field.
type scripted struct {
	status int
	header http.Header
	body   string
	err    error
}

func (s scripted) RoundTrip(*http.Request) (*http.Response, error) {
	if s.err != nil {
		return nil, s.err
	}
	return &http.Response{StatusCode: s.status, Header: s.header, Body: io.NopCloser(strings.NewReader(s.body))}, nil
}

func scriptedClient(t *testing.T, s scripted, opts ...sininho.Option) *sininho.Client {
	t.Helper()
	client, err := sininho.New(append([]sininho.Option{sininho.WithBaseURL("https://sininho.example.com"),
		sininho.WithHTTPClient(&http.Client{Transport: s})}, opts...)...)
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	return client
}

var problemHeader = http.Header{"Content-Type": {"application/problem+json"}}

func TestErrorTextNamesTheRequest(t *testing.T) {
	const faults = `{"status": 422, "code": "invalid", "title": "Unprocessable Entity", "type": "about:blank",
		"requestId": "r-1", "detail": "The request has 2 faults.", "errors": [
		{"pointer": "#/title", "code": "blank", "detail": "is blank"},
		{"pointer": "#/link", "code": "link", "detail": "is not an https address"}]}`
	const missing = `{"status": 404, "code": "not_found", "title": "Not Found", "type": "about:blank",
		"requestId": "r-2", "detail": "There is no such channel."}`
	for name, test := range map[string]struct {
		transport scripted
		call      func(*sininho.Client) error
		want      string
	}{
		"faults": {
			scripted{status: 422, header: problemHeader, body: faults},
			func(c *sininho.Client) error {
				_, err := c.Notifications.Publish(t.Context(), "demo/novidades", sininho.PublishInput{Title: "Um"})
				return err
			},
			"sininho: POST /api/v1/channels/demo/novidades/notifications: 422 invalid: The request has 2 faults: " +
				"title is blank; link is not an https address [request r-1]",
		},
		"no faults": {
			scripted{status: 404, header: problemHeader, body: missing},
			func(c *sininho.Client) error { _, err := c.Channels.Get(t.Context(), "demo/novidades"); return err },
			"sininho: GET /api/v1/channels/demo/novidades: 404 not_found: There is no such channel. [request r-2]",
		},
		"a query": {
			scripted{status: 404, header: problemHeader, body: missing},
			func(c *sininho.Client) error {
				for _, err := range c.Channels.List(t.Context(), sininho.ChannelListOptions{Query: "segredo"}) {
					return err
				}
				return nil
			},
			"sininho: GET /api/v1/channels: 404 not_found: There is no such channel. [request r-2]",
		},
		"a redirect": {
			scripted{status: 302, header: http.Header{
				"Location": {"https://ana:segredo@login.example.com/in?token=segredo"}}},
			func(c *sininho.Client) error { _, err := c.Auth.Get(t.Context()); return err },
			"sininho: GET /api/v1/auth: 302: the server redirects to https://login.example.com/in; " +
				"redirects are not followed: give that address as the base URL",
		},
		"a token in the path": {
			scripted{status: 404, header: problemHeader, body: missing},
			func(c *sininho.Client) error { _, err := c.Waitlist.Confirm(t.Context(), "segredo"); return err },
			"sininho: POST /api/v1/waitlist/entries/{token}/confirm: 404 not_found: There is no such channel. " +
				"[request r-2]",
		},
		"no response": {
			scripted{err: errors.New("connection refused")},
			func(c *sininho.Client) error { _, err := c.Waitlist.Place(t.Context(), "segredo"); return err },
			"sininho: GET /api/v1/waitlist/entries/{token}: the server could not be reached: connection refused",
		},
		"no JSON": {
			scripted{status: 200, header: http.Header{"Content-Type": {"text/html"}}},
			func(c *sininho.Client) error { _, err := c.Auth.Get(t.Context()); return err },
			`sininho: GET /api/v1/auth: unexpected response: "text/html" instead of JSON; is the base URL right?`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			err := test.call(scriptedClient(t, test.transport, sininho.WithRetries(0)))
			if err == nil {
				t.Fatalf("call: got no error, want %q", test.want)
			}
			equal(t, "text of the error", err.Error(), test.want)
		})
	}
}

func TestErrorHasMethodAndPath(t *testing.T) {
	client := scriptedClient(t, scripted{status: 404})
	err := client.Waitlist.Leave(t.Context(), "segredo")
	var refused *sininho.Error
	if !errors.As(err, &refused) {
		t.Fatalf("error is %v, want an *Error", err)
	}
	equal(t, "request of the error", refused.Method+" "+refused.Path, "DELETE /api/v1/waitlist/entries/{token}")
}

func TestLogOfRetriesHasNoTokenOfThePath(t *testing.T) {
	var log bytes.Buffer
	client := scriptedClient(t, scripted{err: errors.New("connection refused")},
		sininho.WithRetries(1), sininho.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	_, _ = client.Waitlist.Place(t.Context(), "segredo")
	if strings.Contains(log.String(), "segredo") {
		t.Errorf("the log holds the token: %s", &log)
	}
	if want := "/api/v1/waitlist/entries/{token}"; !strings.Contains(log.String(), want) {
		t.Errorf("the log has no %q: %s", want, &log)
	}
}

func TestWithoutRateLimitRetries(t *testing.T) {
	limited := scripted{status: 429, header: http.Header{"Retry-After": {"7"}}}
	requests := 0
	count := func(next http.RoundTripper) http.RoundTripper {
		return counted{next, &requests}
	}
	client := scriptedClient(t, limited, sininho.WithoutRateLimitRetries(), sininho.WithMiddleware(count))
	_, err := client.Auth.Get(t.Context())
	if !errors.Is(err, sininho.ErrRateLimited) {
		t.Errorf("call: got the error %v, want %v", err, sininho.ErrRateLimited)
	}
	equal(t, "requests", requests, 1)
}

type counted struct {
	next     http.RoundTripper
	requests *int
}

func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	*c.requests++
	return c.next.RoundTrip(r)
}
