package core

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// EventEndpoint is an address of a publisher that receives events.
type EventEndpoint struct {
	ID             ID          `json:"id"`
	PublisherID    ID          `json:"publisherId"`
	URL            string      `json:"url"`
	Name           string      `json:"name"`
	Events         []EventType `json:"events"` // the types that it receives
	Enabled        bool        `json:"enabled"`
	DisabledAt     *time.Time  `json:"disabledAt"`
	DisabledReason string      `json:"disabledReason"` // empty when it was disabled by hand
	FailingSince   *time.Time  `json:"failingSince"`   // the first failed attempt since the last success
	ConfirmedURL   string      `json:"-"`              // the address whose owner agreed last; empty if none ever did
	ConfirmedAt    *time.Time  `json:"-"`
	Failures       int         `json:"-"` // in a row
	PausedUntil    *time.Time  `json:"-"` // nothing is posted before, because it fails
	CreatedAt      time.Time   `json:"createdAt"`
	UpdatedAt      time.Time   `json:"updatedAt"`
}

// Host returns the host and port that events are posted to, in one spelling.
func (e *EventEndpoint) Host() string {
	u, err := url.Parse(e.URL)
	if err != nil {
		return ""
	}
	port := "443"
	if u.Scheme == "http" { // to this machine
		port = "80"
	}
	name := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return net.JoinHostPort(name, cmp.Or(u.Port(), port))
}

// Version returns the time of the latest change to the endpoint.
func (e EventEndpoint) Version() time.Time { return e.UpdatedAt }

// EventSecrets are the encrypted secrets that sign events, and the hash of the latest challenge.
type EventSecrets struct {
	Sealed         []byte
	PreviousSealed []byte // the previous secret, valid until PreviousUntil
	PreviousUntil  *time.Time
	ChallengeHash  []byte // nil if no challenge may confirm the endpoint
	ChallengedAt   *time.Time
}

// Good returns the secrets that are valid at now, the latest first.
func (s EventSecrets) Good(now time.Time) [][]byte {
	if s.PreviousUntil != nil && now.Before(*s.PreviousUntil) {
		return [][]byte{s.Sealed, s.PreviousSealed}
	}
	return [][]byte{s.Sealed}
}

func (e *EventEndpoint) switchOff(reason string, now time.Time) {
	e.Enabled = false
	e.DisabledAt = &now
	e.DisabledReason = reason
}

func errEventEndpointOff() *Error {
	return &Error{Code: CodeInvalid, Reason: "disabled",
		Detail: Text{EN: "The event endpoint is disabled. Enable it first.",
			PT: "O endereço de eventos está desligado. Ligue-o primeiro."}}
}

// EventRules determines to which addresses events may be posted.
type EventRules struct {
	// AllowLoopback also allows this machine, over http too, for development.
	AllowLoopback bool
	// Own is the origin of this installation, which posts nothing to itself: an event that a webhook publishes would be
	// followed by the next one.
	Own string
}

// May reports whether events may be posted to that address and port.
func (r EventRules) May(a netip.AddrPort) bool {
	return PublicAddress(a.Addr()) && a.Port() == httpsPort || r.AllowLoopback && a.Addr().Unmap().IsLoopback()
}

const httpsPort = 443

// endpoint rejects anything but an https URL that may be public. What a host name resolves to is checked when it is
// dialled.
func (f *faults) endpoint(pointer, s string, r EventRules) {
	u, err := url.Parse(s)
	if err != nil || !(LinkRules{AllowLoopback: r.AllowLoopback}).Allow(s) {
		f.Add(pointer, "link", rules.NotLink())
		return
	}
	if rules.IsAt(s, r.Own) {
		f.Add(pointer, "own", Text{EN: "is an address of this server, which posts no events to itself",
			PT: "é um endereço deste servidor, que não envia eventos a si próprio"})
		return
	}
	if r.AllowLoopback && rules.IsLoopback(u.Hostname()) {
		return
	}
	if a, err := netip.ParseAddr(u.Hostname()); err == nil && !PublicAddress(a) || rules.IsLoopback(u.Hostname()) {
		f.Add(pointer, "private", Text{EN: "is not a public address", PT: "não é um endereço público"})
	}
	if port := u.Port(); port != "" && port != "443" {
		f.Add(pointer, "port", Text{EN: "has a port other than 443", PT: "tem uma porta que não é a 443"})
	}
}

