package httpapi

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// atOnce bounds how many requests of a party use the database at once. Those beyond wait for each other here and hold
// no connection, so that others find one however many requests somebody sends.
type atOnce struct {
	requests *guard.Shares[party] // all but single publishes, which are written in groups
	writes   *guard.Shares[party] // a row that one of them locks holds up the others
	searches *guard.Shares[party] // and other reads that examine all of a feed
	exports  *guard.Shares[party] // until the last byte is written
}

// The rates of refused shares in metrics.
const (
	requestsAtOnce rate = "requests-at-once"
	writesAtOnce   rate = "writes-at-once"
	searchesAtOnce rate = "searches-at-once"
	exportsAtOnce  rate = "exports-at-once"
)

// sharePatience is how long a request waits for the others of its party. It is shorter than requestTime, so that the
// client is told why.
const sharePatience = 3 * time.Second

// newAtOnce divides a pool of connections. A party gets half of it, and all writes and all searches together leave some
// to the others.
func newAtOnce(connections int) *atOnce {
	n := int64(max(connections, minConnections))
	return &atOnce{
		requests: guard.NewShares[party](math.MaxInt64, n/2),
		writes:   guard.NewShares[party](n/2, max(n/5, 1)),
		searches: guard.NewShares[party](max(n/4, 1), 1),
		exports:  guard.NewShares[party](max(n/4, 1), 1),
	}
}

const minConnections = 2 // of a pool

// takeShares waits for the shares that the operation needs. They end when the response begins, because a handler has
// then read and written all; that of an export ends with the request.
func (a *server) takeShares(_ http.ResponseWriter, r *http.Request, c *call) error {
	if a.Limits.Off || c.operation.streams || c.operation.id == publishNotification {
		return nil
	}
	ctx, cancel := context.WithTimeout(r.Context(), sharePatience)
	defer cancel()
	// The rarer share first: a request that waits for it must not keep others of the party from a common one.
	if shares, name := a.atOnce.special(r, c); shares != nil {
		if err := a.takeShare(ctx, c, shares, name); err != nil {
			return err
		}
	}
	if c.operation.exports() {
		return nil
	}
	return a.takeShare(ctx, c, a.atOnce.requests, requestsAtOnce)
}

// special returns the shares of the kind of request, or nil.
func (o *atOnce) special(r *http.Request, c *call) (*guard.Shares[party], rate) {
	switch {
	case c.operation.exports():
		return o.exports, exportsAtOnce
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return o.writes, writesAtOnce
	case c.searches(r):
		return o.searches, searchesAtOnce
	default:
		return nil, ""
	}
}

func (a *server) takeShare(ctx context.Context, c *call, shares *guard.Shares[party], name rate) error {
	release, err := shares.Take(ctx, c.account(), 1)
	if err != nil {
		a.Metrics.Limited(string(name))
		return errAtOnce()
	}
	if c.operation.exports() {
		c.atEnd(release)
	} else {
		c.out.atBegin(release)
	}
	return nil
}

// exports reports whether the operation reads from the database while it responds.
func (o *operation) exports() bool { return o.id == "exportMe" || o.id == "exportWaitlist" }

// searches reports whether the request searches, or selects a part of a feed, which reads as much.
func (c *call) searches(r *http.Request) bool {
	query := r.URL.Query()
	if c.operation.names["q"] && query.Get("q") != "" {
		return true
	}
	return c.operation.id == "listFeed" &&
		(query.Get("important") == "true" || query.Get("archived") == "true" || query.Get("snoozed") == "true" ||
			query.Get("channelId") != "")
}

// account returns the party that has one share of what all need at once: a person with the publishers that they answer
// for and the webhooks of these, or the site of a visitor, of which one stranger may have many networks.
func (c *call) account() party {
	switch {
	case c.webhook != nil:
		return party{id: c.webhook.AccountID}
	case c.caller.Is(core.CallerVisitor):
		return party{network: core.SiteOf(core.NetworkOf(c.client))}
	default:
		return party{id: c.caller.Account()}
	}
}

func errAtOnce() *core.Error {
	return &core.Error{Code: core.CodeRateLimited, RetryAfter: time.Second, Detail: core.Text{
		EN: "Too many of your requests are under way. Wait for their responses, then try again.",
		PT: "Há demasiados pedidos seus em curso. Espere pelas respostas e tente novamente."}}
}
