package neighbours

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/standin/pushservice"
)

// origins returns subscriptions of the hostile account, each at an address of its own on which something responds, on
// this machine: strangers have as many names as they like.
func (h *hostile) origins(names int, respond http.HandlerFunc) (all []pushservice.Subscription) {
	h.n.t.Helper()
	service := startPushService(h.n.t)
	for i, s := range h.subscribe(service, names) {
		address := h.serve(i, respond)
		u, err := url.Parse(s.Endpoint)
		if err != nil {
			h.n.t.Fatalf("parse an endpoint: %v", err)
		}
		s.Endpoint = address + u.Path
		all = append(all, s)
	}
	return all
}

// serve responds at the address of one of the hostile account's machines until the test ends, and returns that address.
// None of these is the address of anybody else.
func (h *hostile) serve(machine int, respond http.HandlerFunc) (address string) {
	h.n.t.Helper()
	l, err := (&net.ListenConfig{}).Listen(h.n.t.Context(), "tcp", fmt.Sprintf("127.0.1.%d:0", machine+1))
	if err != nil {
		h.n.t.Fatalf("listen: %v", err)
	}
	server := httptest.NewUnstartedServer(respond)
	_ = server.Listener.Close()
	server.Listener = l
	server.Start()
	h.n.t.Cleanup(server.Close)
	return server.URL
}

func accepts(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusCreated) }

func (h *hostile) silent() http.HandlerFunc {
	return func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-h.n.t.Context().Done():
		case <-time.After(time.Minute):
		}
	}
}

// TestManyOrigins publishes 500 notifications to a hundred devices at a hundred origins that respond at once.
func TestManyOrigins(t *testing.T) {
	beside(t, func(h *hostile) func(context.Context) {
		h.register(h.origins(100, accepts))
		h.publish(t.Context(), 500, "")
		return nil
	})
}

// TestSilentOrigins is TestManyOrigins with origins that never respond.
func TestSilentOrigins(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		h.register(h.origins(100, h.silent()))
		h.publish(t.Context(), 500, "")
		return nil
	})
}

// TestOriginsThatTurnSilent has a hundred origins that accept some pushes first.
func TestOriginsThatTurnSilent(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		began, silent := time.Now(), h.silent()
		h.register(h.origins(100, func(w http.ResponseWriter, r *http.Request) {
			if time.Since(began) < 5*time.Second {
				accepts(w, r)
				return
			}
			silent(w, r)
		}))
		h.publish(t.Context(), 500, "")
		return nil
	})
}

// TestForeignKey has 25 devices at the reader's push service that subscribed with another server's key: it responds
// with 403 to each.
func TestForeignKey(t *testing.T) {
	beside(t, func(h *hostile) func(context.Context) {
		var all []pushservice.Subscription
		for range 25 {
			s, err := h.n.push.Subscribe("BForeignKey")
			if err != nil {
				t.Fatalf("subscribe: %v", err)
			}
			all = append(all, s)
		}
		h.register(all)
		return func(ctx context.Context) {
			h.publish(ctx, 1, "")
			wait(ctx, 500*time.Millisecond)
		}
	})
}

// TestTooManyRequestsForADevice has devices at the reader's push service to which it wants to be sent nothing for an
// hour.
func TestTooManyRequestsForADevice(t *testing.T) {
	beside(t, func(h *hostile) func(context.Context) {
		all := h.subscribe(h.n.push, 25)
		for _, s := range all {
			u, err := url.Parse(s.Endpoint)
			if err != nil {
				t.Fatalf("parse an endpoint: %v", err)
			}
			h.n.push.AddFault(pushservice.Fault{Endpoint: u.Path[len("/push/"):], Status: http.StatusTooManyRequests,
				RetryAfter: "3600"})
		}
		h.register(all)
		return func(ctx context.Context) {
			h.publish(ctx, 1, "")
			wait(ctx, 500*time.Millisecond)
		}
	})
}

// TestManyPushesAtASharedOrigin publishes 3,000 notifications to a hundred devices at the reader's push service.
func TestManyPushesAtASharedOrigin(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		h.register(h.subscribe(h.n.push, 100))
		h.publish(t.Context(), 3_000, "")
		return nil
	})
}

// TestManyCorrections corrects what has been pushed to a hundred devices, again and again.
func TestManyCorrections(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		h.register(h.subscribe(h.n.push, 100))
		h.publish(t.Context(), 200, "")
		var page struct{ Data []struct{ ID string } }
		h.api.do(http.MethodGet, "/channels/"+h.channel+"/notifications?limit=100", nil, &page)
		revision := 0
		return func(ctx context.Context) {
			revision++
			together(len(page.Data), func(i int) {
				_, _ = h.api.send(ctx, http.MethodPatch, "/channels/"+h.channel+"/notifications/"+page.Data[i].ID,
					object{"title": fmt.Sprintf("Revision %d", revision)}, nil)
			})
		}
	})
}

// TestOneMachineWithManyNames counts what one machine behind a hundred names is sent within some seconds: it refuses
// everything, and is not flooded.
func TestOneMachineWithManyNames(t *testing.T) {
	long(t)
	const most = 300
	var requests atomic.Int64
	beside(t, func(h *hostile) func(context.Context) {
		h.register(h.origins(100, func(w http.ResponseWriter, _ *http.Request) {
			requests.Add(1)
			w.WriteHeader(http.StatusMethodNotAllowed)
		}))
		h.publish(t.Context(), 100, "")
		return nil
	})
	if got := requests.Load(); got > most {
		t.Errorf("requests that the machine got: %d, want at most %d", got, most)
	}
}

// TestNewDevicesWithoutEnd registers devices at ever new addresses, and removes them again.
func TestNewDevicesWithoutEnd(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		all := h.origins(100, h.silent())
		return func(ctx context.Context) {
			together(len(all), func(i int) {
				_, _ = h.send(ctx, http.MethodPost, "/subscribers/devices", object{
					"installationId": fmt.Sprintf("installation-%d", i), "kind": "webpush", "endpoint": all[i].Endpoint,
					"keys": object{"p256dh": all[i].P256dh, "auth": all[i].Auth}, "platform": "web", "name": "x"}, nil)
			})
			wait(ctx, time.Second)
		}
	})
}
