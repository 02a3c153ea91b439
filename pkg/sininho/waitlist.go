package sininho

import (
	"context"
	"fmt"
	"io"
	"iter"
	"mime"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/waitlistapi"
)

// WaitlistService is who waits to be let in (the waiting-list API: /waitlist). Anyone joins,
// and whoever has the token that was e-mailed to them sees their place and leaves. To list,
// to export and to invite is for operators, with their access token. Where the waiting list
// is served apart from the rest, give its address by [WithWaitlistURL].
type WaitlistService struct{ api, files *waitlistapi.Client }

// WaitlistStatus is how far someone has come.
type WaitlistStatus string

// How far someone has come.
const (
	// WaitlistUnconfirmed has not opened the e-mailed link yet.
	WaitlistUnconfirmed WaitlistStatus = "unconfirmed"
	WaitlistWaiting     WaitlistStatus = "waiting"
	// WaitlistInvited may sign in.
	WaitlistInvited WaitlistStatus = "invited"
	// WaitlistJoined has signed in.
	WaitlistJoined WaitlistStatus = "joined"
)

// WaitlistEntry is one who waits, as operators see them.
type WaitlistEntry struct {
	ID     string         `json:"id"`
	Email  string         `json:"email"`
	Name   string         `json:"name,omitempty"`
	Status WaitlistStatus `json:"status"`
	// Position is the place among those who wait, from 1; 0 of who does not.
	Position int64 `json:"position,omitempty"`
	// Referrals counts whom they brought who confirmed their address.
	Referrals int64 `json:"referrals"`
	// ReferredBy is the address of who brought them, if anyone did.
	ReferredBy  string    `json:"referredBy,omitempty"`
	Locale      string    `json:"locale"`
	CreatedAt   time.Time `json:"createdAt"`
	ConfirmedAt time.Time `json:"confirmedAt,omitzero"`
	InvitedAt   time.Time `json:"invitedAt,omitzero"`
	JoinedAt    time.Time `json:"joinedAt,omitzero"`
}

// WaitlistPlace is what the holder of an e-mailed token sees.
type WaitlistPlace struct {
	Email  string         `json:"email"`
	Name   string         `json:"name,omitempty"`
	Status WaitlistStatus `json:"status"`
	// Position is the place among those who wait, from 1; 0 of who does not.
	Position int64 `json:"position,omitempty"`
	// Total is how many wait.
	Total int64 `json:"total"`
	// Referrals counts whom they brought who confirmed their address.
	Referrals    int64  `json:"referrals"`
	ReferralCode string `json:"referralCode"`
	// ReferralURL is the link to share.
	ReferralURL string `json:"referralUrl"`
	// InvitationURL is where an invited one signs in.
	InvitationURL string    `json:"invitationUrl,omitempty"`
	CreatedAt     time.Time `json:"createdAt"`
	ConfirmedAt   time.Time `json:"confirmedAt,omitzero"`
	InvitedAt     time.Time `json:"invitedAt,omitzero"`
}

// WaitlistInput is who joins. Email is needed.
type WaitlistInput struct {
	Email string
	// Name is how to address them; at most 100 characters.
	Name string
	// ReferralCode is that of the link which brought them; one that is not known is ignored.
	ReferralCode string
	// Locale is the language of the e-mails: pt (as when empty) or en.
	Locale string
}

// Join puts someone on the waiting list. It says nothing of whether they were on it: an
// e-mail tells them.
func (s *WaitlistService) Join(ctx context.Context, in WaitlistInput) error {
	var f faults
	f.email("email", in.Email)
	f.bounded("name", in.Name, maxWaitlistName)
	f.texts(map[string]*string{"name": &in.Name, "referralCode": &in.ReferralCode})
	if err := f.err(); err != nil {
		return err
	}
	return check(s.api.JoinWaitlist(ctx, waitlistapi.WaitlistEntryInput{Email: in.Email, Name: optional(in.Name),
		ReferralCode: optional(in.ReferralCode), Locale: (*waitlistapi.WaitlistEntryInputLocale)(optional(in.Locale))}))
}

