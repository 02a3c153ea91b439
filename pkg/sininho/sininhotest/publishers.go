package sininhotest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/sininho"
)

type publisher struct {
	sininho.Publisher
	members   []sininho.Member
	keys      []sininho.APIKey
	endpoints []*endpoint
}

func (s *Server) publisherRoutes(mux *http.ServeMux) {
	const path = "/api/v1/publishers/{publisherSlug}"
	mux.HandleFunc("GET /api/v1/publishers", s.locked(s.listPublishers))
	mux.HandleFunc("POST /api/v1/publishers", s.locked(s.once(s.createPublisher)))
	mux.HandleFunc(path, s.locked(s.inPublisher(s.onePublisher)))
	mux.HandleFunc("GET "+path+"/members", s.locked(s.inPublisher(func(w http.ResponseWriter, r *http.Request, p *publisher) {
		writePage(w, r, p.members)
	})))
	mux.HandleFunc("POST "+path+"/members", s.locked(s.once(s.addMember)))
	mux.HandleFunc(path+"/members/{id}", s.locked(s.inPublisher(s.oneMember)))
	mux.HandleFunc("GET "+path+"/api-keys", s.locked(s.inPublisher(func(w http.ResponseWriter, r *http.Request, p *publisher) {
		writePage(w, r, p.keys)
	})))
	mux.HandleFunc("POST "+path+"/api-keys", s.locked(s.once(s.createKey)))
	mux.HandleFunc("DELETE "+path+"/api-keys/{id}", s.locked(s.inPublisher(s.revokeKey)))
	mux.HandleFunc("POST "+path+"/api-keys/{id}/rotate", s.locked(s.once(s.rotateKey)))
	s.endpointRoutes(mux, path+"/event-endpoints")
}

func (s *Server) inPublisher(h func(http.ResponseWriter, *http.Request, *publisher)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if p := s.store.owned(r.PathValue("publisherSlug")); p != nil {
			h(w, r, p)
			return
		}
		notFound(w)
	}
}

func (s *Server) listPublishers(w http.ResponseWriter, r *http.Request) {
	found := []sininho.Publisher{}
	for _, p := range s.store.publishers {
		text := strings.ToLower(p.Name + " " + p.Description + " " + p.Slug)
		if strings.Contains(text, strings.ToLower(r.URL.Query().Get("q"))) && (r.URL.Query().Get("mine") != "true" || p.Role != "") {
			found = append(found, p.Publisher)
		}
	}
	slices.SortFunc(found, func(a, b sininho.Publisher) int { return strings.Compare(a.Name, b.Name) })
	writePage(w, r, found)
}

func (s *Server) createPublisher(_ *http.Request, body []byte) (int, any) {
	p := &publisher{members: []sininho.Member{memberOf(s.store.me, sininho.Owner)}}
	_ = json.Unmarshal(body, &p.Publisher)
	if s.store.owned(p.Slug) != nil {
		return refusal(http.StatusConflict, sininho.CodeSlugTaken, "The slug is another's.")
	}
	p.ID, p.Role, p.CreatedAt = newID(), sininho.Owner, now()
	s.store.publishers = append(s.store.publishers, p)
	return http.StatusCreated, p.Publisher
}

func (s *Server) onePublisher(w http.ResponseWriter, r *http.Request, p *publisher) {
	if changed(w, r, p.Publisher) {
		return
	}
	switch r.Method {
	case http.MethodPatch:
		p.Publisher = merged(r, p.Publisher)
	case http.MethodDelete:
		if slices.ContainsFunc(s.store.channels, func(c *channel) bool { return c.PublisherSlug == p.Slug }) {
			writeProblem(w, problem(http.StatusConflict, sininho.CodeInUse, "The publisher has channels; delete them first."))
			return
		}
		s.store.publishers = slices.DeleteFunc(s.store.publishers, func(other *publisher) bool { return other == p })
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeVersion(w, p.Publisher)
}

func memberOf(p sininho.Subscriber, role sininho.Role) sininho.Member {
	return sininho.Member{ID: p.ID, Name: p.Name, Email: p.Email, Role: role, CreatedAt: now()}
}

func (s *Server) addMember(r *http.Request, body []byte) (int, any) {
	p := s.store.owned(r.PathValue("publisherSlug"))
	if p == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such publisher.")
	}
	var in api.MemberInput
	_ = json.Unmarshal(body, &in)
	for _, m := range p.members {
		if m.Email == string(in.Email) {
			return http.StatusOK, m
		}
	}
	if string(in.Email) != s.store.other.Email {
		return unknown("email", "has not signed in to Sininho yet")
	}
	m := memberOf(s.store.other, sininho.Role(in.Role))
	p.members = append(p.members, m)
	return http.StatusCreated, m
}

