package webpush

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
	"github.com/sininho/sininho/server/lab/standin/pushservice"
)

// world is a push service with a subscription, and a sender to it.
type world struct {
	*testing.T
	service *pushservice.Service
	sender  *Sender
	to      core.PushAddress
}

func newWorld(t *testing.T, change ...func(*Config)) *world {
	t.Helper()
	service, err := pushservice.Start(t.Context())
	if err != nil {
		t.Fatalf("start the push service: %v", err)
	}
	t.Cleanup(func() { _ = service.Close() })
	c := Config{Key: NewKey(), Contact: "mailto:eva@example.com", App: "https://sininho.example",
		Rules: core.PushRules{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, Timeout: 5 * time.Second}
	for _, f := range change {
		f(&c)
	}
	w := &world{T: t, service: service, sender: New(c)}
	t.Cleanup(w.sender.Close)
	w.to = w.subscribe(c.Key.Public())
	return w
}

// subscribe returns a subscription that only the sender with a key may push to.
func (w *world) subscribe(key string) core.PushAddress {
	w.Helper()
	s, err := w.service.Subscribe(key)
	if err != nil {
		w.Fatalf("subscribe: %v", err)
	}
	keys, err1, err2 := core.ParsePushKeys(s.P256dh, s.Auth)
	if err1 != nil || err2 != nil {
		w.Fatalf("keys of a subscription: %v, %v", err1, err2)
	}
	return core.PushAddress{Kind: core.KindWebPush, Address: s.Endpoint, Keys: keys}
}

// expect sends a push and compares the result, without its error.
func (w *world) expect(what string, p core.Push, want core.Result) {
	w.Helper()
	got := w.sender.Send(w.Context(), p, w.to)
	if want.Outcome != core.Accepted && got.Err == nil {
		w.Errorf("%s: got no error for the log", what)
	}
	got.Err = nil
	if diff := cmp.Diff(want, got); diff != "" {
		w.Errorf("result of %s (-want +got):\n%s", what, diff)
	}
}

func sample() core.Push {
	return core.Push{ID: "0199c2f4-7a10-7c3e-9f3d-0a1b2c3d4e5f", Title: "Linha azul",
		Body: "Linhas · Circulação retomada.", Image: "https://example.com/i.png",
		Icon: "https://example.com/icon.png", Link: "https://example.com/azul",
		Channel: "metro/linhas", ChannelID: "0199c2f4-0000-7c3e-9f3d-0a1b2c3d4e5f", High: true,
		Expires: time.Now().Add(time.Hour + 500*time.Millisecond)}
}

var accepted = core.Result{Outcome: core.Accepted}

// TestSend expects what a browser receives to be readable by Safari alone and by a worker.
func TestSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.expect("a push", sample(), accepted)
	sent := w.service.Sent(0)
	if len(sent) != 1 {
		t.Fatalf("pushes that were accepted: got %d, want 1", len(sent))
	}
	m := sent[0]
	check.Equal(t, "Urgency", m.Urgency, "high")
	check.Equal(t, "TTL", m.TTL, 3600)
	check.Equal(t, "Topic", m.Topic, "AZnC9HoQfD6fPQobLD1OXw")
	var got map[string]any
	if err := json.Unmarshal(m.Message, &got); err != nil {
		t.Fatalf("decode the message: %v", err)
	}
	want := map[string]any{
		"web_push": 8030.0,
		"notification": map[string]any{
			"title": "Linha azul", "body": "Linhas · Circulação retomada.", "image": "https://example.com/i.png",
			"icon": "https://example.com/icon.png", "tag": sample().ID,
			"navigate": "https://example.com/azul",
		},
		"data": map[string]any{"id": sample().ID, "channel": "metro/linhas",
			"channelId": "0199c2f4-0000-7c3e-9f3d-0a1b2c3d4e5f", "link": "https://example.com/azul"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("message (-want +got):\n%s", diff)
	}
}

// TestPage expects a click to open the link unless the reader's own server would act on it.
func TestPage(t *testing.T) {
	t.Parallel()
	const app, feed = "https://sininho.example", "https://sininho.example/feed?notification=n"
	for link, want := range map[string]string{
		"": feed, "https://example.com/azul": "https://example.com/azul",
		app + "/channels/metro/linhas": app + "/channels/metro/linhas",
		app + "/login/device?code=B":   feed,
	} {
		p := core.Push{ID: "n", Channel: "metro/linhas", Link: link}
		check.Equal(t, "page of the link "+link, page(p, app), want)
	}
	check.Equal(t, "page of a test", page(core.Push{ID: "n"}, app), app+"/feed")
	check.Equal(t, "page of a digest", page(core.Push{ID: "n", Link: "/feed?part=unread"}, app), app+"/feed?part=unread")
}

// TestRevisions expects a withdrawal to replace a notification that has not arrived, and a correction to follow it.
func TestRevisions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, c := range []struct {
		name   string
		change func(*core.Push)
		topic  string
	}{
		{"withdrawal", func(p *core.Push) { p.Revision = core.Withdrawn }, "AZnC9HoQfD6fPQobLD1OXw"},
		{"correction", func(p *core.Push) { p.Revision = core.Corrected }, "cAZnC9HoQfD6fPQobLD1OXw"},
		{"summary", func(p *core.Push) { p.Summary = true }, "sAZnC9HoQfD6fPQobLD1OXw"},
	} {
		p := sample()
		c.change(&p)
		before := len(w.service.Sent(0))
		w.expect("a "+c.name, p, accepted)
		m := w.service.Sent(int64(before))[0]
		check.Equal(t, "Topic of a "+c.name, m.Topic, c.topic)
		check.Equal(t, "a "+c.name+" shows a notification by itself", strings.Contains(string(m.Message), "web_push"),
			p.Revision == "")
	}
}

