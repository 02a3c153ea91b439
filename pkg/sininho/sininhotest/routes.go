package sininhotest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
)

func (s *Server) routes() *http.ServeMux {
	const channel = "/api/v1/channels/{publisherSlug}/{channelSlug}"
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/auth", s.getAuth)
	mux.HandleFunc("GET /api/v1/categories", s.locked(s.listCategories))
	mux.HandleFunc("GET /api/v1/channels", s.locked(s.listChannels))
	mux.HandleFunc("POST /api/v1/channels", s.locked(s.once(s.createChannel)))
	mux.HandleFunc(channel, s.locked(s.inChannel(s.oneChannel)))
	mux.HandleFunc("GET "+channel+"/notifications", s.locked(s.inChannel(s.listNotifications)))
	mux.HandleFunc("POST "+channel+"/notifications", s.locked(s.once(s.publish)))
	mux.HandleFunc("GET "+channel+"/notifications/stream", s.stream)
	mux.HandleFunc(channel+"/notifications/{id}", s.locked(s.inChannel(s.oneNotification)))
	mux.HandleFunc("GET "+channel+"/notifications/{id}/deliveries", s.locked(s.inChannel(s.getDeliveries)))
	mux.HandleFunc("GET "+channel+"/deliveries", s.locked(s.inChannel(s.getChannelDeliveries)))
	mux.HandleFunc("POST /api/v1/categories", s.locked(s.once(s.createCategory)))
	mux.HandleFunc("/api/v1/categories/{id}", s.locked(s.oneCategory))
	s.publisherRoutes(mux)
	s.webhookRoutes(mux, channel+"/webhooks")
	s.signInRoutes(mux)
	s.subscriberRoutes(mux)
	s.waitlistRoutes(mux)
	return mux
}

func (s *Server) locked(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.store.mu.Lock()
		defer s.store.mu.Unlock()
		h(w, r)
	}
}

type channelHandler func(http.ResponseWriter, *http.Request, *channel)

func (s *Server) inChannel(h channelHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug")); c != nil {
			h(w, r, c)
			return
		}
		notFound(w)
	}
}

// once replays the first answer to an idempotency key.
func (s *Server) once(h func(*http.Request, []byte) (int, any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body json.RawMessage
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil && !errors.Is(err, io.EOF) {
			writeProblem(w, problem(http.StatusBadRequest, "malformed", "The body is not JSON."))
			return
		}
		key := r.Header.Get("Idempotency-Key")
		name := r.URL.Path + " " + key
		first, known := s.store.replays[name]
		if key != "" && known && first.body != string(body) {
			writeProblem(w, problem(http.StatusUnprocessableEntity, "idempotency_key_reused", "The key was used with another body."))
			return
		}
		if key == "" || !known {
			first.status, first.value = h(r, body)
			first.body = string(body)
		} else {
			w.Header().Set("Idempotency-Replayed", "true")
			first.value = withoutSecret(first.value)
		}
		if p, isProblem := first.value.(api.Problem); isProblem {
			writeProblem(w, p)
			return
		}
		s.store.replays[name] = first
		w.Header().Set("ETag", etag(first.value))
		writeJSON(w, first.status, first.value)
	}
}

// withoutSecret is what a repetition is answered.
func withoutSecret(value any) any {
	switch v := value.(type) {
	case sininho.APIKeySecret:
		v.Secret = ""
		return v
	case sininho.AccessTokenSecret:
		v.Secret = ""
		return v
	case sininho.WebhookSecret:
		v.Secret = ""
		return v
	case sininho.EventEndpointSecret:
		v.Secret = ""
		return v
	}
	return value
}

func refusal(status int, code, detail string) (int, any) {
	return status, problem(status, code, detail)
}

