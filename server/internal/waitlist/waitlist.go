package waitlist

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// Waitlist lets people join, see their place, move up and leave, and operators invite them.
type Waitlist struct {
	Store interface {
		Store
		Subscriber(ctx context.Context, id core.ID) (core.Subscriber, error)
	}
	Tokens    Tokens
	Links     Links
	Operators core.Operators
	// Open is whether e-mails can be sent; without them nobody joins and nobody is invited.
	Open bool
	Now  func() time.Time
}

// Links are the addresses in the web app that e-mails lead to.
type Links struct{ PublicURL string }

// Entry is where the holder of an entry's token confirms, sees their place and leaves.
func (l Links) Entry(token string) string { return l.PublicURL + "/waitlist/" + token }

// Leave is where they leave, without confirming first.
func (l Links) Leave(token string) string { return l.Entry(token) + "?leave=true" }

// Referral is the link to share.
func (l Links) Referral(code string) string { return l.PublicURL + "/?ref=" + url.QueryEscape(code) }

// Invitation is where who is invited signs in.
func (l Links) Invitation(token string) string { return l.PublicURL + "/login?invitation=" + token }

// Login is where who has an account signs in.
func (l Links) Login() string { return l.PublicURL + "/login" }

// ErrClosed says that there is no waiting list here.
func ErrClosed() *core.Error {
	return &core.Error{Code: core.CodeUnavailable, Reason: "closed",
		Detail: core.Text{EN: "There is no waiting list here: no mail server is set.", PT: "Aqui não há lista de espera: falta um servidor de e-mail."}}
}

// Join puts someone on the list, who is then to confirm their address. Whether it was known is told by e-mail only.
func (w *Waitlist) Join(ctx context.Context, in Input) error {
	if err := in.Validate(); err != nil {
		return err
	}
	if !w.Open {
		return ErrClosed()
	}
	return w.Store.Join(ctx, w.Tokens.newEntry(in), w.Now())
}

// Place is what the holder of an entry's token sees.
type Place struct {
	Entry
	Waiting       int64 // how many wait
	ReferralURL   string
	InvitationURL string // of who is invited
}

// Place finds the place of a token's holder; CodeNotFound when the token is not good.
func (w *Waitlist) Place(ctx context.Context, token string) (Place, error) {
	e, waiting, err := w.Store.Place(ctx, core.HashSecret(token))
	if err != nil {
		return Place{}, err
	}
	p := Place{Entry: e, Waiting: waiting, ReferralURL: w.Links.Referral(e.ReferralCode)}
	if e.Status == Invited {
		p.InvitationURL = w.Links.Invitation(w.Tokens.Invitation(e.ID))
	}
	return p, nil
}

// Confirm confirms the address of a token's holder, which changes nothing the second time.
func (w *Waitlist) Confirm(ctx context.Context, token string) (Place, error) {
	if err := w.Store.Confirm(ctx, core.HashSecret(token), w.Now()); err != nil {
		return Place{}, err
	}
	return w.Place(ctx, token)
}

// Leave takes a token's holder off the list.
func (w *Waitlist) Leave(ctx context.Context, token string) error {
	return w.Store.Leave(ctx, core.HashSecret(token))
}

// Entries lists the entries, for an operator.
func (w *Waitlist) Entries(ctx context.Context, c core.Caller, f Filter, p core.Page) ([]Entry, int64, error) {
	if err := w.Operators.Check(ctx, c, w.Store.Subscriber); err != nil {
		return nil, 0, err
	}
	return w.Store.Entries(ctx, f, p)
}

// Export prepares to hand over all that Entries would list, for an operator.
func (w *Waitlist) Export(ctx context.Context, c core.Caller, f Filter) (each func(take func(Entry) error) error, err error) {
	if err := w.Operators.Check(ctx, c, w.Store.Subscriber); err != nil {
		return nil, err
	}
	return func(take func(Entry) error) error { return w.Store.EachEntry(ctx, f, take) }, nil
}

// Choice says whom to invite: the next of those who wait, or, without a number, those of the addresses.
type Choice struct {
	Next   int
	Emails []string
}

// Validate reports every fault of the choice.
func (c Choice) Validate() error {
	var faults []core.FieldError
	for i, email := range c.Emails {
		if !isAddress(email) {
			faults = append(faults, notAddress(fmt.Sprintf("#/emails/%d", i)))
		}
	}
	if len(faults) > 0 {
		return core.Invalid(faults...)
	}
	return nil
}

// Invite invites, for an operator, and answers who was invited.
func (w *Waitlist) Invite(ctx context.Context, c core.Caller, choice Choice, key core.Idempotency) ([]Entry, core.Creation, error) {
	if err := w.Operators.Check(ctx, c, w.Store.Subscriber); err != nil {
		return nil, 0, err
	}
	if err := choice.Validate(); err != nil {
		return nil, 0, err
	}
	if !w.Open {
		return nil, 0, ErrClosed()
	}
	if choice.Next > 0 {
		return w.Store.InviteNext(ctx, choice.Next, w.Now(), key)
	}
	entries := make([]NewEntry, len(choice.Emails))
	for i, email := range choice.Emails {
		entries[i] = w.Tokens.newEntry(Input{Email: email, Locale: "pt"})
	}
	return w.Store.InviteChosen(ctx, entries, w.Now(), key)
}
