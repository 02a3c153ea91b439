package httpapi

import (
	"crypto/sha256"
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/expirable"
	limits "golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/core"
)

// Limits says how much a caller may ask of one node. Those of requests are a minute's; each may be used at once.
type Limits struct {
	Off               bool
	Reads             int // per key, session, access token or address
	Writes            int // per key, session, access token or address
	Publishes         int // per publisher
	Webhook           int // per webhook
	UnsignedWebhook   int // per webhook without a secret and sending address
	Joins             int // of the waiting list, per address
	FailedCredentials int // per address, refilled by one a minute
	SubscriberStreams int // open at once, per person
	AddressStreams    int // open at once, per address of visitors, and per key
}

// DefaultLimits are the limits of production.
func DefaultLimits() Limits {
	return Limits{Reads: 600, Writes: 120, Publishes: 6000, Webhook: 120, UnsignedWebhook: 10, Joins: 5, FailedCredentials: 30,
		SubscriberStreams: 30, AddressStreams: 100}
}

// rate names one of the limits.
type rate string

const (
	reads     rate = "reads"
	writes    rate = "writes"
	publishes rate = "publishes"
	webhooks  rate = "webhook"
	unsigned  rate = "unsigned-webhook"
	joins     rate = "joins"
	failures  rate = "credentials"
)

// quota is what a rate allows.
type quota struct {
	burst  int
	window time.Duration // in which all of it is refilled
}

func (q quota) bucket() *limits.Limiter {
	return limits.NewLimiter(limits.Limit(float64(q.burst)/q.window.Seconds()), q.burst)
}

// limiter counts. A caller forgotten for want of room begins anew with a full quota, so failures have room of their own,
// and who has no good credential has no bucket but its network's.
type limiter struct {
	off     bool
	now     func() time.Time
	quotas  map[rate]quota
	buckets *lru.Cache[string, *limits.Limiter]
	failing *lru.Cache[string, *limits.Limiter] // by network, by webhook and network, or by key
	// good are credentials that were good lately. They pass where others of the same address have failed too often, so
	// that one wrong key in an office does not lock out the others.
	good *expirable.LRU[digest, struct{}]
	// bad are credentials that failed lately, and with what. They are answered from here and count once: a browser that
	// goes on sending an ended session guesses nothing. Credentials are random, so none becomes good later.
	bad *expirable.LRU[digest, error]
}

// digest stands for a credential.
type digest [sha256.Size]byte

const (
	callersKept     = 1 << 16
	credentialsKept = 1 << 14
	credentialsFor  = time.Hour
)

func newLimiter(l Limits, now func() time.Time) *limiter {
	buckets, _ := lru.New[string, *limits.Limiter](callersKept) // fails only without a size
	failing, _ := lru.New[string, *limits.Limiter](callersKept)
	return &limiter{off: l.Off, now: now, buckets: buckets, failing: failing,
		good: expirable.NewLRU[digest, struct{}](credentialsKept, nil, credentialsFor),
		bad:  expirable.NewLRU[digest, error](credentialsKept, nil, credentialsFor),
		quotas: map[rate]quota{
			reads:     {l.Reads, time.Minute},
			writes:    {l.Writes, time.Minute},
			publishes: {l.Publishes, time.Minute},
			webhooks:  {l.Webhook, time.Minute},
			unsigned:  {l.UnsignedWebhook, time.Minute},
			joins:     {l.Joins, time.Minute},
			failures:  {l.FailedCredentials, time.Duration(l.FailedCredentials) * time.Minute},
		}}
}

func (l *limiter) bucket(r rate, who string) *limits.Limiter {
	return bucketIn(l.buckets, string(r)+" "+who, l.quotas[r])
}

func bucketIn(kept *lru.Cache[string, *limits.Limiter], key string, q quota) *limits.Limiter {
	if b, ok := kept.Get(key); ok {
		return b
	}
	fresh := q.bucket()
	if b, ok, _ := kept.PeekOrAdd(key, fresh); ok {
		return b
	}
	return fresh
}

// take counts one request, tells the caller what is left, and refuses it when there is nothing left. Of several limits
// that a request counts against the caller is told the first, or the one that refuses.
func (l *limiter) take(h http.Header, r rate, who string) error {
	if l.off {
		return nil
	}
	now, b, q := l.now(), l.bucket(r, who), l.quotas[r]
	ok := b.AllowN(now, 1)
	left := max(b.TokensAt(now), 0)
	if !ok || h.Get("RateLimit") == "" {
		full := seconds(wait(b, float64(q.burst)-left))
		h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", string(r), q.burst, seconds(q.window)))
		h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", string(r), int(left), full))
	}
	if !ok {
		return errLimited(wait(b, 1-left))
	}
	return nil
}

