package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type identityRow struct {
	bun.BaseModel `bun:"table:identities,alias:i"`

	ID           core.ID    `bun:"id,pk"`
	SubscriberID core.ID    `bun:"subscriber_id"`
	Issuer       string     `bun:"issuer"`
	Subject      string     `bun:"subject"`
	Email        string     `bun:"email"`
	CreatedAt    time.Time  `bun:"created_at"`
	UsedAt       *time.Time `bun:"used_at"`
}

func (r identityRow) identity() core.Identity {
	return core.Identity{ID: r.ID, Issuer: r.Issuer, Subject: r.Subject, Email: r.Email, CreatedAt: r.CreatedAt,
		UsedAt: r.UsedAt}
}

// is reports whether the profile is that of the identity.
func (r identityRow) is(p core.Profile) bool { return r.Issuer == p.Issuer && r.Subject == p.Subject }

// Identities implements core.IdentityStore.
func (s *Store) Identities(ctx context.Context, subscriberID core.ID) ([]core.Identity, error) {
	list, err := all(ctx, selectIdentities(s.db, subscriberID), identityRow.identity)
	return list, Error(err)
}

func selectIdentities(db bun.IDB, subscriberID core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*identityRow)(nil)).Where("i.subscriber_id = ?", subscriberID).
		Order("i.created_at", "i.id")
}

// mainIdentity returns a person's oldest identity, whose address is theirs.
func mainIdentity(ctx context.Context, tx Tx, subscriberID core.ID) (r identityRow, err error) {
	err = selectIdentities(tx, subscriberID).Model(&r).Limit(1).Scan(ctx)
	return r, Error(err)
}

// lockAddress lets others who sign up with the same identity, or with the same address, wait until the transaction
// ends. It locks in one order, so that none deadlock.
func lockAddress(ctx context.Context, tx Tx, p core.Profile) error {
	// Raw, because no builder takes advisory locks.
	_, err := tx.NewRaw(`
		select pg_advisory_xact_lock(k) from (
			select hashtextextended(v, 0) as k
			from (values ('identity ' || ?::text || ' ' || ?::text), ('address ' || lower(?::text))) as l (v)
			order by k
		) as ordered`, p.Issuer, p.Subject, p.Email).Exec(ctx)
	return err
}

// checkAddress fails with core.ErrKnownAddress when another person has the address by an identity of another issuer.
func checkAddress(ctx context.Context, tx Tx, subscriberID core.ID, p core.Profile) error {
	known, err := tx.NewSelect().Model((*identityRow)(nil)).Where("lower(i.email) = lower(?)", p.Email).
		Where("i.issuer <> ?", p.Issuer).Where("i.subscriber_id <> ?", subscriberID).Exists(ctx)
	if err == nil && known {
		err = core.ErrKnownAddress()
	}
	return err
}

// keepAddress gives the profile of a known identity its earlier address when the new one is another person's by another
// issuer. Otherwise an issuer could give one of its people the address, and with it the rights, of somebody else.
func keepAddress(ctx context.Context, tx Tx, subscriberID core.ID, p *core.Profile) error {
	var earlier string
	err := tx.NewSelect().Model((*identityRow)(nil)).Column("email").Where("i.issuer = ?", p.Issuer).
		Where("i.subject = ?", p.Subject).Scan(ctx, &earlier)
	if err != nil || earlier == p.Email {
		return Error(err)
	}
	if err := lockAddress(ctx, tx, *p); err != nil {
		return err
	}
	err = checkAddress(ctx, tx, subscriberID, *p)
	if core.IsCode(err, core.CodeConflict) {
		p.Email, err = earlier, nil
	}
	return err
}

func insertIdentity(ctx context.Context, tx Tx, subscriberID core.ID, p core.Profile, now time.Time) error {
	r := identityRow{ID: core.NewID(), SubscriberID: subscriberID, Issuer: p.Issuer, Subject: p.Subject, Email: p.Email,
		CreatedAt: now, UsedAt: &now}
	_, err := tx.NewInsert().Model(&r).Exec(ctx)
	return err
}

// AddIdentity implements core.IdentityStore. The first identity gives a person with passkeys an address.
func (s *Store) AddIdentity(ctx context.Context, subscriberID core.ID, p core.Profile, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		person := subscriberRow{ID: subscriberID}
		if err := tx.NewSelect().Model(&person).WherePK().For("no key update").Scan(ctx); err != nil {
			return err
		}
		if err := lockAddress(ctx, tx, p); err != nil {
			return err
		}
		var holders []core.ID
		err := tx.NewSelect().Model((*identityRow)(nil)).Column("subscriber_id").Where("i.issuer = ?", p.Issuer).
			Where("i.subject = ?", p.Subject).Scan(ctx, &holders)
		if err != nil || slices.Contains(holders, subscriberID) {
			return err
		}
		if len(holders) > 0 {
			return core.ErrIdentityTaken()
		}
		if err := checkAddress(ctx, tx, subscriberID, p); err != nil {
			return err
		}
		has, err := selectIdentities(tx, subscriberID).Count(ctx)
		if err != nil {
			return err
		}
		if has >= core.MaxIdentities {
			return core.ErrTooManyIdentities()
		}
		if err := insertIdentity(ctx, tx, subscriberID, p, now); err != nil {
			return err
		}
		return setAddress(ctx, tx, person, now)
	})
}

// RemoveIdentity implements core.IdentityStore. The person's address becomes that of the oldest identity that remains.
func (s *Store) RemoveIdentity(
	ctx context.Context, subscriberID, id core.ID, offered []string, now time.Time,
) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		person := subscriberRow{ID: subscriberID}
		if err := tx.NewSelect().Model(&person).WherePK().For("no key update").Scan(ctx); err != nil {
			return err
		}
		gone := identityRow{ID: id}
		_, err := tx.NewDelete().Model(&gone).WherePK().Where("subscriber_id = ?", subscriberID).
			Returning("issuer, subject").Exec(ctx, &gone)
		if err != nil {
			return err
		}
		if gone.Subject == "" {
			return core.NotFound()
		}
		if err := checkWayIn(ctx, tx, subscriberID, offered); err != nil {
			return err
		}
		return setAddress(ctx, tx, person, now)
	})
}

// checkWayIn fails with core.ErrLastIdentity unless the person can sign in with something that is offered.
func checkWayIn(ctx context.Context, tx Tx, subscriberID core.ID, offered []string) error {
	remains, err := selectIdentities(tx, subscriberID).Where("i.issuer in (?)", bun.List(offered)).Exists(ctx)
	if err == nil && !remains && slices.Contains(offered, core.IssuerPasskey) {
		remains, err = selectPasskeys(tx, subscriberID).Exists(ctx)
	}
	if err == nil && !remains {
		err = core.ErrLastIdentity()
	}
	return err
}

// setAddress gives a person the address of their oldest identity, or none.
func setAddress(ctx context.Context, tx Tx, person subscriberRow, now time.Time) error {
	main, err := mainIdentity(ctx, tx, person.ID)
	if err != nil && !core.IsCode(err, core.CodeNotFound) {
		return err
	}
	if person.Email == main.Email {
		return nil
	}
	person.Email, person.UpdatedAt = main.Email, NextVersion(person.UpdatedAt, now)
	_, err = tx.NewUpdate().Model(&person).Column("email", "updated_at").WherePK().Exec(ctx)
	return err
}
