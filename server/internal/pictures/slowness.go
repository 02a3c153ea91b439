package pictures

import (
	"net/netip"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/net/publicsuffix"

	"github.com/sininho/sininho/server/internal/core"
)

const (
	slowFor   = 5 * time.Minute // after the latest slow fetch
	quickFor  = time.Hour       // after the latest quick one
	sitesKept = 1 << 16         // a forgotten one is like a new one
)

// slowness is what the latest fetches have shown of sites, and of the networks that these are in.
type slowness struct {
	now      func() time.Time
	slow     *lru.Cache[string, time.Time] // until when sites are
	quick    *lru.Cache[string, time.Time] // until when they are known to be
	located  *lru.Cache[string, string]    // the networks of sites
	networks *lru.Cache[string, time.Time] // until when they are slow
}

func newSlowness(now func() time.Time) *slowness {
	s := &slowness{now: now}
	s.slow, _ = lru.New[string, time.Time](sitesKept) // they fail only for a size of 0
	s.quick, _ = lru.New[string, time.Time](sitesKept)
	s.located, _ = lru.New[string, string](sitesKept)
	s.networks, _ = lru.New[string, time.Time](sitesKept)
	return s
}

// learn keeps how long a fetch took. A site that was quick is allowed one that is slow.
func (s *slowness) learn(site, network string, took time.Duration) {
	switch now := s.now(); {
	case took < patience:
		s.quick.Add(site, now.Add(quickFor))
	case s.quick.Remove(site) && !s.isSlow(site):
	default:
		s.slow.Add(site, now.Add(slowFor))
		s.networks.Add(network, now.Add(slowFor))
	}
}

func (s *slowness) isSlow(site string) bool {
	until, _ := s.slow.Get(site)
	return s.now().Before(until)
}

// refuses reports whether a site that nothing is known of is in a slow network.
func (s *slowness) refuses(site, network string) bool {
	slow, _ := s.networks.Get(network)
	quick, _ := s.quick.Get(site)
	return s.now().Before(slow) && !s.now().Before(quick)
}

// shared returns by what a site shares the slow lane: its network, because a machine may have endless names. All sites
// share as one whose network is not known, because their names take long to resolve.
func (s *slowness) shared(site string) string {
	network, _ := s.located.Get(site)
	return network
}

// siteOf returns the registrable domain of a host, because anyone can have endless names below their own. The network
// of an IP address is its own site.
func siteOf(host string) string {
	if address, err := netip.ParseAddr(host); err == nil {
		return core.NetworkOf(address).String()
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(strings.TrimSuffix(host, ".")); err == nil {
		return domain
	}
	return host
}
