package core

import (
	"context"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

// Category is a group of channels.
type Category struct {
	ID           ID        `json:"id"`
	Slug         string    `json:"slug"`
	Name         string    `json:"name"`
	Position     int       `json:"position"`
	ChannelCount int64     `json:"channelCount"` // counts public channels only
	UpdatedAt    time.Time `json:"updatedAt"`
}

// Version returns the time of the latest change to the category.
func (c Category) Version() time.Time { return c.UpdatedAt }

// CategoryInput is the input for a new category.
type CategoryInput struct {
	Slug, Name string
	Position   int
}

// CategoryPatch is a change to a category. Unset fields stay unchanged.
type CategoryPatch struct {
	Slug, Name *string
	Position   *int
}

// Validate implements Input.
func (in CategoryInput) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.Slug("#/slug", in.Slug)
	f.Name("#/name", in.Name, rules.MaxName)
	return f.Faults
}

// Validate implements Input.
func (p CategoryPatch) Validate(*Rules, time.Time) []FieldError {
	var f faults
	if p.Slug != nil {
		f.Slug("#/slug", *p.Slug)
	}
	if p.Name != nil {
		f.Name("#/name", *p.Name, rules.MaxName)
	}
	return f.Faults
}

// ErrCategorySlugTaken returns the error for a slug that another category has.
func ErrCategorySlugTaken() *Error {
	return Conflict("slug_taken", Text{EN: "There is already a category with this slug.",
		PT: "Já existe uma categoria com este slug."})
}

// CategoryStore keeps categories.
type CategoryStore interface {
	Categories(ctx context.Context, page Page) (data []Category, total int64, err error)
	// Category fails with CodeNotFound when there is no such category.
	Category(ctx context.Context, id ID) (Category, error)
	// CreateCategory fails with CodeConflict when the slug is taken, as does UpdateCategory.
	CreateCategory(ctx context.Context, c Category, key Idempotency) (Category, Creation, error)
	// UpdateCategory fails with CodeChanged when seen is not the category's version.
	UpdateCategory(ctx context.Context, id ID, p CategoryPatch, seen *time.Time, now time.Time) (Category, error)
	// DeleteCategory fails with CodeConflict while it has channels, and with CodeChanged when seen is not its version.
	DeleteCategory(ctx context.Context, id ID, seen *time.Time) error
}

type categoriesStore interface {
	CategoryStore
	Subscriber(ctx context.Context, id ID) (Subscriber, error)
}

// Categories lists, creates, changes and deletes categories.
type Categories struct {
	store     categoriesStore
	operators Operators
	now       func() time.Time
}

// NewCategories returns the service for categories. Only operators may create, change and delete categories.
func NewCategories(store categoriesStore, operators Operators, now func() time.Time) *Categories {
	return &Categories{store: store, operators: operators, now: now}
}

// List returns the categories in their order.
func (s *Categories) List(ctx context.Context, page Page) ([]Category, int64, error) {
	return s.store.Categories(ctx, page)
}

// Get returns one category.
func (s *Categories) Get(ctx context.Context, id ID) (Category, error) {
	return s.store.Category(ctx, id)
}

// Create creates a category, for an operator.
func (s *Categories) Create(
	ctx context.Context, c Caller, in CategoryInput, key Idempotency,
) (Category, Creation, error) {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return Category{}, 0, err
	}
	now := s.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return Category{}, 0, err
	}
	made := Category{ID: NewID(), Slug: in.Slug, Name: in.Name, Position: in.Position, UpdatedAt: now}
	return s.store.CreateCategory(ctx, made, key)
}

// Update changes a category, for an operator.
func (s *Categories) Update(ctx context.Context, c Caller, id ID, p CategoryPatch, seen *time.Time) (Category, error) {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return Category{}, err
	}
	now := s.now()
	if err := invalid(p.Validate(nil, now)); err != nil {
		return Category{}, err
	}
	return s.store.UpdateCategory(ctx, id, p, seen, now)
}

// Delete deletes a category that has no channels, for an operator.
func (s *Categories) Delete(ctx context.Context, c Caller, id ID, seen *time.Time) error {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return err
	}
	return s.store.DeleteCategory(ctx, id, seen)
}
