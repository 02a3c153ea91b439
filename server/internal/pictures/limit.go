package pictures

import (
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/core"
)

// errLimited means that a network has asked for too many pictures that are not kept. Its value is how long to wait.
type errLimited time.Duration

// Error implements error.
func (errLimited) Error() string { return "too many pictures" }

// seconds returns the time to wait in whole seconds, for Retry-After.
func (e errLimited) seconds() int { return int(math.Ceil(time.Duration(e).Seconds())) }

// respond tells a reader to wait.
func (e errLimited) respond(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(e.seconds()))
	http.Error(w, "too many pictures", http.StatusTooManyRequests)
}

// networksKept is the number of networks whose fetches are counted. A forgotten one starts again with a full quota.
const networksKept = 1 << 16

// limiter counts the pictures that each network has fetched, within the latest minute.
type limiter struct {
	perMinute int // 0: no limit
	now       func() time.Time
	kept      *lru.Cache[netip.Prefix, *rate.Limiter]
}

func newLimiter(perMinute int, now func() time.Time) *limiter {
	kept, _ := lru.New[netip.Prefix, *rate.Limiter](networksKept) // fails only for a size of 0
	return &limiter{perMinute: perMinute, now: now, kept: kept}
}

// take counts a fetch of a network, and of those around it. It fails with errLimited.
func (l *limiter) take(from netip.Prefix) error {
	if l.perMinute == 0 {
		return nil
	}
	now := l.now()
	for _, around := range core.Around(from) {
		bucket := l.bucket(around.Network, around.Rate*l.perMinute)
		if !bucket.AllowN(now, 1) {
			missing := 1 - bucket.TokensAt(now)
			return errLimited(missing / float64(bucket.Limit()) * float64(time.Second))
		}
	}
	return nil
}

func (l *limiter) bucket(of netip.Prefix, perMinute int) *rate.Limiter {
	if b, ok := l.kept.Get(of); ok {
		return b
	}
	fresh := rate.NewLimiter(rate.Limit(float64(perMinute)/time.Minute.Seconds()), perMinute)
	if b, ok, _ := l.kept.PeekOrAdd(of, fresh); ok {
		return b
	}
	return fresh
}
