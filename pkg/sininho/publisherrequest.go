package sininho

import (
	"context"
	"iter"
	"net/http"
	"time"

	"github.com/sininho/sininho/pkg/api"
)

// PublisherRequestsService asks the operators for a publisher, where they approve each, and, with the access token of
// an operator, answers requests (API: /subscribers/publisher-request and /admin/publisher-requests).
type PublisherRequestsService struct{ api *api.Client }

// PublisherRequestStatus is what operators have made of a request. More may be added.
type PublisherRequestStatus string

// The statuses of requests for publishers.
const (
	PublisherPending  PublisherRequestStatus = "pending"
	PublisherApproved PublisherRequestStatus = "approved"
	PublisherRefused  PublisherRequestStatus = "refused"
)

// PublisherRequestInput describes the publisher that a person asks for. Name has 1 to 100 characters, and Reason, what
// the publisher is for, at most 1,000.
type PublisherRequestInput struct {
	Name, Reason string
}

// PublisherRequest is a person's request for a publisher.
type PublisherRequest struct {
	ID     string                 `json:"id"`
	Asker  Reporter               `json:"asker"`
	Slug   string                 `json:"slug"`
	Name   string                 `json:"name"`
	Reason string                 `json:"reason"`
	Status PublisherRequestStatus `json:"status"`
	// Answer is why it was refused; it may be empty.
	Answer    string    `json:"answer,omitzero"`
	CreatedAt time.Time `json:"createdAt"`
	// AnsweredAt is zero while the request is pending.
	AnsweredAt time.Time `json:"answeredAt,omitzero"`
}

// Ask asks for a publisher as the signed-in person. Another request replaces the one before. It fails with
// [ErrConflict] if the slug is taken, or if the person may create the publisher ([CodeRequestNotNeeded]).
func (s *PublisherRequestsService) Ask(
	ctx context.Context, slug string, in PublisherRequestInput,
) (*PublisherRequest, error) {
	slug, err := parseSlug(slug)
	if err != nil {
		return nil, err
	}
	var f faults
	f.texts(map[string]*string{"name": &in.Name, "reason": &in.Reason})
	if err := f.err(); err != nil {
		return nil, err
	}
	body := api.PublisherRequestInput{Slug: slug, Name: in.Name, Reason: optional(in.Reason)}
	return decode[PublisherRequest](s.api.RequestPublisher(ctx, body))
}

// Mine returns what the signed-in person asked for last. It fails with [ErrNotFound] if they have asked for nothing.
func (s *PublisherRequestsService) Mine(ctx context.Context) (*PublisherRequest, error) {
	return decode[PublisherRequest](s.api.GetPublisherRequest(ctx))
}

// Withdraw withdraws the signed-in person's pending request. It fails with [ErrNotFound] if there is none.
func (s *PublisherRequestsService) Withdraw(ctx context.Context) error {
	return check(s.api.WithdrawPublisherRequest(ctx))
}

// List iterates over the pending requests, the oldest first. The iteration ends at the first error.
func (s *PublisherRequestsService) List(ctx context.Context) iter.Seq2[PublisherRequest, error] {
	return listed(func(r PublisherRequest) string { return r.ID },
		func(limit, offset *int32) (*http.Response, error) {
			return s.api.ListPublisherRequests(ctx, &api.ListPublisherRequestsParams{Limit: limit, Offset: offset})
		})
}

// Approve creates the publisher of a request, with the person as its owner. It fails with [ErrConflict] if another
// publisher has the slug by now. An answered request stays as it is.
func (s *PublisherRequestsService) Approve(ctx context.Context, id string) (*PublisherRequest, error) {
	return s.answer(ctx, id, api.PublisherRequestPatch{Status: api.PublisherRequestPatchStatusApproved})
}

// Refuse refuses a request. The person sees the answer, which has at most 1,000 characters and may be empty. An
// answered request stays as it is.
func (s *PublisherRequestsService) Refuse(ctx context.Context, id, answer string) (*PublisherRequest, error) {
	var f faults
	f.text("answer", answer)
	if err := f.err(); err != nil {
		return nil, err
	}
	return s.answer(ctx, id,
		api.PublisherRequestPatch{Status: api.PublisherRequestPatchStatusRefused, Answer: optional(answer)})
}

func (s *PublisherRequestsService) answer(
	ctx context.Context, id string, body api.PublisherRequestPatch,
) (*PublisherRequest, error) {
	parsed, err := parseID(id)
	if err != nil {
		return nil, err
	}
	return decode[PublisherRequest](s.api.AnswerPublisherRequest(ctx, parsed, body))
}
