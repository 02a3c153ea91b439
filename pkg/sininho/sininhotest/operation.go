package sininhotest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// base is the path under which the API is served.
const base = "/api/v1"

// operation is an operation of the API that the server covers.
type operation struct {
	pattern string // in the syntax of [http.ServeMux], without base
	visitor bool   // allowed without an API key
	params  []param
	body    *schema
	maxBody int // in bytes, if it is more than maxBody
	// rules checks a body that violates its schema against the other rules too, so that all its
	// faults are reported at once. Handlers check these rules for valid bodies.
	rules func(body []byte) error
	serve func(http.ResponseWriter, *request) error
}

// request is a request with its body and its API key.
type request struct {
	*http.Request
	body []byte
	key  *key // nil for a visitor
}

// reply is a response with a JSON body, or without one if value is nil.
type reply struct {
	status                  int
	value                   any
	version, location, link string
	replayed                bool
}

func ok(value any) *reply { return &reply{status: http.StatusOK, value: value} }

func (s *Server) operations() []operation {
	const (
		channel       = "/channels/{publisherSlug}/{channelSlug}"
		notifications = channel + "/notifications"
		notification  = notifications + "/{id}"
	)
	return []operation{
		{pattern: "GET /auth", visitor: true, serve: s.replies(s.getAuth)},
		{pattern: "GET /categories", visitor: true, params: paging, serve: s.replies(s.listCategories)},
		{pattern: "GET /categories/{id}", visitor: true, serve: s.replies(s.getCategory)},

		{pattern: "GET /channels", visitor: true, params: channelFilter, serve: s.replies(s.listChannels)},
		{pattern: "POST /channels", params: creating, body: &channelInput, rules: rulesOfChannelInput,
			serve: s.replies(s.createChannel)},
		{pattern: "GET " + channel, visitor: true, serve: s.replies(s.getChannel)},
		{pattern: "PATCH " + channel, params: changing, body: &channelPatch, rules: rulesOfChannelPatch,
			serve: s.replies(s.updateChannel)},
		{pattern: "DELETE " + channel, params: changing, serve: s.replies(s.deleteChannel)},

		{pattern: "GET " + notifications, visitor: true, params: notificationFilter,
			serve: s.replies(s.listNotifications)},
		{pattern: "POST " + notifications, params: creating, body: &notificationInput, rules: rulesOfNotificationInput,
			serve: s.replies(s.publish)},
		{pattern: "POST " + notifications + "/batch", params: creating, body: &notificationBatch, maxBody: maxBatch,
			rules: rulesOfNotificationBatch, serve: s.replies(s.publishBatch)},
		{pattern: "GET " + notifications + "/stream", visitor: true, params: following, serve: s.stream},
		{pattern: "GET " + notification, visitor: true, serve: s.replies(s.getNotification)},
		{pattern: "PATCH " + notification, params: changing, body: &notificationPatch, rules: rulesOfNotificationPatch,
			serve: s.replies(s.correct)},
		{pattern: "DELETE " + notification, params: changing, serve: s.replies(s.withdraw)},
	}
}

func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, o := range s.operations() {
		method, path, _ := strings.Cut(o.pattern, " ")
		mux.HandleFunc(method+" "+base+path, func(w http.ResponseWriter, r *http.Request) {
			if err := s.carryOut(o, w, r); err != nil {
				writeProblem(w, r, err)
			}
		})
	}
	mux.HandleFunc("/", notCovered)
	return mux
}

// notCovered responds 501 to all other requests.
func notCovered(w http.ResponseWriter, r *http.Request) {
	detail := fmt.Sprintf("sininhotest has no %s %s. It covers GET %s/auth, reading categories, channels, "+
		"notifications and channel streams. Script this response with Server.Reply or Server.Respond, or test against "+
		"`sininho-server dev`.", r.Method, r.URL.Path, base)
	writeProblem(w, r, &refusal{status: http.StatusNotImplemented, code: "not_implemented", detail: detail})
}

// carryOut checks a request in the same order as a real server, and serves it.
func (s *Server) carryOut(o operation, w http.ResponseWriter, r *http.Request) error {
	k, err := s.identify(r)
	if err != nil {
		return err
	}
	if k == nil && !o.visitor {
		return unauthenticated("Send an API key.")
	}
	in := &request{Request: r, key: k}
	if err := o.validate(in); err != nil {
		return err
	}
	return o.serve(w, in)
}

// validate checks a request against the contract.
func (o operation) validate(r *request) error {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return malformed("The query is not valid percent-encoding; encode %, &, ; and = in values.")
	}
	var f faults
	for _, p := range o.allParams() {
		f.param(p, p.values(r.Request, query))
		delete(query, p.name)
	}
	for name := range query {
		f.add("query:"+name, "unknown_parameter", "is not a parameter of this operation")
	}
	if o.body != nil {
		if err := f.readBody(r, o.body, max(o.maxBody, maxBody)); err != nil {
			return err
		}
	}
	if len(f) > 0 && o.rules != nil && len(r.body) > 0 {
		f.rules(o.rules(f.faultless(r.body)))
	}
	return f.err()
}

// replies returns a function that serves the result of handle. Handlers run one at a time.
func (s *Server) replies(handle func(*request) (*reply, error)) func(http.ResponseWriter, *request) error {
	return func(w http.ResponseWriter, r *request) error {
		s.store.mu.Lock()
		defer s.store.mu.Unlock()
		s.store.settle()
		out, err := handle(r)
		if err != nil {
			return err
		}
		for name, value := range map[string]string{"ETag": out.version, "Location": out.location, "Link": out.link} {
			if value != "" {
				w.Header().Set(name, value)
			}
		}
		if out.replayed {
			w.Header().Set("Idempotency-Replayed", "true")
		}
		if out.value == nil {
			w.WriteHeader(out.status)
			return nil
		}
		writeJSON(w, out.status, out.value)
		return nil
	}
}
