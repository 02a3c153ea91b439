package events

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/tracing"
)

// Config configures a Sender.
type Config struct {
	Sealer *core.Sealer // decrypts the endpoints' secrets
	Rules  core.EventRules
	// Timeout limits a whole exchange, from resolving the name to the end of the response.
	Timeout time.Duration
	// Resolver resolves names; nil means the system's resolver.
	Resolver *net.Resolver
	Now      func() time.Time
}

// Sender implements core.EventSender and core.EventChallenger.
type Sender struct {
	Config
	client *http.Client
}

// New returns a Sender.
func New(c Config) *Sender {
	return &Sender{Config: c, client: newClient(guard.NewTransport(c.mayDial, c.Resolver))}
}

// mayDial is the rule by which addresses are dialled.
func (c Config) mayDial(a netip.AddrPort) error {
	if !c.Rules.May(a) {
		return causeAddress
	}
	return nil
}

// newClient returns a client that follows no redirects.
func newClient(t *http.Transport) *http.Client {
	return &http.Client{Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
}

// Send implements core.EventSender.
func (s *Sender) Send(
	ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, d core.EventDelivery,
) core.EventAttempt {
	now := s.Now()
	signed, err := s.sign(secrets, d, now)
	if err != nil {
		return core.EventAttempt{At: now, Error: causeOf(err).Error()}
	}
	return s.exchange(ctx, s.client, e.URL, signed, d.Payload, now)
}

// exchange posts a payload once.
func (s *Sender) exchange(
	ctx context.Context, client *http.Client, address string, signed http.Header, payload string, now time.Time,
) core.EventAttempt {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	a, began := core.EventAttempt{At: now}, time.Now()
	res, err := post(ctx, client, address, signed, payload)
	if err == nil {
		a.Status, a.Response = res.StatusCode, beginning(res.Body)
		a.RetryAfter = rules.RetryAfter(res.Header.Get("Retry-After"), a.At)
		err = refused(res.StatusCode)
		_ = res.Body.Close()
	}
	if err != nil {
		a.Error = causeOf(err).Error()
	}
	a.Duration = time.Since(began)
	return a
}

// good returns the secrets that are valid at now.
func (s *Sender) good(secrets core.EventSecrets, now time.Time) (good []string, err error) {
	for _, sealed := range secrets.Good(now) {
		secret, err := s.Sealer.Open(sealed)
		if err != nil {
			return nil, causeSecret
		}
		good = append(good, string(secret))
	}
	return good, nil
}

// sign returns the headers that sign an event.
func (s *Sender) sign(secrets core.EventSecrets, d core.EventDelivery, now time.Time) (http.Header, error) {
	good, err := s.good(secrets, now)
	if err != nil {
		return nil, err
	}
	header, err := webhook.Sign(webhook.Message{ID: d.ID.String(), Timestamp: now, Body: []byte(d.Payload)}, good...)
	if err != nil {
		return nil, causeSecret
	}
	return header, nil
}

func post(
	ctx context.Context, client *http.Client, address string, signed http.Header, payload string,
) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(payload))
	if err != nil {
		return nil, err
	}
	req.Header = signed.Clone()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Sininho")
	req.Header = tracing.Header(ctx, req.Header)
	return client.Do(req)
}

// beginning returns the part of a response body that is kept.
func beginning(body io.Reader) string {
	b, _ := io.ReadAll(io.LimitReader(body, core.MaxEventResponse*utf8.UTFMax)) // text before a failure is useful too
	return keepable(string(b))
}

// keepable returns text from an endpoint in a form that can be stored, with at most core.MaxEventResponse characters.
func keepable(s string) string {
	text := []rune(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD"))
	return string(text[:min(len(text), core.MaxEventResponse)])
}

func refused(status int) error {
	switch {
	case status < 200: // net/http has skipped informational responses, except 101
		return causeStatus
	case status >= 300 && status < 400:
		return causeRedirect
	default:
		return nil
	}
}
