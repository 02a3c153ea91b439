package core_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
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
			check.Equal(t, fmt.Sprintf("faults of %q with AllowLoopback %v", c.url, loopback), codes(faults), want)
		}
	}
	for url, want := range map[string]string{
		"https://sininho.example/api/v1/webhooks/channels/x": "own", "https://SININHO.example:443/": "own",
		"https://sininho.example./": "own", "https://ｓininho。example/": "own", "https://other.sininho.example/": "", "https://sininho.example:8443/": "port",
	} {
		rules := rulesWith(core.LinkRules{}, core.EventRules{Own: "https://sininho.example"})
		faults := core.EventEndpointInput{URL: url, Name: "n"}.Validate(rules, began)
		check.Equal(t, "faults of "+url+" at https://sininho.example", codes(faults), want)
	}
	got := codes(core.EventEndpointInput{URL: "x", Name: " "}.Validate(production, began))
	check.Equal(t, "faults of a URL and a name", got, "link blank")
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

func newDelivery() core.EventDelivery {
	return core.NewEventDelivery(core.NewID(), core.NewID(), core.Event{Type: core.EventTest, Timestamp: began})
}

// checkWait checks that a delivery's next attempt is planned between shortest and longest after a time.
func checkWait(t *testing.T, what string, d core.EventDelivery, after time.Time, shortest, longest time.Duration) {
	t.Helper()
	if d.NextAttemptAt == nil {
		t.Fatalf("next attempt %s: got none, want one", what)
	}
	if wait := d.NextAttemptAt.Sub(after); wait < shortest || wait > longest {
		t.Errorf("wait %s: got %s, want between %s and %s", what, wait, shortest, longest)
	}
}

// checkDelivery checks a delivery's status, number of attempts, and whether another attempt is planned.
func checkDelivery(
	t *testing.T, what string, d core.EventDelivery, status core.EventDeliveryStatus, attempts int, planned bool,
) {
	t.Helper()
	check.Equal(t, "status "+what, d.Status, status)
	check.Equal(t, "attempts "+what, d.Attempts, attempts)
	check.Equal(t, "whether an attempt is planned "+what, d.NextAttemptAt != nil, planned)
}

func TestEventRetries(t *testing.T) {
	t.Parallel()
	d := newDelivery()
	failed := core.EventAttempt{At: began, Duration: time.Second, Status: 500}
	waits := []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour,
		3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour}
	for i, wait := range waits {
		d.Take(failed)
		what := fmt.Sprintf("after %d failures", i+1)
		checkDelivery(t, what, d, core.EventPending, i+1, true)
		checkWait(t, what, d, began.Add(time.Second), wait, wait+wait/5)
	}
	d.Take(failed)
	checkDelivery(t, "after the last retry", d, core.EventUndelivered, 10, false)
	d.Resend(began)
	checkDelivery(t, "after Resend", d, core.EventPending, 10, true)
	checkWait(t, "after Resend", d, began, 0, 0)
	d.Take(failed)
	checkDelivery(t, "after Resend and a failure", d, core.EventPending, 11, true)
	checkWait(t, "after Resend and a failure", d, began.Add(time.Second), 5*time.Second, 6*time.Second)
	d.Take(core.EventAttempt{At: began, Status: 204})
	checkDelivery(t, "after a success", d, core.EventDelivered, 12, false)
	check.Equal(t, "time of the delivery", d.DeliveredAt, &began)
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for requested, want := range map[time.Duration]struct{ shortest, longest time.Duration }{
		time.Second:         {5 * time.Second, 6 * time.Second}, // never sooner than without Retry-After
		time.Minute:         {time.Minute, time.Minute},
		30 * 24 * time.Hour: {24 * time.Hour, 24 * time.Hour},
	} {
		d := newDelivery()
		d.Take(core.EventAttempt{At: began, Status: 503, RetryAfter: requested})
		checkWait(t, "after Retry-After "+requested.String(), d, began, want.shortest, want.longest)
	}
}

