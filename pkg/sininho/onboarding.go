package sininho

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/api"
)

// OnboardingService keeps how far the signed-in person's first steps are
// (API: /subscribers/onboarding). It needs their access token.
type OnboardingService struct{ api *api.Client }

// OnboardingStep is a step to show.
type OnboardingStep string

// The steps in their order. Done is never undone.
const (
	StepInterests     OnboardingStep = "interests"
	StepChannels      OnboardingStep = "channels"
	StepNotifications OnboardingStep = "notifications"
	StepDone          OnboardingStep = "done"
)

// Onboarding is how far it is and what was chosen.
type Onboarding struct {
	// Step is the one to show next.
	Step OnboardingStep `json:"step"`
	// CategoryIDs are the interests chosen.
	CategoryIDs []string `json:"categoryIds"`
	// CompletedAt is zero until it is done.
	CompletedAt time.Time `json:"completedAt,omitzero"`
}

// Get tells the step to show next and what was chosen so far.
func (s *OnboardingService) Get(ctx context.Context) (*Onboarding, error) {
	return decode[Onboarding](s.api.GetOnboarding(ctx))
}

// Save saves the step reached and the interests, by the ids of categories; nil leaves them.
func (s *OnboardingService) Save(ctx context.Context, step OnboardingStep, categoryIDs []string) (*Onboarding, error) {
	var f faults
	var ids []uuid.UUID
	for _, id := range categoryIDs {
		ids = append(ids, f.id("categoryIds", id))
	}
	if err := f.err(); err != nil {
		return nil, err
	}
	return decode[Onboarding](s.api.SaveOnboarding(ctx, api.OnboardingInput{Step: api.OnboardingStep(step), CategoryIds: ids}))
}
