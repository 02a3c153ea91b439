package core

import (
	"context"
	"time"
)

// PublisherRequest asks the operators for a publisher. A person has one: a new one replaces it.
type PublisherRequest struct {
	ID         ID
	Asker      Subscriber // only ID, Name and Email are set
	Slug       string     // nobody else is kept from it meanwhile
	Name       string
	Reason     string // what the publisher is for
	Status     PublisherRequestStatus
	Answer     string // why it was refused, for the asker
	CreatedAt  time.Time
	AnsweredAt *time.Time
}

// PublisherRequestStatus is what operators have made of a request.
type PublisherRequestStatus string

// The statuses.
const (
	PublisherPending  PublisherRequestStatus = "pending"
	PublisherApproved PublisherRequestStatus = "approved" // the publisher was created
	PublisherRefused  PublisherRequestStatus = "refused"
)

const (
	maxPublisherReason = 1000 // characters
	// MaxPublisherRequests is how many requests a person may make within PublisherRequestWindow. Sending the pending
	// one again does not count.
	MaxPublisherRequests = 5
	// PublisherRequestWindow begins with a person's first request.
	PublisherRequestWindow = 7 * 24 * time.Hour
	// PublisherRequestsKept is how long a request is kept once it was answered or withdrawn.
	PublisherRequestsKept = 180 * 24 * time.Hour
)

// ErrRequestNotNeeded returns the error for requesting a publisher that the caller may create.
func ErrRequestNotNeeded() *Error {
	return Conflict("request_not_needed", Text{EN: "You need not ask: create the publisher with createPublisher.",
		PT: "Não precisa de pedir: crie o publicador com createPublisher."})
}

// ErrTooManyPublisherRequests returns the error for a person with MaxPublisherRequests.
func ErrTooManyPublisherRequests(wait time.Duration) *Error {
	return &Error{Code: CodeRateLimited, Reason: "too_many_publisher_requests", RetryAfter: wait,
		Detail: Text{EN: "You have asked 5 times within a week. Try again in a few days.",
			PT: "Já pediu 5 vezes em 7 dias. Tente daqui a alguns dias."}}
}

// ErrAskerOwnsTooMany returns the error for approving a request of a person who owns as many publishers as one may.
func ErrAskerOwnsTooMany() *Error {
	return Conflict("too_many", Text{EN: "This person already owns as many publishers as one may. Refuse the request.",
		PT: "Esta pessoa já tem o número máximo de publicadores. Recuse o pedido."})
}

// PublisherRequestInput is the input for a request.
type PublisherRequestInput struct{ Slug, Name, Reason string }

// Validate implements Input.
func (in PublisherRequestInput) Validate(r *Rules, now time.Time) []FieldError {
	f := faults{PublisherInput{Slug: in.Slug, Name: in.Name}.Validate(r, now)}
	f.Text("#/reason", in.Reason)
	f.Length("#/reason", in.Reason, maxPublisherReason)
	return f.Faults
}

// PublisherAnswer approves or refuses a request.
type PublisherAnswer struct {
	Status PublisherRequestStatus
	Answer string
}

// Validate implements Input.
func (in PublisherAnswer) Validate(*Rules, time.Time) []FieldError {
	var f faults
	f.Text("#/answer", in.Answer)
	f.Length("#/answer", in.Answer, maxPublisherReason)
	if in.Answer != "" && in.Status == PublisherApproved {
		f.Add("#/answer", "unexpected", Text{EN: "is only for a refusal", PT: "é só para uma recusa"})
	}
	return f.Faults
}

// PublisherRequestStore keeps requests.
type PublisherRequestStore interface {
	// PutPublisherRequest stores a request in place of the person's earlier one; the same as the pending one changes
	// nothing. It fails with CodeConflict when a publisher has the slug, and with CodeRateLimited when the person has
	// made MaxPublisherRequests.
	PutPublisherRequest(ctx context.Context, r PublisherRequest) (PublisherRequest, error)
	// PublisherRequestOf fails with CodeNotFound for a person who has none.
	PublisherRequestOf(ctx context.Context, subscriberID ID) (PublisherRequest, error)
	// WithdrawPublisherRequest fails with CodeNotFound for a person who has no pending one.
	WithdrawPublisherRequest(ctx context.Context, subscriberID ID, now time.Time) error
	// PublisherRequests returns the pending ones, the oldest first.
	PublisherRequests(ctx context.Context, page Page) (data []PublisherRequest, total int64, err error)
	// AnswerPublisherRequest also creates the publisher of an approved request. It fails with CodeNotFound when there
	// is no such request, with CodeConflict when a publisher has the slug or the person owns too many, and with
	// CodeForbidden for approving that of a suspended person. One that was answered stays as it is.
	AnswerPublisherRequest(ctx context.Context, id ID, a PublisherAnswer, now time.Time) (PublisherRequest, error)
}

