package postgres

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type subscriberRow struct {
	bun.BaseModel `bun:"table:subscribers,alias:s"`

	ID          core.ID    `bun:"id,pk"`
	Anonymous   bool       `bun:"anonymous"`
	Email       string     `bun:"email,nullzero"`
	Name        string     `bun:"name"`
	Avatar      string     `bun:"avatar,nullzero"`
	Locale      string     `bun:"locale"`
	Timezone    string     `bun:"timezone"`
	BellDefault core.Bell  `bun:"bell_default"`
	QuietStart  *timeOfDay `bun:"quiet_start"`
	QuietEnd    *timeOfDay `bun:"quiet_end"`
	DigestAt    timeOfDay  `bun:"digest_at"`
	OnboardedAt *time.Time `bun:"onboarded_at"`
	SignedInAt  *time.Time `bun:"signed_in_at"`
	CreatedAt   time.Time  `bun:"created_at"`
	UpdatedAt   time.Time  `bun:"updated_at"`

	SuspendedAt      *time.Time `bun:"suspended_at"`
	SuspensionReason *string    `bun:"suspension_reason"`
	OperatorAt       *time.Time `bun:"operator_at"`
}

func (r subscriberRow) subscriber() core.Subscriber {
	s := core.Subscriber{
		ID: r.ID, Anonymous: r.Anonymous, Email: r.Email, Name: r.Name, Avatar: r.Avatar, Locale: r.Locale,
		Timezone:    r.Timezone,
		BellDefault: r.BellDefault, DigestAt: core.TimeOfDay(r.DigestAt), OnboardedAt: r.OnboardedAt,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Suspension: suspensionRow{r.SuspendedAt, r.SuspensionReason}.suspension(), Operator: r.OperatorAt != nil,
	}
	if r.QuietStart != nil && r.QuietEnd != nil {
		s.QuietHours = &core.QuietHours{Start: core.TimeOfDay(*r.QuietStart), End: core.TimeOfDay(*r.QuietEnd)}
	}
	return s
}

// setProfile sets the columns that a person can change.
func (r *subscriberRow) setProfile(s core.Subscriber) {
	r.Name, r.Locale = s.Name, s.Locale
	r.Timezone, r.BellDefault, r.DigestAt = s.Timezone, s.BellDefault, timeOfDay(s.DigestAt)
	r.QuietStart, r.QuietEnd = nil, nil
	if q := s.QuietHours; q != nil {
		r.QuietStart, r.QuietEnd = new(timeOfDay(q.Start)), new(timeOfDay(q.End))
	}
}

// timeOfDay is a column of type time.
type timeOfDay core.TimeOfDay

// Scan implements sql.Scanner.
func (t *timeOfDay) Scan(src any) error {
	var hour, minute int
	if _, err := fmt.Sscanf(fmt.Sprintf("%s", src), "%d:%d", &hour, &minute); err != nil {
		return fmt.Errorf("time of day %q: %w", src, err)
	}
	*t = timeOfDay(hour*60 + minute)
	return nil
}

// Value implements driver.Valuer.
func (t timeOfDay) Value() (driver.Value, error) { return core.TimeOfDay(t).String(), nil }

// Subscriber implements core.SubscriberStore.
func (s *Store) Subscriber(ctx context.Context, id core.ID) (core.Subscriber, error) {
	return subscriber(ctx, s.db, id)
}

func subscriber(ctx context.Context, db bun.IDB, id core.ID) (core.Subscriber, error) {
	r := subscriberRow{ID: id}
	err := db.NewSelect().Model(&r).WherePK().Scan(ctx)
	return r.subscriber(), Error(err)
}

