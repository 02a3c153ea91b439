package servertest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/pkg/webhook"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/servertest"
)

type endpoint struct {
	ID, URL, Name, Secret, DisabledReason string
	Events                                []string
	Enabled                               bool
	ConfirmedAt                           *time.Time
	DisabledAt, FailingSince, PausedUntil *time.Time
}

type delivery struct {
	ID, Type, Status, LastError string
	Attempts, LastStatus        int
}

// receiver is the server behind an event endpoint. It responds with status and keeps the events it receives.
type receiver struct {
	*servertest.Receiver
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
	Data   eventData
}

type eventData struct {
	Publisher, Channel, NotificationID, ExternalID string
	Targeted, Subscribers                          *int
	Deliveries                                     *deliveries
	Failed                                         map[string]int
}

type totals struct{ Notifications, Targeted, Accepted, Pending int }

func receive(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{t: t, status: http.StatusOK}
	r.Receiver = servertest.NewReceiver(t, func(w http.ResponseWriter, req *http.Request) {
		e := &event{ID: req.Header.Get(webhook.HeaderID), header: req.Header}
		e.body, _ = io.ReadAll(req.Body)
		if err := json.Unmarshal(e.body, e); err != nil {
			t.Errorf("decode the event %s: %v", e.body, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.got = append(r.got, e)
		w.WriteHeader(r.status)
	})
	return r
}

// confirm confirms an endpoint of the receiver.
func (r *receiver) confirm(owner *servertest.Subscriber, path string, made endpoint) {
	r.t.Helper()
	r.Know(made.Secret)
	owner.Confirm(path + "/" + made.ID)
}

func (r *receiver) respond(status int) {
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
				r.t.Errorf("verify the event %s: %v", e.body, err)
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
	a := send(t, ana, http.MethodPost, path, body, 201, &made, "Idempotency-Key", "k")
	wantSecret(t, made.Secret, "whsec_", "")
	check.Equal(t, "a new endpoint is enabled", made.Enabled, true)
	check.Equal(t, "number of event types of a new endpoint", len(made.Events), 5)
	a.wantHeader("Location", "/api/v1"+path+"/"+made.ID)
	version := a.wantNewVersion("")
	send(t, ana, http.MethodPost, path, body, 201, &again, "Idempotency-Key", "k").wantReplayed()
	check.Equal(t, "id of the replayed endpoint", again.ID, made.ID)
	check.Equal(t, "secret of the replayed endpoint", again.Secret, "")
	for _, bad := range []object{
		{"url": "http://example.com/", "name": "x"}, {"url": "https://10.0.0.1/", "name": "x"},
		{"url": "https://example.com:22/", "name": "x"}, {"url": "https://example.com/", "name": " "},
		{"url": "https://example.com/", "name": "x", "events": []string{}},
		{"url": "https://example.com/", "name": "x", "events": []string{"other"}},
	} {
		ana.Do(http.MethodPost, path, bad, 422, nil)
	}
	one := path + "/" + made.ID
	change := object{"enabled": false, "events": []string{"test"}}
	send(t, ana, http.MethodPatch, one, change, 200, &is, "If-Match", version).wantNewVersion(version)
	check.Equal(t, "disabled endpoint", is,
		endpoint{ID: made.ID, URL: made.URL, Name: "Painel", Events: []string{"test"}, DisabledAt: is.DisabledAt})
	if is.DisabledAt == nil {
		t.Error("a disabled endpoint has no disabledAt")
	}
	send(t, ana, http.MethodPatch, one, object{"name": "x"}, 412, nil, "If-Match", version)
	send(t, ana, http.MethodPatch, one, object{"url": "https://127.0.0.1.example/", "name": "\u2028"}, 422, nil)
	send(t, ana, http.MethodPost, one+"/test", nil, 422, nil).wantCode("disabled")
	ana.Do(http.MethodPatch, one, object{"enabled": true}, 200, nil)
	var seen endpoint
	ana.Do(http.MethodGet, one, nil, 200, &seen)
	check.Equal(t, "enabled endpoint", seen,
		endpoint{ID: made.ID, URL: made.URL, Name: "Painel", Events: []string{"test"}, Enabled: true})
	for i := range 19 {
		ana.Do(http.MethodPost, path, object{"url": "https://example.com/", "name": fmt.Sprint(i)}, 201, nil)
	}
	send(t, ana, http.MethodPost, path, body, 422, nil).wantCode("too_many")
	var list page[endpoint]
	a = send(t, ana, http.MethodGet, path+"?limit=2", nil, 200, &list)
	wantPage(t, a, list, 20, 2)
	check.Equal(t, "first of the endpoints", list.Data[0].ID, made.ID)
	send(t, ana, http.MethodDelete, one, nil, 412, nil, "If-Match", version)
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
	lines := object{
		"publisherSlug": "eletrico", "slug": "linhas", "name": "Linhas", "categoryId": categories.Data[0]["id"],
	}
	ana.Do(http.MethodPost, "/channels", lines, 201, nil)
	ana.Follow("eletrico/linhas")
	ana.Device("token-ana")
	var made endpoint
	types := []string{"notification.dispatched", "notification.finished"}
	in := object{"url": r.URL, "name": "x", "events": types}
	const path = "/publishers/eletrico/event-endpoints"
	ana.Do(http.MethodPost, path, in, 201, &made)
	r.confirm(ana, path, made)
	var n struct{ ID string }
	ana.Do(http.MethodPost, "/channels/eletrico/linhas/notifications",
		object{"title": "Olá", "externalId": "e1"}, 201, &n)
	one := 1
	want := []eventData{
		{Publisher: "eletrico", Channel: "eletrico/linhas", NotificationID: n.ID, ExternalID: "e1", Targeted: &one},
		{Publisher: "eletrico", Channel: "eletrico/linhas", NotificationID: n.ID, ExternalID: "e1",
			Deliveries: &deliveries{Targeted: 1, Accepted: 1, Finished: true,
				Suppressed: map[string]int{}, Failed: map[string]int{}, Expired: map[string]int{}}},
	}
	for i, e := range r.wait(2, made.Secret) {
		check.Equal(t, "type of an event", e.Type, types[i])
		check.Equal(t, "data of the event "+types[i], e.Data, want[i])
	}
	var numbers struct {
		Interval string
		Total    totals
		Data     []struct{ At time.Time }
	}
	ana.Do(http.MethodGet, "/channels/eletrico/linhas/deliveries", nil, 200, &numbers)
	check.Equal(t, "total of the channel's deliveries", numbers.Total,
		totals{Notifications: 1, Targeted: 1, Accepted: 1})
	check.Equal(t, "default interval of the channel's deliveries", numbers.Interval, "day")
	check.Equal(t, "number of the channel's intervals", len(numbers.Data), 1)
	for query, want := range map[string]int{
		"?interval=hour": 200, "?interval=week": 422, "?from=today": 422,
		"?from=2020-01-01T00:00:00Z": 422, "?from=2099-01-01T00:00:00Z": 422,
		"?from=2026-01-01T00:00:00Z&until=2026-01-02T00:00:00Z&interval=hour": 200,
	} {
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
	r.confirm(ana, path, made)
	one := path + "/" + made.ID
	var sent delivery
	ana.Do(http.MethodPost, one+"/test", nil, 202, &sent)
	check.Equal(t, "status of a test", sent.Status, "pending")
	e := r.wait(1, made.Secret)[0]
	check.Equal(t, "id of a test", e.ID, sent.ID)
	check.Equal(t, "type of a test", e.Type, "test")
	check.Equal(t, "data of a test", e.Data, eventData{Publisher: "eletrico"})
	send(t, ana, http.MethodPost, one+"/rotate", nil, 200, &rotated, "Idempotency-Key", "r")
	if rotated.Secret == made.Secret {
		t.Error("the rotation left the old secret")
	}
	send(t, ana, http.MethodPost, one+"/rotate", nil, 200, &again, "Idempotency-Key", "r")
	check.Equal(t, "secret of the replayed rotation", again.Secret, "")
	shown := one + "/deliveries/" + sent.ID
	ana.Do(http.MethodPost, shown+"/resend", nil, 202, &sent)
	check.Equal(t, "id of the resent event", r.wait(2, made.Secret, rotated.Secret)[1].ID, sent.ID)
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
	check.Equal(t, "status of the resent event", detail.Status, "delivered")
	check.Equal(t, "type of the resent event", detail.Payload.Type, "test")
	if len(detail.Attempts) != 2 || detail.Attempts[1].Status != 200 {
		t.Errorf("attempts of the resent event: got %+v, want two, the second with status 200", detail.Attempts)
	}
	ana.Do(http.MethodGet, path+"/"+made.ID+"/deliveries/"+made.ID, nil, 404, nil)

	r.respond(http.StatusInternalServerError)
	ana.Do(http.MethodPost, one+"/test", nil, 202, &sent)
	eventually.True(t, "the endpoint to be failing", func() bool {
		ana.Do(http.MethodGet, one, nil, 200, &is)
		return is.FailingSince != nil
	})
	var pending page[delivery]
	ana.Do(http.MethodGet, one+"/deliveries?status=pending", nil, 200, &pending)
	if pending.Meta.Total != 1 || pending.Data[0].LastStatus != 500 || pending.Data[0].Status != "pending" {
		t.Errorf("pending event deliveries: got %+v, want one, whose last attempt got status 500", pending)
	}
	operator := s.SignIn(t, servertest.Operator)
	failing := func() (list page[failingEndpoint]) {
		t.Helper()
		operator.Do(http.MethodGet, "/admin/event-endpoints", nil, 200, &list)
		for i := range list.Data {
			list.Data[i].FailingSince = nil
		}
		return list
	}
	shownToOperators := failingEndpoint{ID: is.ID, PublisherSlug: "eletrico", Name: is.Name, Host: hostOf(r.URL),
		Enabled: true, LastStatus: 500, Pending: 1}
	check.Equal(t, "failing endpoints", failing().Data, []failingEndpoint{shownToOperators})
	r.respond(http.StatusGone)
	ana.Do(http.MethodPost, one+"/deliveries/"+sent.ID+"/resend", nil, 202, nil)
	eventually.True(t, "the endpoint to be disabled", func() bool {
		is = endpoint{}
		ana.Do(http.MethodGet, one, nil, 200, &is)
		return !is.Enabled
	})
	if is.DisabledReason == "" || is.DisabledAt == nil {
		t.Errorf("endpoint that responded 410: got %+v, want a reason and a time", is)
	}
	ana.Do(http.MethodPost, one+"/deliveries/"+sent.ID+"/resend", nil, 422, nil)
	shownToOperators.Enabled, shownToOperators.LastStatus, shownToOperators.Pending = false, 410, 0
	check.Equal(t, "failing endpoints with one that is disabled", failing().Data,
		[]failingEndpoint{shownToOperators})
	r.respond(http.StatusOK)
	ana.Do(http.MethodPatch, one, object{"enabled": true}, 200, nil)
	ana.Do(http.MethodPost, one+"/deliveries/"+sent.ID+"/resend", nil, 202, nil)
	eventually.True(t, "the resent event to arrive", func() bool {
		var list page[delivery]
		ana.Do(http.MethodGet, one+"/deliveries?status=delivered", nil, 200, &list)
		return list.Meta.Total == 2
	})
	check.Equal(t, "number of failing endpoints after a success", failing().Meta.Total, 0)
}

// failingEndpoint is an endpoint as operators see it.
type failingEndpoint struct {
	ID, PublisherSlug, Name, Host string
	Enabled                       bool
	LastStatus, Pending           int
	FailingSince                  *time.Time
}

// hostOf returns the host and port of a URL.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u.Host
}
