package webpush

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// stranger is somebody's server, which counts what it gets.
type stranger struct {
	*httptest.Server
	posts, underWay, most atomic.Int64
}

func newStranger(t *testing.T, respond http.HandlerFunc) *stranger {
	t.Helper()
	s := &stranger{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		s.posts.Add(1)
		n := s.underWay.Add(1)
		defer s.underWay.Add(-1)
		for most := s.most.Load(); n > most && !s.most.CompareAndSwap(most, n); most = s.most.Load() {
		}
		respond(rw, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// at returns an endpoint of the server under a name.
func (s *stranger) at(name string, owner core.ID) core.PushAddress {
	a := s.Listener.Addr().(*net.TCPAddr) //nolint:forcetypeassert // always this type
	return core.PushAddress{Kind: core.KindWebPush, Address: fmt.Sprintf("http://%s:%d/push/x", name, a.Port), Owner: owner}
}

// newCarefulWorld has a sender to loopback, with names of the domains example-1.com and so on for it.
func newCarefulWorld(t *testing.T) *world {
	t.Helper()
	return newWorld(t, func(c *Config) {
		c.Rules.Networks = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
		c.Resolver = namesOfLoopback(t)
		c.Timeout = 10 * time.Second
	})
}

// together sends a push to each address at once, and returns the results.
func (w *world) together(ctx context.Context, to []core.PushAddress) []core.Result {
	results := make([]core.Result, len(to))
	var all sync.WaitGroup
	for i, a := range to {
		all.Go(func() {
			a.Keys = w.to.Keys
			results[i] = w.sender.Send(ctx, sample(), a)
		})
	}
	all.Wait()
	return results
}

// TestAttackNamesOfOneMachine pushes 100 notifications to 100 devices at as many domains, which are all names of one
// machine: it gets a few at once, and few in a minute.
func TestAttackNamesOfOneMachine(t *testing.T) {
	t.Parallel()
	w, person := newCarefulWorld(t), core.NewID()
	s := newStranger(t, func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusMethodNotAllowed) })
	var to []core.PushAddress
	for i := range 100 {
		to = append(to, s.at(fmt.Sprintf("example-%d.com", i), person))
	}
	for range 100 {
		w.together(t.Context(), to)
	}
	if got := s.posts.Load(); got == 0 || got > 2*atOnce {
		t.Errorf("requests at the machine: got %d of 10,000, want some and at most %d", got, 2*atOnce)
	}
	if got := s.most.Load(); got > mostAtAddress {
		t.Errorf("requests at once: got %d, want at most %d", got, mostAtAddress)
	}
}

// TestAttackTarpits has one person's devices at many servers that never respond: somebody else's push to another server
// arrives at once, and what is under way stays bounded.
func TestAttackTarpits(t *testing.T) {
	t.Parallel()
	w, hostile, reader := newCarefulWorld(t), core.NewID(), core.NewID()
	ctx, cancel := context.WithCancel(t.Context())
	silent := newStranger(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // so that the end of the connection is noticed
		<-r.Context().Done()
	})
	other := newStranger(t, func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusCreated) })
	var to []core.PushAddress
	for i := range 500 {
		to = append(to, silent.at(fmt.Sprintf("example-%d.com", i), hostile))
	}
	var attack sync.WaitGroup
	attack.Go(func() { w.together(ctx, to) })
	defer attack.Wait()
	defer cancel()
	eventually.True(t, "pushes to be under way", func() bool { return silent.underWay.Load() > 0 })
	began := time.Now()
	a := other.at("reader.net", reader)
	a.Keys = w.to.Keys
	r := w.sender.Send(t.Context(), sample(), a)
	check.Equal(t, "outcome of the other's push", r.Outcome, core.Accepted)
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("time of the other's push: got %s, want at most 2 s", took)
	}
	if got := silent.most.Load(); got > mostAtAddress {
		t.Errorf("pushes under way at the silent servers: got %d, want at most %d", got, mostAtAddress)
	}
}

// deviceOf returns where a person's device is pushed to.
func deviceOf(person core.ID) core.PushAddress {
	return core.PushAddress{Kind: core.KindWebPush, Address: "https://push.example.com/x", Owner: person}
}

