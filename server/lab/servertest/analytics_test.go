package servertest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

// counted is an event as the PostHog stand-in received it.
type counted struct {
	Seq        int64
	Event      string
	Properties map[string]any
}

// lines reads the stand-in's response, one JSON object per line.
func lines[T any](t *testing.T, address string) (out []T, text string) {
	t.Helper()
	res, err := http.Get(address)
	if err != nil {
		t.Fatalf("get %s: %v", address, err)
	}
	b, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("get %s: got %s, want 200: %s %v", address, res.Status, b, err)
	}
	for d := json.NewDecoder(bytes.NewReader(b)); d.More(); {
		var each T
		if err := d.Decode(&each); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
		out = append(out, each)
	}
	return out, string(b)
}

// waitCounted waits until an event with that name has arrived for each of the notifications, and returns all events
// with that name.
func waitCounted(t *testing.T, s *servertest.Server, name string, notifications ...string) (all []counted) {
	t.Helper()
	var seq int64
	for len(notifications) > 0 {
		some, _ := lines[counted](t, s.PostHogURL+"/events?wait=30s&event="+name+"&since="+strconv.FormatInt(seq, 10))
		if len(some) == 0 {
			t.Fatalf("no analytics event %s arrived for %v", name, notifications)
		}
		for _, e := range some {
			seq = e.Seq
			notifications = slices.DeleteFunc(notifications,
				func(id string) bool { return id == e.Properties["notificationId"] })
		}
		all = append(all, some...)
	}
	return all
}

// analyticsOf lists the properties that each event may have, besides those that all events have.
var analyticsOf = map[string][]string{
	"notification_accepted": {"accepted", "channelId", "failed", "notificationId"},
	"notification_opened":   {"notificationId"},
}

// TestAnalyticsHoldNothingPersonal publishes a notification with recognizable words to people with recognizable names,
// some of whom refuse tracking.
func TestAnalyticsHoldNothingPersonal(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t)
	ana, rui := s.SignIn(t, "ana.secreta@example.com"), s.SignIn(t, "rui.secreto@example.com")
	eva, gil := s.SignIn(t, "eva.secreta@example.com"), s.SignIn(t, "gil.secreto@example.com")
	var personal []string
	for name, person := range map[string]*servertest.Subscriber{"ana": ana, "rui": rui, "eva": eva, "gil": gil} {
		var me struct{ ID, Name string }
		person.Do(http.MethodGet, "/subscribers/me", nil, http.StatusOK, &me)
		person.Follow("demo/novidades")
		personal = append(personal, me.ID, me.Name, person.Device("token-"+name), "token-"+name)
	}
	publish := func(title string) string {
		t.Helper()
		in := sininho.PublishInput{Title: title, Body: "Corpo secreto", Link: "https://example.com/secreto?token=t"}
		p, err := s.Client().Notifications.Publish(t.Context(), "demo/novidades", in)
		if err != nil {
			t.Fatalf("publish: %v", err)
		}
		return p.Notification.ID
	}
	first, last := publish("Título secreto"), publish("Outro secreto")
	open := func(person *servertest.Subscriber, id string, header ...string) {
		t.Helper()
		req := person.Request(http.MethodPost, "/subscribers/notifications/"+id+"/events",
			map[string]string{"type": "opened"})
		req.Header.Set("User-Agent", "Mozilla/5.0 (secreto)")
		req.Header.Set("Referer", s.URL+"/feed?notification=secreto")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		call(t, req, "", http.StatusNoContent, nil)
	}
	open(ana, first, "DNT", "1")
	open(rui, first, "Sec-GPC", "1")
	open(ana, first) // was opened before, but not counted
	open(eva, first, "DNT", "0", "Sec-GPC", "0")
	open(eva, first)
	open(gil, first)
	eva.Do(http.MethodPost, "/subscribers/notifications/"+last+"/events", map[string]string{"type": "displayed"},
		http.StatusNoContent, nil)
	open(gil, last) // sent last, after all events about the others

	of := func(all []counted, id string) (out []counted) {
		for _, e := range all {
			if e.Properties["notificationId"] == id {
				out = append(out, e)
			}
		}
		return out
	}
	opened := waitCounted(t, s, "notification_opened", last)
	if a, b := len(of(opened, first)), len(of(opened, last)); a != 2 || b != 1 {
		t.Errorf("analytics events of opened notifications: got %d and %d, want 2 and 1", a, b)
	}
	accepted := of(waitCounted(t, s, "notification_accepted", first, last), first)
	if len(accepted) != 1 || accepted[0].Properties["accepted"] != 4.0 || accepted[0].Properties["failed"] != 0.0 {
		t.Errorf("analytics events of the first notification: got %+v, want one with 4 accepted and 0 failed", accepted)
	}
	nothingPersonal(t, s, append(personal, "secret", "Corpo", "example.com", "Mozilla",
		strings.TrimPrefix(s.URL, "http://"), s.APIKey))
}

// nothingPersonal checks everything that was sent, to any address, against the catalogue, and that it contains none of
// the words.
func nothingPersonal(t *testing.T, s *servertest.Server, words []string) {
	t.Helper()
	requests, text := lines[struct {
		Method, URL string
		Header      http.Header
		Events      []counted
	}](t, s.PostHogURL+"/requests")
	for _, word := range words {
		if word == "" || strings.Contains(text, word) || strings.Contains(text, url.QueryEscape(word)) {
			t.Errorf("the requests to PostHog contain %q", word)
		}
	}
	for _, r := range requests {
		if r.Method != http.MethodPost || r.URL != "/batch/" || len(r.Events) == 0 {
			t.Errorf("request to PostHog: got %s %s with %d events, want POST /batch/ with some", r.Method,
				r.URL, len(r.Events))
		}
		if r.Header.Get("User-Agent") == "" || len(r.Header) > 4 {
			t.Errorf("headers of a request to PostHog: got %v, want User-Agent and at most three others", r.Header)
		}
		for _, e := range r.Events {
			want := append([]string{"$geoip_disable", "$ip", "$lib", "$lib_version", "$process_person_profile"},
				analyticsOf[e.Event]...)
			slices.Sort(want)
			if got := slices.Sorted(maps.Keys(e.Properties)); analyticsOf[e.Event] == nil || !slices.Equal(got, want) {
				t.Errorf("properties of the analytics event %s: got %q, want %q", e.Event, got, want)
			}
		}
	}
}
