package core_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// categories is a store whose subscribers all have that email address.
type categories struct {
	core.CategoryStore
	email string
}

func (s categories) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	return core.Subscriber{ID: id, Email: s.email}, nil
}

func (categories) CreateCategory(
	_ context.Context, c core.Category, _ core.Idempotency,
) (core.Category, core.Creation, error) {
	return c, core.Created, nil
}

func (categories) UpdateCategory(
	context.Context, core.ID, core.CategoryPatch, *time.Time, time.Time,
) (core.Category, error) {
	return core.Category{}, nil
}

func (categories) DeleteCategory(context.Context, core.ID, *time.Time) error { return nil }

func TestOnlyOperatorsChangeCategories(t *testing.T) {
	for email, want := range map[string]core.Code{
		"Ana@Example.com": "", "ana@example.com": "", "rui@example.com": core.CodeForbidden,
		"": core.CodeForbidden, "ana@example.com.pt": core.CodeForbidden,
	} {
		operators := core.Operators{"eva@example.com", "ana@EXAMPLE.com"}
		service := core.NewCategories(categories{email: email}, operators, clock)
		in := core.CategoryInput{Slug: "c", Name: "C"}
		_, _, err := service.Create(t.Context(), person(owner), in, core.Idempotency{})
		core.CheckCode(t, fmt.Sprintf("create as %q", email), err, want)
		_, err = service.Update(t.Context(), person(owner), core.ID{1}, core.CategoryPatch{Name: new("D")}, nil)
		core.CheckCode(t, fmt.Sprintf("update as %q", email), err, want)
		err = service.Delete(t.Context(), person(owner), core.ID{1}, nil)
		core.CheckCode(t, fmt.Sprintf("delete as %q", email), err, want)
	}
}

func TestCategoryNamesAreNotBlank(t *testing.T) {
	service := core.NewCategories(categories{email: "a@example.com"}, core.Operators{"a@example.com"}, clock)
	in := core.CategoryInput{Slug: "c", Name: "\t"}
	_, _, err := service.Create(t.Context(), person(owner), in, core.Idempotency{})
	check.Equal(t, "faults of a new category", pointers(fieldsOf(err)), []string{"#/name"})
	_, err = service.Update(t.Context(), person(owner), core.ID{1}, core.CategoryPatch{Name: new("")}, nil)
	check.Equal(t, "faults of a changed category", pointers(fieldsOf(err)), []string{"#/name"})
}