const maxWaitlistName = 100

// Confirm confirms the address that a token was e-mailed to. To confirm again changes nothing.
func (s *WaitlistService) Confirm(ctx context.Context, token string) (*WaitlistPlace, error) {
	if err := checkToken(token); err != nil {
		return nil, err
	}
	return decode[WaitlistPlace](s.api.ConfirmWaitlistEntry(ctx, token))
}

// Place shows the place of a token's holder.
func (s *WaitlistService) Place(ctx context.Context, token string) (*WaitlistPlace, error) {
	if err := checkToken(token); err != nil {
		return nil, err
	}
	return decode[WaitlistPlace](s.api.GetWaitlistEntry(ctx, token))
}

// Leave takes a token's holder off the waiting list, with all that is kept of them.
func (s *WaitlistService) Leave(ctx context.Context, token string) error {
	if err := checkToken(token); err != nil {
		return err
	}
	return check(s.api.LeaveWaitlist(ctx, token))
}

// checkToken keeps what is no token out of a path; the fault does not repeat it.
func checkToken(token string) error {
	if token == "" || len(token) > 64 || !isVisibleASCII(token) {
		return inputFault("path:token", "invalid", "must be the token of the e-mailed link")
	}
	return nil
}

// WaitlistListOptions narrows a list; the zero value does not.
type WaitlistListOptions struct {
	// Search is what the address or the name has in it.
	Search string
	Status WaitlistStatus
}

// List goes through the waiting list in the order in which [WaitlistService.InviteNext]
// invites; after those who wait come the others, the newest first. An error ends it.
func (s *WaitlistService) List(ctx context.Context, o WaitlistListOptions) iter.Seq2[WaitlistEntry, error] {
	return listed(func(e WaitlistEntry) string { return e.ID }, func(limit, offset *int32) (*http.Response, error) {
		return s.api.ListWaitlistEntries(ctx, &waitlistapi.ListWaitlistEntriesParams{
			Limit: limit, Offset: offset, Q: optional(o.Search), Status: optional(o.Status.toAPI())})
	})
}

func (s WaitlistStatus) toAPI() waitlistapi.Status { return waitlistapi.Status(s) }

// Export writes the waiting list to w as CSV with a header line, of any length. It is one
// attempt, bounded by the context alone; when it fails, what was written is part of it.
func (s *WaitlistService) Export(ctx context.Context, w io.Writer, o WaitlistListOptions) error {
	resp, err := s.files.ExportWaitlist(ctx, &waitlistapi.ExportWaitlistParams{Q: optional(o.Search), Status: optional(o.Status.toAPI())})
	if err := check(resp, err); err != nil {
		return err
	}
	defer resp.Body.Close()
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind != "text/csv" {
		return callError(resp.Request, fmt.Errorf("%w: %q instead of CSV; is the base URL right?", errAnswer, resp.Header.Get("Content-Type")))
	}
	if _, err := io.Copy(w, resp.Body); err != nil {
		return callError(resp.Request, err)
	}
	return nil
}

// InviteNext invites the next n of those who wait, 1 to 1000, and returns whom: fewer when
// fewer wait.
func (s *WaitlistService) InviteNext(ctx context.Context, n int, opts ...CallOption) ([]WaitlistEntry, error) {
	if n < 1 || n > maxInvited {
		return nil, inputFault("#/next", "out_of_range", fmt.Sprintf("must be 1 to %d, not %d", maxInvited, n))
	}
	return s.invite(ctx, waitlistapi.InvitationInput{Next: new(int32(n))}, opts)
}

// Invite invites those of the addresses, at most 1000, whether they wait or not. Whoever is
// invited already gets the e-mail again.
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

func (s *WaitlistService) invite(ctx context.Context, in waitlistapi.InvitationInput, opts []CallOption) ([]WaitlistEntry, error) {
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
