package httpapi

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/expirable"
	limits "golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/metrics"
)

// Limits are the limits per caller on one node. Request limits are per minute, and the whole minute's quota may be used
// at once. All API keys of a publisher share its quotas, and all sessions and access tokens of a person theirs. What an
// account has is shared by a person and the publishers that they answer for.
type Limits struct {
	Off               bool
	Reads             int // per publisher, person or address
	Writes            int // per publisher, person or address
	Publishes         int // per publisher, with its webhooks, or person; an account has twice as many
	Webhook           int // per webhook
	UnsignedWebhook   int // per webhook without a secret and sender address
	Joins             int // requests to join the waiting list, per IP address
	Anonymous         int // new anonymous subscribers, per IP address, an hour
	FailedCredentials int // per address, refilled at one a minute; does not affect valid credentials
	SubscriberStreams int // open at the same time, per person
	AddressStreams    int // open at the same time, with API keys per account, and per address for visitors
}

// DefaultLimits returns the limits for production.
func DefaultLimits() Limits {
	return Limits{
		Reads: 600, Writes: 120, Publishes: 6000, Webhook: 120, UnsignedWebhook: 10, Joins: 5, Anonymous: 300,
		FailedCredentials: 30, SubscriberStreams: 30, AddressStreams: 100,
	}
}

// rate names a limit.
type rate string

const (
	reads     rate = "reads"
	writes    rate = "writes"
	publishes rate = "publishes"
	ofAccount rate = "account-publishes"
	webhooks  rate = "webhook"
	unsigned  rate = "unsigned-webhook"
	joins     rate = "joins"
	anonymous rate = "anonymous"   // new anonymous subscribers
	streaming rate = "streams"     // at the same time
	failures  rate = "credentials" // failed ones
	lookUps   rate = "look-ups"    // of credentials too long to guess
	guesses   rate = "guesses"     // of codes short enough to guess
)

// quota is the number of requests that a rate allows within a window.
type quota struct {
	burst  int
	window time.Duration // time to refill the whole burst
}

// times returns a quota for several parties together.
func (q quota) times(n int) quota { return quota{q.burst * n, q.window} }

func (q quota) bucket() *limits.Limiter {
	return limits.NewLimiter(limits.Limit(float64(q.burst)/q.window.Seconds()), q.burst)
}

// party is the holder of a quota. It has a fixed size and holds no text of a request, so that a request cannot choose
// how much memory its bucket takes.
type party struct {
	id         core.ID      // of a person, publisher or webhook
	network    netip.Prefix // of a visitor, or of the sender to a webhook
	credential digest
}

// around yields a party, and those of the networks around its own, with how many times its quota each has. One stranger
// may have many networks of one.
func (p party) around(yield func(party, int) bool) {
	if !p.network.IsValid() {
		yield(p, 1)
		return
	}
	for _, a := range core.Around(p.network) {
		if p.network = a.Network; !yield(p, a.Rate) {
			return
		}
	}
}

// bucketKey identifies the bucket of a party for one rate.
type bucketKey struct {
	rate  rate
	party party
}

// buckets holds the buckets of the most recent parties. An evicted party starts again with a full quota.
type buckets = lru.Cache[bucketKey, *limits.Limiter]

// limiter counts requests and failed credentials. Failures are kept separately, so that requests cannot evict them, and
// a caller without a valid credential has no bucket but its network's.
type limiter struct {
	off     bool
	now     func() time.Time
	metrics *metrics.HTTP
	quotas  map[rate]quota
	counts  *buckets
	failing *buckets
	good    *expirable.LRU[party, struct{}] // credentials that were valid recently
	bad     *expirable.LRU[party, error]    // failed recently; they are random, so none becomes valid later
}

const (
	callersKept     = 1 << 16
	credentialsKept = 1 << 14
	credentialsFor  = time.Hour
)

func newLimiter(l Limits, now func() time.Time, m *metrics.HTTP) *limiter {
	counts, _ := lru.New[bucketKey, *limits.Limiter](callersKept) // fails only for a size of 0
	failing, _ := lru.New[bucketKey, *limits.Limiter](callersKept)
	failed := quota{l.FailedCredentials, time.Duration(l.FailedCredentials) * time.Minute}
	return &limiter{off: l.Off, now: now, metrics: m, counts: counts, failing: failing,
		good: expirable.NewLRU[party, struct{}](credentialsKept, nil, credentialsFor),
		bad:  expirable.NewLRU[party, error](credentialsKept, nil, credentialsFor),
		quotas: map[rate]quota{
			reads:     {l.Reads, time.Minute},
			writes:    {l.Writes, time.Minute},
			publishes: {l.Publishes, time.Minute},
			ofAccount: {2 * l.Publishes, time.Minute},
			webhooks:  {l.Webhook, time.Minute},
			unsigned:  {l.UnsignedWebhook, time.Minute},
			joins:     {l.Joins, time.Minute},
			anonymous: {l.Anonymous, time.Hour},
			failures:  failed,
			lookUps:   {l.Reads, time.Minute}, // a failed look-up costs the database no more than a read
			guesses:   failed,
		}}
}

// NewReadLimit returns a function that counts a visitor's request beside the API as one that reads, and reports whether
// it is within their limit. It counts them separately from the requests to the API.
func NewReadLimit(
	l Limits, trusted []netip.Prefix, now func() time.Time, m *metrics.HTTP,
) func(r *http.Request) bool {
	counts, _ := lru.New[bucketKey, *limits.Limiter](callersKept) // fails only for a size of 0
	limiter := &limiter{off: l.Off, now: now, metrics: m, counts: counts,
		quotas: map[rate]quota{reads: {l.Reads, time.Minute}}}
	return func(r *http.Request) bool {
		return limiter.take(http.Header{}, reads, party{network: Network(r, trusted)}, 1) == nil
	}
}

