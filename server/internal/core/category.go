package core

import (
	"context"
	"time"
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

func validateCategoryName(name string) error {
	var f faults
	f.name("#/name", name)
	return f.err()
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

// Categories lists, creates, changes and deletes categories.
type Categories struct {
	Store interface {
		CategoryStore
		Subscriber(ctx context.Context, id ID) (Subscriber, error)
	}
	Operators Operators // may create, change and delete categories
	Now       func() time.Time
}

// Create creates a category, for an operator.
func (s *Categories) Create(ctx context.Context, c Caller, in CategoryInput, key Idempotency) (Category, Creation, error) {
	if err := s.Operators.Check(ctx, c, s.Store.Subscriber); err != nil {
		return Category{}, 0, err
	}
	if err := validateCategoryName(in.Name); err != nil {
		return Category{}, 0, err
	}
	return s.Store.CreateCategory(ctx, Category{ID: NewID(), Slug: in.Slug, Name: in.Name, Position: in.Position, UpdatedAt: s.Now()}, key)
}

// Update changes a category, for an operator.
func (s *Categories) Update(ctx context.Context, c Caller, id ID, p CategoryPatch, seen *time.Time) (Category, error) {
	if err := s.Operators.Check(ctx, c, s.Store.Subscriber); err != nil {
		return Category{}, err
	}
	if p.Name != nil {
		if err := validateCategoryName(*p.Name); err != nil {
			return Category{}, err
		}
	}
	return s.Store.UpdateCategory(ctx, id, p, seen, s.Now())
}

// Delete deletes a category that has no channels, for an operator.
func (s *Categories) Delete(ctx context.Context, c Caller, id ID, seen *time.Time) error {
	if err := s.Operators.Check(ctx, c, s.Store.Subscriber); err != nil {
		return err
	}
	return s.Store.DeleteCategory(ctx, id, seen)
}