// TestReading expects the ids in data alone, small enough for every push service, and a topic that replaces nothing.
func TestReading(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ids := make([]core.ID, 20)
	for i := range ids {
		ids[i] = core.NewID()
	}
	at := time.Now()
	channel := core.NewID()
	revisedAt := strconv.FormatInt(at.UnixMilli(), 10)
	for i, c := range []struct {
		push core.Push
		want map[string]any
	}{
		{core.NewReading(ids, nil, at), map[string]any{"ids": core.NewReading(ids, nil, at).Read}},
		{core.NewReading(nil, &channel, at), map[string]any{"channelId": channel.String()}},
		{core.NewReading(nil, nil, at), map[string]any{}},
	} {
		w.expect("a reading", c.push, accepted)
		m := w.service.Sent(int64(i))[0]
		c.want["revision"], c.want["revisedAt"] = "read", revisedAt
		var got map[string]any
		if err := json.Unmarshal(m.Message, &got); err != nil {
			t.Fatalf("decode the message: %v", err)
		}
		if diff := cmp.Diff(map[string]any{"data": c.want}, got); diff != "" {
			t.Errorf("message (-want +got):\n%s", diff)
		}
		if m.Size > smallMessage || m.Topic == "" {
			t.Errorf("reading: got %d bytes and the topic %q, want at most %d and some topic", m.Size, m.Topic,
				smallMessage)
		}
	}
}

func TestSizes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := sample()
	p.Body = strings.Repeat("ação 🔔 ", 2000)
	w.expect("a long push", p, accepted)
	if m := w.service.Sent(0)[0]; m.Size > maxMessage || m.Size < maxMessage-64 {
		t.Errorf("size of a long push: got %d bytes, want nearly %d", m.Size, maxMessage)
	}
	w.service.AddFault(pushservice.Fault{Status: http.StatusRequestEntityTooLarge, Times: 1})
	w.expect("a push that is too large at first", p, accepted)
	m := w.service.Sent(1)[0]
	if m.Size > smallMessage || strings.Contains(string(m.Message), "i.png") {
		t.Errorf("second attempt: got %d bytes, %s; want at most %d without the image", m.Size, m.Message, smallMessage)
	}
	w.service.AddFault(pushservice.Fault{Status: http.StatusRequestEntityTooLarge})
	w.expect("a push that is always too large", p, core.Result{Outcome: core.Failed, Cause: core.CauseInvalid})
}

// TestResponses has a row for each line of README.md.
func TestResponses(t *testing.T) {
	t.Parallel()
	gone := core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}
	refused := core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Refused: true}
	for _, c := range []struct {
		fault pushservice.Fault
		want  core.Result
	}{
		{pushservice.Fault{Status: 200}, accepted},
		{pushservice.Fault{Status: 202}, accepted},
		{pushservice.Fault{Status: 299}, accepted},
		{pushservice.Fault{Status: 300}, refused},
		{pushservice.Fault{Status: 404}, gone},
		{pushservice.Fault{Status: 410}, gone},
		{pushservice.Fault{Status: 400}, refused},
		{pushservice.Fault{Status: 301}, refused},
		{pushservice.Fault{Status: 405}, refused},
		{pushservice.Fault{Status: 401}, core.Result{Cause: core.CauseCredentials, Refused: true}},
		{pushservice.Fault{Status: 403}, core.Result{Cause: core.CauseCredentials, Refused: true}},
		{pushservice.Fault{Status: 429}, core.Result{Cause: core.CauseQuota, Wait: quotaWait}},
		{pushservice.Fault{Status: 429, RetryAfter: "7"}, core.Result{Cause: core.CauseQuota, Wait: 7 * time.Second}},
		{pushservice.Fault{Status: 503}, core.Result{Cause: core.CauseUnavailable}},
		{pushservice.Fault{Status: 503, RetryAfter: "9"},
			core.Result{Cause: core.CauseUnavailable, Wait: 9 * time.Second}},
		{pushservice.Fault{Status: 503, RetryAfter: "999999999"},
			core.Result{Cause: core.CauseUnavailable, Wait: mostWait}},
		{pushservice.Fault{Status: 500, RetryAfter: "5"},
			core.Result{Cause: core.CauseUnavailable, Wait: 5 * time.Second}},
		{pushservice.Fault{Status: 502}, core.Result{Cause: core.CauseUnavailable}},
	} {
		w := newWorld(t)
		w.service.AddFault(c.fault)
		w.expect(fmt.Sprintf("a push to a service with %+v", c.fault), sample(), c.want)
	}
}

