package httpapi

import (
	"context"
	"net/http"
	"time"

	"github.com/sininho/sininho/server/internal/share"
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
	return share.WithRoom(ctx, func(ctx context.Context) error {
		if taken {
			return nil
		}
		release, err := a.takeRoom(ctx, roomHolder{party: c.turnParty()}, roomForPage)
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
