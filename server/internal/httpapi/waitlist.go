package httpapi

import (
	"cmp"
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/waitlistgen"
	"github.com/sininho/sininho/server/internal/waitlist"
)

// JoinWaitlist adds a person to the waiting list. The response is the same whether or not the address is known.
func (a *server) JoinWaitlist(ctx context.Context, in waitlistgen.JoinWaitlistRequestObject) (waitlistgen.JoinWaitlistResponseObject, error) {
	if err := a.Waitlist.Join(ctx, fromAPIWaitlistEntryInput(*in.Body)); err != nil {
		return nil, err
	}
	return waitlistgen.JoinWaitlist202JSONResponse{Status: waitlistapi.WaitlistReceiptStatusAccepted}, nil
}

// GetWaitlistEntry returns the waiting-list entry that the token belongs to.
func (a *server) GetWaitlistEntry(ctx context.Context, in waitlistgen.GetWaitlistEntryRequestObject) (waitlistgen.GetWaitlistEntryResponseObject, error) {
	p, err := a.Waitlist.Place(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	return waitlistgen.GetWaitlistEntry200JSONResponse(toAPIWaitlistPlace(p)), nil
}

// ConfirmWaitlistEntry confirms the address of the token's entry.
func (a *server) ConfirmWaitlistEntry(ctx context.Context, in waitlistgen.ConfirmWaitlistEntryRequestObject) (waitlistgen.ConfirmWaitlistEntryResponseObject, error) {
	p, err := a.Waitlist.Confirm(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	return waitlistgen.ConfirmWaitlistEntry200JSONResponse(toAPIWaitlistPlace(p)), nil
}

// LeaveWaitlist removes the token's entry from the waiting list.
func (a *server) LeaveWaitlist(ctx context.Context, in waitlistgen.LeaveWaitlistRequestObject) (waitlistgen.LeaveWaitlistResponseObject, error) {
	if err := a.Waitlist.Leave(ctx, in.Token); err != nil {
		return nil, err
	}
	return waitlistgen.LeaveWaitlist204Response{}, nil
}

// ListWaitlistEntries lists the waiting-list entries, for operators.
func (a *server) ListWaitlistEntries(ctx context.Context, in waitlistgen.ListWaitlistEntriesRequestObject) (waitlistgen.ListWaitlistEntriesResponseObject, error) {
	page, err := fromAPIPage(in.Params.Limit, in.Params.Offset, nil)
	if err != nil {
		return nil, err
	}
	filter := waitlist.Filter{Search: value(in.Params.Q), Status: waitlist.Status(value(in.Params.Status))}
	data, total, err := a.Waitlist.Entries(ctx, callOf(ctx).caller, filter, page)
	if err != nil {
		return nil, err
	}
	return waitlistgen.ListWaitlistEntries200JSONResponse{
		Body:    waitlistapi.WaitlistEntryPage{Data: convert(data, toAPIWaitlistEntry), Meta: waitlistapi.PageMeta{Total: total}},
		Headers: waitlistgen.ListWaitlistEntries200ResponseHeaders{Link: callOf(ctx).nextOffset(page, len(data), total)},
	}, nil
}

// InviteFromWaitlist invites people from the waiting list, for operators.
func (a *server) InviteFromWaitlist(ctx context.Context, in waitlistgen.InviteFromWaitlistRequestObject) (waitlistgen.InviteFromWaitlistResponseObject, error) {
	key := idempotency(ctx, in.Params.IdempotencyKey)
	invited, creation, err := a.Waitlist.Invite(ctx, callOf(ctx).caller, fromAPIInvitationInput(*in.Body), key)
	if err != nil {
		return nil, err
	}
	return waitlistgen.InviteFromWaitlist200JSONResponse{
		Body:    waitlistapi.InvitedEntries{Data: convert(invited, toAPIWaitlistEntry)},
		Headers: waitlistgen.InviteFromWaitlist200ResponseHeaders{IdempotencyReplayed: replayed(creation)},
	}, nil
}

func fromAPIWaitlistEntryInput(in waitlistapi.WaitlistEntryInput) waitlist.Input {
	return waitlist.Input{Email: in.Email, Name: value(in.Name), ReferralCode: value(in.ReferralCode),
		Locale: string(cmp.Or(value(in.Locale), waitlistapi.WaitlistEntryInputLocalePt))}
}

func fromAPIInvitationInput(in waitlistapi.InvitationInput) waitlist.Choice {
	return waitlist.Choice{Next: int(value(in.Next)), Emails: in.Emails}
}

func toAPIWaitlistPlace(p waitlist.Place) waitlistapi.WaitlistPlace {
	return waitlistapi.WaitlistPlace{Email: p.Email, Name: optional(p.Name), Status: waitlistapi.WaitlistStatus(p.Status), Position: optional(p.Position),
		Total: p.Waiting, Referrals: p.Referrals, ReferralCode: p.ReferralCode, ReferralURL: p.ReferralURL, InvitationURL: optional(p.InvitationURL),
		CreatedAt: p.CreatedAt.UTC(), ConfirmedAt: utc(p.ConfirmedAt), InvitedAt: utc(p.InvitedAt)}
}

func toAPIWaitlistEntry(e waitlist.Entry) waitlistapi.WaitlistEntry {
	return waitlistapi.WaitlistEntry{ID: e.ID, Email: e.Email, Name: optional(e.Name), Status: waitlistapi.WaitlistStatus(e.Status),
		Position: optional(e.Position), Referrals: e.Referrals, ReferredBy: optional(e.ReferredBy), Locale: e.Locale,
		CreatedAt: e.CreatedAt.UTC(), ConfirmedAt: utc(e.ConfirmedAt), InvitedAt: utc(e.InvitedAt), JoinedAt: utc(e.JoinedAt)}
}

func toAPIExportedEntry(e core.ExportedEntry) api.ExportedWaitlistEntry {
	return api.ExportedWaitlistEntry{Email: e.Email, Name: optional(e.Name), Locale: e.Locale, ReferralCode: e.ReferralCode, Referrals: e.Referrals,
		CreatedAt: e.CreatedAt.UTC(), ConfirmedAt: utc(e.ConfirmedAt), InvitedAt: utc(e.InvitedAt), JoinedAt: utc(e.JoinedAt)}
}
