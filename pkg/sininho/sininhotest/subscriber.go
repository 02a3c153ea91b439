package sininhotest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
)

// person is all that is kept of ana@example.com.
type person struct {
	me, other     sininho.Subscriber
	onboarding    sininho.Onboarding
	subscriptions []*sininho.Subscription
	devices       []*sininho.Device
	tokens        []sininho.AccessToken
	read          map[string]time.Time
	archived      map[string]bool
	feedEvents    []told
	feedChanged   chan struct{}
	deleted       bool
}

func newPerson() person {
	somebody := func(name, email string) sininho.Subscriber {
		return sininho.Subscriber{
			ID: newID(), Email: email, Name: name, Locale: "pt", Timezone: "Europe/Lisbon",
			BellDefault: sininho.BellAll, CreatedAt: now(),
		}
	}
	return person{
		me: somebody("Ana", "ana@example.com"), other: somebody("Bia", "bia@example.com"),
		onboarding: sininho.Onboarding{Step: sininho.StepInterests, CategoryIDs: []string{}},
		devices: []*sininho.Device{{
			ID: newID(), InstallationID: newID(), Kind: "token", Platform: "web", Name: "Chrome em Linux", CreatedAt: now(), LastSeenAt: now(),
		}},
		read: map[string]time.Time{}, archived: map[string]bool{}, feedChanged: make(chan struct{}),
	}
}

func (s *Server) subscriberRoutes(mux *http.ServeMux) {
	const path = "/api/v1/subscribers"
	mux.HandleFunc(path+"/me", s.locked(s.oneMe))
	mux.HandleFunc("GET "+path+"/me/export", s.locked(s.exportMe))
	mux.HandleFunc(path+"/onboarding", s.locked(s.onboarding))
	mux.HandleFunc("GET "+path+"/access-tokens", s.locked(func(w http.ResponseWriter, r *http.Request) { writePage(w, r, s.store.tokens) }))
	mux.HandleFunc("POST "+path+"/access-tokens", s.locked(s.once(s.createToken)))
	mux.HandleFunc("DELETE "+path+"/access-tokens/{id}", s.locked(s.revokeToken))
	mux.HandleFunc("GET "+path+"/channels", s.locked(s.listSubscriptions))
	mux.HandleFunc("PATCH "+path+"/channels/{id}", s.locked(s.updateSubscription))
	mux.HandleFunc("POST "+path+"/channels/{id}/{what}", s.locked(s.follow))
	mux.HandleFunc("GET "+path+"/notifications", s.locked(s.listFeed))
	mux.HandleFunc("POST "+path+"/notifications/read-all", s.locked(s.readAll))
	mux.HandleFunc("GET "+path+"/notifications/stream", s.streamFeed)
	mux.HandleFunc(path+"/notifications/{id}", s.locked(s.oneFeedItem))
	mux.HandleFunc("POST "+path+"/notifications/{id}/events", s.locked(s.recordFeedEvent))
	mux.HandleFunc("GET "+path+"/devices", s.locked(s.listDevices))
	mux.HandleFunc("POST "+path+"/devices", s.locked(s.registerDevice))
	mux.HandleFunc(path+"/devices/{id}", s.locked(s.oneDevice))
	mux.HandleFunc("POST "+path+"/devices/{id}/test", s.locked(s.testDevice))
}

