package httpapi

import (
	"crypto/sha256"
	"net/netip"

	limits "golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/core"
)

// digest is the hash of a credential, so that every credential takes the same space.
type digest [sha256.Size]byte

// credential returns the party under which a credential of this kind is remembered.
func credential(kind, secret string) party {
	return party{credential: sha256.Sum256([]byte(kind + " " + secret))}
}

// lookUp calls find, which looks a credential up in the database. Failures count against the network's quota r, and
// find is not called when that quota is used up. A credential that was valid recently needs no quota.
func (l *limiter) lookUp(r rate, from netip.Prefix, p party, find func() error) error {
	if l.off || l.good.Contains(p) {
		return l.check(from, p, find)
	}
	return l.check(from, p, func() error { return l.attempt(r, from, find, rejected) })
}

// attempt calls find, unless the network's quota r of failures is used up.
func (l *limiter) attempt(r rate, from netip.Prefix, find func() error, failed func(error) bool) error {
	if l.off {
		return find()
	}
	now := l.now()
	var claims []*limits.Reservation
	cancel := func() {
		for _, claim := range claims {
			claim.CancelAt(now)
		}
	}
	for around, times := range (party{network: from}).around {
		claim := l.bucketIn(l.failing, r, around, times).ReserveN(now, 1)
		claims = append(claims, claim)
		if wait := claim.DelayFrom(now); wait > 0 {
			cancel()
			return l.refuse(r, wait)
		}
	}
	err := find()
	if !failed(err) {
		cancel()
	}
	return err
}

// check calls find, which reports whether a credential is valid, and remembers the result. A credential known to be
// invalid fails at once with the same error and counts only once: a browser that keeps sending an ended session is not
// guessing. The error is CodeRateLimited when the network has failed too often.
func (l *limiter) check(from netip.Prefix, p party, find func() error) error {
	if l.off {
		return find()
	}
	if err, ok := l.bad.Get(p); ok {
		return err
	}
	err := find()
	switch {
	case err == nil:
		l.trust(p)
	case rejected(err):
		l.good.Remove(p)
		l.bad.Add(p, err)
		if limited := l.countFailure(party{network: from}); limited != nil {
			return limited
		}
	}
	return err
}

// rejected reports whether err means that a credential is invalid, as opposed to any other failure.
func rejected(err error) bool {
	return core.IsCode(err, core.CodeUnauthenticated) || core.IsCode(err, core.CodeNotFound)
}

// trust remembers that a credential is valid.
func (l *limiter) trust(p party) {
	if !l.off {
		l.good.Add(p, struct{}{})
	}
}

// mayFail returns an error when p has failed too often, unless its credential was valid recently.
func (l *limiter) mayFail(p party) error {
	if l.off || l.good.Contains(p) {
		return nil
	}
	for around := range p.around {
		b, ok := l.failing.Get(bucketKey{failures, around})
		if !ok {
			continue
		}
		if left := b.TokensAt(l.now()); left < 1 {
			return l.refuse(failures, wait(b, 1-left))
		}
	}
	return nil
}

// countFailure counts a failure of p, and returns an error when there were too many.
func (l *limiter) countFailure(p party) error {
	if l.off {
		return nil
	}
	now := l.now()
	for around, times := range p.around {
		b := l.bucketIn(l.failing, failures, around, times)
		if !b.AllowN(now, 1) {
			return l.refuse(failures, wait(b, 1-b.TokensAt(now)))
		}
	}
	return nil
}
