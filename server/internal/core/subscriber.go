package core

import (
	"context"
	"time"
)

// Subscriber is a signed-in person.
type Subscriber struct {
	ID          ID
	Email       string
	Name        string
	Avatar      string
	Locale      string
	Timezone    string
	OnboardedAt *time.Time
	CreatedAt   time.Time
}

// Profile is what an identity provider tells of a person.
type Profile struct {
	Subject, Email, Name, Avatar, Locale string
}

// SubscriberStore keeps subscribers.
type SubscriberStore interface {
	Subscriber(ctx context.Context, id ID) (Subscriber, error)
	// SignIn finds the person by the provider's subject, or makes them, and refreshes what the provider tells.
	SignIn(ctx context.Context, p Profile, now time.Time) (Subscriber, error)
	Onboarding(ctx context.Context, subscriberID ID) (Onboarding, error)
	// SaveOnboarding stores the step and, unless nil, the interests; a step that is done stays done.
	SaveOnboarding(ctx context.Context, subscriberID ID, step OnboardingStep, categoryIDs []ID, now time.Time) (Onboarding, error)
}

// OnboardingStep is how far a subscriber's first steps are.
type OnboardingStep string

// OnboardingDone is the last step.
const OnboardingDone OnboardingStep = "done"

// Onboarding is a subscriber's first steps: interests, channels, notifications.
type Onboarding struct {
	Step        OnboardingStep
	CategoryIDs []ID
	CompletedAt *time.Time
}
