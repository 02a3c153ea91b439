package core

import (
	"context"
	"crypto/subtle"
	"net/netip"
	"time"
)

const (
	challengeLength = 22        // letters and digits: 131 bits
	challengeGood   = time.Hour // how long a challenge confirms its address
)

// EventChallenger posts a challenge to an event endpoint once. The attempt is Delivered only if the endpoint responded
// with the signature of the challenge. Its Response is empty, because the response may repeat the challenge, and anyone
// who reads the challenge can confirm the endpoint. It opens a new connection, and asks mayDial about each address that
// it connects to, possibly at the same time.
type EventChallenger interface {
	Challenge(
		ctx context.Context, e EventEndpoint, secrets EventSecrets, event EventDelivery, challenge string,
		mayDial func(netip.Addr) error,
	) EventAttempt
}

// Confirmed reports whether the owner of the present address has agreed to receive events.
func (e *EventEndpoint) Confirmed() bool { return e.ConfirmedURL != "" && e.ConfirmedURL == e.URL }

func (e *EventEndpoint) confirm(now time.Time) {
	e.ConfirmedURL, e.ConfirmedAt = e.URL, &now
	e.resume()
}

// hashChallenge hashes a challenge together with the address that receives it: it confirms no other.
func hashChallenge(challenge, address string) []byte { return HashSecret(challenge + " " + address) }

// confirms reports whether the challenge is the latest one that was posted to the address.
func (s EventSecrets) confirms(challenge, address string, now time.Time) bool {
	return s.ChallengedAt != nil && now.Sub(*s.ChallengedAt) < challengeGood &&
		subtle.ConstantTimeCompare(s.ChallengeHash, hashChallenge(challenge, address)) == 1
}

func errEventEndpointUnconfirmed() *Error {
	return &Error{Code: CodeInvalid, Reason: "unconfirmed",
		Detail: Text{EN: "The event endpoint is not confirmed. Confirm it first.",
			PT: "O endereço de eventos não está confirmado. Confirme-o primeiro."}}
}

// ErrTooManyChallenges returns the error for someone or a place with too many failed challenges.
func ErrTooManyChallenges(retryAfter time.Duration) *Error {
	return &Error{Code: CodeRateLimited, RetryAfter: retryAfter,
		Detail: Text{EN: "Too many challenges have failed. Wait before the next one.",
			PT: "Demasiados desafios falharam. Espere antes do próximo."}}
}

func errChallenge() error {
	return Invalid(FieldError{Pointer: "#/challenge", Code: "challenge", Detail: Text{
		EN: "is not the latest challenge that the address received, or is more than an hour old",
		PT: "não é o último desafio que o endereço recebeu, ou tem mais de uma hora"}})
}

// Challenge posts a challenge to an endpoint of a publisher that the caller owns, unless it is confirmed. The endpoint
// is confirmed if it responds with the signature of the challenge: sent is then Delivered, or nil if nothing was sent.
func (s *EventEndpoints) Challenge(
	ctx context.Context, c Caller, publisherSlug string, id ID,
) (confirmed bool, sent *EventAttempt, err error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return false, nil, err
	}
	if p.Suspension != nil { // nothing is posted for a suspended publisher
		return false, nil, ErrSuspended(SuspendablePublisher, *p.Suspension)
	}
	e, err := s.store.EventEndpoint(ctx, p.ID, id)
	switch {
	case err != nil:
		return false, nil, err
	case e.Confirmed():
		return true, nil, nil
	case !e.Enabled:
		return false, nil, errEventEndpointOff()
	}
	challenge := RandomText(challengeLength)
	a, err := s.challenge(ctx, p.Slug, e, challenge, challengePaces(c.SubscriberID, p.ID, e.Host()))
	if err != nil || !a.Delivered() {
		return false, &a, err
	}
	_, err = s.confirm(ctx, p.ID, id, challenge)
	return err == nil, &a, err
}

// challenge posts a challenge to an endpoint, unless too many have failed. One that succeeds does not count.
func (s *EventEndpoints) challenge(
	ctx context.Context, publisherSlug string, e EventEndpoint, challenge string, paces []ChallengePace,
) (EventAttempt, error) {
	turns := challengeTurns{store: s.store}
	if err := turns.take(ctx, paces...); err != nil {
		return EventAttempt{}, err
	}
	secrets, err := s.keepChallenge(ctx, e, challenge)
	if err != nil {
		return EventAttempt{}, err
	}
	event := Event{Type: EventChallenge, Timestamp: s.now(),
		Data: EventData{Publisher: publisherSlug, Challenge: challenge}}
	a := s.challenger.Challenge(ctx, e, secrets, NewEventDelivery(e.ID, e.ID, event), challenge,
		func(to netip.Addr) error { return turns.take(ctx, networkPace(to)) })
	taken, refused := turns.result()
	switch {
	case a.Delivered():
		return a, s.store.UnpaceChallenge(ctx, taken...)
	case a.Status == 0 && refused != nil: // nothing was sent; what was connected to still counts
		if err := s.store.UnpaceChallenge(ctx, paces...); err != nil {
			return a, err
		}
		return a, refused
	default:
		return a, nil
	}
}

// keepChallenge stores the challenge of an endpoint, and returns the secrets to sign it with.
func (s *EventEndpoints) keepChallenge(
	ctx context.Context, e EventEndpoint, challenge string,
) (secrets EventSecrets, err error) {
	now := s.now()
	_, _, err = s.store.UpdateEventEndpoint(ctx, e.PublisherID, e.ID, now, Idempotency{},
		func(current *EventEndpoint, kept *EventSecrets) error {
			if current.URL != e.URL {
				return Conflict("changed", Text{EN: "The address was changed at the same time. Try again.",
					PT: "O endereço foi mudado ao mesmo tempo. Tente novamente."})
			}
			kept.ChallengeHash, kept.ChallengedAt = hashChallenge(challenge, e.URL), &now
			secrets = *kept
			return nil
		})
	return secrets, err
}

// Confirm confirms an endpoint of a publisher that the caller owns, with the latest challenge that it received.
func (s *EventEndpoints) Confirm(
	ctx context.Context, c Caller, publisherSlug string, id ID, challenge string,
) (EventEndpoint, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return EventEndpoint{}, err
	}
	return s.confirm(ctx, p.ID, id, challenge)
}

func (s *EventEndpoints) confirm(ctx context.Context, publisherID, id ID, challenge string) (EventEndpoint, error) {
	now := s.now()
	e, _, err := s.store.UpdateEventEndpoint(ctx, publisherID, id, now, Idempotency{},
		func(e *EventEndpoint, kept *EventSecrets) error {
			switch {
			case e.Confirmed():
				return nil
			case !kept.confirms(challenge, e.URL, now):
				return errChallenge()
			}
			kept.ChallengeHash, kept.ChallengedAt = nil, nil
			e.confirm(now)
			return nil
		})
	if err != nil {
		return e, err
	}
	s.nudge() // events may wait for the endpoint's new address
	return e, nil
}
