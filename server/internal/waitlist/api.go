package waitlist

import (
	"cmp"
	"context"

	api "github.com/sininho/sininho/pkg/waitlistapi"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/handler"
	gen "github.com/sininho/sininho/server/internal/waitlist/waitlistgen"
)

// API implements the contract of the waiting list. Package httpapi mounts it.
type API struct{ list *Waitlist }

var _ gen.StrictServerInterface = (*API)(nil)

// NewAPI returns the handlers of a waiting list.
func NewAPI(list *Waitlist) *API { return &API{list} }

// Inputs returns the conversions of bodies by operation, so that violations of schema and rules are reported together.
func (*API) Inputs() map[string]func(body []byte) core.Input {
	return map[string]func([]byte) core.Input{
		"joinWaitlist":       handler.Input(fromAPIInput),
		"inviteFromWaitlist": handler.Input(fromAPIChoice),
	}
}

// JoinWaitlist adds a person to the waiting list. The response is the same whether or not the address is known.
func (a *API) JoinWaitlist(ctx context.Context, in gen.JoinWaitlistRequestObject) (
	gen.JoinWaitlistResponseObject, error) {
	input := fromAPIInput(*in.Body)
	input.Locale = cmp.Or(input.Locale, string(handler.RequestOf(ctx).Language()))
	if err := a.list.Join(ctx, input); err != nil {
		return nil, err
	}
	return gen.JoinWaitlist202JSONResponse{Status: api.WaitlistReceiptStatusAccepted}, nil
}

// GetWaitlistEntry returns the waiting-list entry that the token belongs to.
func (a *API) GetWaitlistEntry(ctx context.Context, in gen.GetWaitlistEntryRequestObject) (
	gen.GetWaitlistEntryResponseObject, error) {
	p, err := a.list.Place(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	return gen.GetWaitlistEntry200JSONResponse(toAPIPlace(p)), nil
}

// ConfirmWaitlistEntry confirms the address of the token's entry.
func (a *API) ConfirmWaitlistEntry(ctx context.Context, in gen.ConfirmWaitlistEntryRequestObject) (
	gen.ConfirmWaitlistEntryResponseObject, error) {
	p, err := a.list.Confirm(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	return gen.ConfirmWaitlistEntry200JSONResponse(toAPIPlace(p)), nil
}

// LeaveWaitlist removes the token's entry from the waiting list.
func (a *API) LeaveWaitlist(ctx context.Context, in gen.LeaveWaitlistRequestObject) (
	gen.LeaveWaitlistResponseObject, error) {
	if err := a.list.Leave(ctx, in.Token); err != nil {
		return nil, err
	}
	return gen.LeaveWaitlist204Response{}, nil
}

// ListWaitlistEntries lists the waiting-list entries, for operators.
func (a *API) ListWaitlistEntries(ctx context.Context, in gen.ListWaitlistEntriesRequestObject) (
	gen.ListWaitlistEntriesResponseObject, error) {
	request, page := handler.RequestOf(ctx), handler.Page(in.Params.Limit, in.Params.Offset)
	filter := Filter{Search: handler.Value(in.Params.Q), Status: Status(handler.Value(in.Params.Status))}
	data, total, err := a.list.Entries(ctx, request.Caller(), filter, page)
	if err != nil {
		return nil, err
	}
	return gen.ListWaitlistEntries200JSONResponse{
		Body:    api.WaitlistEntryPage{Data: handler.Convert(data, toAPIEntry), Meta: api.PageMeta{Total: total}},
		Headers: gen.ListWaitlistEntries200ResponseHeaders{Link: request.NextOffset(page, len(data), total)},
	}, nil
}

// InviteFromWaitlist invites people from the waiting list, for operators.
func (a *API) InviteFromWaitlist(ctx context.Context, in gen.InviteFromWaitlistRequestObject) (
	gen.InviteFromWaitlistResponseObject, error) {
	request := handler.RequestOf(ctx)
	key := request.Idempotency(in.Params.IdempotencyKey)
	invited, creation, err := a.list.Invite(ctx, request.Caller(), fromAPIChoice(*in.Body), key)
	if err != nil {
		return nil, err
	}
	return gen.InviteFromWaitlist200JSONResponse{
		Body:    api.InvitedEntries{Data: handler.Convert(invited, toAPIEntry)},
		Headers: gen.InviteFromWaitlist200ResponseHeaders{IdempotencyReplayed: handler.Replayed(creation)},
	}, nil
}

func fromAPIInput(in api.WaitlistEntryInput) Input {
	return Input{Email: in.Email, Name: handler.Value(in.Name), ReferralCode: handler.Value(in.ReferralCode),
		Locale: string(handler.Value(in.Locale))}
}

func fromAPIChoice(in api.InvitationInput) Choice {
	return Choice{Next: int(handler.Value(in.Next)), Emails: in.Emails}
}

func toAPIPlace(p Place) api.WaitlistPlace {
	return api.WaitlistPlace{
		Email:         p.Email,
		Name:          handler.Optional(p.Name),
		Status:        api.WaitlistStatus(p.Status),
		Position:      handler.Optional(p.Position),
		Total:         p.Waiting,
		Referrals:     p.Referrals,
		ReferralCode:  p.ReferralCode,
		ReferralURL:   p.ReferralURL,
		InvitationURL: handler.Optional(p.InvitationURL),
		CreatedAt:     p.CreatedAt.UTC(),
		ConfirmedAt:   handler.UTC(p.ConfirmedAt),
		InvitedAt:     handler.UTC(p.InvitedAt),
	}
}

func toAPIEntry(e Entry) api.WaitlistEntry {
	return api.WaitlistEntry{
		ID:          e.ID,
		Email:       e.Email,
		Name:        handler.Optional(e.Name),
		Status:      api.WaitlistStatus(e.Status),
		Position:    handler.Optional(e.Position),
		Referrals:   e.Referrals,
		ReferredBy:  handler.Optional(e.ReferredBy),
		Locale:      e.Locale,
		CreatedAt:   e.CreatedAt.UTC(),
		ConfirmedAt: handler.UTC(e.ConfirmedAt),
		InvitedAt:   handler.UTC(e.InvitedAt),
		JoinedAt:    handler.UTC(e.JoinedAt),
	}
}
