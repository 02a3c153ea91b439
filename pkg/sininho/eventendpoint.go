package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// EventEndpointsService makes addresses of a publisher that are told what happened
// (API: /publishers/{publisherSlug}/event-endpoints). It needs the access token of a member,
// and for changes an owner's. What is posted there is verified with package webhook of this
// module and read with [ParseEvent].
type EventEndpointsService struct{ api *api.Client }

// EventEndpoint is an address that is told what happened.
type EventEndpoint struct {
	ID     string              `json:"id"`
	URL    string              `json:"url"`
	Name   string              `json:"name"`
	Events []EndpointEventType `json:"events"`
	// Enabled says whether it is told.
	Enabled bool `json:"enabled"`
	// DisabledAt is when it was switched off; DisabledReason why, empty when it was by hand.
	DisabledAt     time.Time `json:"disabledAt,omitzero"`
	DisabledReason string    `json:"disabledReason,omitzero"`
	// FailingSince is zero when the latest delivery arrived.
	FailingSince time.Time `json:"failingSince,omitzero"`
	CreatedAt    time.Time `json:"createdAt"`
	// Version is set by Get and Update, for [IfVersion].
	Version string `json:"-"`
}

func (e *EventEndpoint) setVersion(version string) { e.Version = version }

// EventEndpointSecret is a new event endpoint, or one with a new secret. Keep the secret: it
// is shown this once.
type EventEndpointSecret struct {
	ID      string              `json:"id"`
	URL     string              `json:"url"`
	Name    string              `json:"name"`
	Events  []EndpointEventType `json:"events"`
	Enabled bool                `json:"enabled"`
	// Secret is what to verify with, `whsec_…`. It is empty when an idempotency key was used
	// again.
	Secret    string    `json:"secret,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
}

// EventEndpointInput is an event endpoint to create. URL and Name are needed.
type EventEndpointInput struct {
	// URL is a public https address at port 443; a server under development may take http to
	// its own machine.
	URL string
	// Name has 1 to 100 characters.
	Name string
	// Events is all of them unless set.
	Events []EndpointEventType
}

// EventEndpointUpdate is what to change; what is nil stays.
type EventEndpointUpdate struct {
	URL, Name *string
	Events    []EndpointEventType
	// Enabled true takes one back into service that was switched off because it failed.
	Enabled *bool
}

// List goes through the event endpoints of a publisher, oldest first. An error ends it.
func (s *EventEndpointsService) List(ctx context.Context, publisher string) iter.Seq2[EventEndpoint, error] {
	slug, err := parseSlug(publisher)
	if err != nil {
		return failed[EventEndpoint](err)
	}
	return listed(func(e EventEndpoint) string { return e.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListEventEndpoints(ctx, slug, &api.ListEventEndpointsParams{Limit: limit, Offset: offset})
	})
}

// Get shows one event endpoint.
func (s *EventEndpointsService) Get(ctx context.Context, publisher, id string) (*EventEndpoint, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	return decodeVersion[EventEndpoint](s.api.GetEventEndpoint(ctx, slug, parsed))
}

// Create makes an event endpoint, with its secret. It is told what happens from now on.
func (s *EventEndpointsService) Create(ctx context.Context, publisher string, in EventEndpointInput, opts ...CallOption) (*EventEndpointSecret, error) {
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
	return decode[EventEndpointSecret](s.api.CreateEventEndpoint(ctx, slug, &api.CreateEventEndpointParams{IdempotencyKey: &c.key},
		api.EventEndpointInput{URL: in.URL, Name: in.Name, Events: eventTypes(in.Events)}))
}

// Update changes an event endpoint and returns it as it is now.
func (s *EventEndpointsService) Update(ctx context.Context, publisher, id string, in EventEndpointUpdate, opts ...ChangeOption) (*EventEndpoint, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	f := checkEndpoint(in.URL, in.Name)
	if err := f.err(); err != nil {
		return nil, err
	}
	return decodeVersion[EventEndpoint](s.api.UpdateEventEndpoint(ctx, slug, parsed, &api.UpdateEventEndpointParams{IfMatch: newChange(opts).version},
		api.EventEndpointPatch{URL: in.URL, Name: in.Name, Events: eventTypes(in.Events), Enabled: in.Enabled}))
}

// Delete deletes an event endpoint. What is still to be delivered to it is not.
func (s *EventEndpointsService) Delete(ctx context.Context, publisher, id string, opts ...ChangeOption) error {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return err
	}
	return check(s.api.DeleteEventEndpoint(ctx, slug, parsed, &api.DeleteEventEndpointParams{IfMatch: newChange(opts).version}))
}

// Rotate makes a new secret. For 24 hours, or until the next rotation, events are signed with
// the old one too.
func (s *EventEndpointsService) Rotate(ctx context.Context, publisher, id string, opts ...CallOption) (*EventEndpointSecret, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	return decode[EventEndpointSecret](s.api.RotateEventEndpoint(ctx, slug, parsed, &api.RotateEventEndpointParams{IdempotencyKey: &c.key}))
}

// Test sends an event of the type test, and returns its delivery, which is tried like any
// other. When the endpoint is switched off it is an [ErrInvalid] with the code [CodeDisabled].
func (s *EventEndpointsService) Test(ctx context.Context, publisher, id string) (*EventDelivery, error) {
	slug, parsed, err := parseItem(publisher, id)
	if err != nil {
		return nil, err
	}
	return decode[EventDelivery](s.api.TestEventEndpoint(ctx, slug, parsed))
}

// checkEndpoint looks only at what keeps it from being sent; the server judges the address.
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
