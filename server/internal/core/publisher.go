package core

import (
	"context"
	"slices"
	"time"
)

// Publisher owns channels.
type Publisher struct {
	ID           ID        `json:"id"`
	Slug         string    `json:"slug"`
	Name         string    `json:"name"`
	Description  string    `json:"description"`
	Website      string    `json:"website"`
	Avatar       string    `json:"avatar"`
	ChannelCount int64     `json:"channelCount"` // counts public channels only
	CreatedAt    time.Time `json:"createdAt"`
	UpdatedAt    time.Time `json:"updatedAt"`
	Role         Role      `json:"role"` // the reader's role; empty for a reader who is not a member
}

// Version returns the time of the latest change to the profile.
func (p Publisher) Version() time.Time { return p.UpdatedAt }

// Role determines what a member may do for a publisher.
type Role string

// The roles.
const (
	RoleOwner  Role = "owner"
	RoleEditor Role = "editor"
)

// PublisherFilter selects publishers.
type PublisherFilter struct {
	Search Search
	ID     *ID // only this publisher
	Member *ID // only publishers of which this subscriber is a member
	Reader *ID // the subscriber whose role is returned
	Page
}

// PublisherInput is the input for a new publisher.
type PublisherInput struct {
	Slug, Name, Description, Website, Avatar string
}

// Validate reports every fault of the input.
func (in PublisherInput) Validate(links LinkRules) error {
	var f faults
	f.name("#/name", in.Name)
	f.text("#/description", in.Description)
	f.link("#/website", in.Website, links)
	f.link("#/avatar", in.Avatar, links)
	return f.err()
}

// PublisherPatch is a change to a publisher. Unset fields stay unchanged.
type PublisherPatch struct {
	Name, Description *string
	Website, Avatar   Patch[string]
}

// Validate reports every fault of the change.
func (p PublisherPatch) Validate(links LinkRules) error {
	var f faults
	if p.Name != nil {
		f.name("#/name", *p.Name)
	}
	if p.Description != nil {
		f.text("#/description", *p.Description)
	}
	if p.Website.Value != nil {
		f.link("#/website", *p.Website.Value, links)
	}
	if p.Avatar.Value != nil {
		f.link("#/avatar", *p.Avatar.Value, links)
	}
	return f.err()
}

// PublisherStore keeps publishers.
type PublisherStore interface {
	Publisher(ctx context.Context, id ID) (Publisher, error)
	PublisherBySlug(ctx context.Context, slug string) (Publisher, error)
	// Role returns the subscriber's role; it is empty for a subscriber who is not a member.
	Role(ctx context.Context, publisherID, subscriberID ID) (Role, error)
	Publishers(ctx context.Context, f PublisherFilter) (data []Publisher, total int64, err error)
	// CreatePublisher stores a publisher with its owner. It fails with CodeConflict when the slug is taken.
	CreatePublisher(ctx context.Context, p Publisher, owner ID, key Idempotency) (Publisher, Creation, error)
	// UpdatePublisher fails with CodeChanged when seen is not the publisher's version.
	UpdatePublisher(ctx context.Context, id ID, p PublisherPatch, seen *time.Time, now time.Time) (Publisher, error)
	// DeletePublisher also deletes the publisher's members and API keys. It fails with CodeConflict while the publisher
	// has channels, and with CodeChanged when seen is not its version.
	DeletePublisher(ctx context.Context, id ID, seen *time.Time) error
}

// Publishers lists, shows, creates, changes and deletes publishers.
type Publishers struct {
	Store PublisherStore
	Links LinkRules
	Now   func() time.Time
}

// List returns publishers by name. With mine, it returns only those of which the caller is a member, or the publisher
// of the calling API key.
func (s *Publishers) List(ctx context.Context, c Caller, search Search, mine bool, page Page) ([]Publisher, int64, error) {
	f := PublisherFilter{Search: search, Reader: c.reader(), Page: page}
	switch {
	case !mine:
	case c.Is(CallerSubscriber):
		f.Member = &c.SubscriberID
	case c.Is(CallerPublisher):
		f.ID = &c.PublisherID
	default:
		return nil, 0, unidentified()
	}
	return s.Store.Publishers(ctx, f)
}

