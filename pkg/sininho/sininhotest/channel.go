package sininhotest

import (
	"crypto/rand"
	"net/http"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/sininho"
)

func newID() string { return uuid.Must(uuid.NewV7()).String() }

type key struct {
	publisher *sininho.PublisherRef
	scopes    []sininho.Scope
}

// NewAPIKey creates an API key of a publisher and returns its secret. It creates the publisher if none has this slug.
func (s *Server) NewAPIKey(publisher string, scopes ...sininho.Scope) string {
	s.t.Helper()
	if !sininho.IsSlug(publisher) {
		s.t.Fatalf("sininhotest: %q is not a slug, such as demo", publisher)
	}
	defer s.lock()()
	if s.publishers[publisher] == nil {
		s.publishers[publisher] = &sininho.PublisherRef{ID: newID(), Slug: publisher, Name: publisher}
	}
	secret := "snh_live_" + rand.Text()
	s.keys[secret] = &key{s.publishers[publisher], scopes}
	return secret
}

// RevokeAPIKey revokes a key and cuts all streams of the server; those with other keys reconnect. Use it to simulate an
// expired key too: a server responds in the same way.
func (s *Server) RevokeAPIKey(secret string) {
	defer s.lock()()
	delete(s.keys, secret)
	s.cutStreams()
}

// Channel creates a public channel, and its publisher if there is none, and returns an API key of the publisher with
// every scope. For a channel that exists it only creates the key.
func (s *Server) Channel(address string) (apiKey string) {
	s.t.Helper()
	at, err := sininho.ParseAddress(address)
	if err != nil {
		s.t.Fatalf("sininhotest: %v", err)
	}
	apiKey = s.NewAPIKey(at.Publisher, sininho.ScopePublish, sininho.ScopeChannels, sininho.ScopeRead)
	defer s.lock()()
	if s.channels[address] == nil {
		s.channels[address] = &sininho.Channel{ID: newID(), PublisherSlug: at.Publisher, Slug: at.Channel,
			Name: at.Channel, Publisher: *s.publishers[at.Publisher], Visibility: sininho.Public, CreatedAt: s.now(),
			Category: sininho.CategoryRef{ID: newID(), Slug: "transportes", Name: "Transportes"}}
	}
	return apiKey
}

func (s *Server) getChannel(r *request) any {
	c := *r.channel
	for _, n := range s.those(&c, func(n *notification) bool { return n.visible }) {
		c.NotificationCount++
		if n.PublishedAt.After(c.LastPublishedAt) {
			c.LastPublishedAt = n.PublishedAt
		}
	}
	return c
}

// identify returns the API key of a request, or nil for a visitor.
func (s *Server) identify(r *http.Request) *key {
	k := s.keys[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")]
	if k == nil && r.Header.Get("Authorization") != "" {
		panic(refusal(http.StatusUnauthorized, "unauthenticated", "The API key is unknown or revoked."))
	}
	return k
}

// check returns a refusal unless the key belongs to the publisher and has the scopes.
func (k *key) check(publisher string, scopes ...sininho.Scope) *sininho.Error {
	switch {
	case k == nil:
		return refusal(http.StatusUnauthorized, "unauthenticated", "Send an API key.")
	case k.publisher.Slug != publisher:
		return notFound()
	}
	for _, scope := range scopes {
		if !slices.Contains(k.scopes, scope) {
			return refusal(http.StatusForbidden, "forbidden", "The API key lacks the scope "+string(scope)+".")
		}
	}
	return nil
}

func (s *Server) getAuth(r *request) any {
	caller := sininho.Caller{Kind: sininho.CallerVisitor, Scopes: []sininho.Scope{},
		SignInMethods: []sininho.SignInMethod{{Kind: "google", URL: base + "/auth/google"},
			{Kind: "anonymous", URL: base + "/auth/anonymous"}}}
	if r.key != nil {
		caller.Kind, caller.Publisher, caller.Scopes = sininho.CallerPublisher, r.key.publisher, r.key.scopes
	}
	return caller
}
