package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

const subscriberColumns = `id, email, name, coalesce(avatar, '') as avatar, locale, timezone, onboarded_at, created_at`

// Subscriber implements core.SubscriberStore.
func (s *Store) Subscriber(ctx context.Context, id core.ID) (core.Subscriber, error) {
	var sub core.Subscriber
	err := s.db.NewRaw("select "+subscriberColumns+" from subscribers where id = ?", id).Scan(ctx, &sub)
	return sub, mapError(err)
}

// SignIn implements core.SubscriberStore.
func (s *Store) SignIn(ctx context.Context, p core.Profile, now time.Time) (core.Subscriber, error) {
	var sub core.Subscriber
	err := s.db.NewRaw(`
		insert into subscribers (id, google_subject, email, name, avatar, locale, timezone, created_at)
		values (?, ?, ?, ?, ?, ?, 'Europe/Lisbon', ?)
		on conflict (google_subject) do update set email = excluded.email, avatar = excluded.avatar
		returning `+subscriberColumns, core.NewID(), p.Subject, p.Email, p.Name, null(p.Avatar), p.Locale, now).Scan(ctx, &sub)
	return sub, mapError(err)
}

const onboardingColumns = `onboarding_step, onboarding_categories, onboarded_at`

// Onboarding implements core.SubscriberStore.
func (s *Store) Onboarding(ctx context.Context, subscriberID core.ID) (core.Onboarding, error) {
	return s.onboarding(ctx, "select "+onboardingColumns+" from subscribers where id = ?", subscriberID)
}

// SaveOnboarding implements core.SubscriberStore.
func (s *Store) SaveOnboarding(ctx context.Context, subscriberID core.ID, step core.OnboardingStep, categoryIDs []core.ID, now time.Time) (core.Onboarding, error) {
	done := step == core.OnboardingDone
	var unknown int
	err := s.db.NewRaw("select count(*) from unnest(?::uuid[]) v (id) where not exists (select from categories g where g.id = v.id)", uuidArray(categoryIDs)).Scan(ctx, &unknown)
	if err == nil && unknown > 0 {
		err = core.Invalid(core.FieldError{Pointer: "#/categoryIds", Code: "unknown", Detail: core.Text{EN: "names what is no category", PT: "indica o que não é uma categoria"}})
	}
	if err != nil {
		return core.Onboarding{}, mapError(err)
	}
	return s.onboarding(ctx, `
		update subscribers set
			onboarding_step = case when onboarded_at is not null then 'done' else ? end,
			onboarding_categories = coalesce(?::uuid[], onboarding_categories),
			onboarded_at = coalesce(onboarded_at, case when ? then ?::timestamptz end)
		where id = ? returning `+onboardingColumns, step, uuidArray(categoryIDs), done, now, subscriberID)
}

func (s *Store) onboarding(ctx context.Context, query string, args ...any) (core.Onboarding, error) {
	var o core.Onboarding
	var ids []string
	err := s.db.NewRaw(query, args...).Scan(ctx, &o.Step, pgdialect.Array(&ids), &o.CompletedAt)
	if err != nil {
		return o, mapError(err)
	}
	o.CategoryIDs, err = parseIDs(ids)
	return o, err
}
