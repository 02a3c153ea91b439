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

// draftChange is the input for a draft or a template, or for a change to it.
type draftChange interface {
	Input
	apply(d *Draft)
}

// DraftInput is the content of a draft.
type DraftInput struct{ Content PublishInput }

// Validate implements Input.
func (in DraftInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.content(in.Content)
	return f.Faults
}

func (in DraftInput) apply(d *Draft) { d.Content = in.Content }

// content adds the faults of the content of a draft.
func (f *faults) content(c PublishInput) {
	for _, fault := range c.fields().DraftFaults() {
		f.Add("#/content"+strings.TrimPrefix(fault.Pointer, "#"), fault.Code, fault.Detail)
	}
}

// TemplateInput is the input for a new template.
type TemplateInput struct {
	Name    string
	Content PublishInput
}

// Validate implements Input.
func (in TemplateInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.Name("#/name", in.Name, rules.MaxName)
	f.content(in.Content)
	return f.Faults
}

func (in TemplateInput) apply(d *Draft) { d.Name, d.Content = in.Name, in.Content }

// TemplatePatch is a change to a template. Unset fields stay unchanged.
type TemplatePatch struct {
	Name    *string
	Content *PublishInput
}

// Validate implements Input.
func (p TemplatePatch) Validate(r *Rules, now time.Time) []FieldError {
	in := TemplateInput{Name: unchanged}
	set(&in.Name, p.Name)
	set(&in.Content, p.Content)
	return in.Validate(r, now)
}

func (p TemplatePatch) apply(d *Draft) {
	set(&d.Name, p.Name)
	set(&d.Content, p.Content)
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
func (s *Drafts) owner(ctx context.Context, c Caller, publisherSlug, slug string) (DraftOwner, error) {
	channel, err := editable(ctx, s.store, c, publisherSlug, slug, ScopePublish)
	of := DraftOwner{ChannelID: channel.ID}
	if !s.shared {
		of.AuthorID = c.SubscriberID
	}
	return of, err
}

// List returns the drafts in a channel to which the caller may publish.
func (s *Drafts) List(
	ctx context.Context, c Caller, publisherSlug, slug string, page Page,
) ([]Draft, int64, error) {
	of, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return nil, 0, err
	}
	return s.store.Drafts(ctx, of, page)
}

// Get returns a draft in a channel to which the caller may publish.
func (s *Drafts) Get(ctx context.Context, c Caller, publisherSlug, slug string, id ID) (Draft, error) {
	of, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return Draft{}, err
	}
	return s.store.Draft(ctx, of, id)
}

// Create saves a draft for a channel to which the caller may publish.
func (s *Drafts) Create(
	ctx context.Context, c Caller, publisherSlug, slug string, in draftChange, key Idempotency,
) (Draft, Creation, error) {
	of, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return Draft{}, 0, err
	}
	now := s.now()
	if err := s.rules.check(in, now); err != nil {
		return Draft{}, 0, err
	}
	d := Draft{DraftOwner: of, ID: NewID(), CreatedAt: now, UpdatedAt: now}
	in.apply(&d)
	return s.store.CreateDraft(ctx, d, key)
}

// Update changes a draft in a channel to which the caller may publish. It fails with CodeChanged when seen is not the
// draft's version.
func (s *Drafts) Update(
	ctx context.Context, c Caller, publisherSlug, slug string, id ID, in draftChange, seen *time.Time,
) (Draft, error) {
	of, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return Draft{}, err
	}
	now := s.now()
	if err := s.rules.check(in, now); err != nil {
		return Draft{}, err
	}
	return s.store.UpdateDraft(ctx, of, id, now, func(d *Draft) error {
		in.apply(d)
		return CheckSeen(seen, d.UpdatedAt)
	})
}

// Delete deletes a draft in a channel to which the caller may publish.
func (s *Drafts) Delete(
	ctx context.Context, c Caller, publisherSlug, slug string, id ID, seen *time.Time,
) error {
	of, err := s.owner(ctx, c, publisherSlug, slug)
	if err != nil {
		return err
	}
	return s.store.DeleteDraft(ctx, of, id, seen)
}
