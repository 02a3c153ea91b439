package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// beginEmail begins a sign-in by email at a time.
func (p *people) beginEmail(email string, at time.Time) (core.EmailSignIn, error) {
	s := core.EmailSignIn{ID: core.NewID(), Email: email, CreatedAt: at, ExpiresAt: at.Add(core.EmailCodeLife)}
	return s, p.BeginEmailSignIn(p.t.Context(), s, core.DefaultEmailCodeLimits(),
		func(context.Context, postgres.Tx, core.ID) error { return nil })
}

func (p *people) begun(email string, at time.Time) core.EmailSignIn {
	p.t.Helper()
	s, err := p.beginEmail(email, at)
	succeed(p.t, "begin a sign-in by email", err)
	return s
}

// TestAttemptsAtTheSameMoment expects each to count, and one right code to be used once.
func TestAttemptsAtTheSameMoment(t *testing.T) {
	t.Parallel()
	for right, want := range map[bool]int{false: core.EmailCodeTries, true: 1} {
		p := newPeople(t)
		s := p.begun("ana@example.com", p.now)
		const attempts = 20
		taken := make(chan int, attempts)
		var all sync.WaitGroup
		for range attempts {
			all.Go(func() {
				if _, left, err := p.TryEmailSignIn(context.Background(), s.ID, right, p.now); err == nil {
					taken <- left
				}
			})
		}
		all.Wait()
		equal(t, fmt.Sprintf("attempts that counted with right=%v", right), len(taken), want)
		_, _, err := p.TryEmailSignIn(t.Context(), s.ID, true, p.now)
		wantCode(t, "another attempt", err, core.CodeNotFound)
	}
}

func TestCodesExpire(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	s := p.begun("ana@example.com", p.now)
	_, err := p.EmailSignIn(t.Context(), s.ID, p.now.Add(core.EmailCodeLife-time.Second))
	succeed(t, "find it in time", err)
	_, err = p.EmailSignIn(t.Context(), s.ID, p.now.Add(core.EmailCodeLife))
	wantCode(t, "find it too late", err, core.CodeNotFound)
	_, _, err = p.TryEmailSignIn(t.Context(), s.ID, true, p.now.Add(core.EmailCodeLife))
	wantCode(t, "use it too late", err, core.CodeNotFound)
}

// TestAMailboxGetsFewCodes expects all spellings of an address to count together.
func TestAMailboxGetsFewCodes(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	limits := core.DefaultEmailCodeLimits()
	at, sent := p.now, 0
	for hour := range 4 {
		for i := range limits.Hourly + 1 {
			email := []string{"ana.maria@gmail.com", "AnaMaria+x@gmail.com", "a.n.a.maria@googlemail.com"}[i%3]
			_, err := p.beginEmail(email, at)
			if err == nil {
				sent++
				continue
			}
			wantCode(t, fmt.Sprintf("request %d in hour %d", i, hour), err, core.CodeRateLimited)
		}
		at = at.Add(time.Hour)
	}
	equal(t, "codes in four hours", sent, limits.Daily)
	_, err := p.beginEmail("anamaria@gmail.com", at)
	limited, ok := errors.AsType[*core.Error](err)
	if !ok || limited.RetryAfter <= 0 || limited.RetryAfter > 24*time.Hour {
		t.Errorf("a request too many: got %v, want to know when to try again", err)
	}
	_, err = p.beginEmail("bia@gmail.com", at)
	succeed(t, "another mailbox", err)
	_, err = p.beginEmail("anamaria@gmail.com", p.now.Add(core.EmailSignInsKept+time.Hour))
	succeed(t, "the next day", err)
}
