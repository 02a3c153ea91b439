package core

import (
	"context"
	"regexp"
	"strings"
	"time"

	"golang.org/x/text/language"
)

// Subscriber is a person with an account, or an anonymous one.
type Subscriber struct {
	ID          ID
	Anonymous   bool   // without an account
	Email       string // empty without one
	Name        string
	Avatar      string
	Locale      string // a BCP 47 tag
	Timezone    string // a name from the IANA database
	BellDefault Bell   // the bell of new subscriptions
	QuietHours  *QuietHours
	DigestAt    TimeOfDay // when the digest of channels with BellDigest is told
	OnboardedAt *time.Time
	CreatedAt   time.Time
	UpdatedAt   time.Time // also the version
	Suspension  *Suspension
	Operator    bool // by an OperatorLink; Operators has the others
}

const maxPersonName = 200 // characters

// SubscriberPatch is a change to a profile. Unset fields stay unchanged.
type SubscriberPatch struct {
	Name, Locale, Timezone *string
	BellDefault            *Bell
	QuietHours             Patch[QuietHours]
	DigestAt               *TimeOfDay
}

// Validate implements Input.
func (in SubscriberPatch) Validate(*Rules, time.Time) []FieldError {
	var f faults
	if in.Name != nil {
		f.Name("#/name", *in.Name, maxPersonName)
	}
	if in.Locale != nil {
		f.locale("#/locale", *in.Locale)
	}
	if in.Timezone != nil {
		f.timezone("#/timezone", *in.Timezone)
	}
	if q := in.QuietHours.Value; q != nil && q.Start == q.End {
		f.Add("#/quietHours/end", "empty", Text{EN: "is the same time as the start", PT: "é a mesma hora do início"})
	}
	return f.Faults
}

func (f *faults) locale(pointer, s string) {
	if _, err := language.Raw.Parse(s); err != nil || strings.Contains(s, "_") {
		f.Add(pointer, "locale", Text{EN: "is not a BCP 47 language tag", PT: "não é uma etiqueta de língua BCP 47"})
	}
}

