package waitlist

import (
	"context"
	"time"

	"github.com/riverqueue/river"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/emails"
	"github.com/sininho/sininho/server/internal/postgres"
)

// Config is what a waiting list works with. Every field is required.
type Config struct {
	DB          *postgres.DB
	Subscribers Subscribers
	Jobs        emails.Jobs
	Operators   core.Operators
	SecretKey   []byte // of the server; tokens are derived from it
	PublicURL   string
	// Open means that emails can be sent. A closed list takes no entries and invites nobody.
	Open bool
	// EmailsPerNetwork is how many emails a day the strangers of one network can ask for.
	EmailsPerNetwork int
	Now              func() time.Time
}

// Subscribers finds people who have an account.
type Subscribers interface {
	// Subscriber returns a person. It fails with CodeNotFound when there is none.
	Subscriber(ctx context.Context, id core.ID) (core.Subscriber, error)
}

// Waitlist holds the rules of the waiting list.
type Waitlist struct {
	store       *store
	subscribers Subscribers
	operators   core.Operators
	tokens      tokens
	links       links
	open        bool
	perNetwork  int
	now         func() time.Time
}

// New returns a waiting list.
func New(c Config) (*Waitlist, error) {
	tokens, err := newTokens(c.SecretKey)
	if err != nil {
		return nil, err
	}
	return &Waitlist{
		store:       &store{reader: reader{c.DB}, jobs: c.Jobs},
		subscribers: c.Subscribers,
		operators:   c.Operators,
		tokens:      tokens,
		links:       links{c.PublicURL},
		open:        c.Open,
		perNetwork:  c.EmailsPerNetwork,
		now:         c.Now,
	}, nil
}

func errClosed() *core.Error {
	return &core.Error{Code: core.CodeUnavailable, Reason: "closed",
		Detail: core.Text{EN: "The waiting list is closed: no mail server is configured.",
			PT: "A lista de espera está fechada: não há servidor de e-mail configurado."}}
}

// Join adds a person to the list a moment later, who must then confirm their address. Only the email says whether the
// address was known before.
func (w *Waitlist) Join(ctx context.Context, in Input) error {
	if err := check(in, w.now()); err != nil {
		return err
	}
	if !w.open {
		return errClosed()
	}
	now := w.now()
	return w.store.db.InTx(ctx, func(ctx context.Context, tx postgres.Tx) error {
		err := postgres.CountStrangerEmail(ctx, tx, core.OriginOf(ctx).Network, w.perNetwork, now)
		if err != nil {
			return err
		}
		return w.store.jobs.Insert(ctx, tx, []river.InsertManyParams{{Args: joinArgs{Input: in, At: now}}})
	})
}

// Place is what the holder of an entry's token sees.
type Place struct {
	Entry
	Waiting       int64 // how many people wait
	ReferralURL   string
	InvitationURL string // empty unless the person is invited
}

// Place returns the place of a token's holder. It fails with CodeNotFound when there is no such token.
func (w *Waitlist) Place(ctx context.Context, token string) (Place, error) {
	e, waiting, err := w.store.place(ctx, core.HashSecret(token))
	if err != nil {
		return Place{}, err
	}
	p := Place{Entry: e, Waiting: waiting, ReferralURL: w.links.referral(e.ReferralCode)}
	if e.Status == Invited {
		p.InvitationURL = w.links.invitation(w.tokens.invitation(e.ID))
	}
	return p, nil
}

// Confirm confirms the address of a token's holder. Doing so again changes nothing.
func (w *Waitlist) Confirm(ctx context.Context, token string) (Place, error) {
	if err := w.store.confirm(ctx, core.HashSecret(token), w.now()); err != nil {
		return Place{}, err
	}
	return w.Place(ctx, token)
}

// Leave removes a token's holder from the list.
func (w *Waitlist) Leave(ctx context.Context, token string) error {
	return w.store.leave(ctx, core.HashSecret(token))
}

// Entries returns a page of the entries and the length of the list, for an operator.
func (w *Waitlist) Entries(ctx context.Context, c core.Caller, f Filter, p core.Page) ([]Entry, int64, error) {
	if err := w.operators.Check(ctx, c, w.subscribers.Subscriber); err != nil {
		return nil, 0, err
	}
	return w.store.entries(ctx, f, p)
}

// Export returns a function that calls take with each entry that Entries would list, for an operator.
func (w *Waitlist) Export(ctx context.Context, c core.Caller, f Filter) (
	each func(take func(Entry) error) error, err error) {
	if err := w.operators.Check(ctx, c, w.subscribers.Subscriber); err != nil {
		return nil, err
	}
	return func(take func(Entry) error) error { return w.store.eachEntry(ctx, f, take) }, nil
}

// Invite invites people and returns their entries, for an operator. People who are not on the list are written to in
// the operator's language.
func (w *Waitlist) Invite(ctx context.Context, c core.Caller, choice Choice, key core.Idempotency) (
	[]Entry, core.Creation, error) {
	if err := w.operators.Check(ctx, c, w.subscribers.Subscriber); err != nil {
		return nil, 0, err
	}
	if err := check(choice, w.now()); err != nil {
		return nil, 0, err
	}
	if !w.open {
		return nil, 0, errClosed()
	}
	if choice.Next > 0 {
		return w.store.inviteNext(ctx, choice.Next, w.now(), key)
	}
	inviter, err := w.subscribers.Subscriber(ctx, c.SubscriberID)
	if err != nil {
		return nil, 0, err
	}
	entries := make([]newEntry, len(choice.Emails))
	for i, email := range choice.Emails {
		entries[i] = w.tokens.newEntry(Input{Email: email, Locale: inviter.Locale})
	}
	return w.store.inviteChosen(ctx, entries, w.now(), key)
}
