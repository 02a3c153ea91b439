package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
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

	SubscriberCount int64       `json:"-"` // of all public channels together
	Suspension      *Suspension `json:"-"`
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
	ID     *ID  // only this publisher
	Member *ID  // only publishers of which this subscriber is a member
	Reader *ID  // the subscriber whose role is returned
	All    bool // includes suspended publishers
	// Suspended selects only suspended publishers; with All.
	Suspended bool
	Page
}

// PublisherInput is the input for a new publisher.
type PublisherInput struct {
	Slug, Name, Description, Website, Avatar string
}

// Validate implements Input.
func (in PublisherInput) Validate(r *Rules, _ time.Time) []FieldError {
	var f faults
	f.Slug("#/slug", in.Slug)
	f.reserved("#/slug", in.Slug, r.reserved)
	f.reserved("#/name", in.Name, r.reserved)
	f.profile(in.Name, in.Description, in.Website, in.Avatar, r.links)
	return f.Faults
}

func (f *faults) profile(name, description, website, avatar string, links LinkRules) {
	f.Name("#/name", name, rules.MaxName)
	f.Text("#/description", description)
	f.Length("#/description", description, rules.MaxDescription)
	f.Link("#/website", website, links)
	f.Picture("#/avatar", avatar, links)
}

// PublisherPatch is a change to a publisher. Unset fields stay unchanged.
type PublisherPatch struct {
	Name, Description *string
	Website, Avatar   Patch[string]
}

// Validate implements Input.
func (p PublisherPatch) Validate(r *Rules, _ time.Time) []FieldError {
	in := PublisherInput{Name: unchanged}
	set(&in.Name, p.Name)
	set(&in.Description, p.Description)
	set(&in.Website, p.Website.Value)
	set(&in.Avatar, p.Avatar.Value)
	var f faults
	f.reserved("#/name", in.Name, r.reserved)
	f.profile(in.Name, in.Description, in.Website, in.Avatar, r.links)
	return f.Faults
}

// PublisherStore keeps publishers.
type PublisherStore interface {
	Publisher(ctx context.Context, id ID) (Publisher, error)
	PublisherBySlug(ctx context.Context, slug string) (Publisher, error)
	// Role returns the subscriber's role; it is empty for a subscriber who is not a member.
	Role(ctx context.Context, publisherID, subscriberID ID) (Role, error)
	Publishers(ctx context.Context, f PublisherFilter) (data []Publisher, total int64, err error)
	// IsMember reports whether the subscriber is a member of any publisher.
	IsMember(ctx context.Context, subscriberID ID) (bool, error)
	// CreatePublisher stores a publisher with its owner. It fails with CodeConflict when the slug is taken.
	CreatePublisher(ctx context.Context, p Publisher, owner ID, key Idempotency) (Publisher, Creation, error)
	// UpdatePublisher fails with CodeChanged when seen is not the publisher's version.
	UpdatePublisher(ctx context.Context, id ID, p PublisherPatch, seen *time.Time, now time.Time) (Publisher, error)
	// DeletePublisher also deletes the publisher's members and API keys. It fails with CodeConflict while the publisher
	// has channels, and with CodeChanged when seen is not its version.
	DeletePublisher(ctx context.Context, id ID, seen *time.Time) error
}

// publishersStore is what the service needs of the store.
type publishersStore interface {
	viewersStore
	// Storage returns how much a publisher stores.
	Storage(ctx context.Context, publisherID ID) (Storage, error)
}

// Publishers lists, shows, creates, changes and deletes publishers.
type Publishers struct {
	store     publishersStore
	operators Operators
	rules     *Rules
	now       func() time.Time
}

// NewPublishers returns the service for publishers. Operators also see suspended ones.
func NewPublishers(store publishersStore, operators Operators, rules *Rules, now func() time.Time) *Publishers {
	return &Publishers{store: store, operators: operators, rules: rules, now: now}
}

// List returns publishers by name. With mine, it returns only those of which the caller is a member, or the publisher
// of the calling API key; an access token needs ScopeRead for it.
func (s *Publishers) List(
	ctx context.Context, c Caller, search Search, mine bool, page Page,
) ([]Publisher, int64, error) {
	f := PublisherFilter{Search: search, Reader: c.reader(), All: mine, Page: page}
	switch {
	case !mine:
	case c.Is(CallerSubscriber):
		if err := c.RequireScope(ScopeRead); err != nil {
			return nil, 0, err
		}
		f.Member = &c.SubscriberID
	case c.Is(CallerPublisher):
		f.ID = &c.PublisherID
	default:
		return nil, 0, unidentified()
	}
	return s.store.Publishers(ctx, f)
}