// zoneName matches the form of names in the IANA database, and excludes paths to other files in a machine's zone
// directory.
var zoneName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_+-]*(/[A-Z][A-Za-z0-9_+-]*)*$`)

func (f *faults) timezone(pointer, s string) {
	if _, err := time.LoadLocation(s); err != nil || !zoneName.MatchString(s) || s == "Local" || s == "Factory" {
		f.Add(pointer, "timezone", Text{EN: "is not a name in the IANA time zone database",
			PT: "não é um nome da base de dados de fusos horários da IANA"})
	}
}

// Apply applies the patch to s.
func (in SubscriberPatch) Apply(s *Subscriber) {
	set(&s.Name, in.Name)
	set(&s.Locale, in.Locale)
	set(&s.Timezone, in.Timezone)
	set(&s.BellDefault, in.BellDefault)
	set(&s.DigestAt, in.DigestAt)
	if in.QuietHours.Set {
		s.QuietHours = in.QuietHours.Value
	}
}

// DigestHours returns when the person is told the digest.
func (s Subscriber) DigestHours() DigestHours {
	return DigestHours{At: s.DigestAt, Quiet: s.QuietHours, Timezone: Timezone(s.Timezone)}
}

// SignUp determines whether a person may sign in for the first time.
type SignUp struct {
	Open bool // anyone may; otherwise only invited people
	// InvitationHash is the hash of the person's invitation token, or nil without one. A token admits one person.
	InvitationHash []byte
	// OperatorLinkHash is the hash of the secret of the person's operator link, or nil without one.
	OperatorLinkHash []byte
}

// ErrUninvited returns the error for a new person without an invitation where one is required.
func ErrUninvited() *Error {
	return &Error{
		Code: CodeForbidden, Reason: "uninvited",
		Detail: Text{EN: "Sign-up is by invitation only.", PT: "O registo é só por convite."},
	}
}

// SubscriberStore keeps subscribers.
type SubscriberStore interface {
	Subscriber(ctx context.Context, id ID) (Subscriber, error)
	// SignIn finds the subscriber by an identity, or creates one, and updates what the issuer reports. It also marks
	// the person's waiting-list entry as joined. For a new person it fails with ErrKnownAddress, or with ErrUninvited
	// when they may not sign up. A suspended person is returned with their suspension, and cannot have a session.
	SignIn(ctx context.Context, p Profile, up SignUp, now time.Time) (Subscriber, error)
	// UpdateSubscriber fails with CodeChanged when seen is neither nil nor the profile's version.
	UpdateSubscriber(ctx context.Context, id ID, in SubscriberPatch, seen *time.Time, now time.Time) (Subscriber, error)
	// DeleteSubscriber deletes the person with all their data, and returns the ids of the sessions and access tokens
	// that ended. It also deletes the publishers that only the person is a member of and that have no channels, and
	// renews the webhooks of the others, as RemoveMember does. It fails with CodeConflict when the person is the only
	// owner of one of these.
	DeleteSubscriber(ctx context.Context, id ID, renew Renewal, now time.Time) (ended []ID, err error)
	// Export reads all data about the person, as of a single moment. The long lists are read as they are used.
	Export(ctx context.Context, id ID, now time.Time) (Export, error)
	Onboarding(ctx context.Context, subscriberID ID) (Onboarding, error)
	// SaveOnboarding stores the step and, unless nil, the interests. A completed onboarding stays completed.
	SaveOnboarding(
		ctx context.Context, subscriberID ID, step OnboardingStep, categoryIDs []ID, now time.Time,
	) (Onboarding, error)
}

// OnboardingStep is how far a subscriber has come in the onboarding.
type OnboardingStep string

// OnboardingDone is the last step.
const OnboardingDone OnboardingStep = "done"

// Onboarding is a subscriber's progress in the first steps: interests, channels, notifications.
type Onboarding struct {
	Step        OnboardingStep
	CategoryIDs []ID
	CompletedAt *time.Time
}

// Subscribers changes and deletes accounts.
type Subscribers struct {
	store    SubscriberStore
	webhooks *Webhooks
	announce Announcer
	now      func() time.Time
}

// NewSubscribers returns the service for subscribers.
func NewSubscribers(
	store SubscriberStore, webhooks *Webhooks, announce Announcer, now func() time.Time,
) *Subscribers {
	return &Subscribers{store: store, webhooks: webhooks, announce: announce, now: now}
}

// Get returns the caller's profile.
func (s *Subscribers) Get(ctx context.Context, c Caller) (Subscriber, error) {
	return s.store.Subscriber(ctx, c.SubscriberID)
}

// Onboarding returns the caller's progress in the first steps.
func (s *Subscribers) Onboarding(ctx context.Context, c Caller) (Onboarding, error) {
	return s.store.Onboarding(ctx, c.SubscriberID)
}

// SaveOnboarding stores the caller's step and, unless nil, their interests.
func (s *Subscribers) SaveOnboarding(
	ctx context.Context, c Caller, step OnboardingStep, categoryIDs []ID,
) (Onboarding, error) {
	return s.store.SaveOnboarding(ctx, c.SubscriberID, step, categoryIDs, s.now())
}

// Update changes the caller's profile.
func (s *Subscribers) Update(ctx context.Context, c Caller, in SubscriberPatch, seen *time.Time) (Subscriber, error) {
	now := s.now()
	if err := invalid(in.Validate(nil, now)); err != nil {
		return Subscriber{}, err
	}
	return s.store.UpdateSubscriber(ctx, c.SubscriberID, in, seen, now)
}

// Delete deletes the caller's account, ends all their streams, and renews the webhooks of their publishers.
func (s *Subscribers) Delete(ctx context.Context, c Caller) error {
	renew := s.webhooks.RenewalAfter(c.SubscriberID)
	ended, err := s.store.DeleteSubscriber(ctx, c.SubscriberID, renew, s.now())
	for _, id := range ended {
		s.announce.SignedOut(ctx, id)
	}
	return err
}

// ErrLastOwner returns the error for deleting the only owner of the publishers with these slugs.
func ErrLastOwner(slugs []string) *Error {
	list := strings.Join(slugs, ", ")
	return Conflict("last_owner", Text{
		EN: "You are the only owner of: " + list +
			". First delete each of them, or invite another owner, who has to accept.",
		PT: "É o único proprietário de: " + list +
			". Primeiro, apague cada um deles ou convide outra pessoa para proprietária, que tem de aceitar."})
}

// Receipt is what a subscriber did with a notification, where it differs from the read position of the subscription.
type Receipt struct {
	NotificationID                             ID
	ReadAt, ArchivedAt, SnoozedUntil, OpenedAt *time.Time
}
