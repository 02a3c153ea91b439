package main

import (
	"bytes"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/webhook"
)

// TestKilledWhileReceiving kills the server while senders post to a webhook. Every acknowledged event is kept and
// published. After everything is posted again, as senders do with unacknowledged events, each event has been published
// exactly once.
func TestKilledWhileReceiving(t *testing.T) {
	t.Parallel()
	const posted, senders = 400, 8
	o := newOutside(t)
	process := o.start()
	client, err := sininho.New(sininho.WithBaseURL("http://"+o.addr), sininho.WithAPIKey(o.setting("SININHO_API_KEY")))
	if err != nil {
		t.Fatalf("new client: %v", err)
	}
	hook, err := client.Webhooks.Create(t.Context(), "demo/novidades", sininho.WebhookInput{Name: "CI"})
	if err != nil {
		t.Fatalf("create the webhook: %v", err)
	}
	post := func(i int) (acknowledged bool) {
		body := fmt.Appendf(nil, `{"title":"Evento %d"}`, i)
		header, err := webhook.Sign(webhook.Message{
			ID: fmt.Sprint("msg_", i), Timestamp: time.Now(), Body: body,
		}, hook.Secret)
		if err != nil {
			t.Errorf("sign: %v", err)
			return false
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, hook.URL, bytes.NewReader(body))
		if err != nil {
			t.Errorf("new request: %v", err)
			return false
		}
		req.Header = header
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusAccepted
	}
	all := func() int {
		var next, acknowledged atomic.Int32
		var together sync.WaitGroup
		for range senders {
			together.Go(func() {
				for i := int(next.Add(1)); i <= posted; i = int(next.Add(1)) {
					if post(i) && acknowledged.Add(1) == posted/4 && process != nil {
						_ = process.Process.Signal(syscall.SIGKILL)
					}
				}
			})
		}
		together.Wait()
		return int(acknowledged.Load())
	}
	before := all()
	if before == posted {
		t.Fatal("the server acknowledged all events before the kill, want fewer")
	}
	_ = process.Wait()
	const published = `select count(*) from webhook_events e join notifications n on n.id = e.notification_id
		where e.event_id like 'msg\_%' and n.title like 'Evento %'`
	kept := o.query(published)
	t.Logf("killed with %d acknowledged and %d kept", before, kept)
	if kept < before || kept > before+senders {
		t.Errorf("kept events: got %d, want the %d acknowledged and at most %d more", kept, before, senders)
	}

	process = nil
	o.start()
	eventually.True(t, "every event to be acknowledged", func() bool { return all() == posted })
	events, notifications := o.query(published),
		o.query(`select count(*) from notifications where title like 'Evento %'`)
	if events != posted || notifications != posted {
		t.Errorf("webhook events and notifications: got %d and %d, want %d of each", events, notifications, posted)
	}
}