// EventEndpointInput is the input for a new event endpoint.
type EventEndpointInput struct {
	URL, Name string
	Events    []EventType
}

// Validate implements Input.
func (in EventEndpointInput) Validate(r *Rules, _ time.Time) []FieldError {
	var f faults
	f.endpoint("#/url", in.URL, r.events)
	f.Name("#/name", in.Name, rules.MaxName)
	return f.Faults
}

// EventEndpointPatch is a change to an event endpoint. Unset fields stay unchanged.
type EventEndpointPatch struct {
	URL, Name *string
	Events    []EventType
	Enabled   *bool
}

// Validate implements Input.
func (p EventEndpointPatch) Validate(r *Rules, _ time.Time) []FieldError {
	var f faults
	if p.URL != nil {
		f.endpoint("#/url", *p.URL, r.events)
	}
	if p.Name != nil {
		f.Name("#/name", *p.Name, rules.MaxName)
	}
	return f.Faults
}

func (p EventEndpointPatch) apply(e *EventEndpoint, now time.Time) {
	if p.URL != nil && *p.URL != e.URL {
		e.URL = *p.URL
		e.resume()
	}
	set(&e.Name, p.Name)
	if p.Events != nil {
		e.Events = p.Events
	}
	switch {
	case p.Enabled == nil || *p.Enabled == e.Enabled:
	case *p.Enabled:
		e.Enabled, e.DisabledAt, e.DisabledReason = true, nil, ""
		e.resume()
	default:
		e.switchOff("", now)
	}
}

// EventEndpointStore keeps event endpoints and the deliveries to them.
type EventEndpointStore interface {
	// EventEndpoints returns the publisher's endpoints, oldest first.
	EventEndpoints(ctx context.Context, publisherID ID, page Page) (data []EventEndpoint, total int64, err error)
	// EventEndpoint returns an endpoint of the publisher; it fails with CodeNotFound when there is none.
	EventEndpoint(ctx context.Context, publisherID, id ID) (EventEndpoint, error)
	// CreateEventEndpoint fails with CodeInvalid at CapEventEndpoints.
	CreateEventEndpoint(
		ctx context.Context, e EventEndpoint, secrets EventSecrets, key Idempotency,
	) (EventEndpoint, Creation, error)
	// UpdateEventEndpoint locks the endpoint, calls change to alter it and its secrets, and stores the result.
	UpdateEventEndpoint(
		ctx context.Context, publisherID, id ID, now time.Time, key Idempotency,
		change func(*EventEndpoint, *EventSecrets) error,
	) (EventEndpoint, Creation, error)
	// DeleteEventEndpoint also deletes the endpoint's deliveries. It fails with CodeChanged when seen is not the
	// endpoint's version.
	DeleteEventEndpoint(ctx context.Context, publisherID, id ID, seen *time.Time) error
	// AddEventDelivery adds a delivery that a person has requested, and ends the pause of its endpoint.
	AddEventDelivery(ctx context.Context, d EventDelivery) error
	// PaceChallenge takes a turn at each pace, until UnpaceChallenge. It fails with CodeRateLimited when one of them
	// has none left, and takes none then.
	PaceChallenge(ctx context.Context, paces ...ChallengePace) error
	UnpaceChallenge(ctx context.Context, paces ...ChallengePace) error
	// EventDeliveries returns the deliveries to an endpoint, newest first; an empty status selects all.
	EventDeliveries(
		ctx context.Context, endpointID ID, status EventDeliveryStatus, page Page,
	) (data []EventDelivery, total int64, err error)
	// EventDelivery returns a delivery to the endpoint, with its latest attempts in the order in which they were made.
	EventDelivery(ctx context.Context, endpointID, id ID) (EventDelivery, []EventAttempt, error)
	// UpdateEventDelivery locks the delivery, calls change to alter it, stores the result, and ends the pause of its
	// endpoint.
	UpdateEventDelivery(ctx context.Context, endpointID, id ID, change func(*EventDelivery)) (EventDelivery, error)
}

type eventEndpointsStore interface {
	EventEndpointStore
	PublisherStore
}

// EventEndpoints manages event endpoints and shows the deliveries to them.
type EventEndpoints struct {
	store      eventEndpointsStore
	rules      *Rules
	sealer     *Sealer
	newSecret  func() string
	challenger EventChallenger
	nudge      func()
	now        func() time.Time
}