func (s *Server) oneMe(w http.ResponseWriter, r *http.Request) {
	if changed(w, r, s.store.me) {
		return
	}
	switch r.Method {
	case http.MethodPatch:
		s.store.me = merged(r, s.store.me)
	case http.MethodDelete:
		if slices.ContainsFunc(s.store.publishers, s.isOnlyOwner) {
			writeProblem(w, problem(http.StatusConflict, sininho.CodeLastOwner, "Hand your publishers over first."))
			return
		}
		s.store.deleted = true
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeVersion(w, s.store.me)
}

func (s *Server) isOnlyOwner(p *publisher) bool {
	mine, others := false, false
	for _, m := range p.members {
		mine = mine || (m.ID == s.store.me.ID && m.Role == sininho.Owner)
		others = others || (m.ID != s.store.me.ID && m.Role == sininho.Owner)
	}
	return mine && !others
}

func (s *Server) exportMe(w http.ResponseWriter, _ *http.Request) {
	receipts := []map[string]any{}
	for id, at := range s.store.read {
		receipts = append(receipts, map[string]any{"notificationId": id, "readAt": at})
	}
	subscriptions, devices := []sininho.Subscription{}, []sininho.Device{}
	for _, sub := range s.store.subscriptions {
		subscriptions = append(subscriptions, *sub)
	}
	for _, d := range s.store.devices {
		devices = append(devices, *d)
	}
	publishers := []sininho.Publisher{}
	for _, p := range s.store.publishers {
		publishers = append(publishers, p.Publisher)
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"exportedAt": now(), "subscriber": s.store.me, "onboarding": s.store.person.onboarding, "subscriptions": subscriptions,
		"receipts": receipts, "devices": devices, "sessions": []any{},
		"accessTokens": append([]sininho.AccessToken{}, s.store.tokens...), "publishers": publishers,
	})
}

func (s *Server) onboarding(w http.ResponseWriter, r *http.Request) {
	o := &s.store.person.onboarding
	if r.Method == http.MethodPut {
		in := decoded[sininho.Onboarding](r)
		if o.Step != sininho.StepDone {
			o.Step = in.Step
		}
		if in.CategoryIDs != nil {
			o.CategoryIDs = in.CategoryIDs
		}
		if o.Step == sininho.StepDone && o.CompletedAt.IsZero() {
			o.CompletedAt, s.store.me.Onboarded = now(), true
		}
	}
	writeJSON(w, http.StatusOK, *o)
}

func (s *Server) createToken(_ *http.Request, body []byte) (int, any) {
	var in api.AccessTokenInput
	_ = json.Unmarshal(body, &in)
	return http.StatusCreated, s.store.addToken(in.Name, value(in.ExpiresAt))
}

func (s *store) addToken(name string, expiresAt time.Time) sininho.AccessTokenSecret {
	t := sininho.AccessToken{ID: newID(), Name: name, CreatedAt: now(), ExpiresAt: expiresAt}
	secret := s.newSecret(tokenPrefix, t.ID)
	t.Hint = secret[len(secret)-4:]
	s.tokens = slices.Insert(s.tokens, 0, t)
	return sininho.AccessTokenSecret{ID: t.ID, Name: name, Hint: t.Hint, Secret: secret, CreatedAt: t.CreatedAt, ExpiresAt: expiresAt}
}

func (s *Server) revokeToken(w http.ResponseWriter, r *http.Request) {
	s.store.tokens = slices.DeleteFunc(s.store.tokens, func(t sininho.AccessToken) bool { return t.ID == r.PathValue("id") })
	s.store.forgetSecretsOf(r.PathValue("id"))
	w.WriteHeader(http.StatusNoContent)
}

