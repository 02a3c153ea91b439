package webpush

import (
	"errors"
	"math/rand/v2"
	"net/netip"
	"net/url"
	"sync"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/sininho/sininho/server/internal/core"
)

// Strangers choose the push services. A site, which is a registrable domain, is established once it has accepted pushes
// to several people's devices lately; one of the others could be silent, or somebody's server that is no push service.
const (
	establishedBy  = 3
	establishedFor = time.Hour
	// lostInARow end that.
	lostInARow = 5
	silentFor  = 2 * time.Second

	// How many pushes may be under way on this node.
	mostAtEstablished = 512 // at each established site
	mostAtSite        = 4   // at each other site
	mostAtAddress     = 4   // at each address of these
	mostOfPerson      = 8   // to the devices of one person at these
	mostAtOthers      = 64  // at all of these together

	// perMinute is how many pushes a person is sent by a site, and by an address. Those of others do not count.
	perMinute         = 100
	atOnceEstablished = perMinute
	atOnce            = 20
	manySites         = 10_000
	busyAgain         = 250 * time.Millisecond // about, after which a place may be free
	manyMeters        = 100_000
	meterInterval     = time.Minute / perMinute
	// What a person is sent whose devices have not accepted a push yet, to all of these together.
	untriedInterval    = 10 * time.Second
	untriedAtOnce      = 5
	patienceWithOthers = 5 * time.Second // for a push to a site that is not established
)

// hosts shares what a node sends among the sites, and among the people whose devices are there.
type hosts struct {
	mu        sync.Mutex
	sites     map[string]*site
	addresses map[netip.AddrPort]int
	people    map[core.ID]int
	others    int // pushes under way at sites that are not established
	meters    map[meter]time.Time
	sweepAt   int
}

type site struct {
	underWay  int
	people    map[core.ID]time.Time // whose devices accepted a push, and when
	lost      int                   // pushes without a response in a row
	heardAt   time.Time             // the latest response
	busySince time.Time
}

// meter is the pace of a person at a site or an address.
type meter struct {
	person core.ID
	at     string
}

// visit is one push under way.
type visit struct {
	h           *hosts
	name        string
	person      core.ID
	established bool
	address     netip.AddrPort
	refunded    bool
}

// busy reports that a push is not sent now.
type busy struct{ again time.Duration }

// Error implements error.
func (b busy) Error() string { return "there are enough pushes under way" }

// siteOf returns the registrable domain of an origin, or its host and port where there is none.
func siteOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return origin
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return u.Host
	}
	domain, err := publicsuffix.EffectiveTLDPlusOne(u.Hostname())
	if err != nil {
		return u.Host
	}
	return domain
}

func (h *hosts) init() {
	if h.sites == nil {
		h.sites, h.addresses, h.people = map[string]*site{}, map[netip.AddrPort]int{}, map[core.ID]int{}
		h.meters, h.sweepAt = map[meter]time.Time{}, manyMeters
	}
}

// enter takes a place for a push, or returns after how long to try again.
func (h *hosts) enter(to core.PushAddress, now time.Time) (*visit, error) {
	person := to.Owner
	h.mu.Lock()
	defer h.mu.Unlock()
	h.init()
	v := &visit{h: h, name: siteOf(to.Service()), person: person}
	s := h.site(v.name)
	v.established = s.isEstablished(now) && !s.isSilent(now)
	places := atOnce
	switch {
	case v.established:
		places = atOnceEstablished
		if s.underWay >= mostAtEstablished {
			return nil, busy{soon()}
		}
	case s.underWay >= mostAtSite, h.others >= mostAtOthers, person != core.ID{} && h.people[person] >= mostOfPerson:
		return nil, busy{soon()}
	}
	wait := h.pace(meter{person, v.name}, places, meterInterval, now)
	if wait == 0 && to.Untried {
		wait = h.pace(meter{person, ""}, untriedAtOnce, untriedInterval, now)
	}
	if wait > 0 {
		return nil, busy{wait}
	}
	if s.underWay++; s.underWay == 1 {
		s.busySince = now
	}
	if !v.established {
		h.others++
		h.people[person]++
	}
	return v, nil
}

// enterAddress takes a place at the address to which a push is about to be sent.
func (v *visit) enterAddress(a netip.AddrPort, now time.Time) error {
	h := v.h
	h.mu.Lock()
	defer h.mu.Unlock()
	if v.established || v.address == a {
		return nil
	}
	if h.addresses[a] >= mostAtAddress {
		v.refund()
		return busy{soon()}
	}
	if wait := h.pace(meter{v.person, a.String()}, atOnce, meterInterval, now); wait > 0 {
		v.refund()
		return busy{wait}
	}
	v.leaveAddress()
	v.address = a
	h.addresses[a]++
	return nil
}

