package pictures

import (
	"context"
	"errors"
	"io"
	"net/http/httptrace"
	"net/netip"
	"sync"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// trip is a fetch that is under way, which redirects may take to other sites.
type trip struct {
	lane     *lane
	slowness *slowness
	holder   string // of the place and the room in the lane: a site, or its network, or "" while that is not known
	began    time.Time
	end      context.CancelCauseFunc

	mu      sync.Mutex
	site    string // which is being asked
	network string // "": not known
}

type tripKey struct{}

func tripOf(ctx context.Context) *trip {
	t, _ := ctx.Value(tripKey{}).(*trip)
	return t
}

// travel fetches a picture, and learns how slow its site is. Among the quick fetches it fails with errSlow when it
// takes long, or may.
func (p *Proxy) travel(
	ctx context.Context, t *trip, address string,
) (content []byte, contentType string, err error) {
	ctx, t.end = context.WithCancelCause(ctx)
	defer t.end(nil)
	t.began = time.Now()
	if !t.lane.slow {
		if p.slowness.isSlow(t.site) { // since it waits
			return nil, "", errSlow
		}
		stop := time.AfterFunc(patience, func() { t.end(errSlow) })
		defer stop.Stop()
	}
	ctx = context.WithValue(ctx, tripKey{}, t)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		ConnectStart: t.connects,
		// Of one that was kept, too.
		GotConn: func(i httptrace.GotConnInfo) { t.connects("", i.Conn.RemoteAddr().String()) },
	})
	content, contentType, err = t.fetch(ctx, p.client, address)
	took := time.Since(t.began)
	if !errors.Is(err, errNoRoom) && (err == nil || took >= patience) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.slowness.learn(t.site, t.network, took)
	}
	switch {
	case err == nil:
	case errors.Is(context.Cause(ctx), errSlow):
		err = errSlow
	case errors.Is(err, errNoRoom):
		err = errBusy
	}
	return content, contentType, err
}

// connects takes the address that is connected to.
func (t *trip) connects(_, address string) {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.network = core.NetworkOf(a.Addr()).String()
	t.slowness.located.Add(t.site, t.network)
	if t.lane.slow && t.holder == "" || !t.lane.slow && t.slowness.refuses(t.site, t.network) {
		t.end(errSlow)
	}
}

// redirected takes the site that a redirect leads to.
func (t *trip) redirected(site string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.site, t.network = site, ""; !t.lane.slow && t.slowness.isSlow(site) {
		t.end(errSlow)
		return errSlow
	}
	return nil
}

// smallPicture is how many bytes are read without room.
const smallPicture = 256 << 10

var errNoRoom = errors.New("there is no memory for the picture")

// read reads a picture of a declared size, which is negative if there is none. One that is large waits for room, so
// that those who declare much and send little take nothing from others.
func (t *trip) read(ctx context.Context, body io.Reader, size int64) ([]byte, error) {
	first, err := io.ReadAll(io.LimitReader(body, smallPicture))
	if err != nil || len(first) < smallPicture {
		return first, err
	}
	needs := size
	if size < 0 {
		needs = 2 * maxBytes // it grows while it is read
	}
	release, err := t.lane.room.Take(ctx, t.holder, needs)
	if err != nil {
		return nil, errNoRoom
	}
	defer release()
	if size < 0 {
		rest, err := io.ReadAll(body)
		return append(first, rest...), err
	}
	content := make([]byte, size) // the client fails on a body of another size
	_, err = io.ReadFull(body, content[copy(content, first):])
	return content, err
}
