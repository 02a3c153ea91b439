package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
)

type passkeyRow struct {
	bun.BaseModel `bun:"table:passkeys,alias:k"`

	ID           core.ID         `bun:"id,pk"`
	SubscriberID core.ID         `bun:"subscriber_id"`
	CredentialID []byte          `bun:"credential_id"`
	UserHandle   []byte          `bun:"user_handle"`
	Credential   json.RawMessage `bun:"credential,type:jsonb"`
	Name         string          `bun:"name"`
	CreatedAt    time.Time       `bun:"created_at"`
	UsedAt       *time.Time      `bun:"used_at"`
}

func (r passkeyRow) passkey() core.Passkey {
	return core.Passkey{ID: r.ID, SubscriberID: r.SubscriberID, Name: r.Name, CredentialID: r.CredentialID,
		UserHandle: r.UserHandle, Credential: r.Credential, CreatedAt: r.CreatedAt, UsedAt: r.UsedAt}
}

func fromPasskey(k core.Passkey) passkeyRow {
	return passkeyRow{ID: k.ID, SubscriberID: k.SubscriberID, CredentialID: k.CredentialID, UserHandle: k.UserHandle,
		Credential: k.Credential, Name: k.Name, CreatedAt: k.CreatedAt, UsedAt: k.UsedAt}
}

var _ core.PasskeyStore = (*Store)(nil)

func selectPasskeys(db bun.IDB, subscriberID core.ID) *bun.SelectQuery {
	return db.NewSelect().Model((*passkeyRow)(nil)).Where("k.subscriber_id = ?", subscriberID).
		Order("k.created_at", "k.id")
}

// Passkeys implements core.PasskeyStore.
func (s *Store) Passkeys(ctx context.Context, subscriberID core.ID) ([]core.Passkey, error) {
	list, err := all(ctx, selectPasskeys(s.db, subscriberID), passkeyRow.passkey)
	return list, Error(err)
}

type usedChallengeRow struct {
	bun.BaseModel `bun:"table:used_challenges,alias:c"`

	Hash      []byte    `bun:"hash,pk"`
	ExpiresAt time.Time `bun:"expires_at"`
}

// UseChallenge implements core.PasskeyStore.
func (s *Store) UseChallenge(ctx context.Context, hash []byte, expiresAt time.Time) error {
	result, err := s.db.NewInsert().Model(&usedChallengeRow{Hash: hash, ExpiresAt: expiresAt}).
		On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return Error(err)
	}
	if n, err := result.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return core.ErrNoPasskeyChallenge()
}

// SignInWithPasskey implements core.PasskeyStore.
func (s *Store) SignInWithPasskey(
	ctx context.Context, credentialID []byte, verify func(core.Passkey) ([]byte, error), now time.Time,
) (sub core.Subscriber, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var k passkeyRow
		err := tx.NewSelect().Model(&k).Where("k.credential_id = ?", credentialID).For("no key update").Scan(ctx)
		if err = Error(err); core.IsCode(err, core.CodeNotFound) {
			return core.ErrUnknownPasskey()
		}
		if err != nil {
			return err
		}
		if k.Credential, err = verify(k.passkey()); err != nil {
			return err
		}
		k.UsedAt = &now
		if _, err := tx.NewUpdate().Model(&k).Column("credential", "used_at").WherePK().Exec(ctx); err != nil {
			return err
		}
		r := subscriberRow{ID: k.SubscriberID}
		_, err = tx.NewUpdate().Model(&r).Set("signed_in_at = ?", now).WherePK().Returning("?Columns").Exec(ctx)
		sub = r.subscriber()
		return err
	})
	return sub, err
}

// SignUpWithPasskey implements core.PasskeyStore.
func (s *Store) SignUpWithPasskey(
	ctx context.Context, person core.Subscriber, key core.Passkey, up core.SignUp, now time.Time,
) (sub core.Subscriber, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		r := newSubscriberRow(core.Profile{Name: person.Name, Locale: person.Locale}, now)
		if up.OperatorLinkHash == nil && !up.Open {
			invited, err := isInvited(ctx, tx, core.Profile{}, up)
			if err == nil && !invited {
				err = core.ErrUninvited()
			}
			if err != nil {
				return err
			}
		}
		if err := insertSubscriber(ctx, tx, &r); err != nil {
			return err
		}
		if up.OperatorLinkHash != nil {
			if err := becomeOperator(ctx, tx, &r, up.OperatorLinkHash, now); err != nil {
				return err
			}
		}
		sub = r.subscriber()
		key.SubscriberID = r.ID
		k := fromPasskey(key)
		if _, err := tx.NewInsert().Model(&k).Exec(ctx); err != nil {
			return Error(err)
		}
		_, err := tx.NewUpdate().Table("waitlist_entries").Set("joined_at = ?", now).Set("subscriber_id = ?", r.ID).
			Where("joined_at is null").Where(invitedBy, up.InvitationHash).Exec(ctx)
		return err
	})
	return sub, err
}

// AddPasskey implements core.PasskeyStore.
func (s *Store) AddPasskey(ctx context.Context, key core.Passkey) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		person := subscriberRow{ID: key.SubscriberID} // so that two at once do not exceed the limit
		if err := tx.NewSelect().Model(&person).Column("id").WherePK().For("no key update").Scan(ctx); err != nil {
			return err
		}
		has, err := selectPasskeys(tx, key.SubscriberID).Count(ctx)
		if err != nil {
			return err
		}
		if has >= core.MaxPasskeys {
			return core.ErrTooManyPasskeys()
		}
		k := fromPasskey(key)
		if _, err := tx.NewInsert().Model(&k).Exec(ctx); err != nil {
			return Error(err)
		}
		return auditMemberships(ctx, tx, key.SubscriberID, core.AuditEntry{ObjectID: key.ID, Object: key.Name})
	})
}

// RenamePasskey implements core.PasskeyStore.
func (s *Store) RenamePasskey(ctx context.Context, subscriberID, id core.ID, name string) (core.Passkey, error) {
	k := passkeyRow{ID: id}
	err := s.db.NewUpdate().Model(&k).Set("name = ?", name).WherePK().Where("subscriber_id = ?", subscriberID).
		Returning("*").Scan(ctx)
	return k.passkey(), Error(err)
}

// RemovePasskey implements core.PasskeyStore.
func (s *Store) RemovePasskey(ctx context.Context, subscriberID, id core.ID, offered []string) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		person := subscriberRow{ID: subscriberID} // so that two at once do not leave none
		if err := tx.NewSelect().Model(&person).Column("id").WherePK().For("no key update").Scan(ctx); err != nil {
			return err
		}
		gone := passkeyRow{ID: id}
		err := tx.NewDelete().Model(&gone).WherePK().Where("subscriber_id = ?", subscriberID).Returning("*").Scan(ctx)
		if err != nil {
			return err
		}
		if err := checkWayIn(ctx, tx, subscriberID, offered); err != nil {
			return err
		}
		return auditMemberships(ctx, tx, subscriberID, core.AuditEntry{ObjectID: id, Object: gone.Name})
	})
}
