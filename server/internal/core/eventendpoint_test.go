package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestEventEndpointInput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		url              string
		code, inLoopback string // of the expected fault
	}{
		{"https://example.com/hook?a=b", "", ""},
		{"https://example.com:443/", "", ""},
		{"https://1.1.1.1/", "", ""},
		{"https://[2606:4700::1111]/", "", ""},
		{"http://example.com/", "link", "link"},
		{"https://user:secret@example.com/", "link", "link"},
		{"ftp://example.com/", "link", "link"},
		{"example.com", "link", "link"},
		{"", "link", "link"},
		{"https://example.com:8443/", "port", "port"},
		{"https://10.0.0.1/", "private", "private"},
		{"https://169.254.169.254/latest", "private", "private"},
		{"https://[fd00::1]/", "private", "private"},
		{"https://[::ffff:192.168.0.1]/", "private", "private"},
		{"https://127.0.0.1/", "private", ""},
		{"https://localhost/", "private", ""},
		{"http://127.0.0.1:8080/", "link", ""},
		{"http://localhost:8080/", "link", ""},
		{"http://[::1]:8080/", "link", ""},
	} {
		for loopback, want := range map[bool]string{false: c.code, true: c.inLoopback} {
			in := core.EventEndpointInput{URL: c.url, Name: "n"}
			faults := in.Validate(rulesWith(core.LinkRules{}, core.EventRules{AllowLoopback: loopback}), began)
			if got := codes(faults); got != want {
				t.Errorf("%s, loopback %v: %q, want %q", c.url, loopback, got, want)
			}
		}
	}
	got := codes(core.EventEndpointInput{URL: "x", Name: " "}.Validate(production, began))
	if want := "link blank"; got != want {
		t.Errorf("faults of an address and a name: got %q, want %q", got, want)
	}
}

// codes returns the codes of the faults, separated by spaces.
func codes(faults []core.FieldError) string {
	var out []string
	for _, f := range faults {
		out = append(out, f.Code)
	}
	return strings.Join(out, " ")
}

var began = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestEventRetries(t *testing.T) {
	t.Parallel()
	d := core.NewEventDelivery(core.NewID(), core.NewID(), core.Event{Type: core.EventTest, Timestamp: began})
	failed := core.EventAttempt{At: began, Duration: time.Second, Status: 500}
	waits := []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}
	for i, want := range waits {
		d.Take(failed)
		if d.Status != core.EventPending || d.Attempts != i+1 || d.NextAttemptAt == nil {
			t.Fatalf("after %d tries: %+v", i+1, d)
		}
		if wait := d.NextAttemptAt.Sub(began.Add(time.Second)); wait < want || wait > want+want/5 {
			t.Errorf("after %d tries: %s, want about %s", i+1, wait, want)
		}
	}
	d.Take(failed)
	if d.Status != core.EventUndelivered || d.NextAttemptAt != nil || d.Attempts != 10 {
		t.Errorf("after all tries: %+v", d)
	}
	d.Resend(began)
	if d.Status != core.EventPending || !d.NextAttemptAt.Equal(began) {
		t.Errorf("sent again: %+v", d)
	}
	d.Take(failed)
	if wait := d.NextAttemptAt.Sub(began); wait > 8*time.Second || d.Attempts != 11 {
		t.Errorf("sent again and failed: %s %+v", wait, d)
	}
	d.Take(core.EventAttempt{At: began, Status: 204})
	if d.Status != core.EventDelivered || d.NextAttemptAt != nil || !d.DeliveredAt.Equal(began) {
		t.Errorf("delivered: %+v", d)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for asked, want := range map[time.Duration][2]time.Duration{
		time.Second:         {5 * time.Second, 6 * time.Second}, // never sooner than without Retry-After
		time.Minute:         {time.Minute, time.Minute},
		30 * 24 * time.Hour: {24 * time.Hour, 24 * time.Hour},
	} {
		d := core.NewEventDelivery(core.NewID(), core.NewID(), core.Event{Type: core.EventTest, Timestamp: began})
		d.Take(core.EventAttempt{At: began, Status: 503, RetryAfter: asked})
		if wait := d.NextAttemptAt.Sub(began); wait < want[0] || wait > want[1] {
			t.Errorf("asked for %s: %s", asked, wait)
		}
	}
}

