package httpapi

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/internal/guard"
)

// All large pages and replays that are on their way to clients take memory from one budget. A party gets a part of it,
// and whoever does not read loses the connection.
const (
	roomForAll   = 8 << 20 // bytes
	roomForParty = 2 << 20
	roomForPage  = 1 << 20
	roomForPart  = 256 << 10 // of a replay, with the copies that are made of it
	roomPatience = 5 * time.Second
)

// roomHolder has a part of the room. A party has one for pages and one for replays, so that streams that nobody reads
// keep no page from the others of their network.
type roomHolder struct {
	party
	replays bool
}

// bytesAtOnce is the rate of what finds no room.
const bytesAtOnce rate = "bytes-at-once"

// withRoom returns the context of a request in which large pages wait for room, which they have until the end.
func (a *server) withRoom(ctx context.Context, c *call) context.Context {
	taken := false
	return guard.WithRoom(ctx, func(ctx context.Context) error {
		if taken {
			return nil
		}
		release, err := a.takeRoom(ctx, roomHolder{party: c.account()}, roomForPage)
		if err != nil {
			return err
		}
		taken = true
		c.atEnd(release)
		return nil
	})
}

func (a *server) takeRoom(ctx context.Context, h roomHolder, size int64) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, roomPatience)
	defer cancel()
	if release, err = a.room.Take(ctx, h, size); err != nil {
		a.Metrics.Limited(string(bytesAtOnce))
		return nil, errAtOnce()
	}
	return release, nil
}

// All large bodies, from their arrival until the end of their requests, take memory from another budget. A party gets a
// part of it, and so does a network, because one person may have several accounts.
const (
	bodiesForAll     = 64 << 20 // bytes
	bodiesForNetwork = 16 << 20
	bodiesForParty   = 5 << 20
	smallBody        = 16 << 10 // is read without asking
)

// bodyRoom is that budget.
type bodyRoom struct {
	networks *guard.Shares[netip.Prefix]
	parties  *guard.Shares[party]
}

func newBodyRoom() bodyRoom {
	return bodyRoom{networks: guard.NewShares[netip.Prefix](bodiesForAll, bodiesForNetwork),
		parties: guard.NewShares[party](bodiesForAll, bodiesForParty)}
}

// readAll reads a body of at most that many bytes. One that is not small waits for room before the rest of it is read.
func (a *server) readAll(r *http.Request, c *call, body io.Reader, most int64) ([]byte, error) {
	start, err := io.ReadAll(io.LimitReader(body, smallBody+1))
	if err != nil || len(start) <= smallBody {
		return start, err
	}
	size := most
	if r.ContentLength > 0 {
		size = min(r.ContentLength, most)
	}
	if err := a.takeBody(r.Context(), c, size); err != nil {
		return nil, err
	}
	all := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	all.Write(start)
	_, err = all.ReadFrom(body)
	return all.Bytes(), err
}

func (a *server) takeBody(ctx context.Context, c *call, size int64) error {
	ctx, cancel := context.WithTimeout(ctx, roomPatience)
	defer cancel()
	// The smaller part first: who waits for it must not keep the others of the network from the larger one.
	ofParty, err := a.bodies.parties.Take(ctx, c.account(), size)
	if err != nil {
		return a.noRoom(c)
	}
	c.atEnd(ofParty)
	ofNetwork, err := a.bodies.networks.Take(ctx, core.SiteOf(core.NetworkOf(c.client)), size)
	if err != nil {
		return a.noRoom(c)
	}
	c.atEnd(ofNetwork)
	return nil
}

// noRoom returns the error of a body for which there is no room. Senders of webhook events repeat what was unavailable.
func (a *server) noRoom(c *call) error {
	a.Metrics.Limited(string(bytesAtOnce))
	if c.webhook != nil {
		return core.Unavailable(errors.New("too many large webhook events at once"))
	}
	return errAtOnce()
}

const (
	piece     = 64 << 10         // bytes of a large response that must be written within pieceTime
	pieceTime = 10 * time.Second // then whoever does not read is cut
	largeTime = 30 * time.Second // for all of a large response
)

// writeLarge writes in pieces, each within a time limit.
func writeLarge(w http.ResponseWriter, b []byte) (n int, err error) {
	control, end := http.NewResponseController(w), time.Now().Add(largeTime)
	for len(b) > 0 && err == nil {
		limit := time.Now().Add(pieceTime)
		if limit.After(end) {
			limit = end
		}
		_ = control.SetWriteDeadline(limit) // in tests there is none
		var written int
		written, err = w.Write(b[:min(len(b), piece)])
		n, b = n+written, b[written:]
	}
	return n, err
}
