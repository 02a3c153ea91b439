package events

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
)

// Challenge implements core.EventChallenger. A server that repeats what it receives does not pass: the request has the
// signature of its body, not that of the challenge, which only the endpoint's secret can make.
func (s *Sender) Challenge(
	ctx context.Context, e core.EventEndpoint, secrets core.EventSecrets, d core.EventDelivery, challenge string,
) core.EventAttempt {
	now := s.Now()
	signed, err := s.sign(secrets, d, now)
	if err != nil {
		return core.EventAttempt{At: now, Error: causeOf(err).Error()}
	}
	a := s.exchange(ctx, e.URL, signed, d.Payload, now)
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