// SignIn implements core.SubscriberStore.
func (s *Store) SignIn(
	ctx context.Context, p core.Profile, up core.SignUp, now time.Time,
) (sub core.Subscriber, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		p := p
		r, err := refreshed(ctx, tx, &p, now)
		isNew := core.IsCode(err, core.CodeNotFound)
		if isNew {
			r, isNew, err = signUp(ctx, tx, &p, up, now)
		}
		if err != nil {
			return err
		}
		sub = r.subscriber()
		_, err = tx.NewUpdate().Table("waitlist_entries").
			Set("joined_at = ?", now).Set("subscriber_id = ?", sub.ID).Where("joined_at is null").
			Where("("+hasEmail+" or ? and "+invitedBy+")", p.Email, isNew, up.InvitationHash).Exec(ctx)
		return err
	})
	return sub, err
}

// hasEmail finds the waiting list entry of an address. The list only has ASCII addresses, and collation C lowers no
// other letters, so a look-alike is another address.
const hasEmail = `lower(email) = lower(? collate "C")`

// invitedBy finds the entry of an invitation that has not been accepted.
const invitedBy = "invitation_hash = ? and status = 'invited'"

// refreshed finds a person who signs in, and updates what comes from the issuer. A new address that another person has
// by another issuer is not taken over: p keeps the earlier one.
func refreshed(ctx context.Context, tx Tx, p *core.Profile, now time.Time) (r subscriberRow, err error) {
	err = tx.NewSelect().Model(&r).Join("join identities i on i.subscriber_id = s.id").
		Where("i.issuer = ?", p.Issuer).Where("i.subject = ?", p.Subject).For("no key update of s").Scan(ctx)
	if err != nil {
		return r, Error(err)
	}
	if err := keepAddress(ctx, tx, r.ID, p); err != nil {
		return r, err
	}
	_, err = tx.NewUpdate().Table("identities").Set("email = ?", p.Email).Set("used_at = ?", now).
		Where("issuer = ?", p.Issuer).Where("subject = ?", p.Subject).Exec(ctx)
	if err != nil {
		return r, err
	}
	main, err := mainIdentity(ctx, tx, r.ID)
	if err != nil {
		return r, err
	}
	avatar := r.Avatar
	if main.is(*p) {
		avatar = p.Avatar
	}
	if r.Email != main.Email || r.Avatar != avatar {
		r.Email, r.Avatar = main.Email, avatar
		r.UpdatedAt = NextVersion(r.UpdatedAt, now)
	}
	r.SignedInAt = &now
	_, err = tx.NewUpdate().Model(&r).Column("email", "avatar", "updated_at", "signed_in_at").WherePK().Exec(ctx)
	return r, Error(err)
}

// signUp adds a person who may sign up, and reports whether they are new: they may have signed up meanwhile. The
// invitation stays locked, so that it admits only one.
func signUp(
	ctx context.Context, tx Tx, p *core.Profile, up core.SignUp, now time.Time,
) (r subscriberRow, isNew bool, err error) {
	if err := lockAddress(ctx, tx, *p); err != nil {
		return r, false, err
	}
	if r, err = refreshed(ctx, tx, p, now); !core.IsCode(err, core.CodeNotFound) {
		return r, false, err
	}
	if err := checkAddress(ctx, tx, core.ID{}, *p); err != nil {
		return r, false, err
	}
	if !up.Open {
		invited, err := isInvited(ctx, tx, *p, up)
		if err == nil && !invited {
			err = core.ErrUninvited()
		}
		if err != nil {
			return r, false, err
		}
	}
	r = newSubscriberRow(*p, now)
	if err := insertSubscriber(ctx, tx, &r); err != nil {
		return r, false, err
	}
	return r, true, insertIdentity(ctx, tx, r.ID, *p, now)
}

func newSubscriberRow(p core.Profile, now time.Time) subscriberRow {
	return subscriberRow{ID: core.NewID(), Email: p.Email, Name: p.Name, Avatar: p.Avatar, Locale: p.Locale,
		Timezone: "Europe/Lisbon", SignedInAt: &now, CreatedAt: now, UpdatedAt: now}
}

