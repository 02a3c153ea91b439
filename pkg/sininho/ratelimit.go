package sininho

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RateLimit is what a response says of the limit that the request counted against.
type RateLimit struct {
	// Name is that of the limit, such as publishes; empty if there is none.
	Name string
	// Limit is how many requests are allowed in a Window, and Remaining how many are left now.
	Limit, Remaining int
	Window           time.Duration
	// Reset is how long it takes until all of them are allowed again.
	Reset time.Duration
}

type rateLimitKey struct{}

// WithRateLimit returns a context whose calls write what their latest response says of the rate limit to limit. Calls
// that run at the same time each need their own.
func WithRateLimit(ctx context.Context, limit *RateLimit) context.Context {
	return context.WithValue(ctx, rateLimitKey{}, limit)
}

// noteRateLimit writes what a response says of the rate limit to where its context wants it.
func noteRateLimit(ctx context.Context, h http.Header) {
	limit, wanted := ctx.Value(rateLimitKey{}).(*RateLimit)
	if !wanted {
		return
	}
	state, policy := rateParameters(h.Get("RateLimit")), rateParameters(h.Get("RateLimit-Policy"))
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	*limit = RateLimit{Name: state.name, Limit: policy.numbers["q"], Remaining: state.numbers["r"],
		Window: seconds(policy.numbers["w"]), Reset: seconds(state.numbers["t"])}
}

// rateField is a header such as "publishes";r=59;t=1.
type rateField struct {
	name    string
	numbers map[string]int
}

func rateParameters(header string) rateField {
	name, parameters, _ := strings.Cut(header, ";")
	f := rateField{strings.Trim(strings.TrimSpace(name), `"`), map[string]int{}}
	for parameter := range strings.SplitSeq(parameters, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if n, err := strconv.Atoi(value); err == nil {
			f.numbers[key] = n
		}
	}
	return f
}
