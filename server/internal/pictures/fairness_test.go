package pictures_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/pictures"
	"github.com/sininho/sininho/server/lab/dnstest"
)

// TestFlood loads many pictures at once, from servers that do not respond.
func TestFlood(t *testing.T) {
	const sites, readers = 8, 12 * pictures.SitePending
	w := newWorld(t, pictures.Config{Loopback: true})
	slow := newSlowSites(t, sites)
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	var shown, busy atomic.Int32
	for i := range readers {
		all.Go(func() {
			res := w.get(fmt.Sprintf("%s/%d", slow.all[i%sites].URL, i), "X-Reader", fmt.Sprintf("192.0.2.%d", i%256))
			switch {
			case res.status == http.StatusOK:
				shown.Add(1)
			case res.status == http.StatusServiceUnavailable && res.header.Get("Retry-After") == "1":
				busy.Add(1)
			default:
				t.Errorf("picture in a flood: got status %d, want 200, or 503 with Retry-After", res.status)
			}
		})
	}
	eventually.True(t, "the slow fetches to have all their places", func() bool {
		return busy.Load() > 0 && slow.open.Load() == pictures.SlowFetches
	})
	slow.release()
	all.Wait()
	if got := slow.most.Load(); got > sites*pictures.SiteFetches+pictures.SlowFetches {
		t.Errorf("most fetches at a time: got %d, want at most %d of each site, and %d slow ones", got,
			pictures.SiteFetches, pictures.SlowFetches)
	}
	if got := shown.Load(); got < sites*pictures.SitePending/2 {
		t.Errorf("pictures shown in the end: got %d of %d, want at least half of those that may wait", got, readers)
	}
	w.server.CloseClientConnections()
	eventually.True(t, "the goroutines to end", func() bool { return runtime.NumGoroutine() < before+50 })
}

// TestASlowSiteLeavesRoom loads a picture while another site occupies all fetches that it may have.
func TestASlowSiteLeavesRoom(t *testing.T) {
	t.Parallel()
	const loads = 128
	w := newWorld(t, pictures.Config{Loopback: true})
	slow := newSlowSites(t, 1)
	var all sync.WaitGroup
	for i := range loads {
		reader := fmt.Sprintf("192.0.2.%d", i%8)
		all.Go(func() { w.get(fmt.Sprintf("%s/%d", slow.all[0].URL, i), "X-Reader", reader) })
	}
	eventually.True(t, "the slow site to have all requests that it may", func() bool {
		return slow.open.Load() == pictures.SiteFetches
	})
	fast := startPublisher(t, "127.0.0.200:0", sends(pngFile))
	for i := range 8 { // also for those who wait for the slow site
		w.expectSoon("a picture of another site", fmt.Sprintf("%s/%d", fast.URL, i), fmt.Sprintf("192.0.2.%d", i))
	}
	slow.release()
	all.Wait()
	if got := slow.all[0].requests.Load(); got < loads {
		t.Errorf("requests to the slow site in the end: got %d, want at least %d", got, loads)
	}
}

// TestOneNetworkLeavesRoom loads slow pictures of many sites from one network, and a picture of another from another.
func TestOneNetworkLeavesRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true})
	slow := newSlowSites(t, 8)
	var all sync.WaitGroup
	for i := range 64 {
		all.Go(func() { w.expectPicture("a slow picture", fmt.Sprintf("%s/%d", slow.all[i%8].URL, i)) })
	}
	eventually.True(t, "the network to have all slow fetches that it may", func() bool {
		return slow.open.Load() == pictures.NetworkFetches
	})
	p := startPublisher(t, "127.0.0.200:0", sends(pngFile))
	w.expectSoon("a picture for another network", p.URL, "192.0.2.1")
	w.expectSoon("a picture of a slow site for another network", slow.all[0].URL+"/fast", "192.0.2.1")
	if got, most := slow.most.Load(), int32(2*pictures.NetworkFetches); got > most {
		t.Errorf("fetches for one network: got %d, want at most %d quick ones and as many slow ones", got, most/2)
	}
	slow.release()
	all.Wait()
}

// TestSlowSitesOfManyNetworksLeaveRoom loads slow pictures of 60 sites from 200 networks. Half of the sites begin to
// send a picture that declares to be large. Pictures of another site load meanwhile, also in those networks.
func TestSlowSitesOfManyNetworksLeaveRoom(t *testing.T) {
	t.Parallel()
	const sites, loads = 60, 600
	w := newWorld(t, pictures.Config{Loopback: true})
	slow := newSlowSites(t, sites)
	var all sync.WaitGroup
	for i := range loads {
		all.Go(func() {
			begins := []string{"", "begins-"}[i%2]
			w.get(fmt.Sprintf("%s/%s%d", slow.all[i%sites].URL, begins, i), "X-Reader", fmt.Sprintf("192.0.2.%d", i%200))
		})
	}
	eventually.True(t, "the attack to begin", func() bool { return slow.open.Load() >= pictures.SlowFetches })
	fast := startPublisher(t, "127.0.0.200:0", sends(pngFile))
	for i, until := 0, time.Now().Add(3*pictures.Patience); time.Now().Before(until); i++ {
		w.expectSoon("a picture of another site", fmt.Sprintf("%s/%d", fast.URL, i), fmt.Sprintf("192.0.2.%d", i%256))
	}
	slow.release()
	all.Wait()
}