// TestEstablishedSites expects a site to be established by several people, and no longer once it is silent.
func TestEstablishedSites(t *testing.T) {
	t.Parallel()
	var h hosts
	now := time.Now()
	try := func(person core.ID, r core.Result) bool {
		t.Helper()
		v, err := h.enter(deviceOf(person), now)
		if err != nil {
			t.Fatalf("enter: %v", err)
		}
		v.leave(r, now)
		return v.established
	}
	one := core.NewID()
	for range 10 {
		check.Equal(t, "established by one person", try(one, accepted), false)
	}
	for range 2 {
		check.Equal(t, "established by two people", try(core.NewID(), accepted), false)
	}
	check.Equal(t, "established by three people", try(core.NewID(), accepted), true)
	for range lostInARow {
		check.Equal(t, "established before it is silent", try(core.NewID(), core.Result{Cause: core.CauseUnavailable}), true)
	}
	check.Equal(t, "established once it is silent", try(core.NewID(), accepted), false)
}

// TestAttackAcceptsFirstAndIsSilentLater has an established site stop responding: it gets no more pushes than any other
// site within seconds, before the first of them has timed out.
func TestAttackAcceptsFirstAndIsSilentLater(t *testing.T) {
	t.Parallel()
	var h hosts
	now := time.Now()
	for range establishedBy {
		v, err := h.enter(deviceOf(core.NewID()), now)
		if err != nil {
			t.Fatalf("enter: %v", err)
		}
		v.leave(accepted, now)
	}
	enter := func(times int) (entered int) {
		for range times {
			if _, err := h.enter(deviceOf(core.NewID()), now); err == nil {
				entered++
			}
		}
		return entered
	}
	check.Equal(t, "pushes under way at a site that is established", enter(1_000), mostAtEstablished)
	h.sites["example.com"].underWay = 10
	now = now.Add(silentFor + time.Millisecond)
	check.Equal(t, "further ones once it is silent", enter(100), 0)
}

// TestAPersonsPace expects a person to have their own share of a site's pace.
func TestAPersonsPace(t *testing.T) {
	t.Parallel()
	var h hosts
	now := time.Now()
	enter := func(person core.ID, times int) (entered int) {
		for range times {
			if v, err := h.enter(deviceOf(person), now); err == nil {
				v.leave(accepted, now)
				entered++
			}
		}
		return entered
	}
	one, other := core.NewID(), core.NewID()
	check.Equal(t, "pushes to one person at once", enter(one, 1_000), atOnce)
	check.Equal(t, "pushes to another person", enter(other, 5), 5)
	now = now.Add(time.Minute)
	check.Equal(t, "pushes to one person a minute later", enter(one, 1_000), atOnce)
}

// TestPaceOfWhatIsNotSent expects pushes for which their address has no place to leave the person's pace to later ones.
func TestPaceOfWhatIsNotSent(t *testing.T) {
	t.Parallel()
	var h hosts
	now, person := time.Now(), core.NewID()
	address := netip.MustParseAddrPort("192.0.2.1:443")
	enter := func() (*visit, error) {
		v, err := h.enter(deviceOf(person), now)
		if err == nil {
			if err = v.enterAddress(address, now); err != nil {
				v.leave(core.Result{Later: time.Second}, now)
			}
		}
		return v, err
	}
	h.init()
	h.addresses[address] = mostAtAddress
	for range 10 * atOnce {
		if _, err := enter(); err == nil {
			t.Fatal("push to an address without a place: sent")
		}
	}
	h.addresses[address] = 0
	v, err := enter()
	check.Equal(t, "push once there is a place", err, nil)
	v.leave(accepted, now)
}

// TestAttackDevicesThatNeverRing expects a person to have a small pace for all their devices that have accepted no
// push.
func TestAttackDevicesThatNeverRing(t *testing.T) {
	t.Parallel()
	var h hosts
	now, person := time.Now(), core.NewID()
	enter := func() (entered int) {
		for i := range 100 {
			to := core.PushAddress{Kind: core.KindWebPush, Owner: person, Untried: true,
				Address: fmt.Sprintf("https://example-%d.com/x", i)}
			if v, err := h.enter(to, now); err == nil {
				v.leave(core.Result{Cause: core.CauseUnavailable}, now)
				entered++
			}
		}
		return entered
	}
	check.Equal(t, "pushes at once", enter(), untriedAtOnce)
	now = now.Add(untriedInterval)
	check.Equal(t, "pushes a little later", enter(), 1)
}

func TestSiteOf(t *testing.T) {
	t.Parallel()
	for origin, want := range map[string]string{
		"https://updates.push.services.mozilla.com": "mozilla.com",
		"https://wns2-by3p.notify.windows.com":      "windows.com",
		"https://a.b.example.co.uk":                 "example.co.uk",
		"https://one.github.io":                     "one.github.io",
		"https://192.0.2.1":                         "192.0.2.1",
		"http://127.0.0.1:8080":                     "127.0.0.1:8080",
		"http://localhost:8080":                     "localhost:8080",
	} {
		check.Equal(t, "site of "+origin, siteOf(origin), want)
	}
}
