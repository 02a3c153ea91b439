package core

import (
	"context"
	"time"
)

// AuditEntry is an entry of the audit log: who changed what.
type AuditEntry struct {
	ID            ID
	At            time.Time
	Action        string // the operation of the API, or a name for what the server does itself
	Actor         Actor
	PublisherID   ID          // whose owners see the entry; zero: only operators do
	PublisherSlug string      // empty when the publisher was deleted
	PublisherName string      // likewise
	Channel       *ChannelRef // that it is about, as it is now; nil when it was deleted
	ObjectID      ID
	Object        string            // the name of the object at that time
	Detail        map[string]string // never a secret
	Network       string            // of the request
	RequestID     string
}

// ActorKind is the kind of an actor.
type ActorKind string

// The kinds of actors.
const (
	ActorPerson   ActorKind = "person"
	ActorToken    ActorKind = "token" // a program with a person's access token
	ActorKey      ActorKind = "key"
	ActorWebhook  ActorKind = "webhook"
	ActorOperator ActorKind = "operator" // acting as an operator
	ActorSystem   ActorKind = "system"
)

// Actor is who made a change or published. For a person, a token or an operator, ID is the subscriber's.
type Actor struct {
	Kind    ActorKind
	ID      ID
	TokenID ID
	Name    string // of the person, API key or webhook; empty when it was deleted
}

// AuditKept is how long entries of the audit log are kept.
const AuditKept = 365 * 24 * time.Hour

// Origin is where a change comes from.
type Origin struct {
	Caller    Caller
	Operation string // of the API
	Operator  bool   // the operation is one for operators
	Network   string
	RequestID string
}

// Actor returns who makes the changes of the request.
func (o Origin) Actor() Actor {
	a := Actor{Kind: ActorSystem, ID: o.Caller.SubscriberID, TokenID: o.Caller.TokenID}
	switch {
	case o.Caller.Is(CallerPublisher):
		a.Kind, a.ID = ActorKey, o.Caller.KeyID
	case !o.Caller.Is(CallerSubscriber):
	case o.Operator:
		a.Kind = ActorOperator
	case o.Caller.ByToken():
		a.Kind = ActorToken
	default:
		a.Kind = ActorPerson
	}
	return a
}

type originKey struct{}

// WithOrigin returns a context for a request. origin is called when an entry is written, because the caller is not
// known before.
func WithOrigin(ctx context.Context, origin func() Origin) context.Context {
	return context.WithValue(ctx, originKey{}, origin)
}

// OriginOf returns the origin of a request; it is zero for what the server does itself.
func OriginOf(ctx context.Context) Origin {
	if origin, ok := ctx.Value(originKey{}).(func() Origin); ok {
		return origin()
	}
	return Origin{}
}

// AuditFilter selects entries of the audit log.
type AuditFilter struct {
	PublisherID *ID // nil: all
	Page
}

// AuditStore reads the audit log. The other stores write to it, in the transactions that make the changes.
type AuditStore interface {
	// AuditLog returns entries, newest first.
	AuditLog(ctx context.Context, f AuditFilter) (data []AuditEntry, total int64, err error)
}

type auditStore interface {
	AuditStore
	viewersStore
}

// AuditLog shows the audit log.
type AuditLog struct {
	store     auditStore
	operators Operators
}

// NewAuditLog returns the service for the audit log.
func NewAuditLog(store auditStore, operators Operators) *AuditLog {
	return &AuditLog{store: store, operators: operators}
}

// Publisher returns the entries about a publisher that the caller owns, newest first. Operators have no names there.
func (s *AuditLog) Publisher(ctx context.Context, c Caller, slug string, page Page) ([]AuditEntry, int64, error) {
	p, err := ownPublisher(ctx, s.store, c, slug)
	if err != nil {
		return nil, 0, err
	}
	data, total, err := s.store.AuditLog(ctx, AuditFilter{PublisherID: &p.ID, Page: page})
	for i := range data {
		if e := &data[i]; e.Actor.Kind == ActorOperator {
			e.Actor, e.Network, e.RequestID = Actor{Kind: ActorOperator}, "", ""
		}
	}
	return data, total, err
}

// All returns the entries of all publishers, or of one, for operators. Private channels have no names there.
func (s *AuditLog) All(ctx context.Context, c Caller, publisherSlug string, page Page) ([]AuditEntry, int64, error) {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return nil, 0, err
	}
	f := AuditFilter{Page: page}
	if publisherSlug != "" {
		p, err := s.store.PublisherBySlug(ctx, publisherSlug)
		if err != nil {
			return nil, 0, err
		}
		f.PublisherID = &p.ID
	}
	data, total, err := s.store.AuditLog(ctx, f)
	for i := range data {
		if e := &data[i]; e.Channel != nil && e.Channel.Private {
			e.Channel, e.Object = nil, ""
			delete(e.Detail, "channel")
		}
	}
	return data, total, err
}