func (s *Server) getAuth(w http.ResponseWriter, r *http.Request) {
	caller := sininho.Caller{Kind: sininho.CallerVisitor, SignInMethods: []sininho.SignInMethod{{Kind: "google", URL: "/api/v1/auth/google"}}}
	switch bearer := r.Header.Get("Authorization"); {
	case strings.HasPrefix(bearer, "Bearer "+keyPrefix):
		caller.Kind, caller.Publisher = sininho.CallerPublisher, &s.store.publisher
		caller.Scopes = []sininho.Scope{sininho.ScopePublish, sininho.ScopeChannels, sininho.ScopeRead}
	case bearer != "":
		caller.Kind, caller.Subscriber = sininho.CallerSubscriber, &s.store.me
	}
	writeJSON(w, http.StatusOK, caller)
}

func (s *Server) listCategories(w http.ResponseWriter, r *http.Request) {
	writePage(w, r, s.store.categories)
}

func (s *Server) listChannels(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	found := []sininho.Channel{}
	for _, c := range s.store.channels {
		text := strings.ToLower(c.Name + " " + c.Description + " " + c.Slug)
		if c.Visibility == sininho.Public && strings.Contains(text, strings.ToLower(query.Get("q"))) &&
			matches(query.Get("category"), c.Category.Slug) && matches(query.Get("publisher"), c.PublisherSlug) {
			found = append(found, c.Channel)
		}
	}
	writePage(w, r, found)
}

func matches(wanted, value string) bool { return wanted == "" || wanted == value }

func (s *Server) createChannel(_ *http.Request, body []byte) (int, any) {
	var in api.ChannelInput
	_ = json.Unmarshal(body, &in)
	if in.PublisherSlug != s.store.publisher.Slug && s.store.owned(in.PublisherSlug) == nil {
		return refusal(http.StatusForbidden, "forbidden", "The publisher is another's.")
	}
	category := s.store.category(in.CategoryID.String())
	if category == nil {
		return unknown("categoryId", "is no category")
	}
	if s.store.channel(in.PublisherSlug+"/"+in.Slug) != nil {
		return refusal(http.StatusConflict, "slug_taken", "The publisher already has a channel with this slug.")
	}
	c := sininho.Channel{PublisherSlug: in.PublisherSlug, Slug: in.Slug, Name: in.Name, Category: categoryRef(*category)}
	c.Description, c.Icon = value(in.Description), value(in.Icon)
	c.Visibility = sininho.Visibility(value(in.Visibility))
	return http.StatusCreated, s.store.addChannel(c).Channel
}

func value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}

func (s *Server) oneChannel(w http.ResponseWriter, r *http.Request, c *channel) {
	if changed(w, r, c.Channel) {
		return
	}
	switch r.Method {
	case http.MethodPatch:
		in := decoded[struct{ CategoryID string }](duplicate(r))
		c.Channel = merged(r, c.Channel)
		if category := s.store.category(in.CategoryID); category != nil {
			c.Category = categoryRef(*category)
		}
	case http.MethodDelete:
		s.store.channels = slices.DeleteFunc(s.store.channels, func(other *channel) bool { return other == c })
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeVersion(w, c.Channel)
}

// duplicate lets the body be read twice.
func duplicate(r *http.Request) *http.Request {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	copied := *r
	copied.Body = io.NopCloser(bytes.NewReader(body))
	return &copied
}

func (s *Server) listNotifications(w http.ResponseWriter, r *http.Request, c *channel) {
	newest := []sininho.Notification{}
	for _, n := range slices.Backward(c.notifications) {
		if !n.PublishedAt.IsZero() {
			newest = append(newest, n)
		}
	}
	writeNotifications(w, r, newest)
}

// writeNotifications answers a page by offset or cursor.
func writeNotifications(w http.ResponseWriter, r *http.Request, newest []sininho.Notification) {
	from := number(r, "offset", 0)
	if cursor := r.URL.Query().Get("cursor"); cursor != "" {
		from = 1 + slices.IndexFunc(newest, func(n sininho.Notification) bool { return n.ID == cursor })
	}
	from = min(from, len(newest))
	to := min(from+number(r, "limit", 10), len(newest))
	meta := map[string]any{"total": len(newest)}
	if to < len(newest) {
		meta["nextCursor"] = newest[to-1].ID
	}
	writeJSON(w, http.StatusOK, map[string]any{"data": append([]sininho.Notification{}, newest[from:to]...), "meta": meta})
}

// tell tells those who follow a channel's stream or have it in their feed. The caller holds
// the lock.
func (s *Server) tell(c *channel, event sininho.Event) {
	c.tell(event)
	if s.store.subscription(c.ID) != nil {
		s.store.tellFeed(told{Event: event, channelID: c.ID})
	}
}

func (s *Server) publish(r *http.Request, body []byte) (int, any) {
	c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug"))
	if c == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such channel.")
	}
	if fault := publishFault(body); fault != nil {
		return int(fault.Status), *fault
	}
	return s.add(c, body)
}

