package core_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// categories is a store whose only subscriber has that email address.
type categories struct {
	core.CategoryStore
	email string
}

func (s categories) Subscriber(_ context.Context, id core.ID) (core.Subscriber, error) {
	return core.Subscriber{ID: id, Email: s.email}, nil
}

func (categories) CreateCategory(_ context.Context, c core.Category, _ core.Idempotency) (core.Category, core.Creation, error) {
	return c, core.Created, nil
}

func (categories) UpdateCategory(context.Context, core.ID, core.CategoryPatch, *time.Time, time.Time) (core.Category, error) {
	return core.Category{}, nil
}

func (categories) DeleteCategory(context.Context, core.ID, *time.Time) error { return nil }

func TestCategoriesAreForOperators(t *testing.T) {
	for email, want := range map[string]core.Code{"Ana@Example.com": "", "ana@example.com": "", "rui@example.com": core.CodeForbidden,
		"": core.CodeForbidden, "ana@example.com.pt": core.CodeForbidden} {
		service := core.NewCategories(categories{email: email}, core.Operators{"eva@example.com", "ana@EXAMPLE.com"}, clock)
		_, _, created := service.Create(t.Context(), person(owner), core.CategoryInput{Slug: "c", Name: "C"}, core.Idempotency{})
		_, changed := service.Update(t.Context(), person(owner), core.ID{1}, core.CategoryPatch{Name: new("D")}, nil)
		for _, err := range []error{created, changed, service.Delete(t.Context(), person(owner), core.ID{1}, nil)} {
			if want == "" && err != nil || want != "" && !core.IsCode(err, want) {
				t.Errorf("%q: %v", email, err)
			}
		}
	}
	service := core.NewCategories(categories{email: "a@example.com"}, core.Operators{"a@example.com"}, clock)
	_, _, err := service.Create(t.Context(), person(owner), core.CategoryInput{Slug: "c", Name: "\t"}, core.Idempotency{})
	_, err2 := service.Update(t.Context(), person(owner), core.ID{1}, core.CategoryPatch{Name: new("")}, nil)
	for _, err := range []error{err, err2} {
		if !slices.Equal(pointers(fieldsOf(err)), []string{"#/name"}) {
			t.Error(err)
		}
	}
}