type publisherRequestsStore interface {
	PublisherRequestStore
	viewersStore
}

// PublisherRequests takes requests for publishers, and shows them to operators.
type PublisherRequests struct {
	store     publisherRequestsStore
	operators Operators
	rules     *Rules
	now       func() time.Time
}

// NewPublisherRequests returns the service for requests.
func NewPublisherRequests(
	store publisherRequestsStore, operators Operators, rules *Rules, now func() time.Time,
) *PublisherRequests {
	return &PublisherRequests{store: store, operators: operators, rules: rules, now: now}
}

// Put asks for a publisher. It fails where the caller may create one without, or only operators may.
func (s *PublisherRequests) Put(ctx context.Context, c Caller, in PublisherRequestInput) (PublisherRequest, error) {
	person, err := s.store.Subscriber(ctx, c.SubscriberID)
	switch {
	case err != nil:
		return PublisherRequest{}, err
	case s.operators.Has(person), s.rules.admission == AdmissionOpen, s.rules.admission == "":
		return PublisherRequest{}, ErrRequestNotNeeded()
	case s.rules.admission == AdmissionInvitation:
		return PublisherRequest{}, ErrOperatorRequired()
	}
	now := s.now()
	if err := s.rules.check(in, now); err != nil {
		return PublisherRequest{}, err
	}
	return s.store.PutPublisherRequest(ctx, PublisherRequest{
		ID: NewID(), Asker: person, Slug: in.Slug, Name: in.Name, Reason: in.Reason, Status: PublisherPending,
		CreatedAt: now,
	})
}

// Get returns the caller's own request.
func (s *PublisherRequests) Get(ctx context.Context, c Caller) (PublisherRequest, error) {
	return s.store.PublisherRequestOf(ctx, c.SubscriberID)
}

// Withdraw ends the caller's own pending request.
func (s *PublisherRequests) Withdraw(ctx context.Context, c Caller) error {
	return s.store.WithdrawPublisherRequest(ctx, c.SubscriberID, s.now())
}

// List returns the pending requests, the oldest first, for operators.
func (s *PublisherRequests) List(ctx context.Context, c Caller, page Page) ([]PublisherRequest, int64, error) {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return nil, 0, err
	}
	return s.store.PublisherRequests(ctx, page)
}

// Answer approves or refuses a request, for operators.
func (s *PublisherRequests) Answer(ctx context.Context, c Caller, id ID, a PublisherAnswer) (PublisherRequest, error) {
	if err := s.operators.Check(ctx, c, s.store.Subscriber); err != nil {
		return PublisherRequest{}, err
	}
	now := s.now()
	if err := s.rules.check(a, now); err != nil {
		return PublisherRequest{}, err
	}
	return s.store.AnswerPublisherRequest(ctx, id, a, now)
}

// Publisher returns the publisher that an approved request creates.
func (r PublisherRequest) Publisher(now time.Time) Publisher {
	return Publisher{ID: NewID(), Slug: r.Slug, Name: r.Name, CreatedAt: now, UpdatedAt: now, Role: RoleOwner}
}

// Count returns the number of requests that the person has made within the window that began at since, with a new one,
// and when its window began. It fails with CodeRateLimited when they are too many.
func (r PublisherRequest) Count(asked int, since time.Time) (int, time.Time, error) {
	end := since.Add(PublisherRequestWindow)
	if !r.CreatedAt.Before(end) {
		return 1, r.CreatedAt, nil
	}
	if asked >= MaxPublisherRequests {
		return asked, since, ErrTooManyPublisherRequests(end.Sub(r.CreatedAt))
	}
	return asked + 1, since, nil
}

// Same reports whether the request is pending and asks for the same as another.
func (r PublisherRequest) Same(o PublisherRequest) bool {
	return r.Status == PublisherPending && r.Slug == o.Slug && r.Name == o.Name && r.Reason == o.Reason
}
