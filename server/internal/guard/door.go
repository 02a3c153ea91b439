package guard

import (
	"container/list"
	"math"
	"net/netip"
	"slices"
	"sync"

	"github.com/sininho/sininho/server/internal/core"
)

// DoorConfig says how many connections may be open.
type DoorConfig struct {
	PerNetwork int            // 0: any number
	Total      int            // of all networks
	Trusted    []netip.Prefix // proxies, which have any number of the total
	// Refused is called for a connection that was closed because of a limit.
	Refused func()
}

// Door lets connections in. It is safe for concurrent use.
type Door struct {
	DoorConfig

	mu     sync.Mutex
	open   int
	groups map[netip.Prefix]*group
}

// group is what a network, or one around it, has open.
type group struct {
	network netip.Prefix
	isSite  bool // it is compared with others when all connections are used up
	most    int
	open    int
	waiting list.List // of *conn that wait for a request, the longest first
}

// NewDoor returns a door.
func NewDoor(c DoorConfig) *Door { return &Door{DoorConfig: c, groups: map[netip.Prefix]*group{}} }

// admit counts a connection, and reports whether it may stay. Others are closed to make room for it.
func (d *Door) admit(c *conn, from netip.Addr) bool {
	closed, ok := d.take(c, from)
	for _, other := range closed {
		d.Refused()
		_ = other.TCPConn.Close() // it was not in use
	}
	if !ok {
		d.Refused()
	}
	return ok
}

// take counts a connection if there is room. What it has forgotten to make room must be closed.
func (d *Door) take(c *conn, from netip.Addr) (forgotten []*conn, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	groups := d.groupsOf(from)
	defer func() { d.tidy(groups) }()
	for _, g := range groups {
		if g.open >= g.most {
			forgotten = d.makeRoom(forgotten, g, 1)
		}
		if g.open >= g.most {
			return forgotten, false
		}
	}
	if d.open >= d.Total {
		if g := d.busiest(); g != nil {
			forgotten = d.makeRoom(forgotten, g, atOnce)
		}
	}
	if d.open >= d.Total {
		return forgotten, false
	}
	d.open++
	for _, g := range groups {
		g.open++
		d.groups[g.network] = g // making room may have removed it
	}
	c.groups = groups
	c.wait()
	return forgotten, true
}

// atOnce is how many connections make room together when all are used up, because it takes a while to find whose.
const atOnce = 32

// makeRoom forgets up to n connections of a group that wait for a request, those first that have waited longest.
func (d *Door) makeRoom(forgotten []*conn, g *group, n int) []*conn {
	for range n {
		longest := g.waiting.Front()
		if longest == nil {
			break
		}
		c, _ := longest.Value.(*conn)
		d.forget(c)
		forgotten = append(forgotten, c)
	}
	return forgotten
}

// busiest returns the site of which most connections wait for a request, or nil if none does.
func (d *Door) busiest() (most *group) {
	for _, g := range d.groups {
		if g.isSite && g.waiting.Len() > 0 && (most == nil || g.waiting.Len() > most.waiting.Len()) {
			most = g
		}
	}
	return most
}

// forget counts a connection no longer.
func (d *Door) forget(c *conn) {
	if c.groups == nil {
		return
	}
	c.goOn()
	d.open--
	for _, g := range c.groups {
		g.open--
	}
	d.tidy(c.groups)
	c.groups = nil
}

// tidy removes groups that have nothing open.
func (d *Door) tidy(groups []*group) {
	for _, g := range groups {
		if g.open == 0 {
			delete(d.groups, g.network)
		}
	}
}

// groupsOf returns the groups of an address, the smallest first.
func (d *Door) groupsOf(from netip.Addr) (groups []*group) {
	around := core.Around(core.NetworkOf(from))
	isTrusted := slices.ContainsFunc(d.Trusted, func(p netip.Prefix) bool { return p.Contains(from.Unmap()) })
	isLimited := d.PerNetwork > 0 && !isTrusted
	site := core.SiteOf(core.NetworkOf(from))
	for i, a := range around {
		g := d.groups[a.Network]
		if g == nil {
			g = &group{network: a.Network, isSite: a.Network == site, most: math.MaxInt}
		}
		if isLimited {
			g.most = d.PerNetwork * a.Rate
		}
		if isLimited && i > 0 { // however large the network around is, it leaves room to others
			g.most = min(g.most, (d.Total+1)/2)
		}
		groups = append(groups, g)
	}
	return groups
}
