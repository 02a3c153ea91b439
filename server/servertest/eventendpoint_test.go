package servertest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/internal/eventually"
	"github.com/sininho/sininho/server/servertest"
)

type endpoint struct {
	ID, URL, Name, Secret, DisabledReason string
	Events                                []string
	Enabled                               bool
	DisabledAt, FailingSince              *time.Time
}

type delivery struct {
	ID, Type, Status, LastError string
	Attempts, LastStatus        int
}

// receiver is the server behind an event endpoint. It responds with status and keeps the events it receives.
type receiver struct {
	*httptest.Server
	t *testing.T

	mu     sync.Mutex
	status int
	got    []*event
}

type event struct {
	ID     string
	header http.Header
	body   []byte
	Type   string
	Data   struct {
		Publisher, Channel, NotificationID, ExternalID string
		Targeted, Subscribers                          *int
		Deliveries                                     *struct {
			Targeted, Accepted, Pending int
			Finished                    bool
		}
		Failed map[string]int
	}
}

func receive(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{t: t, status: http.StatusOK}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		e := &event{ID: req.Header.Get(webhook.HeaderID), header: req.Header}
		e.body, _ = io.ReadAll(req.Body)
		if err := json.Unmarshal(e.body, e); err != nil {
			t.Errorf("%s: %v", e.body, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, e)
		w.WriteHeader(r.status)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

// wait waits until n events have arrived, signed with all of the secrets, and returns them.
func (r *receiver) wait(n int, secrets ...string) []*event {
	r.t.Helper()
	var got []*event
	eventually.True(r.t, fmt.Sprintf("%d events", n), func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		got = slices.Clone(r.got)
		return len(got) >= n
	})
	for _, e := range got[n-1:] {
		for _, secret := range secrets {
			if _, err := webhook.Verify(e.header, e.body, []string{secret}); err != nil {
				r.t.Errorf("%s: %v", e.body, err)
			}
		}
	}
	return got
}

func TestEventEndpointLife(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana := s.SignIn(t, "ana@example.com")
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/event-endpoints"
	var made, again, is endpoint
	body := object{"url": "https://example.com/hook", "name": "Painel"}
	a := asks(t, ana, http.MethodPost, path, body, 201, &made, "Idempotency-Key", "k")
	if !strings.HasPrefix(made.Secret, "whsec_") || !made.Enabled || len(made.Events) != 5 || a.Header.Get("Location") != "/api/v1"+path+"/"+made.ID {
		t.Errorf("%+v %v", made, a.Header)
	}
	version := a.Header.Get("ETag")
	if a := asks(t, ana, http.MethodPost, path, body, 201, &again, "Idempotency-Key", "k"); again.ID != made.ID || again.Secret != "" || a.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("repeated: %+v %v", again, a.Header)
	}
	for _, bad := range []object{{"url": "http://example.com/", "name": "x"}, {"url": "https://10.0.0.1/", "name": "x"}, {"url": "https://example.com:22/", "name": "x"},
		{"url": "https://example.com/", "name": " "}, {"url": "https://example.com/", "name": "x", "events": []string{}},
		{"url": "https://example.com/", "name": "x", "events": []string{"other"}}} {
		ana.Do(http.MethodPost, path, bad, 422, nil)
	}
	one := path + "/" + made.ID
	a = asks(t, ana, http.MethodPatch, one, object{"enabled": false, "events": []string{"test"}}, 200, &is, "If-Match", version)
	if is.Enabled || is.DisabledAt == nil || is.DisabledReason != "" || !slices.Equal(is.Events, []string{"test"}) || a.Header.Get("ETag") == version {
		t.Errorf("%+v", is)
	}
	asks(t, ana, http.MethodPatch, one, object{"name": "x"}, 412, nil, "If-Match", version)
	asks(t, ana, http.MethodPatch, one, object{"url": "https://127.0.0.1.example/", "name": "\u2028"}, 422, nil)
	if a := asks(t, ana, http.MethodPost, one+"/test", nil, 422, nil); a.Code != "disabled" {
		t.Errorf("%s", a.Body)
	}
	ana.Do(http.MethodPatch, one, object{"enabled": true}, 200, nil)
	var seen endpoint
	if ana.Do(http.MethodGet, one, nil, 200, &seen); !seen.Enabled || seen.DisabledAt != nil || seen.Secret != "" {
		t.Errorf("%+v", seen)
	}
	for i := range 19 {
		ana.Do(http.MethodPost, path, object{"url": "https://example.com/", "name": fmt.Sprint(i)}, 201, nil)
	}
	if a := asks(t, ana, http.MethodPost, path, body, 422, nil); a.Code != "too_many" {
		t.Errorf("%s", a.Body)
	}
	var list page[endpoint]
	if a := asks(t, ana, http.MethodGet, path+"?limit=2", nil, 200, &list); list.Meta.Total != 20 || len(list.Data) != 2 || list.Data[0].ID != made.ID || a.Header.Get("Link") == "" {
		t.Errorf("%+v", list)
	}
	asks(t, ana, http.MethodDelete, one, nil, 412, nil, "If-Match", version)
	ana.Do(http.MethodDelete, one, nil, 204, nil)
	ana.Do(http.MethodGet, one, nil, 404, nil)
	s.SignIn(t, "rui@example.com").Do(http.MethodGet, path, nil, 404, nil)
}

