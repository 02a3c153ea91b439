package sininho

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Defaults of a Client.
const (
	// DefaultRetries is how often a failed attempt is made again.
	DefaultRetries = 2
	// DefaultTimeout bounds one attempt, its answer read to the end included.
	DefaultTimeout = 30 * time.Second
)

// Option is a setting of a [Client].
type Option func(*settings)

// Middleware wraps what sends a request: to trace, to measure, to add a header. It sees
// each attempt, retries too, and the requests of streams. Like every http.RoundTripper it
// must be safe for use by several goroutines.
type Middleware func(next http.RoundTripper) http.RoundTripper

type settings struct {
	baseURL    string
	waitlist   string
	key        string
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
		retries: DefaultRetries,
		timeout: DefaultTimeout,
		logger:  slog.New(slog.DiscardHandler),
	}
}

// WithBaseURL sets where the API is, as https://sininho.example.com/api/v1. A server's
// origin alone gets /api/v1 appended. Redirects are not followed, so that neither the key
// nor a publish goes where you did not send it.
func WithBaseURL(url string) Option { return func(s *settings) { s.baseURL = url } }

// WithWaitlistURL sets where the waiting-list API is, where that has an address of its own,
// as https://waitlist.example.com/api/v1; else it is where the rest is.
func WithWaitlistURL(url string) Option { return func(s *settings) { s.waitlist = url } }

// WithAPIKey sets the publisher's API key (`snh_live_…`). Without a credential only what is
// public can be read.
func WithAPIKey(key string) Option { return func(s *settings) { s.key = strings.TrimSpace(key) } }

// WithAccessToken sets a person's access token (`sna_live_…`), with which the client acts
// for them. A client has one credential: this and [WithAPIKey] replace each other.
func WithAccessToken(token string) Option { return WithAPIKey(token) }

// WithHTTPClient sets the HTTP client, for a proxy or certificates of your own. It is
// copied; its redirect policy and, for streams, its Timeout do not apply.
func WithHTTPClient(c *http.Client) Option { return func(s *settings) { s.http = c } }

// WithRetries sets how often a failed attempt is made again (default 2): after connection
// errors, 429, 5xx and 409 with the code idempotency_in_flight. 0 turns retries off.
func WithRetries(n int) Option { return func(s *settings) { s.retries = n } }

// WithoutRateLimitRetries returns an [ErrRateLimited] at once, instead of waiting and trying
// again. It is for programs that make many calls at a time and want all of them to wait for
// Error.RetryAfter together.
func WithoutRateLimitRetries() Option { return func(s *settings) { s.limitsEnd = true } }

// WithTimeout bounds each attempt (default 30 s); the whole call is bounded by its context.
// For a stream it bounds the connecting only.
func WithTimeout(d time.Duration) Option { return func(s *settings) { s.timeout = d } }

// WithLogger sets where retries and reconnections are told (default nowhere). No header,
// body or credential is logged.
func WithLogger(l *slog.Logger) Option { return func(s *settings) { s.logger = l } }

// WithMiddleware adds middleware; the first added is the outermost.
func WithMiddleware(m ...Middleware) Option {
	return func(s *settings) { s.middleware = append(s.middleware, m...) }
}

// check names every setting that cannot be used and gives the base URLs as they are used.
func (s *settings) check() (base, waitlist string, err error) {
	base, err = parseBaseURL(s.baseURL)
	faults := []error{err}
	if waitlist = base; s.waitlist != "" {
		waitlist, err = parseBaseURL(s.waitlist)
		faults = append(faults, err)
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
