package postgres

import (
	"context"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

const subscriberColumns = `id, email, name, coalesce(avatar, '') as avatar, locale, timezone, bell_default,
	(extract(epoch from quiet_start) / 60)::integer as quiet_start, (extract(epoch from quiet_end) / 60)::integer as quiet_end,
	onboarded_at, created_at, updated_at`

type subscriberRow struct {
	ID          core.ID
	Email       string
	Name        string
	Avatar      string
	Locale      string
	Timezone    string
	BellDefault core.Bell
	QuietStart  *core.TimeOfDay
	QuietEnd    *core.TimeOfDay
	OnboardedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

func (r subscriberRow) subscriber() core.Subscriber {
	s := core.Subscriber{ID: r.ID, Email: r.Email, Name: r.Name, Avatar: r.Avatar, Locale: r.Locale, Timezone: r.Timezone,
		BellDefault: r.BellDefault, OnboardedAt: r.OnboardedAt, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt}
	if r.QuietStart != nil && r.QuietEnd != nil {
		s.QuietHours = &core.QuietHours{Start: *r.QuietStart, End: *r.QuietEnd}
	}
	return s
}

func subscriber(ctx context.Context, db bun.IDB, query string, args ...any) (core.Subscriber, error) {
	var r subscriberRow
	err := db.NewRaw(query, args...).Scan(ctx, &r)
	if err != nil {
		return core.Subscriber{}, Error(err)
	}
	return r.subscriber(), nil
}

// Subscriber implements core.SubscriberStore.
func (s *Store) Subscriber(ctx context.Context, id core.ID) (core.Subscriber, error) {
	return subscriber(ctx, s.db, "select "+subscriberColumns+" from subscribers where id = ?", id)
}

// SignIn implements core.SubscriberStore.
func (s *Store) SignIn(ctx context.Context, p core.Profile, up core.SignUp, now time.Time) (sub core.Subscriber, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		sub, err = refreshed(ctx, tx, p, now)
		isNew := core.IsCode(err, core.CodeNotFound)
		if isNew {
			sub, err = signUp(ctx, tx, p, up, now)
		}
		if err != nil {
			return err
		}
		_, err = tx.NewRaw("update waitlist_entries set joined_at = ?, subscriber_id = ? where joined_at is null and (lower(email) = lower(? collate \"C\") or ? and "+invitedBy+")",
			now, sub.ID, p.Email, isNew, up.InvitationHash).Exec(ctx)
		return err
	})
	return sub, err
}

// The waiting list has ASCII addresses alone, and collation C has no others become small: a look-alike is another address.

// invitedBy finds the entry of an invitation that was not taken up.
const invitedBy = "invitation_hash = ? and status = 'invited'"

// refreshed finds a person, and keeps what the provider tells anew.
func refreshed(ctx context.Context, tx Tx, p core.Profile, now time.Time) (core.Subscriber, error) {
	return subscriber(ctx, tx, `
		update subscribers s set email = ?0, avatar = ?1, updated_at = case when (s.email, s.avatar) is distinct from (?0, ?1)
			then greatest(?2, s.updated_at + interval '1 microsecond') else s.updated_at end
		where google_subject = ?3 returning `+subscriberColumns, p.Email, null(p.Avatar), now, p.Subject)
}

// signUp makes a person, if they may sign up. The invitation stays locked, so that it lets in one.
func signUp(ctx context.Context, tx Tx, p core.Profile, up core.SignUp, now time.Time) (core.Subscriber, error) {
	if !up.Open {
		var invited []core.ID
		err := tx.NewRaw("select id from waitlist_entries where "+invitedBy+" or lower(email) = lower(? collate \"C\") and status = 'invited' for update", up.InvitationHash, p.Email).Scan(ctx, &invited)
		if err != nil {
			return core.Subscriber{}, err
		}
		if len(invited) == 0 {
			return core.Subscriber{}, core.ErrUninvited()
		}
	}
	return subscriber(ctx, tx, `
		insert into subscribers (id, google_subject, email, name, avatar, locale, timezone, created_at, updated_at)
		values (?, ?, ?, ?, ?, ?, 'Europe/Lisbon', ?, ?)
		on conflict (google_subject) do update set email = excluded.email
		returning `+subscriberColumns, core.NewID(), p.Subject, p.Email, p.Name, null(p.Avatar), p.Locale, now, now)
}