// TestEventsArrive follows a notification by its events, through the whole server.
func TestEventsArrive(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, r := s.SignIn(t, "ana@example.com"), receive(t)
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	var categories page[object]
	ana.Do(http.MethodGet, "/categories", nil, 200, &categories)
	ana.Do(http.MethodPost, "/channels", object{"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": categories.Data[0]["id"]}, 201, nil)
	ana.Follow("eletrico/linhas")
	ana.Device("token-ana")
	var made endpoint
	ana.Do(http.MethodPost, "/publishers/eletrico/event-endpoints", object{"url": r.URL, "name": "x", "events": []string{"notification.dispatched", "notification.finished"}}, 201, &made)
	var n struct{ ID string }
	ana.Do(http.MethodPost, "/channels/eletrico/linhas/notifications", object{"title": "Olá", "externalId": "e1"}, 201, &n)
	for i, e := range r.wait(2, made.Secret) {
		want := []string{"notification.dispatched", "notification.finished"}[i]
		if e.Type != want || e.Data.NotificationID != n.ID || e.Data.ExternalID != "e1" || e.Data.Channel != "eletrico/linhas" || e.Data.Publisher != "eletrico" {
			t.Errorf("%s: %s", want, e.body)
		}
	}
	if d := r.got[1].Data.Deliveries; d == nil || d.Targeted != 1 || d.Accepted != 1 || !d.Finished {
		t.Errorf("%s", r.got[1].body)
	}
	var numbers struct {
		Interval string
		Total    struct{ Notifications, Targeted, Accepted, Pending int }
		Data     []struct{ At time.Time }
	}
	ana.Do(http.MethodGet, "/channels/eletrico/linhas/deliveries", nil, 200, &numbers)
	if total := numbers.Total; total.Notifications != 1 || total.Targeted != 1 || total.Accepted != 1 || numbers.Interval != "day" || len(numbers.Data) != 1 {
		t.Errorf("%+v", numbers)
	}
	for query, want := range map[string]int{"?interval=hour": 200, "?interval=week": 422, "?from=2020-01-01T00:00:00Z": 422, "?from=2099-01-01T00:00:00Z": 422,
		"?from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z&interval=hour": 200, "?from=today": 422} {
		ana.Do(http.MethodGet, "/channels/eletrico/linhas/deliveries"+query, nil, want, nil)
	}
}

