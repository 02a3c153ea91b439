package postgres_test

import (
	"context"

	"github.com/sininho/sininho/server/internal/core"
)

// scriptPublisherRequests asks for publishers, and approves, refuses, replaces and withdraws what was asked for.
func scriptPublisherRequests(ctx context.Context, s *script) {
	put := func(what string, person core.ID, slug string) core.PublisherRequest {
		r, err := s.PutPublisherRequest(ctx, core.PublisherRequest{ID: core.NewID(), Asker: core.Subscriber{ID: person},
			Slug: slug, Name: "E", Reason: "r", Status: core.PublisherPending, CreatedAt: s.now})
		s.note(what, r, err)
		return r
	}
	answer := func(what string, id core.ID, a core.PublisherAnswer) {
		r, err := s.AnswerPublisherRequest(ctx, id, a, s.now)
		s.note(what, r, err)
	}
	mine := func(what string) {
		r, err := s.PublisherRequestOf(ctx, s.rui)
		s.note(what, r, err)
	}
	approve := core.PublisherAnswer{Status: core.PublisherApproved}
	mine("the request of a person who has none")
	put("ask for a slug that is taken", s.rui, "metro")
	first := put("ask", s.rui, "escola")
	put("ask for the same", s.rui, "escola")
	second := put("ask for another", s.rui, "escola-2")
	put("ask for it too", s.ana, "escola-2")
	answer("approve what was replaced", first.ID, approve)
	data, total, err := s.PublisherRequests(ctx, core.Page{Limit: 10})
	s.note("pending", data, total, err)
	answer("refuse", second.ID, core.PublisherAnswer{Status: core.PublisherRefused, Answer: "não"})
	answer("approve what was refused", second.ID, approve)
	mine("refused")
	s.note("withdraw what was refused", s.WithdrawPublisherRequest(ctx, s.rui, s.now))
	third := put("ask again", s.rui, "escola")
	s.note("withdraw", s.WithdrawPublisherRequest(ctx, s.rui, s.now))
	answer("approve what was withdrawn", third.ID, approve)
	mine("withdrawn")
	fourth := put("ask again after that", s.rui, "escola-2")
	_, _, err = s.Suspend(ctx, core.SuspendableSubscriber, s.rui, core.Suspension{Reason: "spam", At: s.now})
	s.succeed("suspend", err)
	answer("approve for a suspended person", fourth.ID, approve)
	_, err = s.Unsuspend(ctx, core.SuspendableSubscriber, s.rui)
	s.succeed("unsuspend", err)
	answer("approve", fourth.ID, approve)
	p, err := s.PublisherBySlug(ctx, "escola-2")
	s.note("publisher", p.Slug, p.Name, err)
	role, err := s.Role(ctx, p.ID, s.rui)
	s.note("role", role, err)
	data, _, err = s.PublisherRequests(ctx, core.Page{Limit: 10})
	s.note("pending", data, err)
	answer("approve the same slug", data[0].ID, approve)
	put("ask for the fifth time", s.rui, "x")
	put("ask too often", s.rui, "y")
	e, err := s.Export(ctx, s.rui, s.now)
	s.note("export", e.PublisherRequest, err)
}
