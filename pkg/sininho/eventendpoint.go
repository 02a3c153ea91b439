package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// EventEndpointsService manages the addresses to which a publisher's events are posted
// (API: /publishers/{publisherSlug}/event-endpoints). It needs the access token of a member and,
// for changes, of an owner. A [Receiver] receives the events.
type EventEndpointsService struct{ api *api.Client }

// EventEndpoint is an address to which events are posted.
type EventEndpoint struct {
	ID     string              `json:"id"`
	URL    string              `json:"url"`
	Name   string              `json:"name"`
	Events []EndpointEventType `json:"events"`
	// Enabled reports whether events are posted to it, once it is confirmed.
	Enabled bool `json:"enabled"`
	// ConfirmedAt is when its present URL was confirmed; zero until then.
	ConfirmedAt time.Time `json:"confirmedAt,omitzero"`
	// DisabledAt is when it was disabled, and DisabledReason the reason; it is empty if a member disabled it.
	DisabledAt     time.Time `json:"disabledAt,omitzero"`
	DisabledReason string    `json:"disabledReason,omitzero"`
	// FailingSince is zero if it accepted the latest events or one of them. While it fails, it is paused, and tried
	// with one event at PausedUntil.
	FailingSince time.Time `json:"failingSince,omitzero"`
	PausedUntil  time.Time `json:"pausedUntil,omitzero"`
	CreatedAt    time.Time `json:"createdAt"`
	// Version is set by Get and Update, for [IfVersion].
	Version string `json:"-"`
}

func (e *EventEndpoint) setVersion(version string) { e.Version = version }

// EventEndpointSecret is a new event endpoint, or one with a new secret. Store the secret: it is shown only once.
type EventEndpointSecret struct {
	ID      string              `json:"id"`
	URL     string              `json:"url"`
	Name    string              `json:"name"`
	Events  []EndpointEventType `json:"events"`
	Enabled bool                `json:"enabled"`
	// Secret is the signing secret to verify with, `whsec_…`. It is empty in the replayed response
	// to a repeated idempotency key.
	Secret    string    `json:"secret,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// EventEndpointInput describes an event endpoint to create. URL and Name are required.
type EventEndpointInput struct {
	// URL is a public https address on port 443; a development server may also accept http to its own machine. Its
	// owner must agree: see [EventEndpointsService.Challenge].
	URL string
	// Name has 1 to 100 characters.
	Name string
	// Events defaults to all types.
	Events []EndpointEventType
}

// EventEndpointUpdate holds the fields to change; nil fields stay unchanged. A new URL must be confirmed; events that
// happen until then are kept for it.
type EventEndpointUpdate struct {
	URL, Name *string
	Events    []EndpointEventType
	// Enabled set to true also enables an event endpoint that was disabled because it failed.
	Enabled *bool
}

// List iterates over the event endpoints of a publisher, oldest first. The iteration ends at the first error.
func (s *EventEndpointsService) List(ctx context.Context, publisher string) iter.Seq2[EventEndpoint, error] {
	slug, err := parseSlug(publisher)
	if err != nil {
		return failed[EventEndpoint](err)
	}
	return listed(func(e EventEndpoint) string { return e.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListEventEndpoints(ctx, slug, &api.ListEventEndpointsParams{Limit: limit, Offset: offset})
	})
}

// Get returns one event endpoint.
func (s *EventEndpointsService) Get(ctx context.Context, publisher, id string) (*EventEndpoint, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[EventEndpoint](s.api.GetEventEndpoint(ctx, slug, parsed))
}

// Create creates an event endpoint and returns it with its secret. It receives the events that happen once it is
// confirmed, with [EventEndpointsService.Challenge].
func (s *EventEndpointsService) Create(
	ctx context.Context, publisher string, in EventEndpointInput, opts ...CallOption,
) (*EventEndpointSecret, error) {
	slug, err := parseSlug(publisher)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	f := checkEndpoint(&in.URL, &in.Name)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[EventEndpointSecret](s.api.CreateEventEndpoint(ctx, slug,
		&api.CreateEventEndpointParams{IdempotencyKey: &c.key},
		api.EventEndpointInput{URL: in.URL, Name: in.Name, Events: eventTypes(in.Events)}))
}

// Update changes an event endpoint and returns its new state.
func (s *EventEndpointsService) Update(
	ctx context.Context, publisher, id string, in EventEndpointUpdate, opts ...ChangeOption,
) (*EventEndpoint, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	f := checkEndpoint(in.URL, in.Name)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[EventEndpoint](s.api.UpdateEventEndpoint(ctx, slug, parsed,
		&api.UpdateEventEndpointParams{IfMatch: newChange(opts).version},
		api.EventEndpointPatch{URL: in.URL, Name: in.Name, Events: eventTypes(in.Events), Enabled: in.Enabled}))
}

// Delete deletes an event endpoint and cancels its pending deliveries.
func (s *EventEndpointsService) Delete(ctx context.Context, publisher, id string, opts ...ChangeOption) error {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return err
	}
	return check(
		s.api.DeleteEventEndpoint(ctx, slug, parsed, &api.DeleteEventEndpointParams{IfMatch: newChange(opts).version}),
	)
}

// Rotate creates a new secret. For 24 hours, or until the next rotation, events are signed with
// both the new and the old secret.
func (s *EventEndpointsService) Rotate(
	ctx context.Context, publisher, id string, opts ...CallOption,
) (*EventEndpointSecret, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	return decode[EventEndpointSecret](
		s.api.RotateEventEndpoint(ctx, slug, parsed, &api.RotateEventEndpointParams{IdempotencyKey: &c.key}),
	)
}

// Test sends an event of the type test and returns its delivery, which is retried like any other.
// It fails with [ErrInvalid] and the code [CodeDisabled] if the endpoint is disabled, or [CodeUnconfirmed] if it is not
// confirmed.
func (s *EventEndpointsService) Test(ctx context.Context, publisher, id string) (*EventDelivery, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	return decode[EventDelivery](s.api.TestEventEndpoint(ctx, slug, parsed))
}

// checkEndpoint checks only that the texts can be sent; the server validates the address.
func checkEndpoint(url, name *string) faults {
	var f faults
	f.texts(map[string]*string{"url": url, "name": name})
	return f
}

func eventTypes(types []EndpointEventType) []api.EventType {
	var out []api.EventType
	for _, t := range types {
		out = append(out, api.EventType(t))
	}
	return out
}
