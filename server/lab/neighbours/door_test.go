package neighbours

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/servertest"
)

// TestManyWebhookEvents posts payloads of 256 KiB to a webhook of its own, 50 at the same time.
func TestManyWebhookEvents(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		var hook struct{ URL string }
		h.do(http.MethodPost, "/channels/"+h.channel+"/webhooks", object{"name": "w", "signed": false}, &hook)
		payload := []byte(`{"title": "t", "body": "b", "more": "` + strings.Repeat("a", 250<<10) + `"}`)
		var networks atomic.Int64
		return func(ctx context.Context) {
			together(50, func(int) {
				sender := caller{n: h.n, network: fmt.Sprintf("203.0.113.%d", networks.Add(1)%250)}
				_, _ = sender.send(ctx, http.MethodPost, hook.URL, payload, nil)
			})
			wait(ctx, 500*time.Millisecond)
		}
	})
}

// TestSilentEventEndpoints has 20 event endpoints that stop responding once they are confirmed.
func TestSilentEventEndpoints(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		silent := h.silent()
		receiver := servertest.NewReceiver(t, silent)
		for i := range 20 {
			var made struct{ ID, Secret string }
			path := "/publishers/" + hostilePublisher + "/event-endpoints"
			h.do(http.MethodPost, path, object{"url": fmt.Sprintf("%s/%d", receiver.URL, i), "name": "e"}, &made)
			receiver.Know(made.Secret)
			h.do(http.MethodPost, path+"/"+made.ID+"/challenge", nil, nil)
		}
		h.publish(t.Context(), 500, "")
		return nil
	})
}

// TestSlowPictures asks for 60 pictures at the same time, which ten servers never send.
func TestSlowPictures(t *testing.T) { beside(t, slowPictures(60, 10, 1)) }

// TestSlowPicturesForManyNetworks is TestSlowPictures from 200 networks, with 40 servers.
func TestSlowPicturesForManyNetworks(t *testing.T) { beside(t, slowPictures(400, 40, 200)) }

// slowPictures is an attack by pictures on servers that never send them, for the readers of some networks.
func slowPictures(pictures, machines, networks int) attack {
	return func(h *hostile) func(context.Context) {
		servers := make([]string, machines)
		for i := range servers {
			servers[i] = h.serve(i, h.silent())
		}
		proxies := make([]string, pictures)
		for i := range proxies {
			var n struct{ ImageProxy string }
			h.api.do(http.MethodPost, "/channels/"+h.channel+"/notifications",
				object{"title": "t", "image": fmt.Sprintf("%s/%d", servers[i%len(servers)], i)}, &n)
			proxies[i] = n.ImageProxy
		}
		return func(ctx context.Context) {
			together(len(proxies), func(i int) {
				visitor := caller{n: h.n, network: fmt.Sprintf("203.0.113.%d", i%networks)}
				_, _ = visitor.send(ctx, http.MethodGet, proxies[i], nil, nil)
			})
			wait(ctx, 100*time.Millisecond)
		}
	}
}

// TestManyCodes asks for codes to sign in with, from 200 networks and for as many addresses.
func TestManyCodes(t *testing.T) {
	long(t)
	beside(t, strangers("/auth/email", func(email string) object { return object{"email": email} }))
}

// TestManyJoins fills the waiting list from 200 networks.
func TestManyJoins(t *testing.T) {
	long(t)
	beside(t, strangers("/waitlist/entries", func(email string) object { return object{"email": email, "name": "S"} }))
}

// strangers is an attack by visitors from 200 networks, each with another email address.
func strangers(path string, body func(email string) object) attack {
	return func(h *hostile) func(context.Context) {
		var asked atomic.Int64
		return func(ctx context.Context) {
			together(20, func(int) {
				i := asked.Add(1)
				visitor := caller{n: h.n, network: fmt.Sprintf("203.0.113.%d", i%200)}
				_, _ = visitor.send(ctx, http.MethodPost, path, body(fmt.Sprintf("stranger%d@example.net", i)), nil)
			})
			wait(ctx, 250*time.Millisecond)
		}
	}
}

// TestManyScheduled schedules 3,000 notifications for the same second.
func TestManyScheduled(t *testing.T) {
	long(t)
	beside(t, func(h *hostile) func(context.Context) {
		h.register(h.subscribe(h.n.push, 20))
		at := time.Now().Add(15 * time.Second).UTC().Format(time.RFC3339)
		for range 6 {
			var all []object
			for i := range 500 {
				all = append(all, object{"title": fmt.Sprintf("Scheduled %d", i), "scheduledAt": at})
			}
			h.api.do(http.MethodPost, "/channels/"+h.channel+"/notifications/batch", object{"notifications": all}, nil)
		}
		return nil
	})
}