// NewEventEndpoints returns the service for event endpoints. newSecret returns a new signing secret; nudge wakes
// the sender of events and never blocks.
func NewEventEndpoints(
	store eventEndpointsStore, rules *Rules, sealer *Sealer, newSecret func() string, challenger EventChallenger,
	nudge func(), now func() time.Time,
) *EventEndpoints {
	return &EventEndpoints{
		store: store, rules: rules, sealer: sealer, newSecret: newSecret, challenger: challenger, nudge: nudge,
		now: now,
	}
}

// List returns the endpoints of a publisher of which the caller is a member.
func (s *EventEndpoints) List(
	ctx context.Context, c Caller, publisherSlug string, page Page,
) ([]EventEndpoint, int64, error) {
	p, err := myPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return nil, 0, err
	}
	return s.store.EventEndpoints(ctx, p.ID, page)
}

// Get returns an endpoint of a publisher of which the caller is a member.
func (s *EventEndpoints) Get(ctx context.Context, c Caller, publisherSlug string, id ID) (EventEndpoint, error) {
	p, err := myPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return EventEndpoint{}, err
	}
	return s.store.EventEndpoint(ctx, p.ID, id)
}

// Create creates an endpoint for a publisher that the caller owns. The secret is empty when the request is a replay.
func (s *EventEndpoints) Create(
	ctx context.Context, c Caller, publisherSlug string, in EventEndpointInput, key Idempotency,
) (e EventEndpoint, secret string, creation Creation, err error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return e, "", 0, err
	}
	now := s.now()
	if err := s.rules.check(in, now); err != nil {
		return e, "", 0, err
	}
	if in.Events == nil {
		in.Events = AllEvents()
	}
	secret = s.newSecret()
	e = EventEndpoint{
		ID: NewID(), PublisherID: p.ID, URL: in.URL, Name: in.Name, Events: in.Events, Enabled: true,
		CreatedAt: now, UpdatedAt: now,
	}
	e, creation, err = s.store.CreateEventEndpoint(ctx, e, EventSecrets{Sealed: s.sealer.Seal([]byte(secret))}, key)
	if err != nil || creation != Created {
		secret = ""
	}
	return e, secret, creation, err
}

// Update changes an endpoint of a publisher that the caller owns.
func (s *EventEndpoints) Update(
	ctx context.Context, c Caller, publisherSlug string, id ID, patch EventEndpointPatch, seen *time.Time,
) (EventEndpoint, error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return EventEndpoint{}, err
	}
	now := s.now()
	e, _, err := s.store.UpdateEventEndpoint(ctx, p.ID, id, now, Idempotency{},
		func(e *EventEndpoint, _ *EventSecrets) error {
			if err := CheckSeen(seen, e.Version()); err != nil {
				return err
			}
			patch.apply(e, now)
			return s.rules.check(patch, now)
		})
	if err != nil {
		return e, err
	}
	s.nudge() // events may be due to an endpoint that was enabled again
	return e, nil
}

// Rotate replaces the secret of an endpoint of a publisher that the caller owns; for secretKept, events are signed with
// the old one too. The secret is empty when the request is a replay.
func (s *EventEndpoints) Rotate(
	ctx context.Context, c Caller, publisherSlug string, id ID, key Idempotency,
) (e EventEndpoint, secret string, creation Creation, err error) {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return e, "", 0, err
	}
	now := s.now()
	e, creation, err = s.store.UpdateEventEndpoint(ctx, p.ID, id, now, key,
		func(_ *EventEndpoint, secrets *EventSecrets) error {
			secret = s.newSecret()
			secrets.PreviousSealed, secrets.PreviousUntil = secrets.Sealed, new(now.Add(secretKept))
			secrets.Sealed = s.sealer.Seal([]byte(secret))
			return nil
		})
	return e, secret, creation, err
}

// Delete deletes an endpoint of a publisher that the caller owns; its pending deliveries are not sent.
func (s *EventEndpoints) Delete(ctx context.Context, c Caller, publisherSlug string, id ID, seen *time.Time) error {
	p, err := ownPublisher(ctx, s.store, c, publisherSlug)
	if err != nil {
		return err
	}
	return s.store.DeleteEventEndpoint(ctx, p.ID, id, seen)
}
