package pictures

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/sininho/sininho/server/internal/guard"
	"github.com/sininho/sininho/server/internal/metrics"
)

// Config configures a Proxy. Every field is required except PerMinute, Loopback, Resolver and Metrics.
type Config struct {
	Addresses *Addresses
	// CacheBytes is how much memory the pictures that are kept may take.
	CacheBytes int
	// Timeout limits a fetch, from waiting for a place to the last byte, how long a reader waits for a turn before it,
	// and then until the picture can be made small.
	Timeout time.Duration
	// Network returns the network that a reader's request is from.
	Network func(*http.Request) netip.Prefix
	// PerMinute is how many pictures that are not kept a network may load a minute; 0 means any number.
	PerMinute int
	// Loopback allows pictures on this machine, for development.
	Loopback bool
	// Resolver resolves names; nil means the system's resolver.
	Resolver *net.Resolver
	Metrics  *metrics.Pictures // nil: nothing is counted
	Now      func() time.Time
	Log      *slog.Logger
}

const (
	pictureKept = 24 * time.Hour
	failureKept = 5 * time.Minute
	// writeTimeout is how long a reader may take to load a picture.
	writeTimeout = 2 * time.Minute
)

// Proxy serves pictures.
type Proxy struct {
	Config
	client   *http.Client
	cache    *cache
	limiter  *limiter
	slowness *slowness
	quick    *lane
	slow     *lane
	// shrinkers are the places of sites for pictures that are being made small.
	shrinkers *guard.Shares[string]
	shrinking singleflight.Group
	ctx       context.Context // of the fetches, which may outlive the request that began them
	stop      context.CancelFunc
}

// New returns a Proxy. The caller must call Close.
func New(c Config) *Proxy {
	p := &Proxy{Config: c, client: newClient(c.Loopback, c.Resolver), cache: newCache(c.CacheBytes),
		limiter: newLimiter(c.PerMinute, c.Now), slowness: newSlowness(c.Now),
		quick: newLane(false, quickFetches, quickRoom), slow: newLane(true, slowFetches, slowRoom),
		shrinkers: guard.NewShares[string](shrinkers, 1)}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Close ends all fetches.
func (p *Proxy) Close() {
	p.stop()
	p.client.CloseIdleConnections()
}

// Pattern is the pattern of the paths that a Proxy serves, for http.ServeMux.
const Pattern = "GET " + Base + "{signature}/{address}"

// ServeHTTP serves the picture of a path that matches Pattern, in the size that its query names. Without a picture the
// status is 404, and 429 or 503 when there may be one later.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	beginPicture(w)
	header := w.Header()
	address, ok := p.Addresses.open(r.PathValue("signature"), r.PathValue("address"))
	size := r.URL.Query().Get("size")
	if _, known := sizes[size]; !ok || size != "" && !known {
		http.Error(w, "no picture has this address", http.StatusNotFound)
		return
	}
	found, err := p.lookupIn(r.Context(), size, address, p.Network(r))
	limited, isLimited := errors.AsType[errLimited](err)
	switch {
	case errors.Is(err, r.Context().Err()) && err != nil: // the reader has left
	case isLimited:
		p.Metrics.Asked(metrics.PictureLimited)
		limited.respond(w)
	case err != nil:
		p.Metrics.Asked(metrics.PictureBusy)
		header.Set("Retry-After", "1")
		http.Error(w, "too many pictures are being fetched", http.StatusServiceUnavailable)
	case found.content == nil:
		p.Metrics.Asked(metrics.PictureMissing)
		header.Set("Cache-Control", "public, max-age=300")
		http.Error(w, "the picture cannot be shown", http.StatusNotFound)
	default:
		p.Metrics.Asked(metrics.PictureShown)
		header.Set("Cache-Control", "public, max-age=604800, immutable")
		if found.fleeting {
			header.Set("Cache-Control", "public, max-age=300")
		}
		found.serve(w, r)
	}
}
