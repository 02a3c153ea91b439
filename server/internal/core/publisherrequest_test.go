package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// asks makes a request as a caller.
func (w *world) asks(c core.Caller, slug string) (core.PublisherRequest, error) {
	in := core.PublisherRequestInput{Slug: slug, Name: "Escola", Reason: "Avisos aos pais"}
	return w.requests.Put(w.t.Context(), c, in)
}

var (
	approval = core.PublisherAnswer{Status: core.PublisherApproved}
	refusal  = core.PublisherAnswer{Status: core.PublisherRefused, Answer: "Escreva-nos primeiro"}
)

// TestPublisherRequest asks, is refused, asks again and is approved.
func TestPublisherRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.requests.Get(t.Context(), w.stranger)
	core.CheckCode(t, "request of a person who has none", err, core.CodeNotFound)
	asked := made(w.asks(w.stranger, "escola"))
	person := core.Subscriber{ID: w.stranger.SubscriberID, Name: "stranger", Email: "stranger@example.com"}
	check.Equal(t, "request", asked, core.PublisherRequest{ID: asked.ID, Asker: person, Slug: "escola", Name: "Escola",
		Reason: "Avisos aos pais", Status: core.PublisherPending, CreatedAt: now})
	check.Equal(t, "own request", made(w.requests.Get(t.Context(), w.stranger)), asked)
	check.Equal(t, "the same request again", made(w.asks(w.stranger, "escola")).ID, asked.ID)
	all, total, err := w.requests.List(t.Context(), w.operator, core.Page{Limit: 10})
	check.Equal(t, "pending requests", []any{all, total, err}, []any{[]core.PublisherRequest{asked}, int64(1), nil})
	refused := made(w.requests.Answer(t.Context(), w.operator, asked.ID, refusal))
	check.Equal(t, "refusal", []any{refused.Status, refused.Answer, refused.AnsweredAt},
		[]any{core.PublisherRefused, refusal.Answer, &now})
	check.Equal(t, "refusal for the person", made(w.requests.Get(t.Context(), w.stranger)), refused)
	again := made(w.requests.Answer(t.Context(), w.operator, asked.ID, approval))
	check.Equal(t, "an answer to an answered request", again, refused)
	asked = made(w.asks(w.stranger, "escola"))
	made(w.requests.Answer(t.Context(), w.operator, asked.ID, approval))
	p := made(w.publishers.Get(t.Context(), w.stranger, "escola"))
	check.Equal(t, "publisher", []any{p.Name, p.Role}, []any{"Escola", core.RoleOwner})
	_, total, err = w.requests.List(t.Context(), w.operator, core.Page{Limit: 10})
	check.Equal(t, "pending requests afterwards", []any{total, err}, []any{int64(0), nil})
}

// TestPublisherRequestRules asks with each setting, with wrong inputs, and too often.
func TestPublisherRequestRules(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for admission, want := range map[core.Admission]core.Code{
		core.AdmissionOpen: core.CodeConflict, "": core.CodeConflict, core.AdmissionInvitation: core.CodeForbidden,
	} {
		service := core.NewPublisherRequests(w, operators, testRules.WithAdmission(admission), time.Now)
		_, err := service.Put(t.Context(), w.stranger, core.PublisherRequestInput{Slug: "escola", Name: "Escola"})
		core.CheckCode(t, "ask with "+string(admission), err, want)
	}
	_, err := w.asks(w.operator, "escola")
	core.CheckCode(t, "ask as an operator", err, core.CodeConflict)
	_, err = w.asks(w.stranger, "metro")
	core.CheckCode(t, "ask for a slug that is taken", err, core.CodeConflict)
	_, err = w.requests.Put(t.Context(), w.stranger,
		core.PublisherRequestInput{Slug: "A", Name: "Sininho", Reason: long(1001)})
	var faults []string
	if e, ok := errors.AsType[*core.Error](err); ok {
		for _, f := range e.Fields {
			faults = append(faults, f.Pointer)
		}
	}
	check.Equal(t, "faults", faults, []string{"#/slug", "#/name", "#/reason"})
	for i := range core.MaxPublisherRequests {
		_, err := w.asks(w.stranger, string(rune('a'+i)))
		core.Succeed(t, "ask for another", err)
		core.Succeed(t, "withdraw", w.requests.Withdraw(t.Context(), w.stranger))
	}
	core.CheckCode(t, "withdraw again", w.requests.Withdraw(t.Context(), w.stranger), core.CodeNotFound)
	_, err = w.asks(w.stranger, "escola")
	core.CheckCode(t, "ask too often", err, core.CodeRateLimited)
	w.now = w.now.Add(core.PublisherRequestWindow - time.Second)
	_, err = w.asks(w.stranger, "escola")
	core.CheckCode(t, "ask within the window", err, core.CodeRateLimited)
	w.now = w.now.Add(time.Second)
	_, err = w.asks(w.stranger, "escola")
	core.CheckCode(t, "ask after the window", err, "")
}

// TestPublisherAnswers expects only operators to answer, what can be approved, and what becomes of erased people.
func TestPublisherAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked := made(w.asks(w.stranger, "escola"))
	answer := func(c core.Caller, id core.ID, a core.PublisherAnswer) error {
		_, err := w.requests.Answer(t.Context(), c, id, a)
		return err
	}
	_, _, err := w.requests.List(t.Context(), w.stranger, core.Page{})
	core.CheckCode(t, "list as the person", err, core.CodeForbidden)
	core.CheckCode(t, "approve as the person", answer(w.stranger, asked.ID, approval), core.CodeForbidden)
	core.CheckCode(t, "answer nothing", answer(w.operator, core.NewID(), approval), core.CodeNotFound)
	core.CheckCode(t, "approve with an answer", answer(w.operator, asked.ID,
		core.PublisherAnswer{Status: core.PublisherApproved, Answer: "a"}), core.CodeInvalid)
	core.CheckCode(t, "refuse with too long an answer", answer(w.operator, asked.ID,
		core.PublisherAnswer{Status: core.PublisherRefused, Answer: long(1001)}), core.CodeInvalid)
	made(w.moderation.SuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID,
		core.SuspensionInput{Reason: "spam"}))
	core.CheckCode(t, "approve for a suspended person", answer(w.operator, asked.ID, approval), core.CodeForbidden)
	core.Succeed(t, "unsuspend", w.moderation.UnsuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID))
	made(first(w.publishers.Create(t.Context(), w.operator, core.PublisherInput{Slug: "escola", Name: "E"}, noKey)))
	core.CheckCode(t, "approve a slug that was taken since", answer(w.operator, asked.ID, approval), core.CodeConflict)
	changed := made(w.asks(w.stranger, "escola-2"))
	core.CheckCode(t, "approve what was replaced", answer(w.operator, asked.ID, approval), core.CodeNotFound)
	w.Caps[core.CapPublishers] = 0
	core.CheckCode(t, "approve for an owner of many", answer(w.operator, changed.ID, approval), core.CodeConflict)
	export := made(w.subscribers.Export(t.Context(), w.stranger))
	check.Equal(t, "exported request", export.PublisherRequest, &changed)
}