// insertSubscriber stores a new person, and reads the defaults.
func insertSubscriber(ctx context.Context, tx Tx, r *subscriberRow) error {
	_, err := tx.NewInsert().Model(r).
		ExcludeColumn("bell_default", "quiet_start", "quiet_end", "digest_at", "onboarded_at", "suspended_at",
			"suspension_reason").
		Returning("?Columns").Exec(ctx)
	return Error(err)
}

// isInvited locks the waiting list entries that invite a person.
func isInvited(ctx context.Context, tx Tx, p core.Profile, up core.SignUp) (bool, error) {
	var entries []core.ID
	err := tx.NewSelect().Table("waitlist_entries").Column("id").
		Where("("+invitedBy+" or "+hasEmail+" and status = 'invited')", up.InvitationHash, p.Email).
		For("update").Scan(ctx, &entries)
	return len(entries) > 0, err
}

// UpdateSubscriber implements core.SubscriberStore.
func (s *Store) UpdateSubscriber(ctx context.Context, id core.ID, in core.SubscriberPatch, seen *time.Time,
	now time.Time) (sub core.Subscriber, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r := subscriberRow{ID: id}
		if err := tx.NewSelect().Model(&r).WherePK().For("update").Scan(ctx); err != nil {
			return err
		}
		if err := core.CheckSeen(seen, r.UpdatedAt); err != nil {
			return err
		}
		sub = r.subscriber()
		in.Apply(&sub)
		sub.UpdatedAt = NextVersion(r.UpdatedAt, now)
		r.setProfile(sub)
		r.UpdatedAt = sub.UpdatedAt
		_, err := tx.NewUpdate().Model(&r).WherePK().
			Column("name", "locale", "timezone", "bell_default", "quiet_start", "quiet_end", "digest_at", "updated_at").
			Exec(ctx)
		if err != nil {
			return err
		}
		if in.DigestAt != nil || in.QuietHours.Set || in.Timezone != nil {
			if err := replanDigest(ctx, tx, id, now); err != nil {
				return err
			}
		}
		return rescheduleHeld(ctx, tx, sub, now)
	})
	return sub, err
}

// DeleteSubscriber implements core.SubscriberStore. It locks the person first, so that other transactions that would
// store something about them wait, and then fail.
func (s *Store) DeleteSubscriber(
	ctx context.Context, id core.ID, renew core.Renewal, now time.Time,
) (ended []core.ID, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r := subscriberRow{ID: id}
		if err := tx.NewSelect().Model(&r).Column("id").WherePK().For("update").Scan(ctx); err != nil {
			return err
		}
		publishers, err := leavePublishers(ctx, tx, id)
		if err != nil {
			return err
		}
		for _, p := range publishers {
			keys, err := revokeKeysOf(ctx, tx, p.ID, id, now)
			if err != nil {
				return err
			}
			if err := renewWebhooks(ctx, tx, p.ID, renew, now); err != nil {
				return err
			}
			ended = append(ended, keys...)
		}
		if err := auditMemberships(ctx, tx, id, core.AuditEntry{ObjectID: id}); err != nil {
			return err
		}
		if err := forgetInLog(ctx, tx, id); err != nil { // after the last entry, and while their tokens are there
			return err
		}
		if err := forgetSecretsOf(ctx, tx, id); err != nil {
			return err
		}
		credentials, err := erase(ctx, tx, id)
		ended = append(ended, credentials...)
		return err
	})
	return ended, err
}

// erase deletes a person who is locked and is no member of a publisher any more. It returns the credentials that ended.
func erase(ctx context.Context, tx Tx, id core.ID) (ended []core.ID, err error) {
	if err := forgetAddresses(ctx, tx, id); err != nil {
		return nil, err
	}
	if ended, err = endCredentials(ctx, tx, id); err != nil {
		return nil, err
	}
	if err := unsubscribeAll(ctx, tx, id); err != nil {
		return nil, err
	}
	caller := core.Caller{Kind: core.CallerSubscriber, SubscriberID: id}
	_, err = tx.NewDelete().Table("idempotency_keys").Where("caller = ?", caller.Identity()).Exec(ctx)
	if err != nil {
		return nil, err
	}
	_, err = tx.NewDelete().Table("subscribers").Where("id = ?", id).Exec(ctx)
	return ended, err
}

