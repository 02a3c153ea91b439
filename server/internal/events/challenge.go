package events

import (
	"context"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// Challenge implements core.EventChallenger. A server that repeats what it receives does not pass: the request has the
// signature of its body, not that of the challenge, which only the endpoint's secret can make.
func (s *Sender) Challenge(
	ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, d core.EventDelivery, challenge string,
	mayDial func(netip.Addr) error,
) core.EventAttempt {
	now := s.Now()
	signed, err := s.sign(secrets, d, now)
	if err != nil {
		return core.EventAttempt{At: now, Error: causeOf(err).Error()}
	}
	// A connection of its own, because mayDial has to be asked about each.
	transport := guard.NewTransport(func(a netip.AddrPort) error {
		if err := s.mayDial(a); err != nil {
			return err
		}
		return mayDial(a.Addr())
	}, s.Resolver)
	transport.DisableKeepAlives = true
	a := s.exchange(ctx, newClient(transport), e.URL, signed, d.Payload, now)
	if a.Error == "" && (!a.Delivered() || !s.isSigned(a.Response, signed, challenge, secrets, now)) {
		a.Error = causeChallenge.Error()
	}
	a.Response = ""
	return a
}

// isSigned reports whether the response is the signature of the challenge, under the id and the time of the request.
func (s *Sender) isSigned(
	response string, signed http.Header, challenge string, secrets core.EventSecrets, now time.Time,
) bool {
	good, err := s.good(secrets, now)
	if err != nil {
		return false
	}
	header := signed.Clone()
	header.Set(webhook.HeaderSignature, strings.Trim(response, "\" \t\r\n")) // some frameworks respond in JSON only
	_, err = webhook.Verify(header, []byte(challenge), good, webhook.WithClock(func() time.Time { return now }))
	return err == nil
}
