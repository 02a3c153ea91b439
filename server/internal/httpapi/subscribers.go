package httpapi

import (
	"context"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetMe returns the caller's profile.
func (a *server) GetMe(ctx context.Context, _ gen.GetMeRequestObject) (gen.GetMeResponseObject, error) {
	s, err := a.Subscribers.Get(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.GetMe200JSONResponse{
		Body: a.Pictures.toAPISubscriber(s), Headers: gen.GetMe200ResponseHeaders{ETag: etag(s.UpdatedAt)},
	}, nil
}

// UpdateMe updates the caller's profile.
func (a *server) UpdateMe(ctx context.Context, in gen.UpdateMeRequestObject) (gen.UpdateMeResponseObject, error) {
	version, err := parseIfMatch(in.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	s, err := a.Subscribers.Update(ctx, callOf(ctx).caller, fromAPISubscriberPatch(*in.Body), version)
	if err != nil {
		return nil, err
	}
	return gen.UpdateMe200JSONResponse{
		Body: a.Pictures.toAPISubscriber(s), Headers: gen.UpdateMe200ResponseHeaders{ETag: etag(s.UpdatedAt)},
	}, nil
}

// DeleteMe deletes the caller's account.
func (a *server) DeleteMe(ctx context.Context, _ gen.DeleteMeRequestObject) (gen.DeleteMeResponseObject, error) {
	if err := a.Subscribers.Delete(ctx, callOf(ctx).caller); err != nil {
		return nil, err
	}
	cookie, err := a.Sessions.SignOut(ctx, core.Caller{}) // the session was deleted with the account
	if err != nil {
		return nil, err
	}
	return gen.DeleteMe204Response{Headers: gen.DeleteMe204ResponseHeaders{SetCookie: new(cookie.String())}}, nil
}

// GetOnboarding returns the progress of the caller's onboarding.
func (a *server) GetOnboarding(
	ctx context.Context, _ gen.GetOnboardingRequestObject,
) (gen.GetOnboardingResponseObject, error) {
	o, err := a.Subscribers.Onboarding(ctx, callOf(ctx).caller)
	if err != nil {
		return nil, err
	}
	return gen.GetOnboarding200JSONResponse(toAPIOnboarding(o)), nil
}

// SaveOnboarding saves a step of the caller's onboarding.
func (a *server) SaveOnboarding(
	ctx context.Context, in gen.SaveOnboardingRequestObject,
) (gen.SaveOnboardingResponseObject, error) {
	step := core.OnboardingStep(in.Body.Step)
	o, err := a.Subscribers.SaveOnboarding(ctx, callOf(ctx).caller, step, in.Body.CategoryIds)
	if err != nil {
		return nil, err
	}
	return gen.SaveOnboarding200JSONResponse(toAPIOnboarding(o)), nil
}

func toAPIOnboarding(o core.Onboarding) api.Onboarding {
	ids := convert(o.CategoryIDs, func(id core.ID) api.ID { return id })
	return api.Onboarding{Step: api.OnboardingStep(o.Step), CategoryIds: ids, CompletedAt: utc(o.CompletedAt)}
}

func (pics Pictures) toAPISubscriber(s core.Subscriber) api.Subscriber {
	out := api.Subscriber{
		ID: s.ID, Anonymous: s.Anonymous, Email: optional(s.Email), Name: s.Name, Avatar: optional(s.Avatar),
		AvatarProxy: pics.proxy(s.Avatar), Locale: s.Locale, Timezone: s.Timezone,
		BellDefault: api.Bell(s.BellDefault), DigestAt: s.DigestAt.String(), Onboarded: s.OnboardedAt != nil,
		CreatedAt: s.CreatedAt.UTC(),
	}
	if q := s.QuietHours; q != nil {
		out.QuietHours = &api.QuietHours{Start: q.Start.String(), End: q.End.String()}
	}
	return out
}

func fromAPISubscriberPatch(in api.SubscriberPatch) core.SubscriberPatch {
	out := core.SubscriberPatch{
		Name: in.Name, Locale: in.Locale, Timezone: in.Timezone, BellDefault: (*core.Bell)(in.BellDefault),
		QuietHours: core.Patch[core.QuietHours]{Set: in.QuietHours.IsSpecified()},
	}
	if in.DigestAt != nil {
		out.DigestAt = new(fromAPITimeOfDay(*in.DigestAt))
	}
	if q, err := in.QuietHours.Get(); err == nil {
		out.QuietHours.Value = &core.QuietHours{Start: fromAPITimeOfDay(q.Start), End: fromAPITimeOfDay(q.End)}
	}
	return out
}

func fromAPITimeOfDay(s api.TimeOfDay) core.TimeOfDay {
	t, err := core.ParseTimeOfDay(s)
	if err != nil { // only in a body that violates the contract, whose other fields are validated
		return -1
	}
	return t
}
