package sininho

import (
	"context"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/waitlistapi"
)

// WaitlistService manages the waiting list (the waiting-list API: /waitlist). Anyone can join; a
// person with the token that was emailed to them can see their place and leave. Listing, exporting
// and inviting need the access token of an operator. If the waiting list is served at its own
// address, set it with [WithWaitlistURL].
type WaitlistService struct{ api, files *waitlistapi.Client }

// WaitlistStatus is the status of a waiting-list entry.
type WaitlistStatus string

// The statuses of waiting-list entries.
const (
	// WaitlistUnconfirmed: the person has not opened the emailed link yet.
	WaitlistUnconfirmed WaitlistStatus = "unconfirmed"
	WaitlistWaiting     WaitlistStatus = "waiting"
	// WaitlistInvited: the person may sign in.
	WaitlistInvited WaitlistStatus = "invited"
	// WaitlistJoined: the person has signed in.
	WaitlistJoined WaitlistStatus = "joined"
)

// WaitlistEntry is a waiting-list entry as operators see it.
type WaitlistEntry struct {
	ID     string         `json:"id"`
	Email  string         `json:"email"`
	Name   string         `json:"name,omitempty"`
	Status WaitlistStatus `json:"status"`
	// Position is the place among the waiting entries, from 1; 0 if the entry is not waiting.
	Position int64 `json:"position,omitempty"`
	// Referrals is the number of people they referred who confirmed their address.
	Referrals int64 `json:"referrals"`
	// ReferredBy is the email address of the person who referred them, if anyone did.
	ReferredBy  string    `json:"referredBy,omitempty"`
	Locale      string    `json:"locale"`
	CreatedAt   time.Time `json:"createdAt"`
	ConfirmedAt time.Time `json:"confirmedAt,omitzero"`
	InvitedAt   time.Time `json:"invitedAt,omitzero"`
	JoinedAt    time.Time `json:"joinedAt,omitzero"`
}

// WaitlistPlace is a waiting-list entry as its owner sees it.
type WaitlistPlace struct {
	Email  string         `json:"email"`
	Name   string         `json:"name,omitempty"`
	Status WaitlistStatus `json:"status"`
	// Position is the place among the waiting entries, from 1; 0 if the entry is not waiting.
	Position int64 `json:"position,omitempty"`
	// Total is the number of waiting entries.
	Total int64 `json:"total"`
	// Referrals is the number of people they referred who confirmed their address.
	Referrals    int64  `json:"referrals"`
	ReferralCode string `json:"referralCode"`
	// ReferralURL is the link to share.
	ReferralURL string `json:"referralUrl"`
	// InvitationURL is where an invited person signs in.
	InvitationURL string    `json:"invitationUrl,omitempty"`
	CreatedAt     time.Time `json:"createdAt"`
	ConfirmedAt   time.Time `json:"confirmedAt,omitzero"`
	InvitedAt     time.Time `json:"invitedAt,omitzero"`
}

// WaitlistInput describes a person who joins. Email is required.
type WaitlistInput struct {
	Email string
	// Name is the name used in emails, at most 100 characters.
	Name string
	// ReferralCode is the code of the referral link that was used; an unknown code is ignored.
	ReferralCode string
	// Locale is the language of the emails: pt-PT (the default, also pt), pt-BR or en.
	Locale string
}

// Join adds a person to the waiting list. Only the email that they receive reveals whether they were
// already on it.
func (s *WaitlistService) Join(ctx context.Context, in WaitlistInput) error {
	var f faults
	f.email("email", in.Email)
	if in.Name != "" {
		var name rules.Faults
		name.Name("#/name", in.Name, rules.MaxName)
		f.found(name)
	}
	f.texts(map[string]*string{"referralCode": &in.ReferralCode})
	if err := f.err(); err != nil {
		return err
	}
	return check(s.api.JoinWaitlist(ctx, waitlistapi.WaitlistEntryInput{Email: in.Email, Name: optional(in.Name),
		ReferralCode: optional(in.ReferralCode), Locale: (*waitlistapi.WaitlistEntryInputLocale)(optional(in.Locale))}))
}

// Confirm confirms the email address to which the token was sent. Confirming again changes nothing.
func (s *WaitlistService) Confirm(ctx context.Context, token string) (*WaitlistPlace, error) {
	if err := checkToken(token); err != nil {
		return nil, err
	}
	return decode[WaitlistPlace](s.api.ConfirmWaitlistEntry(ctx, token))
}

