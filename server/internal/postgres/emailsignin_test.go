package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/postgres"
)

// beginEmail begins a sign-in by email at a time.
func (p *people) beginEmail(email string, at time.Time) (core.EmailSignIn, error) {
	s := core.EmailSignIn{ID: core.NewID(), Email: email, CreatedAt: at, ExpiresAt: at.Add(core.EmailCodeLife)}
	return s, p.beginWithin(s, core.NewEmailCodeLimits(10_000))
}

func (p *people) beginWithin(s core.EmailSignIn, limits core.EmailCodeLimits) error {
	if s.ID == (core.ID{}) {
		s.ID, s.ExpiresAt = core.NewID(), s.CreatedAt.Add(core.EmailCodeLife)
	}
	return p.BeginEmailSignIn(p.t.Context(), s, limits,
		func(context.Context, postgres.Tx, core.ID) error { return nil })
}

// known returns the hash by which a browser is known in which somebody with the address has signed in.
func (p *people) known(email string) (browser []byte, s core.Session) {
	p.t.Helper()
	who, err := p.SignIn(p.t.Context(), core.Profile{Issuer: core.IssuerEmail, Subject: strings.ToLower(email),
		Email: email, Name: "Ana"}, core.SignUp{Open: true}, p.now)
	succeed(p.t, "sign in by email", err)
	browser = core.HashSecret(core.RandomText(43))
	s = core.Session{ID: core.NewID(), SubscriberID: who.ID, CreatedAt: p.now, SeenAt: p.now}
	succeed(p.t, "remember the browser", p.RememberBrowser(p.t.Context(), s, nil, browser))
	return browser, s
}

// TestStrangersDoNotLockOut has strangers ask for codes to all spellings of a mailbox for a day, and expects its owner
// to get all of theirs in a browser in which they have signed in before, while others get none.
func TestStrangersDoNotLockOut(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	browser, session := p.known("Ana@example.com")
	limits := core.NewEmailCodeLimits(10_000)
	own := func(email string, browser []byte, at time.Time) error {
		return p.beginWithin(core.EmailSignIn{Email: email, Browser: browser, CreatedAt: at}, limits)
	}
	refused := 0
	for hour := range 24 {
		at := p.now.Add(time.Duration(hour) * time.Hour)
		for i := range 2 * limits.Hourly {
			if _, err := p.beginEmail(fmt.Sprintf("ana+%d@example.com", i), at); err != nil {
				refused++
			}
		}
		if hour%3 == 0 {
			succeed(t, fmt.Sprintf("the owner's code in hour %d", hour), own("ana@EXAMPLE.com", browser, at))
		}
	}
	equal(t, "refused strangers", refused, 24*2*limits.Hourly-limits.Daily)
	at := p.now.Add(23 * time.Hour)
	wantCode(t, "in another browser", own("ana@example.com", core.HashSecret("x"), at), core.CodeRateLimited)
	wantCode(t, "another's browser", own("ana+1@example.com", browser, at), core.CodeRateLimited)
	mallory, _ := p.known("mallory@example.com")
	wantCode(t, "a browser of somebody else", own("ana@example.com", mallory, at), core.CodeRateLimited)
	for i := range limits.Daily { // the owner's share is bounded, too
		err := own("ana@example.com", browser, at)
		if i < limits.Daily-8 {
			succeed(t, "the rest of the owner's codes", err)
			continue
		}
		wantCode(t, "more codes than the owner's", err, core.CodeRateLimited)
	}
	succeed(t, "forget the browser", p.ForgetBrowser(t.Context(), session.SubscriberID, session.ID))
	wantCode(t, "in a forgotten browser", own("ana@example.com", browser, at.Add(time.Minute)), core.CodeRateLimited)
}

// TestKnownBrowsers expects a new secret to replace the previous one for everybody in a browser, and only the browsers
// of other sessions to be forgotten.
func TestKnownBrowsers(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	limits := core.NewEmailCodeLimits(10_000)
	limits.Network = 1
	succeed(t, "use up the codes for strangers of the network", p.beginWithin(core.EmailSignIn{
		Email: "mallory@example.com", Network: "192.0.2.1", CreatedAt: p.now.Add(core.KnownBrowserLife)}, limits))
	isKnown := func(email string, browser []byte) bool {
		err := p.beginWithin(core.EmailSignIn{Email: email, Browser: browser, Network: "192.0.2.1", CreatedAt: p.now}, limits)
		return err == nil // strangers of the network get no more
	}
	first, ana := p.known("ana@example.com")
	_, rui := p.known("rui@example.com")
	second := core.HashSecret("second")
	succeed(t, "rotate", p.RememberBrowser(t.Context(), rui, first, second))
	equal(t, "the previous secret is known", isKnown("ana@example.com", first), false)
	equal(t, "the new secret is known for the first person", isKnown("ana@example.com", second), true)
	equal(t, "the new secret is known for the second person", isKnown("rui@example.com", second), true)
	third, current := p.known("ana@example.com")
	succeed(t, "forget the others", p.ForgetOtherBrowsers(t.Context(), ana.SubscriberID, current.ID))
	equal(t, "the current browser is known", isKnown("ana@example.com", third), true)
	equal(t, "the other browser is known", isKnown("ana@example.com", second), false)
	equal(t, "it is known for the other person", isKnown("rui@example.com", second), true)
	for range core.KnownBrowsersKept {
		p.now = p.now.Add(time.Second)
		p.known("ana@example.com")
	}
	equal(t, "the oldest of many browsers is known", isKnown("ana@example.com", third), false)
	p.now = p.now.Add(core.KnownBrowserLife)
	equal(t, "a browser is known after its time", isKnown("rui@example.com", second), false)
	succeed(t, "prune", p.Prune(t.Context(), p.now))
}

