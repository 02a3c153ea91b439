package postgres

import (
	"context"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// Waitlist keeps the waiting list. It implements waitlist.Store.
type Waitlist struct {
	*Store
	// Queue has letters sent once tx is committed.
	Queue func(ctx context.Context, tx Tx, letters []waitlist.Letter) error
}

var _ waitlist.Store = (*Waitlist)(nil)

// invitingLock is the advisory lock under which operators invite, so that two who invite the next do not choose the same.
const invitingLock = 0x51_4e_57_41_49_54

// entries selects entries with their places.
const entries = `
	select w.id, w.email, coalesce(w.name, '') as name, w.locale, w.status, w.referrals, w.referral_code,
		coalesce((select r.email from waitlist_entries r where r.id = w.referred_by), '') as referred_by,
		w.created_at, w.confirmed_at, w.invited_at, w.joined_at,
		case when w.status = 'waiting' then 1 + (select count(*) from waitlist_entries o where o.status = 'waiting' and o.referrals >= w.referrals
			and (o.referrals > w.referrals or (o.confirmed_at, o.id) < (w.confirmed_at, w.id))) else 0 end as position
	from waitlist_entries w`

// Join implements waitlist.Store.
func (s *Waitlist) Join(ctx context.Context, e waitlist.NewEntry, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		letter, err := join(ctx, tx, e, now)
		if err != nil {
			return err
		}
		res, err := tx.NewRaw(`
			insert into waitlist_letters as l (email, queued_at) values (lower(?), ?)
			on conflict (email) do update set queued_at = excluded.queued_at where l.queued_at <= ?`,
			e.Email, now, now.Add(-waitlist.LettersApart)).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return s.Queue(ctx, tx, []waitlist.Letter{letter})
	})
}

// join keeps an entry, and answers the letter to the person. Who has an account gets no entry.
func join(ctx context.Context, tx bun.IDB, e waitlist.NewEntry, now time.Time) (waitlist.Letter, error) {
	letter := waitlist.Letter{ID: core.NewID()}
	var account []core.ID
	err := tx.NewRaw(`select id from subscribers where lower(email) = lower(?0) and lower(email collate "C") = lower(?0) limit 1`, e.Email).Scan(ctx, &account)
	if err != nil {
		return letter, err
	}
	if len(account) > 0 {
		letter.Kind, letter.SubscriberID = waitlist.Account, account[0]
		return letter, nil
	}
	var kept waitlist.Entry
	err = tx.NewRaw(`
		insert into waitlist_entries as w (id, email, name, locale, token_hash, invitation_hash, referral_code, referred_by, created_at)
		values (?, ?, ?, ?, ?, ?, ?, (select id from waitlist_entries where referral_code = ?), ?)
		on conflict (lower(email)) do update set
			name = case when w.status = 'unconfirmed' then coalesce(excluded.name, w.name) else w.name end,
			locale = case when w.status = 'unconfirmed' then excluded.locale else w.locale end,
			referred_by = case when w.status = 'unconfirmed' then coalesce(nullif(excluded.referred_by, w.id), w.referred_by) else w.referred_by end,
			created_at = case when w.status = 'unconfirmed' then excluded.created_at else w.created_at end
		returning id, status`,
		e.ID, e.Email, null(e.Name), e.Locale, e.TokenHash, e.InvitationHash, e.ReferralCode, e.ReferredBy, now).Scan(ctx, &kept.ID, &kept.Status)
	if err != nil {
		return letter, err
	}
	letter.Kind, letter.EntryID = kept.Letter(), kept.ID
	return letter, nil
}

// Place implements waitlist.Store.
func (s *Store) Place(ctx context.Context, tokenHash []byte) (waitlist.Entry, int64, error) {
	return s.entry(ctx, "w.token_hash = ?", tokenHash)
}

// EntryByID finds an entry, and how many wait, for the letters to it.
func (s *Store) EntryByID(ctx context.Context, id core.ID) (waitlist.Entry, int64, error) {
	return s.entry(ctx, "w.id = ?", id)
}

func (s *Store) entry(ctx context.Context, where string, arg any) (e waitlist.Entry, waiting int64, err error) {
	var row struct {
		waitlist.Entry
		Waiting int64
	}
	err = s.db.NewRaw("select v.*, (select count(*) from waitlist_entries where status = 'waiting') as waiting from ("+entries+" where "+where+") v", arg).Scan(ctx, &row)
	if err != nil {
		return waitlist.Entry{}, 0, Error(err)
	}
	return row.Entry, row.Waiting, nil
}

