package sininho

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Defaults of a [Client].
const (
	// defaultRetries is the number of retries after a failed attempt.
	defaultRetries = 2
	// defaultTimeout bounds one attempt, including reading the response.
	defaultTimeout = 30 * time.Second
)

// Option is a setting of a [Client].
type Option func(*settings)

// Middleware wraps the transport that sends requests, for example to trace, to measure or to add a
// header. It sees each attempt, including retries, and the requests of streams. Like every
// http.RoundTripper, it must be safe for concurrent use.
type Middleware func(next http.RoundTripper) http.RoundTripper

type settings struct {
	baseURL    string
	waitlist   string
	key        string
	keyGiven   bool
	http       *http.Client
	retries    int
	limitsEnd  bool
	timeout    time.Duration
	logger     *slog.Logger
	middleware []Middleware
}

func defaultSettings() settings {
	return settings{
		baseURL: DefaultBaseURL,
		retries: defaultRetries,
		timeout: defaultTimeout,
		logger:  slog.New(slog.DiscardHandler),
	}
}

// WithBaseURL sets the address of the API, for example https://sininho.example.com/api/v1. If it is
// only a server's origin, /api/v1 is appended. Redirects are not followed, so that neither the key
// nor a publish reaches a server that you did not name.
func WithBaseURL(url string) Option { return func(s *settings) { s.baseURL = url } }

// WithWaitlistURL sets the address of the waiting-list API, for example
// https://waitlist.example.com/api/v1, if it differs from the base URL.
func WithWaitlistURL(url string) Option { return func(s *settings) { s.waitlist = url } }

// WithAPIKey sets the publisher's API key (`snh_live_…`). Without this option a client can read only what is public. An
// empty key is refused: more often than not, a variable of the environment is missing.
func WithAPIKey(key string) Option {
	return func(s *settings) { s.key, s.keyGiven = strings.TrimSpace(key), true }
}

// WithAccessToken sets a person's access token (`sna_live_…`), with which the client acts for that
// person. A client has one credential: this option and [WithAPIKey] replace each other.
func WithAccessToken(token string) Option { return WithAPIKey(token) }

// WithHTTPClient sets the HTTP client, for example to use a proxy or your own certificates. It is
// copied; its redirect policy is ignored, and so is its Timeout for streams and exports.
func WithHTTPClient(c *http.Client) Option { return func(s *settings) { s.http = c } }

// WithRetries sets the number of retries (default 2) after connection errors, 429, 5xx except 501,
// and 409 with the code idempotency_in_flight. 0 turns retries off.
func WithRetries(n int) Option { return func(s *settings) { s.retries = n } }

// WithoutRateLimitRetries makes calls fail with [ErrRateLimited] at once instead of waiting and retrying.
// It is meant for programs that make many concurrent calls and pause all of them for Error.RetryAfter.
func WithoutRateLimitRetries() Option { return func(s *settings) { s.limitsEnd = true } }

// WithTimeout bounds each attempt (default 30 s); the context bounds the whole call. For a stream
// it bounds only connecting.
func WithTimeout(d time.Duration) Option { return func(s *settings) { s.timeout = d } }

// WithLogger sets the logger for retries and reconnections (default none). No header, body or credential is logged.
func WithLogger(l *slog.Logger) Option { return func(s *settings) { s.logger = l } }

// WithMiddleware adds middleware; the first added is the outermost.
func WithMiddleware(m ...Middleware) Option {
	return func(s *settings) { s.middleware = append(s.middleware, m...) }
}

// check returns an error that names every invalid setting, or the base URLs in their final form.
func (s *settings) check() (base, waitlist string, err error) {
	base, err = parseBaseURL(s.baseURL)
	faults := []error{err}
	if waitlist = base; s.waitlist != "" {
		waitlist, err = parseBaseURL(s.waitlist)
		faults = append(faults, err)
	}
	if s.keyGiven && s.key == "" {
		faults = append(faults, errors.New("the API key is empty: is its variable set? "+
			"Leave WithAPIKey out to read only what is public"))
	}
	if !isVisibleASCII(s.key) {
		faults = append(faults, errors.New("the API key holds characters that no key has; was something else pasted?"))
	}
	if s.retries < 0 {
		faults = append(faults, errors.New("retries cannot be negative"))
	}
	if s.timeout <= 0 {
		faults = append(faults, errors.New("the timeout must be positive"))
	}
	if s.logger == nil {
		faults = append(faults, errors.New("the logger is nil"))
	}
	if err := errors.Join(faults...); err != nil {
		return "", "", fmt.Errorf("sininho: %w", err)
	}
	return base, waitlist, nil
}

func isVisibleASCII(s string) bool {
	for _, r := range s {
		if r <= ' ' || r > '~' {
			return false
		}
	}
	return true
}