// TestOneNetworkDoesNotUseUpTheBudget asks for codes to many mailboxes.
func TestOneNetworkDoesNotUseUpTheBudget(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	limits := core.NewEmailCodeLimits(1000)
	sent := map[string]int{}
	for i := range 100 {
		for _, network := range []string{"192.0.2.1", "192.0.2.2", "2001:db8::/64"} {
			err := p.beginWithin(core.EmailSignIn{Email: fmt.Sprintf("a%d@%d.example.com", i, len(network)), Network: network,
				CreatedAt: p.now.Add(time.Duration(i) * time.Minute)}, limits)
			if err == nil {
				sent[network]++
			} else {
				wantCode(t, "a code too many", err, core.CodeRateLimited)
			}
		}
	}
	equal(t, "codes of each network", sent, map[string]int{"192.0.2.1": 50, "192.0.2.2": 50, "2001:db8::/64": 50})
}

// TestStrangersOfManyNetworksDoNotUseUpTheBudget asks for codes from another network of the same provider each time.
// One stranger may be assigned 65,536 networks (/64), and 1,342 of them used up a budget of 1,500.
func TestStrangersOfManyNetworksDoNotUseUpTheBudget(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		network string // the i-th
		want    int    // of a budget of 1,000
	}{
		"a /48":       {"2001:db8:1:%x::/64", 50},
		"a /32":       {"2001:db8:%x::/64", 250},
		"an IPv4 /24": {"192.0.2.%d", 100},
		"an IPv4 /16": {"198.51.%d.1", 250},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeople(t)
			limits := core.NewEmailCodeLimits(1000)
			ask := func(i int, network string) error {
				return p.beginWithin(core.EmailSignIn{Email: fmt.Sprintf("a@%d.example.com", i), Network: network,
					CreatedAt: p.now.Add(time.Duration(i) * time.Second)}, limits)
			}
			sent := 0
			for i := range 256 {
				if err := ask(i, fmt.Sprintf(c.network, i)); err == nil {
					sent++
				} else {
					wantCode(t, "a code too many", err, core.CodeRateLimited)
				}
			}
			equal(t, "codes", sent, c.want)
			succeed(t, "a code in another network", ask(1000, "203.0.113.1"))
			succeed(t, "a code the next day", ask(1000+int(core.EmailBudgetWindow/time.Second), fmt.Sprintf(c.network, 255)))
		})
	}
}

// TestBudgetOfEmails uses up the budget, at the same moment, and expects what is left to go to codes and then to known
// browsers.
func TestBudgetOfEmails(t *testing.T) {
	t.Parallel()
	p := newPeople(t)
	browser, _ := p.known("ana@example.com")
	const budget = 100
	limits := core.NewEmailCodeLimits(budget)
	limits.Hourly, limits.Daily, limits.Network = 1000, 1000, 1000
	at := p.now.Truncate(time.Hour).Add(30 * time.Minute)
	flood := func(send func(i int) error) (sent int) {
		var all sync.WaitGroup
		taken := make(chan struct{}, 2*budget)
		for worker := range 4 {
			all.Go(func() {
				for i := range budget / 3 {
					if send(worker*budget+i) == nil {
						taken <- struct{}{}
					}
				}
			})
		}
		all.Wait()
		return len(taken)
	}
	equal(t, "other emails", flood(func(int) error {
		ok, err := p.TakeEmail(context.Background(), budget, core.EmailOther, at)
		if err == nil && !ok {
			err = core.ErrEmailsUsedUp()
		}
		return err
	}), 80)
	equal(t, "codes of strangers", flood(func(i int) error {
		return p.beginWithin(core.EmailSignIn{Email: fmt.Sprintf("a%d@example.com", i), CreatedAt: at.Add(time.Hour)}, limits)
	}), 10)
	equal(t, "codes of known browsers", flood(func(int) error {
		return p.beginWithin(core.EmailSignIn{Email: "ana@example.com", Browser: browser, CreatedAt: at.Add(time.Hour)},
			limits)
	}), 10)
	ok, err := p.TakeEmail(t.Context(), budget, core.EmailOther, at.Add(core.EmailBudgetWindow))
	equal(t, "an email the next day", ok && err == nil, true)
	succeed(t, "return it", p.ReturnEmail(t.Context(), at.Add(core.EmailBudgetWindow)))
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
	limits := core.NewEmailCodeLimits(10_000)
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
