package pictures

import (
	"context"
	"math"
	"net/netip"
	"time"

	"github.com/sininho/sininho/server/internal/guard"
)

const (
	siteFetches    = 4  // at one site at a time, so that it leaves room for the others
	networkFetches = 6  // for the readers of one network at a time, so that they leave room for others
	readerFetches  = 3  // at one site for the readers of one network at a time
	sitePending    = 64 // at one site, that run or wait to
	quickFetches   = 64 // of which a stranger's site has its places for as long as patience
	slowFetches    = 16
	quickRoom      = 96 << 20 // bytes of large pictures that are being read
	slowRoom       = 48 << 20
	// patience is how long a fetch takes that is not slow.
	patience = time.Second
)

// lane is what fetches of a kind have to themselves: all that begin are quick until they take long, and then slow.
// Sites get a lane's places and room in turn.
type lane struct {
	slow     bool
	readers  *guard.Shares[reader]
	networks *guard.Shares[netip.Prefix]
	pending  *guard.Shares[string]
	places   *guard.Shares[string]
	room     *guard.Shares[string] // in bytes
	flights  flights
}

func newLane(slow bool, places, room int64) *lane {
	return &lane{
		slow:     slow,
		readers:  guard.NewShares[reader](math.MaxInt64, readerFetches),
		networks: guard.NewShares[netip.Prefix](math.MaxInt64, networkFetches),
		pending:  guard.NewShares[string](math.MaxInt64, sitePending),
		places:   guard.NewShares[string](places, siteFetches),
		room:     guard.NewShares[string](room, room/siteFetches),
		flights:  flights{all: map[string]*flight{}},
	}
}

// reader is whom a picture of a site is fetched for.
type reader struct {
	network netip.Prefix
	site    string
}

// turn waits until a picture may be fetched for a reader. It is taken by each reader, not for a fetch, so that nobody
// waits for the turns of others who want the same picture. The caller calls done after that.
func (l *lane) turn(ctx context.Context, r reader) (done func(), err error) {
	leaveSite, err := l.readers.Take(ctx, r, 1)
	if err != nil {
		return nil, err
	}
	leaveNetwork, err := l.networks.Take(ctx, r.network, 1)
	if err != nil {
		leaveSite()
		return nil, err
	}
	return func() { leaveNetwork(); leaveSite() }, nil
}

// enter waits for a place of a site. The caller calls leave after that.
func (l *lane) enter(ctx context.Context, site string) (leave func(), err error) {
	stopPending, ok := l.pending.Try(site, 1)
	if !ok {
		return nil, errBusy
	}
	leavePlace, err := l.places.Take(ctx, site, 1)
	if err != nil {
		stopPending()
		return nil, errBusy
	}
	return func() { leavePlace(); stopPending() }, nil
}