// wait is how long b takes to gain so many tokens.
func wait(b *limits.Limiter, tokens float64) time.Duration {
	return time.Duration(math.Ceil(tokens / float64(b.Limit()) * float64(time.Second)))
}

// mayTry refuses a credential that is known to be bad, and one that is not known of who has failed too often.
func (l *limiter) mayTry(who, credential string) error {
	known := digest(sha256.Sum256([]byte(credential)))
	if l.off || l.good.Contains(known) {
		return nil
	}
	if err, ok := l.bad.Get(known); ok {
		return err
	}
	b, ok := l.failing.Get(who)
	if !ok {
		return nil
	}
	if left := b.TokensAt(l.now()); left < 1 {
		return errLimited(wait(b, 1-left))
	}
	return nil
}

// tried keeps what came of a credential: nil when it was good. Errors that say nothing about it are passed over.
func (l *limiter) tried(who, credential string, err error) {
	known := digest(sha256.Sum256([]byte(credential)))
	switch {
	case l.off:
	case err == nil:
		l.good.Add(known, struct{}{})
	case core.IsCode(err, core.CodeUnauthenticated), core.IsCode(err, core.CodeNotFound):
		l.good.Remove(known)
		l.bad.Add(known, err)
		_ = l.failed(who) // who may not try has been refused before
	}
}

// failed counts a failed credential, and refuses where there were too many.
func (l *limiter) failed(who string) error {
	if l.off {
		return nil
	}
	now, b := l.now(), bucketIn(l.failing, who, l.quotas[failures])
	if !b.AllowN(now, 1) {
		return errLimited(wait(b, 1-b.TokensAt(now)))
	}
	return nil
}

// failedAgain refuses a program that goes on sending a key that is not good.
func (l *limiter) failedAgain(key string) error {
	digest := sha256.Sum256([]byte(key))
	return l.failed(string(digest[:]))
}

func errLimited(wait time.Duration) *core.Error {
	wait = max(wait, time.Second)
	n := seconds(wait)
	return &core.Error{Code: core.CodeRateLimited, RetryAfter: wait, Detail: core.Text{EN: fmt.Sprintf("Too many requests. Try again in %d s.", n),
		PT: fmt.Sprintf("Demasiados pedidos. Tente de novo daqui a %d s.", n)}}
}

// limit counts the request against the limits of its operation. What is no operation counts as a read.
func (a *server) limit(w http.ResponseWriter, _ *http.Request, c *call) error {
	switch {
	case c.operation == nil:
		return a.limiter.take(w.Header(), reads, network(c.client))
	case c.webhook == nil:
		return a.limiter.take(w.Header(), c.operation.rate, c.limited())
	case !c.webhook.Signed(): // the sender's own first, so that one sender does not use up what all share
		if err := a.limiter.take(w.Header(), unsigned, c.webhook.ID.String()+" "+network(c.client)); err != nil {
			return err
		}
	}
	return a.limiter.take(w.Header(), webhooks, c.webhook.ID.String())
}

// limited names who shares a quota.
func (c *call) limited() string {
	switch {
	case c.caller.Is(core.CallerSubscriber) && c.operation.rate == publishes: // with however many sessions and tokens
		return "person " + c.caller.SubscriberID.String() + " " + pathValue(c.request, "publisherSlug")
	case c.caller.Is(core.CallerSubscriber):
		return "subscriber's " + c.caller.Credential().String()
	case !c.caller.Is(core.CallerPublisher):
		return network(c.client)
	case c.operation.rate == publishes:
		return "publisher " + c.caller.PublisherID.String()
	default:
		return "key " + c.caller.KeyID.String()
	}
}

// network is the address that counts as one caller: of IPv6, what one household gets.
func network(addr netip.Addr) string {
	if addr.Is4() || !addr.IsValid() {
		return addr.String()
	}
	p, _ := addr.WithZone("").Prefix(64) // fails for no IPv6 address
	return p.String()
}

// clientAddr is the address of who asks: the last one on the way here that is no proxy of ours.
func clientAddr(r *http.Request, trusted []netip.Prefix) netip.Addr {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr) // the zero address for what has none, as a Unix socket
	client := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !slices.ContainsFunc(trusted, func(p netip.Prefix) bool { return p.Contains(client) }) {
			break
		}
		addr, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		client = addr.Unmap()
	}
	return client
}
