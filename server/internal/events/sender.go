package events

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
)

// Config is what a sender works with.
type Config struct {
	Sealer *core.Sealer // of the endpoints' secrets
	Rules  core.EventRules
	// Timeout is for a whole exchange, from looking up the name to the end of the answer.
	Timeout time.Duration
	// Resolver looks up names; nil is the system's.
	Resolver *net.Resolver
	Now      func() time.Time
}

// Sender implements core.EventSender.
type Sender struct {
	Config
	client *http.Client
}

// New makes a sender.
func New(c Config) *Sender {
	return &Sender{Config: c, client: &http.Client{
		Transport:     newTransport(c.Rules, c.Resolver),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Send implements core.EventSender.
func (s *Sender) Send(ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, d core.EventDelivery) core.EventAttempt {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	a, began := core.EventAttempt{At: s.Now()}, time.Now()
	res, err := s.post(ctx, e.URL, secrets, d, a.At)
	if err == nil {
		a.Status, a.Answer = res.StatusCode, beginning(res.Body)
		a.RetryAfter = retryAfter(res.Header.Get("Retry-After"), a.At)
		err = refused(res.StatusCode)
		_ = res.Body.Close()
	}
	if err != nil {
		a.Error = explain(err)
	}
	a.Duration = time.Since(began)
	return a
}

func (s *Sender) post(ctx context.Context, address string, secrets core.EventSecrets, d core.EventDelivery, now time.Time) (*http.Response, error) {
	var good []string
	for _, sealed := range secrets.Good(now) {
		secret, err := s.Sealer.Open(sealed)
		if err != nil {
			return nil, err
		}
		good = append(good, string(secret))
	}
	header, err := webhook.Sign(webhook.Message{ID: d.ID.String(), Timestamp: now, Body: []byte(d.Payload)}, good...)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(d.Payload))
	if err != nil {
		return nil, err
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Sininho")
	return s.client.Do(req)
}

// beginning reads as much of an answer as is kept.
func beginning(body io.Reader) string {
	b, _ := io.ReadAll(io.LimitReader(body, core.MaxEventAnswer*utf8.UTFMax)) // what came before it broke off is of use, too
	return keepable(string(b))
}

// keepable makes of an endpoint's words what can be kept.
func keepable(s string) string {
	text := []rune(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD"))
	return string(text[:min(len(text), core.MaxEventAnswer)])
}

// retryAfter reads a number of seconds or a date; 0 when it is neither.
func retryAfter(s string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(s, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(s); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

var (
	errRedirect = errors.New("it answered with a redirect, which is not followed")
	errStatus   = errors.New("it answered with what is no status")
)

func refused(status int) error {
	switch {
	case status < 200: // what is before an answer has been read over
		return errStatus
	case status >= 300 && status < 400:
		return errRedirect
	default:
		return nil
	}
}