// Place returns the entry that the token belongs to.
func (s *WaitlistService) Place(ctx context.Context, token string) (*WaitlistPlace, error) {
	if err := checkToken(token); err != nil {
		return nil, err
	}
	return decode[WaitlistPlace](s.api.GetWaitlistEntry(ctx, token))
}

// Leave removes the entry that the token belongs to, with all its data.
func (s *WaitlistService) Leave(ctx context.Context, token string) error {
	if err := checkToken(token); err != nil {
		return err
	}
	return check(s.api.LeaveWaitlist(ctx, token))
}

// checkToken keeps an invalid token out of the path; the error does not repeat it.
func checkToken(token string) error {
	if token == "" || len(token) > 64 || !isVisibleASCII(token) {
		return inputFault("path:token", "invalid", "must be the token from the emailed link")
	}
	return nil
}

// WaitlistListOptions filters a list; the zero value does not filter.
type WaitlistListOptions struct {
	// Search is a text that the email address or the name contains.
	Search string
	Status WaitlistStatus
}

// List iterates over the waiting list: first the waiting entries, in the order in which
// [WaitlistService.InviteNext] invites them, then the others, newest first. The iteration ends at the first error.
func (s *WaitlistService) List(ctx context.Context, o WaitlistListOptions) iter.Seq2[WaitlistEntry, error] {
	return listed(func(e WaitlistEntry) string { return e.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListWaitlistEntries(ctx, &waitlistapi.ListWaitlistEntriesParams{
			Limit: limit, Offset: offset, Q: optional(o.Search), Status: optional(o.Status.toAPI())})
	})
}

func (s WaitlistStatus) toAPI() waitlistapi.Status { return waitlistapi.Status(s) }

// Export writes the waiting list to w as CSV of any length, with a header line. It makes a single
// attempt, without the timeout of [WithTimeout]; if it fails, w has received only a part.
func (s *WaitlistService) Export(ctx context.Context, w io.Writer, o WaitlistListOptions) error {
	params := &waitlistapi.ExportWaitlistParams{Q: optional(o.Search), Status: optional(o.Status.toAPI())}
	resp, err := s.files.ExportWaitlist(ctx, params)
	if err := check(resp, err); err != nil {
		return err
	}
	defer resp.Body.Close()
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/csv" {
		return unexpectedType(resp, "CSV")
	}
	if _, err := io.Copy(w, resp.Body); err != nil {
		return callError(resp.Request, err)
	}
	return nil
}

// InviteNext invites the next n waiting people, 1 to 1000, and returns their entries. It invites
// fewer if fewer are waiting.
func (s *WaitlistService) InviteNext(ctx context.Context, n int, opts ...CallOption) ([]WaitlistEntry, error) {
	if n < 1 || n > maxInvited {
		return nil, inputFault("#/next", "out_of_range", fmt.Sprintf("must be 1 to %d, not %d", maxInvited, n))
	}
	return s.invite(ctx, waitlistapi.InvitationInput{Next: pointerTo(int32(n))}, opts)
}

// Invite invites the people with these email addresses, at most 1000, whether they are waiting or
// not. It sends the email again to those who are already invited.
func (s *WaitlistService) Invite(ctx context.Context, emails []string, opts ...CallOption) ([]WaitlistEntry, error) {
	var f faults
	if len(emails) < 1 || len(emails) > maxInvited {
		f.add("emails", "out_of_range", "must have 1 to %d addresses, not %d", maxInvited, len(emails))
	}
	for i, email := range emails {
		f.email(fmt.Sprintf("emails/%d", i), email)
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return s.invite(ctx, waitlistapi.InvitationInput{Emails: emails}, opts)
}

const maxInvited = 1000

func (s *WaitlistService) invite(
	ctx context.Context, in waitlistapi.InvitationInput, opts []CallOption,
) ([]WaitlistEntry, error) {
	c, err := newCall(opts)
	if err != nil {
		return nil, err
	}
	got, err := decode[struct {
		Data []WaitlistEntry `json:"data"`
	}](s.api.InviteFromWaitlist(ctx, &waitlistapi.InviteFromWaitlistParams{IdempotencyKey: &c.key}, in))
	if err != nil {
		return nil, err
	}
	return got.Data, nil
}