// HasAny reports whether the calling person is a member of any publisher.
func (s *Publishers) HasAny(ctx context.Context, c Caller) (bool, error) {
	if !c.Is(CallerSubscriber) {
		return false, nil
	}
	return s.store.IsMember(ctx, c.SubscriberID)
}

// Get returns one publisher with the caller's role.
func (s *Publishers) Get(ctx context.Context, c Caller, slug string) (Publisher, error) {
	p, err := s.store.PublisherBySlug(ctx, slug)
	if reader := c.reader(); err == nil && reader != nil {
		p.Role, err = s.store.Role(ctx, p.ID, *reader)
	}
	if err != nil || p.Suspension == nil {
		return p, err
	}
	if err := checkInsider(ctx, s.store, s.operators, c, p.ID); err != nil {
		return Publisher{}, err
	}
	return p, nil
}

// ErrPublisherSlugTaken returns the error for a slug that another publisher has.
func ErrPublisherSlugTaken() *Error {
	return Conflict("slug_taken",
		Text{EN: "A publisher already has this slug.", PT: "Já existe um publicador com este slug."})
}

// Own returns the publisher of the calling API key.
func (s *Publishers) Own(ctx context.Context, c Caller) (Publisher, error) {
	return s.store.Publisher(ctx, c.PublisherID)
}

// CheckOwn fails with CodeNotFound if the calling API key belongs to another publisher than the one with the slug.
func (s *Publishers) CheckOwn(ctx context.Context, c Caller, slug string) error {
	p, err := s.store.PublisherBySlug(ctx, slug)
	if err == nil && p.ID != c.PublisherID {
		err = NotFound()
	}
	return err
}

// Create creates a publisher that the caller owns. It fails with CodeForbidden where only operators create them.
func (s *Publishers) Create(
	ctx context.Context, c Caller, in PublisherInput, key Idempotency,
) (Publisher, Creation, error) {
	if err := s.checkAdmission(ctx, c); err != nil {
		return Publisher{}, 0, err
	}
	now := s.now()
	if err := s.rules.check(in, now); err != nil {
		return Publisher{}, 0, err
	}
	p := Publisher{
		ID: NewID(), Slug: in.Slug, Name: in.Name, Description: in.Description, Website: in.Website, Avatar: in.Avatar,
		CreatedAt: now, UpdatedAt: now, Role: RoleOwner,
	}
	return s.store.CreatePublisher(ctx, p, c.SubscriberID, key)
}

// Update changes a publisher that the caller owns.
func (s *Publishers) Update(
	ctx context.Context, c Caller, slug string, patch PublisherPatch, seen *time.Time,
) (Publisher, error) {
	owned, err := ownPublisher(ctx, s.store, c, slug)
	if err != nil {
		return Publisher{}, err
	}
	if owned.Suspension != nil {
		return Publisher{}, ErrSuspended(SuspendablePublisher, *owned.Suspension)
	}
	if patch.Name != nil && *patch.Name == owned.Name {
		patch.Name = nil // a name that was reserved later stays
	}
	now := s.now()
	if err := s.rules.check(patch, now); err != nil {
		return Publisher{}, err
	}
	p, err := s.store.UpdatePublisher(ctx, owned.ID, patch, seen, now)
	p.Role = owned.Role
	return p, err
}

// ErrHasChannels returns the error for deleting an object that still has channels.
func ErrHasChannels() *Error {
	return Conflict("in_use", Text{EN: "It still has channels. Delete or move them first.",
		PT: "Ainda tem canais. Primeiro apague-os ou mude-os."})
}

// Delete deletes a publisher that the caller owns and that has no channels. A suspended one stays.
func (s *Publishers) Delete(ctx context.Context, c Caller, slug string, seen *time.Time) error {
	p, err := ownPublisher(ctx, s.store, c, slug)
	if err != nil {
		return err
	}
	if p.Suspension != nil {
		return ErrSuspended(SuspendablePublisher, *p.Suspension)
	}
	return s.store.DeletePublisher(ctx, p.ID, seen)
}

// authorize returns nil if the caller may act for the publisher with all of the scopes. It fails with CodeNotFound for
// the callers of other publishers, with CodeForbidden for a missing scope, and with CodeUnauthenticated for visitors.
func authorize(ctx context.Context, store PublisherStore, c Caller, publisherID ID, scopes ...Scope) error {
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
		if err := c.RequireScope(scope); err != nil {
			return err
		}
	}
	return nil
}

func unidentified() *Error {
	return Unauthenticated(Text{EN: "Sign in or send an API key.", PT: "Inicie sessão ou envie uma chave de API."})
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
		err = ErrOwnersOnly()
	}
	return p, err
}

// ErrOwnersOnly returns the error for a member who would have to be an owner.
func ErrOwnersOnly() *Error {
	return Forbidden(Text{
		EN: "Only the publisher's owners may do this.", PT: "Só os proprietários do publicador o podem fazer.",
	})
}