// add publishes what has no fault, or finds what has its external id.
func (s *Server) add(c *channel, body []byte) (int, sininho.Notification) {
	n := sininho.Notification{Importance: sininho.Normal}
	_ = json.Unmarshal(body, &n)
	for _, existing := range c.notifications {
		if n.ExternalID != "" && existing.ExternalID == n.ExternalID {
			return http.StatusOK, existing
		}
	}
	n.ID, n.Channel = newID(), refOf(c)
	if !n.ScheduledAt.After(now()) {
		n.PublishedAt = now()
		c.NotificationCount++
		c.LastPublishedAt = n.PublishedAt
		s.tell(c, sininho.Event{Type: sininho.EventNotification, Notification: &n})
	}
	c.notifications = append(c.notifications, n)
	return http.StatusCreated, n
}

// publishFault is what the server refuses though the contract's schema allows it.
func publishFault(body []byte) *api.Problem {
	var in sininho.PublishInput
	_ = json.Unmarshal(body, &in)
	var fields []api.FieldError
	for name, link := range map[string]*string{"image": &in.Image, "icon": &in.Icon, "link": &in.Link} {
		if strings.HasPrefix(*link, "http:") { // only a server under development takes some
			fields = append(fields, api.FieldError{Pointer: "#/" + name, Code: "link", Detail: "is not an https address"})
			*link = ""
		}
	}
	var input *sininho.InputError
	if errors.As(in.Validate(), &input) {
		for _, f := range input.Fields {
			fields = append(fields, api.FieldError{Pointer: f.Pointer, Code: f.Code, Detail: f.Detail})
		}
	}
	return faulty(fields)
}

func (s *Server) oneNotification(w http.ResponseWriter, r *http.Request, c *channel) {
	i := slices.IndexFunc(c.notifications, func(n sininho.Notification) bool { return n.ID == r.PathValue("id") })
	switch {
	case r.Method == http.MethodDelete && c.withdrawn[r.PathValue("id")]:
		w.WriteHeader(http.StatusNoContent)
	case i < 0:
		notFound(w)
	case changed(w, r, c.notifications[i]):
	case r.Method == http.MethodGet:
		writeVersion(w, c.notifications[i])
	case r.Method == http.MethodPatch:
		s.correct(w, r, c, i)
	default:
		if !c.notifications[i].PublishedAt.IsZero() {
			c.NotificationCount--
		}
		c.notifications = slices.Delete(c.notifications, i, i+1)
		c.withdrawn[r.PathValue("id")] = true
		s.tell(c, sininho.Event{Type: sininho.EventWithdrawn, NotificationID: r.PathValue("id")})
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) correct(w http.ResponseWriter, r *http.Request, c *channel, i int) {
	corrected := merged(r, c.notifications[i])
	corrected.EditedAt = now()
	c.notifications[i] = corrected
	s.tell(c, sininho.Event{Type: sininho.EventCorrected, Notification: &corrected})
	writeVersion(w, corrected)
}
