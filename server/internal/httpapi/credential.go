package httpapi

import (
	"crypto/sha256"
	"net/netip"

	"github.com/sininho/sininho/server/internal/core"
)

// digest stands for a credential, whatever its length.
type digest [sha256.Size]byte

// credential is the party that a credential of that kind is remembered by.
func credential(kind, secret string) party {
	return party{credential: sha256.Sum256([]byte(kind + " " + secret))}
}

// lookUp calls find, which asks the database for a credential. Failures count against the network's quota r, and find
// is not called when none of it is left. A credential that was good lately needs none.
func (l *limiter) lookUp(r rate, from netip.Prefix, p party, find func() error) error {
	if l.off || l.good.Contains(p) {
		return l.check(from, p, find)
	}
	return l.check(from, p, func() error {
		now := l.now()
		claim := l.bucketIn(l.failing, r, party{network: from}).ReserveN(now, 1)
		if wait := claim.DelayFrom(now); wait > 0 {
			claim.CancelAt(now)
			return errLimited(wait)
		}
		err := find()
		if !rejected(err) {
			claim.CancelAt(now)
		}
		return err
	})
}

// check calls find, which reports whether a credential is good, and remembers the outcome. A credential known to be bad
// fails at once with the same error, and counts once: a browser that keeps sending an ended session guesses nothing.
// The error is CodeRateLimited when the network has failed too often.
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
		if limited := l.failed(party{network: from}); limited != nil {
			return limited
		}
	}
	return err
}

// rejected reports whether err says that a credential is bad, and not that something else failed.
func rejected(err error) bool {
	return core.IsCode(err, core.CodeUnauthenticated) || core.IsCode(err, core.CodeNotFound)
}

// trust remembers that a credential is good.
func (l *limiter) trust(p party) {
	if !l.off {
		l.good.Add(p, struct{}{})
	}
}

// mayFail refuses a party that has failed too often, unless it was good lately.
func (l *limiter) mayFail(p party) error {
	if l.off || l.good.Contains(p) {
		return nil
	}
	b, ok := l.failing.Get(bucketKey{failures, p})
	if !ok {
		return nil
	}
	if left := b.TokensAt(l.now()); left < 1 {
		return errLimited(wait(b, 1-left))
	}
	return nil
}

// failed counts a failure of p, and refuses p when there were too many.
func (l *limiter) failed(p party) error {
	if l.off {
		return nil
	}
	now, b := l.now(), l.bucketIn(l.failing, failures, p)
	if !b.AllowN(now, 1) {
		return errLimited(wait(b, 1-b.TokensAt(now)))
	}
	return nil
}
