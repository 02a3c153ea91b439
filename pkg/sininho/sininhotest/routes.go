package sininhotest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
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
	mux.HandleFunc("GET "+channel, s.locked(s.inChannel(s.getChannel)))
	mux.HandleFunc("GET "+channel+"/notifications", s.locked(s.inChannel(s.listNotifications)))
	mux.HandleFunc("POST "+channel+"/notifications", s.locked(s.once(s.publish)))
	mux.HandleFunc("GET "+channel+"/notifications/stream", s.stream)
	mux.HandleFunc(channel+"/notifications/{id}", s.locked(s.inChannel(s.oneNotification)))
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
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
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
		}
		if p, isProblem := first.value.(api.Problem); isProblem {
			writeProblem(w, p)
			return
		}
		s.store.replays[name] = first
		writeJSON(w, first.status, first.value)
	}
}

func refusal(status int, code, detail string) (int, any) {
	return status, problem(status, code, detail)
}

func (s *Server) getAuth(w http.ResponseWriter, r *http.Request) {
	caller := sininho.Caller{Kind: sininho.CallerVisitor, SignInMethods: []sininho.SignInMethod{{Kind: "google", URL: "/api/v1/auth/google"}}}
	if r.Header.Get("Authorization") != "" {
		caller.Kind, caller.Publisher = sininho.CallerPublisher, &s.store.publisher
		caller.Scopes = []sininho.Scope{sininho.ScopePublish, sininho.ScopeChannels, sininho.ScopeRead}
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
	if in.PublisherSlug != s.store.publisher.Slug {
		return refusal(http.StatusForbidden, "forbidden", "The key is another publisher's.")
	}
	i := slices.IndexFunc(s.store.categories, func(c sininho.Category) bool { return c.ID == in.CategoryID.String() })
	if i < 0 {
		p := problem(http.StatusUnprocessableEntity, "invalid", "The request has 1 fault.")
		p.Errors = []api.FieldError{{Pointer: "#/categoryId", Code: "unknown", Detail: "is no category"}}
		return int(p.Status), p
	}
	if s.store.channel(in.PublisherSlug+"/"+in.Slug) != nil {
		return refusal(http.StatusConflict, "slug_taken", "The publisher already has a channel with this slug.")
	}
	c := sininho.Channel{Slug: in.Slug, Name: in.Name, Category: categoryRef(s.store.categories[i])}
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

func (s *Server) getChannel(w http.ResponseWriter, _ *http.Request, c *channel) {
	writeJSON(w, http.StatusOK, c.Channel)
}

func (s *Server) listNotifications(w http.ResponseWriter, r *http.Request, c *channel) {
	newest := []sininho.Notification{}
	for _, n := range slices.Backward(c.notifications) {
		if !n.PublishedAt.IsZero() {
			newest = append(newest, n)
		}
	}
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

func (s *Server) publish(r *http.Request, body []byte) (int, any) {
	c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug"))
	if c == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such channel.")
	}
	n := sininho.Notification{Importance: sininho.Normal}
	_ = json.Unmarshal(body, &n)
	for _, existing := range c.notifications {
		if n.ExternalID != "" && existing.ExternalID == n.ExternalID {
			return http.StatusOK, existing
		}
	}
	n.ID, n.Channel = newID(), sininho.ChannelRef{ID: c.ID, PublisherSlug: c.PublisherSlug, Slug: c.Slug, Name: c.Name}
	if !n.ScheduledAt.After(now()) {
		n.PublishedAt = now()
		c.NotificationCount++
		c.LastPublishedAt = n.PublishedAt
		c.tell(sininho.Event{Type: sininho.EventNotification, Notification: &n})
	}
	c.notifications = append(c.notifications, n)
	return http.StatusCreated, n
}

func (s *Server) oneNotification(w http.ResponseWriter, r *http.Request, c *channel) {
	i := slices.IndexFunc(c.notifications, func(n sininho.Notification) bool { return n.ID == r.PathValue("id") })
	switch {
	case r.Method == http.MethodDelete && c.withdrawn[r.PathValue("id")]:
		w.WriteHeader(http.StatusNoContent)
	case i < 0:
		notFound(w)
	case r.Method == http.MethodGet:
		writeJSON(w, http.StatusOK, c.notifications[i])
	case r.Method == http.MethodPatch:
		s.correct(w, r, c, i)
	default:
		if !c.notifications[i].PublishedAt.IsZero() {
			c.NotificationCount--
		}
		c.notifications = slices.Delete(c.notifications, i, i+1)
		c.withdrawn[r.PathValue("id")] = true
		c.tell(sininho.Event{Type: sininho.EventWithdrawn, NotificationID: r.PathValue("id")})
		w.WriteHeader(http.StatusNoContent)
	}
}

func (s *Server) correct(w http.ResponseWriter, r *http.Request, c *channel, i int) {
	merged := map[string]any{}
	old, _ := json.Marshal(c.notifications[i])
	_ = json.Unmarshal(old, &merged)
	_ = json.NewDecoder(r.Body).Decode(&merged)
	corrected := sininho.Notification{}
	text, _ := json.Marshal(merged)
	_ = json.Unmarshal(text, &corrected)
	corrected.EditedAt = now()
	c.notifications[i] = corrected
	c.tell(sininho.Event{Type: sininho.EventCorrected, Notification: &corrected})
	writeJSON(w, http.StatusOK, corrected)
}

func (s *Server) stream(w http.ResponseWriter, r *http.Request) {
	s.store.mu.Lock()
	c := s.store.channel(r.PathValue("publisherSlug") + "/" + r.PathValue("channelSlug"))
	if c == nil {
		s.store.mu.Unlock()
		notFound(w)
		return
	}
	cut, sent := s.store.cut, len(c.events)
	s.store.mu.Unlock()
	if last, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil {
		sent = last
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = w.Write([]byte("retry: 10\nid: " + strconv.Itoa(sent) + "\n\n"))
	for {
		w.(http.Flusher).Flush()
		s.store.mu.Lock()
		events, changed := slices.Clone(c.events), c.changed
		s.store.mu.Unlock()
		for ; sent < len(events); sent++ {
			writeEvent(w, c.ID, events[sent])
		}
		w.(http.Flusher).Flush()
		select {
		case <-changed:
		case <-cut:
			return
		case <-s.store.ended:
			return
		case <-r.Context().Done():
			return
		}
	}
}

func writeEvent(w http.ResponseWriter, channelID string, event sininho.Event) {
	var data any = event.Notification
	if event.Type == sininho.EventWithdrawn {
		data = map[string]string{"id": event.NotificationID, "channelId": channelID}
	}
	text, _ := json.Marshal(data)
	_, _ = w.Write([]byte("id: " + event.ID + "\nevent: " + string(event.Type) + "\ndata: " + string(text) + "\n\n"))
}