func TestStatusOfAnAttempt(t *testing.T) {
	t.Parallel()
	for want, statuses := range map[core.EventDeliveryStatus][]int{
		core.EventDelivered:   {200, 204, 299},
		core.EventPending:     {0, 199, 300, 301, 302, 400, 404, 409, 411, 500},
		core.EventUndelivered: {410},
	} {
		for _, status := range statuses {
			d := newDelivery()
			d.Take(core.EventAttempt{At: began, Status: status})
			check.Equal(t, fmt.Sprintf("state of a delivery after HTTP status %d", status), d.Status, want)
		}
	}
}

func TestHostOfAnEventEndpoint(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://example.com/hook":          "example.com:443",
		"https://EXAMPLE.com.:443/?a=b":     "example.com:443",
		"http://localhost/":                 "localhost:80",
		"http://127.0.0.1:8080/":            "127.0.0.1:8080",
		"https://[2606:4700:0::1111]/hooks": "[2606:4700:0::1111]:443",
	} {
		check.Equal(t, "host of "+address, (&core.EventEndpoint{URL: address}).Host(), want)
	}
}

func TestNextEvents(t *testing.T) {
	t.Parallel()
	a, b := core.NewID(), core.NewID()
	first, blocked := core.EventDelivery{ID: core.ID{1}, Subject: a}, core.EventDelivery{ID: core.ID{2}, Subject: a}
	second, third := core.EventDelivery{ID: core.ID{3}, Subject: b}, core.EventDelivery{ID: core.ID{4}}
	due := []core.EventDelivery{first, blocked, second, third}
	check.Equal(t, "next 2 events", core.NextEvents(due, 2), []core.EventDelivery{first, second})
	check.Equal(t, "next 10 events", core.NextEvents(due, 10), []core.EventDelivery{first, second, third})
}

func TestCheckFinishedIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		age      time.Duration
		targeted int64
		want     time.Duration
	}{
		{0, 1, time.Second},
		{59 * time.Second, 1, time.Second},
		{time.Minute, 1, 10 * time.Second},
		{10 * time.Minute, 1, time.Minute},
		{time.Hour, 1, 10 * time.Minute},
		{24 * time.Hour, 0, 10 * time.Minute},
		{0, 1_000_000, 50 * time.Second},
		{24 * time.Hour, 1_000_000, 10 * time.Minute},
	} {
		what := fmt.Sprintf("CheckFinishedIn(%s, %d)", c.age, c.targeted)
		check.Equal(t, what, core.CheckFinishedIn(c.age, c.targeted), c.want)
	}
}

func TestSummaryPeriod(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) *time.Time { return new(began.Add(d)) }
	hour, day := time.Hour, 24*time.Hour
	end := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		from, until *time.Time
		interval    core.SummaryInterval
		fault       string
		length      time.Duration
	}{
		{nil, nil, "", "", 30 * day},
		{nil, at(-day), core.Hourly, "", 30 * day},
		{at(-750 * hour), nil, core.Hourly, "", 750 * hour},
		{at(-751 * hour), nil, core.Hourly, "too_far", 0},
		{at(-400 * day), nil, core.Daily, "", 400 * day},
		{at(-401 * day), nil, core.Daily, "too_far", 0},
		{at(0), at(0), core.Daily, "order", 0},
		{at(hour), nil, core.Daily, "order", 0},
		{new(time.Time{}), &end, core.Daily, "too_far", 0},
	} {
		got, err := core.NewSummaryPeriod(c.from, c.until, c.interval, began)
		what := fmt.Sprintf("%v to %v by %q", c.from, c.until, c.interval)
		check.Equal(t, "faults of "+what, codes(fieldsOf(err)), c.fault)
		if err == nil {
			check.Equal(t, "length of "+what, got.Until.Sub(got.From), c.length)
		}
	}
}