// Get returns one publisher with the caller's role.
func (s *Publishers) Get(ctx context.Context, c Caller, slug string) (Publisher, error) {
	p, err := s.Store.PublisherBySlug(ctx, slug)
	if err == nil && c.Is(CallerSubscriber) {
		p.Role, err = s.Store.Role(ctx, p.ID, c.SubscriberID)
	}
	return p, err
}

// keptBack lists the slugs that would pass for Sininho itself; no publisher may have one.
var keptBack = []string{"admin", "api", "sininho", "www"}

// ErrPublisherSlugTaken returns the error for a slug that another publisher has.
func ErrPublisherSlugTaken() *Error {
	return Conflict("slug_taken", Text{"There is already a publisher with this slug.", "Já existe um editor com este slug."})
}

// Create creates a publisher that the caller owns.
func (s *Publishers) Create(ctx context.Context, c Caller, in PublisherInput, key Idempotency) (Publisher, Creation, error) {
	if err := in.Validate(s.Links); err != nil {
		return Publisher{}, 0, err
	}
	if slices.Contains(keptBack, in.Slug) {
		return Publisher{}, 0, ErrPublisherSlugTaken()
	}
	now := s.Now()
	p := Publisher{ID: NewID(), Slug: in.Slug, Name: in.Name, Description: in.Description, Website: in.Website, Avatar: in.Avatar,
		CreatedAt: now, UpdatedAt: now, Role: RoleOwner}
	return s.Store.CreatePublisher(ctx, p, c.SubscriberID, key)
}

// Update changes a publisher that the caller owns.
func (s *Publishers) Update(ctx context.Context, c Caller, slug string, patch PublisherPatch, seen *time.Time) (Publisher, error) {
	owned, err := ownPublisher(ctx, s.Store, c, slug)
	if err != nil {
		return Publisher{}, err
	}
	if err := patch.Validate(s.Links); err != nil {
		return Publisher{}, err
	}
	p, err := s.Store.UpdatePublisher(ctx, owned.ID, patch, seen, s.Now())
	p.Role = owned.Role
	return p, err
}

// ErrHasChannels returns the error for deleting an object that still has channels.
func ErrHasChannels() *Error {
	return Conflict("in_use", Text{"It still has channels. Delete or move them first.", "Ainda tem canais. Primeiro elimine-os ou mude-os."})
}

// Delete deletes a publisher that the caller owns and that has no channels.
func (s *Publishers) Delete(ctx context.Context, c Caller, slug string, seen *time.Time) error {
	p, err := ownPublisher(ctx, s.Store, c, slug)
	if err != nil {
		return err
	}
	return s.Store.DeletePublisher(ctx, p.ID, seen)
}

// mayEdit returns nil if the caller may act for the publisher with all of the scopes. It fails with CodeNotFound for
// the callers of other publishers, with CodeForbidden for a missing scope, and with CodeUnauthenticated for visitors.
func mayEdit(ctx context.Context, store PublisherStore, c Caller, publisherID ID, scopes ...Scope) error {
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
		return unidentified()
	}
	for _, scope := range scopes {
		if !c.HasScope(scope) {
			return Forbidden(Text{"This API key lacks the scope `" + string(scope) + "`.", "Esta chave de API não tem o âmbito `" + string(scope) + "`."})
		}
	}
	return nil
}

func unidentified() *Error {
	return Unauthenticated(Text{"Sign in or send an API key.", "Inicie sessão ou envie uma chave de API."})
}

// myPublisher returns a publisher of which the caller is a member, with their role. It fails with CodeNotFound for
// other callers.
func myPublisher(ctx context.Context, store PublisherStore, c Caller, slug string) (Publisher, error) {
	p, err := store.PublisherBySlug(ctx, slug)
	if err != nil {
		return Publisher{}, err
	}
	p.Role, err = store.Role(ctx, p.ID, c.SubscriberID)
	if err == nil && p.Role == "" {
		err = NotFound()
	}
	return p, err
}

// ownPublisher returns a publisher that the caller owns. It fails with CodeForbidden for other members and with
// CodeNotFound for everyone else.
func ownPublisher(ctx context.Context, store PublisherStore, c Caller, slug string) (Publisher, error) {
	p, err := myPublisher(ctx, store, c, slug)
	if err == nil && p.Role != RoleOwner {
		err = Forbidden(Text{"Only the publisher's owners may do this.", "Só os proprietários do editor o podem fazer."})
	}
	return p, err
}
