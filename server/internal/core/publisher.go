package core

import "context"

// Publisher owns channels.
type Publisher struct {
	ID         ID
	Slug, Name string
	Avatar     string
}

// Role is what a member may do for a publisher.
type Role string

// The roles.
const (
	RoleOwner  Role = "owner"
	RoleEditor Role = "editor"
)

// PublisherStore keeps publishers and their members.
type PublisherStore interface {
	Publisher(ctx context.Context, id ID) (Publisher, error)
	PublisherBySlug(ctx context.Context, slug string) (Publisher, error)
	// Role tells what the subscriber may do for the publisher; it is empty for one who is not a member.
	Role(ctx context.Context, publisherID, subscriberID ID) (Role, error)
}

// mayEdit reports whether the caller may act for the publisher. What is another's is answered as not found.
func mayEdit(ctx context.Context, store PublisherStore, c Caller, publisherID ID, scope Scope) error {
	switch c.Kind {
	case CallerPublisher:
		if c.PublisherID != publisherID {
			return NotFound()
		}
	case CallerSubscriber:
		role, err := store.Role(ctx, publisherID, c.SubscriberID)
		if err != nil {
			return err
		}
		if role == "" {
			return NotFound()
		}
	default:
		return Unauthenticated(Text{"Sign in or send an API key.", "Inicie sessão ou envie uma chave de API."})
	}
	if !c.HasScope(scope) {
		return Forbidden(Text{"This API key lacks the scope `" + string(scope) + "`.", "Esta chave de API não tem o âmbito `" + string(scope) + "`."})
	}
	return nil
}
