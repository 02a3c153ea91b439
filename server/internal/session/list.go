package session

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// List returns the caller's sessions, most recently used first.
func (m *Manager) List(ctx context.Context, c core.Caller, page core.Page) ([]core.Session, int64, error) {
	return m.Store.Sessions(ctx, c.SubscriberID, m.Now(), page)
}

// End ends one of the caller's sessions with its streams, unbinds its device and forgets its browser. It fails with
// CodeNotFound when there is none.
func (m *Manager) End(ctx context.Context, c core.Caller, id core.ID) error {
	if err := m.Store.ForgetBrowser(ctx, c.SubscriberID, id); err != nil {
		return err
	}
	return m.end(ctx, c.SubscriberID, id)
}

// EndOthers does the same with all the caller's sessions but the one that the request was sent in, and forgets the
// browsers in which they have signed out, too.
func (m *Manager) EndOthers(ctx context.Context, c core.Caller) error {
	if err := m.Store.ForgetOtherBrowsers(ctx, c.SubscriberID, c.SessionID); err != nil {
		return err
	}
	ended, err := m.Store.EndSessions(ctx, c.SubscriberID, c.SessionID, m.Now())
	for _, id := range ended {
		m.Announce.SignedOut(ctx, id)
	}
	return err
}