func (s *Server) oneMember(w http.ResponseWriter, r *http.Request, p *publisher) {
	i := slices.IndexFunc(p.members, func(m sininho.Member) bool { return m.ID == r.PathValue("id") })
	if i < 0 {
		notFound(w)
		return
	}
	after := slices.Clone(p.members)
	if r.Method == http.MethodPatch {
		after[i] = merged(r, after[i])
	} else {
		after = slices.Delete(after, i, i+1)
	}
	if !slices.ContainsFunc(after, func(m sininho.Member) bool { return m.Role == sininho.Owner }) {
		writeProblem(w, problem(http.StatusConflict, sininho.CodeLastOwner, "A publisher keeps at least one owner."))
		return
	}
	p.members = after
	if r.Method == http.MethodPatch {
		writeJSON(w, http.StatusOK, after[i])
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) createKey(r *http.Request, body []byte) (int, any) {
	p := s.store.owned(r.PathValue("publisherSlug"))
	if p == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such publisher.")
	}
	var key sininho.APIKey
	_ = json.Unmarshal(body, &key)
	return http.StatusCreated, s.store.addKey(p, key)
}

func (s *store) addKey(p *publisher, key sininho.APIKey) sininho.APIKeySecret {
	key.ID, key.CreatedAt, key.LastUsedAt = newID(), now(), time.Time{}
	secret := s.newSecret(keyPrefix, key.ID)
	key.Hint = secret[len(secret)-4:]
	p.keys = append(p.keys, key)
	return sininho.APIKeySecret{
		ID: key.ID, Name: key.Name, Hint: key.Hint, Secret: secret, Scopes: key.Scopes,
		CreatedAt: key.CreatedAt, ExpiresAt: key.ExpiresAt,
	}
}

// newSecret makes a credential that is good until it is forgotten.
func (s *store) newSecret(prefix, id string) string {
	secret := prefix + strings.ReplaceAll(newID(), "-", "")[:28] + strings.ReplaceAll(newID(), "-", "")[24:]
	s.secrets[secret] = id
	return secret
}

func (s *store) forgetSecretsOf(id string) {
	for secret, of := range s.secrets {
		if of == id {
			delete(s.secrets, secret)
		}
	}
}

func (s *Server) rotateKey(r *http.Request, body []byte) (int, any) {
	p := s.store.owned(r.PathValue("publisherSlug"))
	if p == nil {
		return refusal(http.StatusNotFound, "not_found", "There is no such publisher.")
	}
	i := slices.IndexFunc(p.keys, func(k sininho.APIKey) bool { return k.ID == r.PathValue("id") })
	if i < 0 {
		return refusal(http.StatusNotFound, "not_found", "There is no such key.")
	}
	if !p.keys[i].RotatedAt.IsZero() {
		return refusal(http.StatusConflict, sininho.CodeAlreadyRotated, "The key was rotated already.")
	}
	var in struct{ OldExpiresAt time.Time }
	_ = json.Unmarshal(body, &in)
	if in.OldExpiresAt.IsZero() {
		in.OldExpiresAt = now().Add(24 * time.Hour)
	}
	fresh := s.store.addKey(p, p.keys[i])
	p.keys[i].ExpiresAt, p.keys[i].RotatedAt = in.OldExpiresAt, now()
	return http.StatusCreated, fresh
}

func (s *Server) revokeKey(w http.ResponseWriter, r *http.Request, p *publisher) {
	p.keys = slices.DeleteFunc(p.keys, func(k sininho.APIKey) bool { return k.ID == r.PathValue("id") })
	s.store.forgetSecretsOf(r.PathValue("id"))
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) createCategory(_ *http.Request, body []byte) (int, any) {
	var c sininho.Category
	_ = json.Unmarshal(body, &c)
	if slices.ContainsFunc(s.store.categories, func(other sininho.Category) bool { return other.Slug == c.Slug }) {
		return refusal(http.StatusConflict, sininho.CodeSlugTaken, "The slug is another's.")
	}
	c.ID = newID()
	s.store.categories = append(s.store.categories, c)
	return http.StatusCreated, c
}

func (s *Server) oneCategory(w http.ResponseWriter, r *http.Request) {
	c := s.store.category(r.PathValue("id"))
	switch {
	case c == nil:
		notFound(w)
	case r.Method == http.MethodGet:
		writeVersion(w, *c)
	case changed(w, r, *c):
	case r.Method == http.MethodPatch:
		*c = merged(r, *c)
		writeVersion(w, *c)
	case c.ChannelCount > 0:
		writeProblem(w, problem(http.StatusConflict, sininho.CodeInUse, "The category has channels; move them first."))
	default:
		s.store.categories = slices.DeleteFunc(s.store.categories, func(other sininho.Category) bool { return other.ID == c.ID })
		w.WriteHeader(http.StatusNoContent)
	}
}
