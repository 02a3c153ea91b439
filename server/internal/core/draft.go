package core

import (
	"context"
	"strings"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Draft is the beginning of a notification. One with a name is a template: all who may publish in its channel share it.
// Every other belongs to its author alone. Its JSON is stored as the first response to an idempotency key.
type Draft struct {
	DraftOwner

	ID        ID           `json:"id"`
	Name      string       `json:"name,omitempty"`
	Content   PublishInput `json:"content"`
	Plan      *Plan        `json:"plan,omitempty"`     // of a template that repeats
	PlannerID ID           `json:"plannerId,omitzero"` // who planned that; zero: an API key, or somebody who has left
	NextAt    *time.Time   `json:"nextAt,omitempty"`   // when the plan makes something again
	MissedAt  *time.Time   `json:"missedAt,omitempty"` // when it made nothing, unless it has made something since
	CreatedAt time.Time    `json:"createdAt"`
	UpdatedAt time.Time    `json:"updatedAt"`
}

// DraftOwner is whose drafts there are in a channel.
type DraftOwner struct {
	ChannelID ID `json:"channelId"`
	AuthorID  ID `json:"authorId"` // zero for the templates of the channel
}

// Version returns the time of the latest change.
func (d Draft) Version() time.Time { return d.UpdatedAt }

// Fields returns the names of what is to be filled in before the content is published.
func (d Draft) Fields() []string { return d.Content.fields().Fields() }

// draftChange is the input for a draft or a template, or for a change to it by somebody; zero: by an API key.
type draftChange interface {
	Input
	apply(d *Draft, by ID, now time.Time)
}

// DraftInput is the content of a draft.
type DraftInput struct{ Content PublishInput }

// Validate implements Input.
func (in DraftInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.content(in.Content)
	return f.Faults
}

func (in DraftInput) apply(d *Draft, _ ID, _ time.Time) { d.Content = in.Content }

// content adds the faults of the content of a draft.
func (f *faults) content(c PublishInput) {
	f.below("#/content", c.fields().DraftFaults())
}

// below adds the faults of what is at a pointer.
func (f *faults) below(pointer string, list []FieldError) {
	for _, fault := range list {
		f.Add(pointer+strings.TrimPrefix(fault.Pointer, "#"), fault.Code, fault.Detail)
	}
}

// TemplateInput is the input for a new template.
type TemplateInput struct {
	Name    string
	Content PublishInput
	Plan    *Plan
}

// Validate implements Input.
func (in TemplateInput) Validate(_ *Rules, now time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, rules.MaxName)
	f.content(in.Content)
	f.plan(in.Plan, now)
	return f.Faults
}

func (in TemplateInput) apply(d *Draft, by ID, now time.Time) {
	d.Name, d.Content = in.Name, in.Content
	d.follow(in.Plan, by, now)
}

// TemplatePatch is a change to a template. Unset fields stay unchanged.
type TemplatePatch struct {
	Name    *string
	Content *PublishInput
	Plan    Patch[Plan]
}

// Validate implements Input.
func (p TemplatePatch) Validate(r *Rules, now time.Time) []FieldError {
	in := TemplateInput{Name: unchanged, Plan: p.Plan.Value}
	set(&in.Name, p.Name)
	set(&in.Content, p.Content)
	return in.Validate(r, now)
}

func (p TemplatePatch) apply(d *Draft, by ID, now time.Time) {
	set(&d.Name, p.Name)
	set(&d.Content, p.Content)
	switch {
	case p.Plan.Set:
		d.follow(p.Plan.Value, by, now)
	case d.Plan != nil && d.PlannerID == (ID{}):
		d.PlannerID = by // in place of a member who has left
	}
}

// ErrTemplateNameTaken returns the error for a name that another template of the channel has.
func ErrTemplateNameTaken() *Error {
	return Conflict("name_taken", Text{EN: "The channel already has a template with this name.",
		PT: "O canal já tem um modelo com este nome."})
}