func (l *limiter) bucketIn(kept *buckets, r rate, p party, times int) *limits.Limiter {
	key := bucketKey{r, p}
	if b, ok := kept.Get(key); ok {
		return b
	}
	fresh := l.quotas[r].times(times).bucket()
	if b, ok, _ := kept.PeekOrAdd(key, fresh); ok {
		return b
	}
	return fresh
}

// take counts n requests of a party, and of the networks around it, sets the RateLimit headers, and returns an error
// when a quota is used up. When a request counts against several limits, the headers describe the first one, or the one
// that refuses it.
func (l *limiter) take(h http.Header, r rate, p party, n int) error {
	if l.off {
		return nil
	}
	for around, times := range p.around {
		if err := l.takeOf(h, r, around, times, n); err != nil {
			return err
		}
	}
	return nil
}

func (l *limiter) takeOf(h http.Header, r rate, p party, times, n int) error {
	now := l.now()
	b := l.bucketIn(l.counts, r, p, times)
	q := l.quotas[r].times(times)
	ok := b.AllowN(now, n)
	left := max(b.TokensAt(now), 0)
	policy := fmt.Sprintf("%q;q=%d;w=%d", string(r), q.burst, seconds(q.window))
	if first := h.Get("RateLimit-Policy"); !ok || first == "" || first == policy {
		full := seconds(wait(b, float64(q.burst)-left))
		h.Set("RateLimit-Policy", policy)
		h.Set("RateLimit", fmt.Sprintf("%q;r=%d;t=%d", string(r), int(left), full))
	}
	if !ok {
		return l.refuse(r, wait(b, float64(n)-left))
	}
	return nil
}

// wait returns how long b takes to refill the given number of tokens.
func wait(b *limits.Limiter, tokens float64) time.Duration {
	return time.Duration(math.Ceil(tokens / float64(b.Limit()) * float64(time.Second)))
}

// refuse counts a refusal and returns its error.
func (l *limiter) refuse(r rate, wait time.Duration) *core.Error {
	l.metrics.Limited(string(r))
	return errLimited(wait)
}

func errLimited(wait time.Duration) *core.Error {
	wait = max(wait, time.Second)
	n := seconds(wait)
	return &core.Error{Code: core.CodeRateLimited, RetryAfter: wait,
		Detail: core.Text{EN: fmt.Sprintf("Too many requests. Try again in %d s.", n),
			PT: fmt.Sprintf("Demasiados pedidos. Tente novamente daqui a %d s.", n)}}
}

// limit counts the request against the limits of its operation. A path without an operation counts as a read.
func (a *server) limit(w http.ResponseWriter, _ *http.Request, c *call) error {
	switch {
	case c.operation == nil:
		return a.limiter.take(w.Header(), reads, party{network: core.NetworkOf(c.client)}, 1)
	case c.webhook == nil:
		return a.limitCaller(c, 1)
	case c.webhook.Signed(): // the verifier counts it as a publish
		return a.limiter.take(w.Header(), webhooks, party{id: c.webhook.ID}, 1)
	}
	// Per sender first, so that one sender cannot use up the quota shared by all.
	sender := party{id: c.webhook.ID, network: core.NetworkOf(c.client)}
	if err := a.limiter.take(w.Header(), unsigned, sender, 1); err != nil {
		return err
	}
	if err := a.limiter.take(w.Header(), webhooks, party{id: c.webhook.ID}, 1); err != nil {
		return err
	}
	return a.limitWebhookPublish(c)
}

// limitWebhookPublish counts what a webhook publishes against the quota that its publisher's API keys have.
func (a *server) limitWebhookPublish(c *call) error {
	return a.limitPublishes(c, party{id: c.webhook.PublisherID}, 1)
}

// limitCaller counts n requests of the operation's kind.
func (a *server) limitCaller(c *call, n int) error {
	if c.operation.rate == publishes {
		return a.limitPublishes(c, c.limitedParty(), n)
	}
	return a.limiter.take(c.out.Header(), c.operation.rate, c.limitedParty(), n)
}

// limitPublishes counts n publishes of a party, and then of its account, so that one publisher's refused ones take
// nothing from the others of the account.
func (a *server) limitPublishes(c *call, p party, n int) error {
	if err := a.limiter.take(c.out.Header(), publishes, p, n); err != nil {
		return err
	}
	return a.limiter.take(c.out.Header(), ofAccount, c.account(), n)
}

// limitBatch counts the notifications of a batch, of which limit has counted one.
func (a *server) limitBatch(c *call, n int) error {
	if most := a.Limits.Publishes; n > most && !a.Limits.Off {
		return core.Invalid(core.FieldError{Pointer: "#/notifications", Code: "too_many", Detail: core.Text{
			EN: fmt.Sprintf("has more than %d items, which is how many this server lets you publish a minute", most),
			PT: fmt.Sprintf("tem mais de %d elementos, que é quantos este servidor deixa publicar por minuto", most)}})
	}
	return a.limitCaller(c, n-1)
}

// limitedParty returns the party that the request counts against, however many credentials it has. It does not depend
// on the path: a person has one quota for all publishers, whether or not the publisher in the path exists or is theirs.
func (c *call) limitedParty() party {
	switch {
	case c.caller.Is(core.CallerSubscriber):
		return party{id: c.caller.SubscriberID}
	case c.caller.Is(core.CallerPublisher):
		return party{id: c.caller.PublisherID}
	default:
		return party{network: core.NetworkOf(c.client)}
	}
}
