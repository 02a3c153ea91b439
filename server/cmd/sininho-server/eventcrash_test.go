package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/core"
)

// TestKilledWhilePostingEvents kills the server while an event endpoint has received some events, is handling others,
// and has not been sent the rest. In the end it has received every event, and only those in flight more than once.
func TestKilledWhilePostingEvents(t *testing.T) {
	t.Parallel()
	const published, taken = 40, 20
	var mu sync.Mutex
	times := map[string]int{}
	blocked, blocking := 0, true
	unblock := make(chan struct{})
	const delivered = `select count(*) from event_deliveries
		where status = 'delivered' and payload like '%"externalId":"x-%'`
	endpoint := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var event struct {
			Type string
			Data struct{ ExternalID string }
		}
		if err := json.Unmarshal(body, &event); err != nil {
			t.Errorf("decode the event %s: %v", body, err)
		}
		if event.Data.ExternalID == "" {
			return // a notification published before the test
		}
		mu.Lock()
		waits := blocking && len(times) >= taken
		times[event.Type+" "+event.Data.ExternalID+" "+r.Header.Get(webhook.HeaderID)]++
		if waits {
			blocked++
		}
		mu.Unlock()
		if waits {
			<-unblock
		}
	}))
	t.Cleanup(endpoint.Close)
	o := newOutside(t)
	process := o.start()
	o.followers(1)
	o.listen(endpoint.URL)
	client, err := sininho.New(sininho.WithBaseURL("http://"+o.addr), sininho.WithAPIKey(o.setting("SININHO_API_KEY")))
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	for i := range published {
		in := sininho.PublishInput{Title: "x", ExternalID: fmt.Sprint("x-", i)}
		if _, err := client.Notifications.Publish(t.Context(), "demo/novidades", in); err != nil {
			t.Fatalf("publish: %v", err)
		}
	}
	eventually.True(t, "some events to be under way", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return blocked > 0
	})
	if err := process.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatalf("kill the server: %v", err)
	}
	_ = process.Wait()
	mu.Lock()
	blocking = false
	mu.Unlock()
	close(unblock)
	recorded := o.query(delivered)
	mu.Lock()
	underWay := -recorded
	for _, n := range times {
		underWay += n
	}
	mu.Unlock()
	t.Logf("killed with %d recorded and %d under way", recorded, underWay)

	o.start()
	eventually.True(t, "every event", func() bool { return o.query(delivered) == 2*published })
	mu.Lock()
	defer mu.Unlock()
	repeats, finished := 0, 0
	for event, n := range times {
		repeats += n - 1
		if strings.HasPrefix(event, "notification.finished ") {
			finished++
		}
	}
	if len(times) != 2*published {
		t.Errorf("different events: got %d, want %d", len(times), 2*published)
	}
	if finished != published {
		t.Errorf("events of finished notifications: got %d, want %d", finished, published)
	}
	if repeats > underWay {
		t.Errorf("repeated events: got %d, want at most the %d that were under way", repeats, underWay)
	}
}

// listen creates an event endpoint for the demo publisher, with a secret encrypted by the server's own key.
func (o *outside) listen(address string) {
	o.t.Helper()
	text, err := os.ReadFile(filepath.Join(o.dir, "data", "secret.key"))
	if err != nil {
		o.t.Fatalf("read a file: %v", err)
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		o.t.Fatalf("decode the secret key: %v", err)
	}
	sealer, err := core.NewSealer(key)
	if err != nil {
		o.t.Fatalf("new sealer: %v", err)
	}
	o.query(`
		with made as (
			insert into event_endpoints (id, publisher_id, url, confirmed_url, confirmed_at, name, events,
				secret_sealed, created_at, updated_at)
			select gen_random_uuid(), id, $1, $1, now(), 'x', '{notification.dispatched,notification.finished}', $2,
				now(), now()
			from publishers where slug = 'demo' returning 1
		)
		select count(*) from made`, address, sealer.Seal([]byte(webhook.NewSecret())))
}