// refund gives back what enter took of the person's pace, because the push is not sent. The caller must hold the lock.
func (v *visit) refund() {
	m := meter{v.person, v.name}
	if next, ok := v.h.meters[m]; ok && !v.refunded {
		v.h.meters[m], v.refunded = next.Add(-meterInterval), true
	}
}

// leaveAddress gives back the place at an address. The caller must hold the lock.
func (v *visit) leaveAddress() {
	if v.h.addresses[v.address]--; v.h.addresses[v.address] <= 0 {
		delete(v.h.addresses, v.address)
	}
}

// leave gives back the place, and keeps what the push has shown of its site.
func (v *visit) leave(r core.Result, now time.Time) {
	h := v.h
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.site(v.name)
	s.underWay = max(0, s.underWay-1)
	if !v.established {
		h.others--
		if h.people[v.person]--; h.people[v.person] <= 0 {
			delete(h.people, v.person)
		}
		v.leaveAddress()
	}
	s.learn(v.person, r, now)
}

// learn keeps what a push has shown.
func (s *site) learn(person core.ID, r core.Result, now time.Time) {
	switch {
	case r.Outcome == core.Accepted:
		s.lost, s.heardAt = 0, now
		s.accepted(person, now)
	case r.Later > 0:
	case r.Cause == core.CauseUnavailable:
		if s.lost++; s.lost >= lostInARow {
			s.people = nil
		}
	default:
		s.heardAt = now
	}
}

// accepted keeps the latest people whose devices accepted a push.
func (s *site) accepted(person core.ID, now time.Time) {
	if s.people == nil {
		s.people = map[core.ID]time.Time{}
	}
	if _, known := s.people[person]; !known && len(s.people) >= establishedBy {
		for id, at := range s.people {
			if now.Sub(at) > establishedFor/2 {
				delete(s.people, id)
			}
		}
	}
	if _, known := s.people[person]; known || len(s.people) < establishedBy {
		s.people[person] = now
	}
}

func (s *site) isEstablished(now time.Time) bool {
	lately := 0
	for _, at := range s.people {
		if now.Sub(at) < establishedFor {
			lately++
		}
	}
	return lately >= establishedBy
}

// isSilent reports whether pushes are under way, and none of them has had a response for a while.
func (s *site) isSilent(now time.Time) bool {
	since := s.busySince
	if s.heardAt.After(since) {
		since = s.heardAt
	}
	return s.underWay > 0 && now.Sub(since) > silentFor
}

// site returns a site. The caller must hold the lock.
func (h *hosts) site(name string) *site {
	if known := h.sites[name]; known != nil {
		return known
	}
	if len(h.sites) >= manySites {
		for name, s := range h.sites {
			if s.underWay == 0 && len(s.people) < establishedBy {
				delete(h.sites, name)
			}
		}
	}
	h.sites[name] = &site{}
	return h.sites[name]
}

// pace takes one push at the pace of a meter, or returns when there is one to take. The caller must hold the lock.
func (h *hosts) pace(m meter, atOnce int, interval time.Duration, now time.Time) time.Duration {
	if m.person == (core.ID{}) { // nobody's: a check of the server itself
		return 0
	}
	next := h.meters[m]
	if next.Before(now) {
		next = now
	}
	if wait := next.Sub(now) - time.Duration(atOnce-1)*interval; wait > 0 {
		return wait
	}
	if len(h.meters) >= h.sweepAt {
		h.sweep(now)
	}
	h.meters[m] = next.Add(interval)
	return 0
}

// sweep forgets the meters whose whole pace is free again.
func (h *hosts) sweep(now time.Time) {
	for m, next := range h.meters {
		if next.Before(now) {
			delete(h.meters, m)
		}
	}
	h.sweepAt = max(manyMeters, 2*len(h.meters))
}

// soon is a time after which a place may be free, not the same for all who wait.
func soon() time.Duration { return busyAgain + rand.N(busyAgain) } //nolint:gosec // only spreads load

// asBusy returns how long to wait when a push was not sent because there are enough under way.
func asBusy(err error) (again time.Duration, ok bool) {
	var b busy
	ok = errors.As(err, &b)
	return b.again, ok
}