// TestUrgency expects that a correction, which shows nothing new, wakes no device.
func TestUrgency(t *testing.T) {
	t.Parallel()
	at := time.Now()
	n := core.Notification{Importance: core.Important, PublishedAt: &at, EditedAt: &at, Visible: true}
	for name, c := range map[string]struct {
		push core.Push
		want string
	}{
		"an important notification": {core.NewPush(n), "high"},
		"its correction":            {core.NewRevision(n), "normal"},
		"another notification":      {core.Push{ID: "n"}, "normal"},
	} {
		check.Equal(t, "urgency of "+name, newHeader(c.push, at).Get("Urgency"), c.want)
	}
}

func TestSilence(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.Timeout = 50 * time.Millisecond })
	w.service.AddFault(pushservice.Fault{Hang: true})
	w.expect("a push to a service that hangs", sample(), core.Result{Cause: core.CauseUnavailable})
	_ = w.service.Close()
	r := w.sender.Send(t.Context(), sample(), w.to)
	check.Equal(t, "cause at a service that is down", r.Cause, core.CauseUnavailable)
	if strings.Contains(r.Err.Error(), "/push/") {
		t.Errorf("error for the log: got %v, want it without the endpoint", r.Err)
	}
}

// TestForeignSubscription registers a device whose subscription belongs to another key: it is refused, and the others
// go on.
func TestForeignSubscription(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mine := w.to
	w.to = w.subscribe(NewKey().Public())
	w.expect("a push to a foreign subscription", sample(), core.Result{Cause: core.CauseCredentials, Refused: true})
	w.to = mine
	w.expect("a push after it", sample(), accepted)
}

// TestAddressesInside expects that nothing inside is dialled, whatever an endpoint's name resolves to.
func TestAddressesInside(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *Config) { c.Rules.Networks = nil })
	gone := core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true}
	w.expect("a push to this machine", sample(), gone)
	for _, host := range []string{"localhost", "[::1]", "169.254.169.254", "10.0.0.1"} {
		w.to.Address = "https://" + host + "/push/x"
		w.expect("a push to "+host, sample(), gone)
	}
	check.Equal(t, "pushes that arrived", len(w.service.Sent(0)), 0)
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.service.AddFault(pushservice.Fault{Status: http.StatusTemporaryRedirect, Times: 1})
	w.expect("a push that is redirected", sample(), core.Result{Outcome: core.Failed, Cause: core.CauseInvalid, Refused: true})
	check.Equal(t, "pushes that arrived", len(w.service.Sent(0)), 0)
}

// TestOneTokenForAnOrigin expects one signature for all pushes to an origin until it nears its end.
func TestOneTokenForAnOrigin(t *testing.T) {
	t.Parallel()
	var o origins
	signed := 0
	sign := func(expires time.Time) (string, error) { signed++; return expires.Format(time.RFC3339), nil }
	now := time.Now()
	for _, at := range []time.Duration{0, time.Hour, renewAt - time.Second, renewAt, renewAt + time.Hour} {
		header, err := o.authorization("https://a", now.Add(at), sign)
		expires, _ := time.Parse(time.RFC3339, header)
		if left := expires.Sub(now.Add(at)); err != nil || left < 59*time.Minute {
			t.Errorf("token %s later: got %s left (%v), want at least an hour", at, left, err)
		}
	}
	check.Equal(t, "signatures", signed, 2)
	for i := range manyOrigins + 1 {
		_, _ = o.authorization(fmt.Sprint("https://", i), now, sign)
	}
	if len(o.known) > manyOrigins {
		t.Errorf("origins that are remembered: got %d, want at most %d", len(o.known), manyOrigins)
	}
}

func TestChromeStandIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	u, err := url.Parse(w.service.URL())
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	w.sender.Replace = map[string]*url.URL{pushservice.ChromeOrigin: u}
	w.to.Address = pushservice.ChromeOrigin + "/fcm/send/unknown"
	w.expect("a push to an unknown subscription of Chrome", sample(),
		core.Result{Outcome: core.Failed, Cause: core.CauseUnregistered, Retire: true})
}
