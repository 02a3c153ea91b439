package postgres

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// localeOfAddress selects the locale of the account that has an address. Of several it is that of the person who signed
// in last, as in toAddressOf.
const localeOfAddress = `(select s.locale from identities i join subscribers s on s.id = i.subscriber_id
	where lower(i.email) = lower(?0) and lower(i.email collate "C") = lower(?0 collate "C")
	order by coalesce(s.signed_in_at, s.created_at) desc, s.id desc limit 1)`

const localeOfSubscriber = "(select s.locale from subscribers s where s.id = ?1)"

// EmailSignInLocale returns the locale of the person who signs in by email, or "" when they have no account.
func (s *Store) EmailSignInLocale(ctx context.Context, in core.EmailSignIn) (locale string, err error) {
	err = s.db.NewSelect().ColumnExpr("coalesce("+localeOfSubscriber+", "+localeOfAddress+", '')",
		in.Email, in.SubscriberID).Scan(ctx, &locale)
	return locale, Error(err)
}

// InvitationLocale returns the locale of an invited person or, when they have no account, of the person who invited
// them, who is zero for an API key; "" when both have none.
func (s *Store) InvitationLocale(ctx context.Context, email string, inviter core.ID) (locale string, err error) {
	err = s.db.NewSelect().ColumnExpr("coalesce("+localeOfAddress+", "+localeOfSubscriber+", '')",
		email, inviter).Scan(ctx, &locale)
	return locale, Error(err)
}