// forgetSecretsOf removes a person's id from the secrets of publishers that they know.
func forgetSecretsOf(ctx context.Context, tx Tx, id core.ID) error {
	for table, column := range map[string]bun.Ident{"api_keys": "created_by", "webhooks": "secret_known_to"} {
		_, err := tx.NewUpdate().Table(table).Set("? = ?", column, core.ID{}).Where("? = ?", column, id).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// endCredentials deletes the sessions and access tokens of a person, and returns the ids of those that were valid.
func endCredentials(ctx context.Context, tx Tx, id core.ID) (sessions []core.ID, err error) {
	_, err = tx.NewDelete().Table("sessions").Where("subscriber_id = ?", id).Returning("id").Exec(ctx, &sessions)
	if err != nil {
		return nil, err
	}
	var tokens []core.ID
	_, err = tx.NewDelete().Table("access_tokens").Where("subscriber_id = ?", id).Where("revoked_at is null").
		Returning("id").Exec(ctx, &tokens)
	return append(sessions, tokens...), err
}

// leavePublishers deletes the publishers that only the person is a member of and that have no channels. It withdraws
// the person's invitations to the others, and returns all. It fails when the person is the only owner of one that
// remains, unless that is suspended: it stays, without an owner, so that its name is not free. It locks them, as every
// change of their members and channels does, so that two owners cannot leave at once.
func leavePublishers(ctx context.Context, tx Tx, id core.ID) (publishers []publisherRow, err error) {
	err = tx.NewSelect().Model(&publishers).Column("id").
		Where("exists (select from publisher_members m where m.publisher_id = p.id and m.subscriber_id = ?)", id).
		Order("p.id").For("update").Scan(ctx)
	if err != nil {
		return nil, err
	}
	soleOwned := func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Model((*memberRow)(nil)).Join("join publishers p on p.id = m.publisher_id").
			Where("m.subscriber_id = ?", id).Where("m.role = ?", core.RoleOwner).Where("p.suspended_at is null").
			Where(`not exists (select from publisher_members o
				where o.publisher_id = p.id and o.role = m.role and o.subscriber_id <> m.subscriber_id)`)
	}
	const used = `(exists (select from publisher_members o
			where o.publisher_id = p.id and o.subscriber_id <> m.subscriber_id)
		or exists (select from channels c where c.publisher_id = p.id and c.deleted_at is null))`
	var slugs []string
	if err := soleOwned(tx.NewSelect()).ColumnExpr("p.slug").Where(used).Order("p.slug").Scan(ctx, &slugs); err != nil {
		return nil, err
	}
	if len(slugs) > 0 {
		return nil, core.ErrLastOwner(slugs)
	}
	var deleted []publisherRow
	_, err = tx.NewDelete().Model(&deleted).
		Where("p.id in (?)", soleOwned(tx.NewSelect()).ColumnExpr("p.id")).Returning("id, slug").Exec(ctx)
	if err != nil {
		return nil, err
	}
	entries := make([]core.AuditEntry, len(deleted))
	for i, p := range deleted {
		entries[i] = core.AuditEntry{PublisherID: p.ID, ObjectID: p.ID, Object: p.Slug}
	}
	if err := audit(ctx, tx, entries...); err != nil {
		return nil, err
	}
	return publishers, withdrawInvitationsBy(ctx, tx, id, nil)
}

// unsubscribeAll stops following everything. It changes counts in the order of channels, so that two who leave at once
// do not deadlock.
func unsubscribeAll(ctx context.Context, tx Tx, id core.ID) error {
	// Raw, because the rows to insert are those that the same statement deletes.
	_, err := tx.NewRaw(`
		with gone as (delete from subscriptions where subscriber_id = ? returning channel_id)
		insert into channel_counts as k (channel_id, stripe, subscribers)
		select channel_id, ?::smallint, -1 from gone order by channel_id
		on conflict (channel_id, stripe) do update set subscribers = k.subscribers + excluded.subscribers`,
		id, stripe()).Exec(ctx)
	return err
}

// onboardingRow is the part of a subscriber that onboarding changes.
type onboardingRow struct {
	bun.BaseModel `bun:"table:subscribers,alias:s"`

	ID          core.ID             `bun:"id,pk"`
	Step        core.OnboardingStep `bun:"onboarding_step"`
	CategoryIDs []core.ID           `bun:"onboarding_categories,array"`
	CompletedAt *time.Time          `bun:"onboarded_at"`
	UpdatedAt   time.Time           `bun:"updated_at"`
}

func (r onboardingRow) onboarding() core.Onboarding {
	o := core.Onboarding{Step: r.Step, CategoryIDs: r.CategoryIDs, CompletedAt: r.CompletedAt}
	if o.CategoryIDs == nil {
		o.CategoryIDs = []core.ID{} // in JSON, an empty array
	}
	return o
}

// take sets the next step. Onboarding that is done stays done.
func (r *onboardingRow) take(step core.OnboardingStep, categoryIDs []core.ID, now time.Time) {
	if categoryIDs != nil {
		r.CategoryIDs = categoryIDs
	}
	if r.CompletedAt == nil && step == core.OnboardingDone {
		r.CompletedAt = &now
		r.UpdatedAt = NextVersion(r.UpdatedAt, now) // the profile shows it
	}
	if r.Step = step; r.CompletedAt != nil {
		r.Step = core.OnboardingDone
	}
}

// Onboarding implements core.SubscriberStore.
func (s *Store) Onboarding(ctx context.Context, subscriberID core.ID) (core.Onboarding, error) {
	return onboarding(ctx, s.db, subscriberID)
}

func onboarding(ctx context.Context, db bun.IDB, subscriberID core.ID) (core.Onboarding, error) {
	r := onboardingRow{ID: subscriberID}
	err := db.NewSelect().Model(&r).WherePK().Scan(ctx)
	return r.onboarding(), Error(err)
}

// SaveOnboarding implements core.SubscriberStore.
func (s *Store) SaveOnboarding(ctx context.Context, subscriberID core.ID, step core.OnboardingStep,
	categoryIDs []core.ID, now time.Time) (o core.Onboarding, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		if err := checkCategories(ctx, tx, categoryIDs); err != nil {
			return err
		}
		r := onboardingRow{ID: subscriberID}
		if err := tx.NewSelect().Model(&r).WherePK().For("no key update").Scan(ctx); err != nil {
			return err
		}
		r.take(step, categoryIDs, now)
		o = r.onboarding()
		_, err := tx.NewUpdate().Model(&r).WherePK().Exec(ctx)
		return err
	})
	return o, err
}

// checkCategories fails with CodeInvalid unless all are categories.
func checkCategories(ctx context.Context, tx Tx, ids []core.ID) error {
	if len(ids) == 0 {
		return nil
	}
	var known []core.ID
	err := tx.NewSelect().Table("categories").Column("id").Where("id in (?)", bun.List(ids)).Scan(ctx, &known)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !slices.Contains(known, id) {
			return core.Invalid(core.FieldError{Pointer: "#/categoryIds", Code: "unknown",
				Detail: core.Text{EN: "includes an unknown category", PT: "inclui uma categoria desconhecida"}})
		}
	}
	return nil
}

// lockPerson locks a person against other changes of the same kind until the transaction ends.
func lockPerson(ctx context.Context, tx Tx, id core.ID) error {
	r := subscriberRow{ID: id}
	return tx.NewSelect().Model(&r).Column("id").WherePK().For("no key update").Scan(ctx)
}