// DraftStore keeps drafts and templates. Drafts are deleted when their author is no longer a member of the publisher.
type DraftStore interface {
	// CreateDraft fails with CodeInvalid at CapDrafts or CapTemplates, and with CodeConflict when the channel has a
	// template with that name.
	CreateDraft(ctx context.Context, d Draft, key Idempotency) (Draft, Creation, error)
	// Draft fails with CodeNotFound when the owner has no such draft.
	Draft(ctx context.Context, of DraftOwner, id ID) (Draft, error)
	// Drafts returns drafts by their latest change, the latest first, and templates by their names.
	Drafts(ctx context.Context, of DraftOwner, page Page) (data []Draft, total int64, err error)
	// UpdateDraft locks the draft, calls change to alter it, and stores the result. It fails as CreateDraft and Draft
	// do.
	UpdateDraft(ctx context.Context, of DraftOwner, id ID, now time.Time, change func(*Draft) error) (Draft, error)
	// DeleteDraft fails with CodeChanged when seen is not the draft's version.
	DeleteDraft(ctx context.Context, of DraftOwner, id ID, seen *time.Time) error
}

type draftsStore interface {
	DraftStore
	ChannelStore
	PublisherStore
}

// Drafts manages the drafts of people, or the templates of channels.
type Drafts struct {
	store  draftsStore
	rules  *Rules
	shared bool // templates
	now    func() time.Time
}

// NewDrafts returns the service for drafts, each of which only its author finds.
func NewDrafts(store draftsStore, rules *Rules, now func() time.Time) *Drafts {
	return &Drafts{store: store, rules: rules, now: now}
}

// NewTemplates returns the service for templates.
func NewTemplates(store draftsStore, rules *Rules, now func() time.Time) *Drafts {
	return &Drafts{store: store, rules: rules, shared: true, now: now}
}

// owner returns whose drafts the caller finds in a channel to which they may publish.
func (s *Drafts) owner(
	ctx context.Context, c Caller, publisherSlug, slug string,
) (of DraftOwner, channel ChannelRef, err error) {
	channel, err = editable(ctx, s.store, c, publisherSlug, slug, ScopePublish)
	of.ChannelID = channel.ID
	if !s.shared {
		of.AuthorID = c.SubscriberID
	}
	return of, channel, err
}

// List returns the drafts in a channel to which the caller may publish.
func (s *Drafts) List(
	ctx context.Context, c Caller, publisherSlug, slug string, page Page,
) ([]Draft, int64, error) {
	of, _, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Drafts(ctx, of, page)
}

// Get returns a draft in a channel to which the caller may publish.
func (s *Drafts) Get(ctx context.Context, c Caller, publisherSlug, slug string, id ID) (Draft, error) {
	of, _, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return Draft{}, err
	}
	return s.store.Draft(ctx, of, id)
}

// Create saves a draft for a channel to which the caller may publish.
func (s *Drafts) Create(
	ctx context.Context, c Caller, publisherSlug, slug string, in draftChange, key Idempotency,
) (Draft, Creation, error) {
	of, channel, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return Draft{}, 0, err
	}
	now := s.now()
	if err := s.rules.check(in, now); err != nil {
		return Draft{}, 0, err
	}
	d := Draft{DraftOwner: of, ID: NewID(), CreatedAt: now, UpdatedAt: now}
	in.apply(&d, c.SubscriberID, now)
	if err := invalid(d.planned(channel, s.rules, now)); err != nil {
		return Draft{}, 0, err
	}
	return s.store.CreateDraft(ctx, d, key)
}

// Update changes a draft in a channel to which the caller may publish. It fails with CodeChanged when seen is not the
// draft's version.
func (s *Drafts) Update(
	ctx context.Context, c Caller, publisherSlug, slug string, id ID, in draftChange, seen *time.Time,
) (Draft, error) {
	of, channel, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return Draft{}, err
	}
	now := s.now()
	if err := s.rules.check(in, now); err != nil {
		return Draft{}, err
	}
	return s.store.UpdateDraft(ctx, of, id, now, func(d *Draft) error {
		if err := CheckSeen(seen, d.UpdatedAt); err != nil {
			return err
		}
		in.apply(d, c.SubscriberID, now)
		return invalid(d.planned(channel, s.rules, now))
	})
}

// Delete deletes a draft in a channel to which the caller may publish.
func (s *Drafts) Delete(
	ctx context.Context, c Caller, publisherSlug, slug string, id ID, seen *time.Time,
) error {
	of, _, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return err
	}
	return s.store.DeleteDraft(ctx, of, id, seen)
}
