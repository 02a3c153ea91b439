package sininhotest

import (
	"net/http"
	"slices"
	"strings"

	"github.com/sininho/sininho/pkg/sininho"
)

// key is a valid API key.
type key struct {
	publisher *sininho.PublisherRef
	scopes    []sininho.Scope
}

// NewAPIKey creates an API key of a publisher and returns its secret. It creates the publisher if none has this slug.
func (s *Server) NewAPIKey(publisher string, scopes ...sininho.Scope) string {
	s.t.Helper()
	if !sininho.IsSlug(publisher) {
		s.t.Fatalf("sininhotest: %q is not a valid slug: use lower-case letters, digits and single hyphens", publisher)
	}
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	p := s.store.publisher(publisher)
	if p == nil {
		p = &sininho.PublisherRef{ID: newID(), Slug: publisher, Name: publisher}
		s.store.publishers = append(s.store.publishers, p)
	}
	secret := "snh_live_" + strings.ReplaceAll(newID()+newID(), "-", "")[:36]
	s.store.keys[secret] = &key{publisher: p, scopes: scopes}
	return secret
}

// RevokeAPIKey revokes a key and cuts all streams of the server; those with other keys reconnect. Use it to simulate an
// expired key too: a server responds in the same way.
func (s *Server) RevokeAPIKey(key string) {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	delete(s.store.keys, key)
	s.store.cutStreams()
}

// identify returns the API key of a request, or nil for a visitor.
func (s *Server) identify(r *http.Request) (*key, error) {
	header, ok := r.Header["Authorization"]
	if !ok {
		return nil, nil
	}
	scheme, secret, _ := strings.Cut(header[0], " ")
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	k := s.store.keys[strings.TrimSpace(secret)]
	if k == nil || len(header) != 1 || !strings.EqualFold(scheme, "Bearer") {
		return nil, unauthenticated("Use Server.APIKey, or a key from NewAPIKey that is not revoked.")
	}
	return k, nil
}

// authorizeAny checks that the key belongs to the publisher and has at least one of the scopes.
func (k *key) authorizeAny(publisherSlug string, scopes ...sininho.Scope) error {
	switch {
	case k == nil:
		return unauthenticated("Send an API key.")
	case k.publisher.Slug != publisherSlug:
		return notFound()
	case !slices.ContainsFunc(scopes, func(scope sininho.Scope) bool { return slices.Contains(k.scopes, scope) }):
		return &refusal{status: http.StatusForbidden, code: "forbidden",
			detail: "The API key lacks the scope " + string(scopes[0]) + "."}
	}
	return nil
}

func (s *Server) getAuth(r *request) (*reply, error) {
	caller := sininho.Caller{Kind: sininho.CallerVisitor, Scopes: []sininho.Scope{},
		SignInMethods: []sininho.SignInMethod{{Kind: "google", URL: base + "/auth/google"}}}
	if r.key != nil {
		caller.Kind = sininho.CallerPublisher
		caller.Publisher, caller.Scopes = r.key.publisher, r.key.scopes
	}
	return ok(caller), nil
}
