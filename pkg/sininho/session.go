package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// SessionsService lists and ends the sessions of the browsers in which a person is signed in (API:
// /subscribers/sessions). It needs their access token. Programs have access tokens instead of sessions.
type SessionsService struct{ api *api.Client }

// Session is a browser in which the person is signed in.
type Session struct {
	ID string `json:"id"`
	// Browser and System are the program and its operating system, for example Firefox and Android; empty if the server
	// does not know them.
	Browser string `json:"browser,omitzero"`
	System  string `json:"system,omitzero"`
	// Network is where the session was last used: an IPv4 address, or the /64 of an IPv6 address.
	Network   string    `json:"network,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	// LastSeenAt is the last use, exact to 5 minutes.
	LastSeenAt time.Time `json:"lastSeenAt"`
	// ExpiresAt is when the session ends unless it is used.
	ExpiresAt time.Time `json:"expiresAt"`
}

// List iterates over the sessions, most recently used first. The iteration ends at the first error.
func (s *SessionsService) List(ctx context.Context) iter.Seq2[Session, error] {
	return listed(func(x Session) string { return x.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListSessions(ctx, &api.ListSessionsParams{Limit: limit, Offset: offset})
	})
}

// End signs the person out of one browser at once, ends its streams, and stops pushing to it. It fails with
// [ErrNotFound] if the session has ended already.
func (s *SessionsService) End(ctx context.Context, id string) error {
	parsed, err := parseID(id)
	if err != nil {
		return err
	}
	return check(s.api.EndSession(ctx, parsed))
}

// EndAll does the same with all sessions. Access tokens stay valid.
func (s *SessionsService) EndAll(ctx context.Context) error {
	return check(s.api.EndOtherSessions(ctx))
}