func (s *store) channelOfID(id string) *channel {
	for _, c := range s.channels {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func (s *store) subscription(channelID string) *sininho.Subscription {
	for _, sub := range s.subscriptions {
		if sub.Channel.ID == channelID {
			return sub
		}
	}
	return nil
}

func (s *Server) listSubscriptions(w http.ResponseWriter, r *http.Request) {
	var all []sininho.Subscription
	for _, sub := range s.store.subscriptions {
		listed := *sub
		for _, n := range s.store.feed() {
			if n.Channel.ID == sub.Channel.ID && n.ReadAt.IsZero() {
				listed.UnreadCount++
			}
		}
		all = append(all, listed)
	}
	writePage(w, r, all)
}

func (s *Server) updateSubscription(w http.ResponseWriter, r *http.Request) {
	sub := s.store.subscription(r.PathValue("id"))
	if sub == nil {
		notFound(w)
		return
	}
	*sub = merged(r, *sub)
	writeJSON(w, http.StatusOK, *sub)
}

func (s *Server) follow(w http.ResponseWriter, r *http.Request) {
	c := s.store.channelOfID(r.PathValue("id"))
	sub := s.store.subscription(r.PathValue("id"))
	switch {
	case c == nil:
		notFound(w)
		return
	case r.PathValue("what") == "unsubscribe":
		s.store.subscriptions = slices.DeleteFunc(s.store.subscriptions, func(other *sininho.Subscription) bool { return other == sub })
		w.WriteHeader(http.StatusNoContent)
		return
	case sub == nil:
		sub = &sininho.Subscription{Channel: refOf(c), Bell: s.store.me.BellDefault, FollowedAt: now()}
		s.store.subscriptions = append(s.store.subscriptions, sub)
	}
	writeJSON(w, http.StatusOK, *sub)
}

func refOf(c *channel) sininho.ChannelRef {
	return sininho.ChannelRef{ID: c.ID, PublisherSlug: c.PublisherSlug, Slug: c.Slug, Name: c.Name, Icon: c.Icon}
}

// feed is what ana sees, newest first; what came before she followed is read.
func (s *store) feed() []sininho.Notification {
	all := []sininho.Notification{}
	for _, sub := range s.subscriptions {
		c := s.channelOfID(sub.Channel.ID)
		if c == nil {
			continue
		}
		for _, n := range c.notifications {
			if n.PublishedAt.IsZero() || s.archived[n.ID] {
				continue
			}
			if n.ReadAt = s.read[n.ID]; n.ReadAt.IsZero() && n.PublishedAt.Before(sub.FollowedAt) {
				n.ReadAt = sub.FollowedAt
			}
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b sininho.Notification) int {
		return cmp.Or(b.PublishedAt.Compare(a.PublishedAt), cmp.Compare(b.ID, a.ID))
	})
	return all
}

func (s *Server) listFeed(w http.ResponseWriter, r *http.Request) {
	all := s.store.feed()
	if r.URL.Query().Get("unread") == "true" {
		all = slices.DeleteFunc(all, func(n sininho.Notification) bool { return !n.ReadAt.IsZero() })
	}
	writeNotifications(w, r, all)
}

func (s *Server) readAll(w http.ResponseWriter, r *http.Request) {
	in := decoded[struct{ ChannelID string }](r)
	for _, n := range s.store.feed() {
		if (in.ChannelID == "" || n.Channel.ID == in.ChannelID) && n.ReadAt.IsZero() {
			s.store.read[n.ID] = now()
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *store) feedItem(id string) *sininho.Notification {
	for _, n := range s.feed() {
		if n.ID == id {
			return &n
		}
	}
	return nil
}

func (s *Server) oneFeedItem(w http.ResponseWriter, r *http.Request) {
	n := s.store.feedItem(r.PathValue("id"))
	if n == nil {
		notFound(w)
		return
	}
	if r.Method == http.MethodPatch {
		in := decoded[api.ReceiptPatch](r)
		if in.Archived != nil {
			s.store.archived[n.ID] = *in.Archived
		}
		if in.Read != nil {
			s.store.setRead(n, *in.Read)
		}
	}
	writeJSON(w, http.StatusOK, n)
}

func (s *Server) recordFeedEvent(w http.ResponseWriter, r *http.Request) {
	n := s.store.feedItem(r.PathValue("id"))
	if n == nil {
		notFound(w)
		return
	}
	if decoded[api.FeedEventInput](r).Type == api.FeedEventInputTypeOpened {
		s.store.setRead(n, true)
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *store) setRead(n *sininho.Notification, read bool) {
	n.ReadAt = time.Time{}
	if read {
		n.ReadAt = now()
	}
	s.read[n.ID] = n.ReadAt
	s.tellFeed(told{Event: sininho.Event{Type: sininho.EventRead, NotificationID: n.ID, ReadAt: n.ReadAt}})
}

// tellFeed appends an event to the feed's stream. The caller holds the lock.
func (s *store) tellFeed(event told) {
	event.ID = strconv.Itoa(len(s.feedEvents) + 1)
	s.feedEvents = append(s.feedEvents, event)
	close(s.feedChanged)
	s.feedChanged = make(chan struct{})
}

func (s *Server) streamFeed(w http.ResponseWriter, r *http.Request) {
	s.streamOf(w, r, func() ([]told, <-chan struct{}) {
		s.store.mu.Lock()
		defer s.store.mu.Unlock()
		return slices.Clone(s.store.feedEvents), s.store.feedChanged
	})
}
