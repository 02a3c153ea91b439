package server

import (
	"context"
	"errors"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// printOperatorLink logs a link for the first operator, where people sign in with passkeys, no setting names one, and
// nobody has come in by such a link.
func (s *Server) printOperatorLink(ctx context.Context) {
	if !s.config.signsInBy(core.SignInPasskey) || len(s.config.OperatorEmails) > 0 {
		return
	}
	store := postgres.NewStore(s.background)
	has, err := store.HasOperator(ctx)
	if err != nil || has {
		if err != nil {
			s.log.ErrorContext(ctx, "look for operators", "error", err)
		}
		return
	}
	link, err := core.NewOperatorLink(ctx, store, s.config.PublicURL, false, Now())
	if err != nil {
		s.log.ErrorContext(ctx, "make the link of the first operator", "error", err)
		return
	}
	s.log.WarnContext(ctx, "there is no operator: whoever opens this link first becomes one", "link", link,
		"valid", core.OperatorLinkLife)
}

// OperatorLink returns a link by which one person signs up with a passkey and becomes an operator. With only, they
// replace all others who came in by such a link.
func OperatorLink(ctx context.Context, c Config, only bool) (string, error) {
	if !c.signsInBy(core.SignInPasskey) {
		return "", errors.New("people who come in by a link sign in with a passkey: add passkey to SIGN_IN first, or " +
			"name the operator in OPERATOR_EMAILS")
	}
	db, err := postgres.Open(ctx, postgres.Config{URL: c.DatabaseDirectURL, Connections: 1})
	if err != nil {
		return "", err
	}
	defer db.Close() // nothing is running
	return core.NewOperatorLink(ctx, postgres.NewStore(db), c.PublicURL, only, Now())
}