// UpdateSubscriber implements core.SubscriberStore.
func (s *Store) UpdateSubscriber(ctx context.Context, id core.ID, in core.SubscriberPatch, seen *time.Time, now time.Time) (sub core.Subscriber, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		sub, err = subscriber(ctx, tx, "select "+subscriberColumns+" from subscribers where id = ? for update", id)
		if err != nil {
			return err
		}
		if err := core.CheckSeen(seen, sub.UpdatedAt); err != nil {
			return err
		}
		in.Apply(&sub)
		start, end := quietColumns(sub.QuietHours)
		sub, err = subscriber(ctx, tx, `
			update subscribers set name = ?, locale = ?, timezone = ?, bell_default = ?, quiet_start = ?::time, quiet_end = ?::time,
				updated_at = greatest(?, updated_at + interval '1 microsecond')
			where id = ? returning `+subscriberColumns,
			sub.Name, sub.Locale, sub.Timezone, sub.BellDefault, start, end, now, id)
		if err != nil {
			return err
		}
		return rescheduleHeld(ctx, tx, sub, now)
	})
	return sub, err
}

func quietColumns(q *core.QuietHours) (start, end any) {
	if q == nil {
		return nil, nil
	}
	return q.Start.String(), q.End.String()
}

// DeleteSubscriber implements core.SubscriberStore. The person is locked first: whatever would be kept of them in the
// meantime waits, and then finds them gone.
func (s *Store) DeleteSubscriber(ctx context.Context, id core.ID) (ended []core.ID, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.NewRaw("select id from subscribers where id = ? for update", id).Scan(ctx, new(core.ID)); err != nil {
			return err
		}
		if err := checkLastOwner(ctx, tx, id); err != nil {
			return err
		}
		err := tx.NewRaw(`
			with s as (delete from sessions where subscriber_id = ? returning id),
				t as (delete from access_tokens where subscriber_id = ? and revoked_at is null returning id)
			select id from s union all select id from t`, id, id).Scan(ctx, &ended)
		if err != nil {
			return err
		}
		if err := unsubscribeAll(ctx, tx, id); err != nil {
			return err
		}
		caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: id}
		if _, err := tx.NewRaw("delete from idempotency_keys where caller = ?", caller.Identity()).Exec(ctx); err != nil {
			return err
		}
		_, err = tx.NewRaw("delete from subscribers where id = ?", id).Exec(ctx)
		return err
	})
	return ended, err
}

// checkLastOwner refuses when a publisher has no other owner. It locks the publishers, as whatever changes their members
// does, so that two owners cannot leave at once.
func checkLastOwner(ctx context.Context, tx Tx, id core.ID) error {
	_, err := tx.NewRaw(`
		select 1 from publishers p
		where exists (select from publisher_members m where m.publisher_id = p.id and m.subscriber_id = ?)
		order by p.id for no key update`, id).Exec(ctx)
	if err != nil {
		return err
	}
	var slugs []string
	err = tx.NewRaw(`
		select p.slug from publishers p join publisher_members m on m.publisher_id = p.id and m.subscriber_id = ? and m.role = ?
		where not exists (select from publisher_members o where o.publisher_id = p.id and o.role = m.role and o.subscriber_id <> m.subscriber_id)
		order by p.slug`, id, core.RoleOwner).Scan(ctx, &slugs)
	if err == nil && len(slugs) > 0 {
		err = core.ErrLastOwner(slugs)
	}
	return err
}

// unsubscribeAll stops following everything. Counts are changed in the order of channels, so that two who leave at once
// do not wait for each other.
func unsubscribeAll(ctx context.Context, tx Tx, id core.ID) error {
	_, err := tx.NewRaw(`
		with gone as (delete from subscriptions where subscriber_id = ? returning channel_id)
		insert into channel_counts as k (channel_id, stripe, subscribers) select channel_id, ?::smallint, -1 from gone order by channel_id
		on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers`, id, Stripe()).Exec(ctx)
	return err
}

const onboardingColumns = `onboarding_step, onboarding_categories, onboarded_at`

// Onboarding implements core.SubscriberStore.
func (s *Store) Onboarding(ctx context.Context, subscriberID core.ID) (core.Onboarding, error) {
	return onboarding(ctx, s.db, "select "+onboardingColumns+" from subscribers where id = ?", subscriberID)
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
		return core.Onboarding{}, Error(err)
	}
	return onboarding(ctx, s.db, `
		update subscribers set
			onboarding_step = case when onboarded_at is not null then 'done' else ? end,
			onboarding_categories = coalesce(?::uuid[], onboarding_categories),
			onboarded_at = coalesce(onboarded_at, case when ? then ?::timestamptz end),
			updated_at = case when ? and onboarded_at is null then greatest(?, updated_at + interval '1 microsecond') else updated_at end
		where id = ? returning `+onboardingColumns, step, uuidArray(categoryIDs), done, now, done, now, subscriberID)
}

func onboarding(ctx context.Context, db bun.IDB, query string, args ...any) (core.Onboarding, error) {
	var o core.Onboarding
	var ids []string
	err := db.NewRaw(query, args...).Scan(ctx, &o.Step, pgdialect.Array(&ids), &o.CompletedAt)
	if err != nil {
		return o, Error(err)
	}
	o.CategoryIDs, err = parseIDs(ids)
	return o, err
}
