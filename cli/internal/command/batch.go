package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sininho/sininho/pkg/sininho"
)

// batch publishes many messages, several at a time, and reports them in the file's order.
type batch struct {
	session *session
	client  *sininho.Client
	channel string
	items   []item
	// groups has the numbers of items that are published together, in the file's order.
	groups [][]int

	counts   map[string]int
	progress *progress
	throttle throttle
	slowed   sync.Once
}

// batchOptions are the client's options: the batch itself waits for the rate limit.
func batchOptions() []sininho.Option {
	return []sininho.Option{sininho.WithRetries(6), sininho.WithoutRateLimitRetries()}
}

// result is the outcome of publishing one item.
type result struct {
	item      item
	published *sininho.PublishResult
	err       error
}

// errNotSent means that the batch ended before it sent the message.
var errNotSent = errors.New("not sent")

// grace is how long requests in flight may continue after an interruption.
const grace = 3 * time.Second

func (b *batch) run(ctx context.Context, workers int) error {
	b.counts = map[string]int{}
	b.progress = b.session.startProgress(len(b.items))
	sending, stop := context.WithCancel(ctx)
	defer stop()
	var fatal error
	for r := range b.publish(sending, workers) {
		b.report(r)
		if fatal == nil && isFatal(r.err) {
			fatal = r.err
			stop() // the others would fail in the same way
		}
	}
	b.progress.finish()
	b.summarize()
	b.advise(fatal)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(fatal, sininho.ErrUnauthorized):
		return fatal
	case b.isIncomplete():
		return errReported
	}
	return nil
}

// isFatal reports whether an error would occur for every other message too.
func isFatal(err error) bool {
	return errors.Is(err, sininho.ErrUnauthorized) || errors.Is(err, sininho.ErrForbidden) ||
		errors.Is(err, sininho.ErrNotFound) || errors.Is(err, sininho.ErrUnreachable)
}

// publish sends all items with some workers and returns the results in order. The channel is closed
// after the last result.
func (b *batch) publish(ctx context.Context, workers int) <-chan result {
	done := make([]chan result, len(b.items))
	for i := range done {
		done[i] = make(chan result, 1)
	}
	next := make(chan []int)
	go func() {
		defer close(next)
		for _, numbers := range b.groups {
			next <- numbers
		}
	}()
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for numbers := range next {
				b.group(ctx, numbers, func(i int, r result) { done[i] <- r })
			}
		})
	}
	return inOrder(done)
}

// group publishes some items in one request, if that is possible, otherwise one by one.
func (b *batch) group(ctx context.Context, numbers []int, done func(i int, r result)) {
	if len(numbers) > 1 {
		if results, ok := b.together(ctx, numbers); ok {
			for at, i := range numbers {
				done(i, results[at])
			}
			return
		}
	}
	for _, i := range numbers {
		done(i, b.one(ctx, b.items[i]))
	}
}

func inOrder(done []chan result) <-chan result {
	out := make(chan result)
	go func() {
		defer close(out)
		for _, d := range done {
			out <- <-d
		}
	}()
	return out
}

// one publishes a message.
func (b *batch) one(ctx context.Context, i item) result {
	r := result{item: i}
	r.err = b.paced(ctx, func(ctx context.Context) (err error) {
		r.published, err = b.send(ctx, i)
		return err
	})
	return r
}

// paced sends a request. If it exceeds the rate limit, all workers pause as long as the server requires, and it is sent
// again.
func (b *batch) paced(ctx context.Context, send func(context.Context) error) error {
	for b.throttle.wait(ctx) == nil {
		err := attempt(ctx, send)
		var refused *sininho.Error
		if !errors.Is(err, sininho.ErrRateLimited) || !errors.As(err, &refused) {
			return err
		}
		b.throttle.pause(refused.RetryAfter)
		b.slowed.Do(func() {
			b.progress.above(func() {
				b.session.talk("Over the rate limit: pausing for %s. No message is lost.",
					max(refused.RetryAfter, time.Second))
			})
		})
	}
	return errNotSent
}

func attempt(ctx context.Context, send func(context.Context) error) error {
	ctx, cancel := outlive(ctx, grace)
	defer cancel()
	return send(ctx)
}

// outlive returns a context that ends some time after its parent.
func outlive(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		_ = pause(longer, by)
		cancel()
	})
	return longer, func() {
		stop()
		cancel()
	}
}

// report writes one result with its position in the file.
func (b *batch) report(r result) {
	b.progress.step()
	outcome := "failed"
	switch {
	case r.err == nil:
		outcome = outcomeOf(r.published)
	case errors.Is(r.err, errNotSent):
		b.counts["not sent"]++
		return
	case errors.Is(r.err, context.Canceled):
		outcome, r.err = "unknown", errors.New("there was no response yet; it may have been published")
	}
	b.counts[outcome]++
	switch {
	case b.session.json:
		b.toStdout(func() { _ = b.session.writeJSON(asJSON(r, outcome)) })
	case r.err != nil:
		b.progress.above(func() { b.reportFault(r, outcome) })
	default:
		b.toStdout(func() {
			_, _ = fmt.Fprintf(b.session.out, "%s\t%s\t%s\t%s\n", r.item.column(), outcome,
				r.published.Notification.ID, oneLine(r.published.Notification.Title))
		})
	}
}

// toStdout writes results above the progress bar if stdout is a terminal too.
func (b *batch) toStdout(write func()) {
	if isTerminal(b.session.out.w) {
		b.progress.above(write)
	} else {
		write()
	}
}

func (b *batch) reportFault(r result, outcome string) {
	var refused *sininho.Error
	if !errors.As(r.err, &refused) || len(refused.Fields) == 0 {
		b.session.talk("%s: %s: %s", r.item, outcome, strings.TrimPrefix(r.err.Error(), "sininho: "))
		return
	}
	for _, f := range refused.Fields {
		b.session.talk("%s: %s: %s: %s", r.item, outcome, f.Name(), f.Detail)
	}
}

// failure is an error as --json writes it.
type failure struct {
	Status    int                  `json:"status,omitzero"`
	Code      string               `json:"code,omitzero"`
	Detail    string               `json:"detail"`
	RequestID string               `json:"requestId,omitzero"`
	Errors    []sininho.FieldError `json:"errors,omitempty"`
}

func asJSON(r result, outcome string) published {
	out := published{Line: r.item.line, Element: r.item.element, Outcome: outcome}
	if r.err == nil {
		out.Notification = &r.published.Notification
		return out
	}
	f := &failure{Detail: r.err.Error()}
	var refused *sininho.Error
	if errors.As(r.err, &refused) {
		f = &failure{refused.Status, refused.Code, refused.Detail, refused.RequestID, refused.Fields}
	}
	out.Error = f
	return out
}

func (b *batch) summarize() {
	var parts []string
	for _, outcome := range []string{"created", "existing", "replayed", "failed", "unknown", "not sent"} {
		if n := b.counts[outcome]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, outcome))
		}
	}
	b.session.talk("%s: %d messages: %s", b.channel, len(b.items), strings.Join(parts, ", "))
}

func (b *batch) isIncomplete() bool {
	return b.counts["failed"]+b.counts["unknown"]+b.counts["not sent"] > 0
}

// advise writes a hint about messages that were not published.
func (b *batch) advise(fatal error) {
	var refused *sininho.Error
	switch {
	case errors.As(fatal, &refused):
		if hint := b.session.hintFor(refused); hint != "" {
			b.session.talk("%s", hint)
		}
	case b.isIncomplete():
		b.session.talk("Run the same command again: no message is published twice.")
	}
}
