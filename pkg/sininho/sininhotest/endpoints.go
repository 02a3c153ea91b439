package sininhotest

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// endpoint is an event endpoint with its deliveries, which stay pending: nothing is sent.
type endpoint struct {
	sininho.EventEndpoint
	deliveries []sininho.EventDeliveryDetail // oldest first
}

func (s *Server) endpointRoutes(mux *http.ServeMux, path string) {
	mux.HandleFunc("GET "+path, s.locked(s.inPublisher(s.listEndpoints)))
	mux.HandleFunc("POST "+path, s.locked(s.once(s.createEndpoint)))
	mux.HandleFunc(path+"/{id}", s.locked(s.inEndpoint(s.oneEndpoint)))
	mux.HandleFunc("POST "+path+"/{id}/rotate", s.locked(s.once(s.rotateEndpoint)))
	mux.HandleFunc("POST "+path+"/{id}/test", s.locked(s.inEndpoint(s.testEndpoint)))
	mux.HandleFunc("GET "+path+"/{id}/deliveries", s.locked(s.inEndpoint(s.listDeliveries)))
	mux.HandleFunc("GET "+path+"/{id}/deliveries/{deliveryId}", s.locked(s.inEndpoint(s.oneDelivery)))
	mux.HandleFunc("POST "+path+"/{id}/deliveries/{deliveryId}/resend", s.locked(s.inEndpoint(s.oneDelivery)))
}

// endpoint finds one, and the publisher that has it.
func (s *Server) endpoint(r *http.Request) (*publisher, *endpoint) {
	p := s.store.owned(r.PathValue("publisherSlug"))
	if p == nil {
		return nil, nil
	}
	for _, e := range p.endpoints {
		if e.ID == r.PathValue("id") {
			return p, e
		}
	}
	return p, nil
}

func (s *Server) inEndpoint(do func(http.ResponseWriter, *http.Request, *publisher, *endpoint)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if p, e := s.endpoint(r); e != nil {
			do(w, r, p, e)
			return
		}
		notFound(w)
	}
}

func (s *Server) listEndpoints(w http.ResponseWriter, r *http.Request, p *publisher) {
	var all []sininho.EventEndpoint
	for _, e := range p.endpoints {
		all = append(all, e.EventEndpoint)
	}
	writePage(w, r, all)
}

func (s *Server) createEndpoint(r *http.Request, body []byte) (int, any) {
	p := s.store.owned(r.PathValue("publisherSlug"))
	if p == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such publisher.")
	}
	e := &endpoint{}
	_ = json.Unmarshal(body, &e.EventEndpoint)
	if e.Events == nil {
		e.Events = []sininho.EndpointEventType{
			sininho.NotificationDispatched, sininho.NotificationFinished, sininho.NotificationFailed, sininho.ChannelSubscribers, sininho.EndpointTest,
		}
	}
	e.ID, e.Enabled, e.CreatedAt = newID(), true, now()
	p.endpoints = append(p.endpoints, e)
	return http.StatusCreated, e.withSecret()
}

func (e *endpoint) withSecret() sininho.EventEndpointSecret {
	return sininho.EventEndpointSecret{
		ID: e.ID, URL: e.URL, Name: e.Name, Events: e.Events, Enabled: e.Enabled, Secret: webhook.NewSecret(), CreatedAt: e.CreatedAt,
	}
}

func (s *Server) oneEndpoint(w http.ResponseWriter, r *http.Request, p *publisher, e *endpoint) {
	if changed(w, r, e.EventEndpoint) {
		return
	}
	switch r.Method {
	case http.MethodPatch:
		e.EventEndpoint = merged(r, e.EventEndpoint)
	case http.MethodDelete:
		p.endpoints = slices.DeleteFunc(p.endpoints, func(other *endpoint) bool { return other == e })
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeVersion(w, e.EventEndpoint)
}

func (s *Server) rotateEndpoint(r *http.Request, _ []byte) (int, any) {
	_, e := s.endpoint(r)
	if e == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such endpoint.")
	}
	return http.StatusOK, e.withSecret()
}

func (s *Server) testEndpoint(w http.ResponseWriter, _ *http.Request, p *publisher, e *endpoint) {
	if !e.Enabled {
		writeProblem(w, problem(http.StatusUnprocessableEntity, sininho.CodeDisabled, "The event endpoint is switched off. Switch it on first."))
		return
	}
	d := sininho.EventDeliveryDetail{
		ID: newID(), Type: sininho.EndpointTest, Status: sininho.DeliveryPending, CreatedAt: now(), NextAttemptAt: now(), Attempts: []sininho.EventAttempt{},
		Payload: sininho.EndpointEvent{Type: sininho.EndpointTest, Timestamp: now(), Data: sininho.EndpointEventData{Publisher: p.Slug}},
	}
	e.deliveries = append(e.deliveries, d)
	writeJSON(w, http.StatusAccepted, short(d))
}

// short is a delivery as it is listed.
func short(d sininho.EventDeliveryDetail) sininho.EventDelivery {
	return sininho.EventDelivery{
		ID: d.ID, Type: d.Type, Status: d.Status, Attempts: len(d.Attempts), NextAttemptAt: d.NextAttemptAt, CreatedAt: d.CreatedAt,
	}
}

func (s *Server) listDeliveries(w http.ResponseWriter, r *http.Request, _ *publisher, e *endpoint) {
	newest := []sininho.EventDelivery{}
	for _, d := range slices.Backward(e.deliveries) {
		if matches(r.URL.Query().Get("status"), string(d.Status)) {
			newest = append(newest, short(d))
		}
	}
	writePage(w, r, newest)
}

// oneDelivery shows a delivery, or takes the wish to send it again.
func (s *Server) oneDelivery(w http.ResponseWriter, r *http.Request, _ *publisher, e *endpoint) {
	i := slices.IndexFunc(e.deliveries, func(d sininho.EventDeliveryDetail) bool { return d.ID == r.PathValue("deliveryId") })
	switch {
	case i < 0:
		notFound(w)
	case r.Method == http.MethodPost:
		writeJSON(w, http.StatusAccepted, short(e.deliveries[i]))
	default:
		writeJSON(w, http.StatusOK, e.deliveries[i])
	}
}