// Confirm implements waitlist.Store.
func (s *Store) Confirm(ctx context.Context, tokenHash []byte, now time.Time) error {
	return s.tx(ctx, func(ctx context.Context, tx Tx) error {
		var confirmed bool
		err := tx.NewRaw("select confirmed_at is not null from waitlist_entries where token_hash = ? for update", tokenHash).Scan(ctx, &confirmed)
		if err != nil || confirmed {
			return err
		}
		_, err = tx.NewRaw(`
			with confirmed as (update waitlist_entries set confirmed_at = ? where token_hash = ? returning referred_by)
			update waitlist_entries w set referrals = w.referrals + 1 from confirmed where w.id = confirmed.referred_by`, now, tokenHash).Exec(ctx)
		return err
	})
}

// Leave implements waitlist.Store. It counts no more for whoever brought it: else one mailbox could be brought again and
// again. When the address was written to stays known until that is pruned, for the same reason.
func (s *Store) Leave(ctx context.Context, tokenHash []byte) error {
	var gone int
	err := s.db.NewRaw(`
		with gone as (delete from waitlist_entries where token_hash = ? and status <> 'joined' returning referred_by, confirmed_at),
			uncounted as (update waitlist_entries w set referrals = w.referrals - 1 from gone where w.id = gone.referred_by and gone.confirmed_at is not null)
		select count(*) from gone`, tokenHash).Scan(ctx, &gone)
	if err == nil && gone == 0 {
		err = core.NotFound()
	}
	return Error(err)
}

// InviteNext implements waitlist.Store.
func (s *Waitlist) InviteNext(ctx context.Context, count int, now time.Time, key core.Idempotency) ([]waitlist.Entry, core.Creation, error) {
	return s.invite(ctx, key, func(ctx context.Context, tx bun.IDB) (ids []core.ID, err error) {
		err = tx.NewRaw(`
			with next as (
				select id, row_number() over (order by referrals desc, confirmed_at, id) as place from (
					select id, referrals, confirmed_at from waitlist_entries where status = 'waiting'
					order by referrals desc, confirmed_at, id limit ? for update) v
			), invited as (
				update waitlist_entries w set invited_at = ? from next where w.id = next.id returning w.id, next.place
			)
			select id from invited order by place`, count, now).Scan(ctx, &ids)
		return ids, err
	})
}

// InviteChosen implements waitlist.Store.
func (s *Waitlist) InviteChosen(ctx context.Context, chosen []waitlist.NewEntry, now time.Time, key core.Idempotency) ([]waitlist.Entry, core.Creation, error) {
	return s.invite(ctx, key, func(ctx context.Context, tx bun.IDB) (ids []core.ID, err error) {
		seen := map[string]bool{}
		for _, e := range chosen {
			if seen[strings.ToLower(e.Email)] {
				continue
			}
			seen[strings.ToLower(e.Email)] = true
			var id core.ID
			err := tx.NewRaw(`
				insert into waitlist_entries as w (id, email, locale, token_hash, invitation_hash, referral_code, created_at, invited_at)
				values (?, ?, ?, ?, ?, ?, ?, ?)
				on conflict (lower(email)) do update set invited_at = case when w.joined_at is null then coalesce(w.invited_at, excluded.invited_at) else w.invited_at end
				returning id`, e.ID, e.Email, e.Locale, e.TokenHash, e.InvitationHash, e.ReferralCode, now, now).Scan(ctx, &id)
			if err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
		return ids, nil
	})
}

// invite runs choose, which invites, and queues the letters to all who have not joined.
func (s *Waitlist) invite(ctx context.Context, key core.Idempotency, choose func(ctx context.Context, tx bun.IDB) ([]core.ID, error)) (invited []waitlist.Entry, creation core.Creation, err error) {
	err = s.tx(ctx, func(ctx context.Context, tx Tx) error {
		creation, err = once(ctx, tx, key, &invited, func() (core.Creation, error) {
			if _, err := tx.NewRaw("select pg_advisory_xact_lock(?)", int64(invitingLock)).Exec(ctx); err != nil {
				return 0, err
			}
			ids, err := choose(ctx, tx)
			if err != nil || len(ids) == 0 {
				return core.Created, Error(err)
			}
			err = tx.NewRaw(entries+" join unnest(?::uuid[]) with ordinality v (id, place) on v.id = w.id order by v.place", uuidArray(ids)).Scan(ctx, &invited)
			if err != nil {
				return 0, err
			}
			var letters []waitlist.Letter
			for _, e := range invited {
				if e.Status == waitlist.Invited {
					letters = append(letters, waitlist.Letter{ID: core.NewID(), Kind: waitlist.Invitation, EntryID: e.ID})
				}
			}
			return core.Created, s.Queue(ctx, tx, letters)
		})
		return err
	})
	return invited, creation, err
}