// TestEventEndpointAtWork tests, rotates, resends to and disables an event endpoint.
func TestEventEndpointAtWork(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, r := s.SignIn(t, "ana@example.com"), receive(t)
	ana.Do(http.MethodPost, "/publishers", object{"slug": "eletrico", "name": "Elétrico"}, 201, nil)
	const path = "/publishers/eletrico/event-endpoints"
	var made, rotated, again, is endpoint
	ana.Do(http.MethodPost, path, object{"url": r.URL, "name": "x"}, 201, &made)
	one := path + "/" + made.ID
	var sent delivery
	ana.Do(http.MethodPost, one+"/test", nil, 202, &sent)
	if e := r.wait(1, made.Secret)[0]; sent.Status != "pending" || e.ID != sent.ID || e.Type != "test" || e.Data.Publisher != "eletrico" {
		t.Errorf("%+v %s", sent, e.body)
	}
	asks(t, ana, http.MethodPost, one+"/rotate", nil, 200, &rotated, "Idempotency-Key", "r")
	if asks(t, ana, http.MethodPost, one+"/rotate", nil, 200, &again, "Idempotency-Key", "r"); again.Secret != "" || rotated.Secret == made.Secret {
		t.Errorf("%+v %+v", rotated, again)
	}
	shown := one + "/deliveries/" + sent.ID
	ana.Do(http.MethodPost, shown+"/resend", nil, 202, &sent)
	if e := r.wait(2, made.Secret, rotated.Secret)[1]; e.ID != sent.ID {
		t.Errorf("sent again by another id: %s", e.ID)
	}
	eventually.True(t, "the second attempt to be recorded", func() bool {
		var list page[delivery]
		ana.Do(http.MethodGet, one+"/deliveries?status=delivered", nil, 200, &list)
		return list.Meta.Total == 1 && list.Data[0].Attempts == 2
	})
	var detail struct {
		Status   string
		Payload  struct{ Type string }
		Attempts []struct{ Status, DurationMs int }
	}
	ana.Do(http.MethodGet, shown, nil, 200, &detail)
	if detail.Status != "delivered" || detail.Payload.Type != "test" || len(detail.Attempts) != 2 || detail.Attempts[1].Status != 200 {
		t.Errorf("%+v", detail)
	}
	ana.Do(http.MethodGet, path+"/"+made.ID+"/deliveries/"+made.ID, nil, 404, nil)

	r.answer(http.StatusInternalServerError)
	ana.Do(http.MethodPost, one+"/test", nil, 202, &sent)
	eventually.True(t, "a failure", func() bool { ana.Do(http.MethodGet, one, nil, 200, &is); return is.FailingSince != nil })
	var pending page[delivery]
	ana.Do(http.MethodGet, one+"/deliveries?status=pending", nil, 200, &pending)
	if pending.Meta.Total != 1 || pending.Data[0].LastStatus != 500 || pending.Data[0].Status != "pending" {
		t.Errorf("%+v", pending)
	}
	r.answer(http.StatusGone)
	ana.Do(http.MethodPost, one+"/deliveries/"+sent.ID+"/resend", nil, 202, nil)
	eventually.True(t, "it to be switched off", func() bool { is = endpoint{}; ana.Do(http.MethodGet, one, nil, 200, &is); return !is.Enabled })
	if is.DisabledReason == "" || is.DisabledAt == nil {
		t.Errorf("%+v", is)
	}
	ana.Do(http.MethodPost, one+"/deliveries/"+sent.ID+"/resend", nil, 422, nil)
	r.answer(http.StatusOK)
	ana.Do(http.MethodPatch, one, object{"enabled": true}, 200, nil)
	ana.Do(http.MethodPost, one+"/deliveries/"+sent.ID+"/resend", nil, 202, nil)
	eventually.True(t, "it to arrive", func() bool {
		var list page[delivery]
		ana.Do(http.MethodGet, one+"/deliveries?status=delivered", nil, 200, &list)
		return list.Meta.Total == 2
	})
}
