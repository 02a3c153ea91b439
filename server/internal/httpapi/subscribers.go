package httpapi

import (
	"context"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"github.com/sininho/sininho/pkg/api"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/httpapi/gen"
)

// GetMe shows the caller's profile.
func (a *server) GetMe(ctx context.Context, _ gen.GetMeRequestObject) (gen.GetMeResponseObject, error) {
	s, err := a.Subscribers.Subscriber(ctx, callOf(ctx).caller.SubscriberID)
	if err != nil {
		return nil, err
	}
	return gen.GetMe200JSONResponse(toAPISubscriber(s)), nil
}

// GetOnboarding shows how far the caller's onboarding is.
func (a *server) GetOnboarding(ctx context.Context, _ gen.GetOnboardingRequestObject) (gen.GetOnboardingResponseObject, error) {
	o, err := a.Subscribers.Onboarding(ctx, callOf(ctx).caller.SubscriberID)
	if err != nil {
		return nil, err
	}
	return gen.GetOnboarding200JSONResponse(toAPIOnboarding(o)), nil
}

// SaveOnboarding saves the caller's onboarding.
func (a *server) SaveOnboarding(ctx context.Context, in gen.SaveOnboardingRequestObject) (gen.SaveOnboardingResponseObject, error) {
	o, err := a.Subscribers.SaveOnboarding(ctx, callOf(ctx).caller.SubscriberID, core.OnboardingStep(in.Body.Step), in.Body.CategoryIds, a.Now())
	if err != nil {
		return nil, err
	}
	return gen.SaveOnboarding200JSONResponse(toAPIOnboarding(o)), nil
}

func toAPIOnboarding(o core.Onboarding) api.Onboarding {
	ids := convert(o.CategoryIDs, func(id core.ID) api.ID { return id })
	return api.Onboarding{Step: api.OnboardingStep(o.Step), CategoryIds: ids, CompletedAt: utc(o.CompletedAt)}
}

func toAPISubscriber(s core.Subscriber) api.Subscriber {
	return api.Subscriber{ID: s.ID, Email: openapi_types.Email(s.Email), Name: s.Name, Avatar: optional(s.Avatar), Locale: s.Locale,
		Timezone: s.Timezone, Onboarded: s.OnboardedAt != nil, CreatedAt: s.CreatedAt.UTC()}
}