func TestEventAnswers(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]core.EventDeliveryStatus{200: core.EventDelivered, 204: core.EventDelivered, 299: core.EventDelivered,
		0: core.EventPending, 199: core.EventPending, 301: core.EventPending, 302: core.EventPending, 400: core.EventPending, 404: core.EventPending,
		500: core.EventPending, 410: core.EventUndelivered} {
		d := core.NewEventDelivery(core.NewID(), core.NewID(), core.Event{Type: core.EventTest, Timestamp: began})
		if d.Take(core.EventAttempt{At: began, Status: status}); d.Status != want {
			t.Errorf("%d: %s", status, d.Status)
		}
	}
}

func TestEventEndpointIsSwitchedOff(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour
	fails := func(e *core.EventEndpoint, after time.Duration) {
		e.Take(core.EventAttempt{At: began.Add(after), Status: 500})
	}
	e := core.EventEndpoint{Enabled: true}
	fails(&e, 0)
	fails(&e, 5*day-time.Second)
	if !e.Enabled || !e.FailingSince.Equal(began) {
		t.Errorf("before 5 days: %+v", e)
	}
	e.Take(core.EventAttempt{At: began.Add(5 * day), Status: 200})
	fails(&e, 5*day+time.Second)
	if !e.Enabled {
		t.Errorf("something arrived: %+v", e)
	}
	fails(&e, 10*day+time.Second)
	if e.Enabled || e.DisabledReason == "" || !e.DisabledAt.Equal(began.Add(10*day+time.Second)) {
		t.Errorf("after 5 days: %+v", e)
	}
	gone := core.EventEndpoint{Enabled: true}
	gone.Take(core.EventAttempt{At: began, Status: 410})
	if gone.Enabled || gone.DisabledReason == "" {
		t.Errorf("gone: %+v", gone)
	}
}

func TestNextEvents(t *testing.T) {
	t.Parallel()
	a, b := core.NewID(), core.NewID()
	due := []core.EventDelivery{{ID: core.ID{1}, Subject: a}, {ID: core.ID{2}, Subject: a}, {ID: core.ID{3}, Subject: b}, {ID: core.ID{4}}}
	if next := core.NextEvents(due, 2); len(next) != 2 || next[0].ID != due[0].ID || next[1].ID != due[2].ID {
		t.Errorf("%+v", next)
	}
	if next := core.NextEvents(due, 10); len(next) != 3 {
		t.Errorf("%+v", next)
	}
}

func TestCheckFinishedIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		age      time.Duration
		targeted int64
		want     time.Duration
	}{{0, 1, time.Second}, {59 * time.Second, 1, time.Second}, {time.Minute, 1, 10 * time.Second}, {10 * time.Minute, 1, time.Minute},
		{time.Hour, 1, 10 * time.Minute}, {24 * time.Hour, 0, 10 * time.Minute}, {0, 1_000_000, 50 * time.Second}, {24 * time.Hour, 1_000_000, 10 * time.Minute}} {
		if got := core.CheckFinishedIn(c.age, c.targeted); got != c.want {
			t.Errorf("after %s with %d devices: %s, want %s", c.age, c.targeted, got, c.want)
		}
	}
}

func TestSummaryPeriod(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) *time.Time { return new(began.Add(d)) }
	hour, day := time.Hour, 24*time.Hour
	for _, c := range []struct {
		from, until *time.Time
		interval    core.SummaryInterval
		fault       string
		long        time.Duration
	}{
		{nil, nil, "", "", 30 * day},
		{nil, at(-day), core.Hourly, "", 30 * day},
		{at(-750 * hour), nil, core.Hourly, "", 750 * hour},
		{at(-751 * hour), nil, core.Hourly, "too_far", 0},
		{at(-400 * day), nil, core.Daily, "", 400 * day},
		{at(-401 * day), nil, core.Daily, "too_far", 0},
		{at(0), at(0), core.Daily, "order", 0},
		{at(hour), nil, core.Daily, "order", 0},
		{new(time.Time{}), new(time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)), core.Daily, "too_far", 0},
	} {
		got, err := core.NewSummaryPeriod(c.from, c.until, c.interval, began)
		if codes(fieldsOf(err)) != c.fault || err == nil && got.Until.Sub(got.From) != c.long {
			t.Errorf("%v to %v by %q: %+v %v", c.from, c.until, c.interval, got, err)
		}
	}
}
