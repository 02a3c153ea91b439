package httpapi

import (
	"context"
	"log/slog"
	"net/netip"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	limits "golang.org/x/time/rate"

	"github.com/sininho/sininho/server/internal/core"
)

// Kinds of credentials, as the log names them.
const (
	refusedKey        = "key" // or access token
	refusedSession    = "session"
	refusedWebhook    = "webhook"
	refusedSignature  = "signature"
	refusedUserCode   = "user_code"
	refusedDeviceCode = "device_code"
	refusedEmailCode  = "email_code"
	refusedPasskey    = "passkey"
)

const (
	// A network gets that many lines at once, and then one in each interval.
	refusalsAtOnce  = 10
	refusalInterval = 10 * time.Second
	// All networks together get that many lines at once, and then as many in a minute.
	refusalsOfAll = 600
	networksKept  = 1 << 12
)

// refusals logs refused credentials with the addresses that sent them, for programs such as fail2ban. One network that
// floods it leaves the others their lines.
type refusals struct {
	log *slog.Logger
	now func() time.Time

	mu       sync.Mutex
	networks *lru.Cache[netip.Prefix, *limits.Limiter]
	all      *limits.Limiter
	omitted  int // since the last line
}

func newRefusals(log *slog.Logger, now func() time.Time) *refusals {
	networks, _ := lru.New[netip.Prefix, *limits.Limiter](networksKept) // fails only for a size of 0
	return &refusals{log: log, now: now, networks: networks,
		all: limits.NewLimiter(limits.Every(time.Minute/refusalsOfAll), refusalsOfAll)}
}

// add logs that a credential of a kind was refused, unless there were too many. The line never has the credential.
func (f *refusals) add(ctx context.Context, client netip.Addr, kind string) {
	omitted, ok := f.allow(core.SiteOf(core.NetworkOf(client)))
	if !ok {
		return
	}
	line := []any{"credential", kind, "address", client.WithZone("").String()}
	if omitted > 0 {
		line = append(line, "omitted", omitted)
	}
	f.log.WarnContext(ctx, "credential refused", line...)
}

// allow reports whether there may be another line, and how many there were not.
func (f *refusals) allow(from netip.Prefix) (omitted int, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	own, known := f.networks.Get(from)
	if !known {
		own = limits.NewLimiter(limits.Every(refusalInterval), refusalsAtOnce)
		f.networks.Add(from, own)
	}
	if now := f.now(); !own.AllowN(now, 1) || !f.all.AllowN(now, 1) {
		f.omitted++
		return 0, false
	}
	omitted, f.omitted = f.omitted, 0
	return omitted, true
}
