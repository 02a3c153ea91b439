package sininho

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
)

// OnboardingService reads and saves the signed-in person's progress through onboarding
// (API: /subscribers/onboarding). It needs their access token.
type OnboardingService struct{ api *api.Client }

// OnboardingStep is a step of the onboarding.
type OnboardingStep string

// The steps in their order. StepDone cannot be undone.
const (
	StepInterests     OnboardingStep = "interests"
	StepChannels      OnboardingStep = "channels"
	StepNotifications OnboardingStep = "notifications"
	StepDone          OnboardingStep = "done"
)

// Onboarding is the progress through onboarding and the choices made.
type Onboarding struct {
	// Step is the step to show next.
	Step OnboardingStep `json:"step"`
	// CategoryIDs are the categories chosen as interests.
	CategoryIDs []string `json:"categoryIds"`
	// CompletedAt is zero until onboarding is done.
	CompletedAt time.Time `json:"completedAt,omitzero"`
}

// Get returns the step to show next and the choices made so far.
func (s *OnboardingService) Get(ctx context.Context) (*Onboarding, error) {
	return decode[Onboarding](s.api.GetOnboarding(ctx))
}

// Save saves the step reached and the interests, as ids of categories; nil keeps the interests unchanged.
func (s *OnboardingService) Save(ctx context.Context, step OnboardingStep, categoryIDs []string) (*Onboarding, error) {
	var f faults
	var ids []uuid.UUID
	for _, id := range categoryIDs {
		ids = append(ids, f.id("categoryIds", id))
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[Onboarding](
		s.api.SaveOnboarding(ctx, api.OnboardingInput{Step: api.OnboardingStep(step), CategoryIds: ids}),
	)
}