// TestSlowSitesOfOneMachineShare loads slow pictures of many names of one machine. They have the fetches of one site,
// and nothing is asked of further names.
func TestSlowSitesOfOneMachineShare(t *testing.T) {
	t.Parallel()
	expectOneShare(t, dnstest.Resolver(t, netip.MustParseAddr("127.0.0.2")))
}

// TestSlowNamesOfOneMachineShare loads slow pictures of many names of one machine that take long to resolve.
func TestSlowNamesOfOneMachineShare(t *testing.T) {
	t.Parallel()
	resolver := dnstest.Resolver(t, netip.MustParseAddr("127.0.0.2"))
	dial := resolver.Dial
	resolver.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		select {
		case <-time.After(2 * pictures.Patience):
		case <-t.Context().Done():
			return nil, t.Context().Err()
		}
		return dial(ctx, network, address)
	}
	expectOneShare(t, resolver)
}

// expectOneShare expects that slow pictures of many names of one machine have the fetches of one site.
func expectOneShare(t *testing.T, resolver *net.Resolver) {
	t.Helper()
	const names = pictures.SitePending / 2
	w := newWorld(t, pictures.Config{Loopback: true, Resolver: resolver})
	slow := newSlowSites(t, 1)
	machine := slow.all[0]
	_, port, _ := net.SplitHostPort(machine.Listener.Addr().String())
	var all sync.WaitGroup
	waiting := 0
	load := func(number int) {
		var pages []string
		for range number {
			page := fmt.Sprintf("http://site%d.example:%s/", waiting, port)
			pages = append(pages, page)
			reader := fmt.Sprintf("192.0.2.%d", waiting)
			all.Go(func() { w.get(page, "X-Reader", reader) })
			waiting++
		}
		eventually.True(t, "the pictures to wait for the slow fetches of a site", func() bool {
			return slow.open.Load() == pictures.SiteFetches &&
				!slices.ContainsFunc(pages, func(page string) bool { return w.proxy.WaitingSlow(page) == 0 })
		})
	}
	load(names)
	before := machine.requests.Load()
	load(names)
	fast := startPublisher(t, "127.0.0.200:0", sends(pngFile))
	for i, until := 0, time.Now().Add(5*pictures.Patience); time.Now().Before(until); i++ {
		w.expectSoon("a picture of another machine", fmt.Sprintf("%s/%d", fast.URL, i), "192.0.2.250")
	}
	if got := machine.requests.Load() - before; got != 0 {
		t.Errorf("requests to the machine for the new names: got %d, want none", got)
	}
	slow.release()
	all.Wait()
}

// TestASlowPictureIsShown has a picture that takes longer than quick ones do.
func TestASlowPictureIsShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, pictures.Config{Loopback: true})
	p := newPublisher(t, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(pictures.Patience * 3 / 2):
			_, _ = w.Write(pngFile)
		case <-r.Context().Done():
		}
	})
	w.expectPicture("a picture that takes long", p.URL+"/1")
	before := p.requests.Load()
	w.expectPicture("another one", p.URL+"/2")
	if got := p.requests.Load() - before; got != 1 {
		t.Errorf("requests to a site that is known to be slow, for a picture: got %d, want 1", got)
	}
}

// slowSites send no picture before release, except at /fast.
type slowSites struct {
	all        []*publisher
	open, most atomic.Int32
	release    context.CancelFunc
}

func newSlowSites(t *testing.T, number int) *slowSites {
	t.Helper()
	s := &slowSites{}
	var ctx context.Context
	ctx, s.release = context.WithCancel(t.Context())
	respond := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/fast" {
			s.wait(ctx, w, r)
		}
		_, _ = w.Write(pngFile)
	}
	for i := range number {
		s.all = append(s.all, startPublisher(t, fmt.Sprintf("127.0.0.%d:0", 2+i), respond))
	}
	return s
}

func (s *slowSites) wait(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	now := s.open.Add(1)
	defer s.open.Add(-1)
	for old := s.most.Load(); now > old && !s.most.CompareAndSwap(old, now); {
		old = s.most.Load()
	}
	if strings.HasPrefix(r.URL.Path, "/begins") {
		w.Header().Set("Content-Length", fmt.Sprint(pictures.MaxBytes))
		_, _ = w.Write(pngFile)
		_ = http.NewResponseController(w).Flush()
	}
	select {
	case <-ctx.Done():
	case <-r.Context().Done():
	}
}

// expectSoon expects a picture for a reader while others are slow.
func (w *world) expectSoon(what, picture, reader string) {
	w.t.Helper()
	began := time.Now()
	res := w.get(picture, "X-Reader", reader)
	if took := time.Since(began); res.status != http.StatusOK || took > 2*pictures.Patience {
		w.t.Errorf("%s: got status %d after %s, want 200 within %s", what, res.status, took, 2*pictures.Patience)
	}
}
