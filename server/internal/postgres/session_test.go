package postgres_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// browser begins a session with a device, and returns their ids.
func (w *world) browser(t *testing.T, subscriberID core.ID, name string) (session, device core.ID) {
	t.Helper()
	session = w.session(t, subscriberID)
	in := core.Registration{InstallationID: name,
		Push: core.PushAddress{Kind: core.KindFCM, Address: name}, Platform: "web", Name: name}
	d, _, err := w.RegisterDevice(t.Context(), core.Caller{SubscriberID: subscriberID, SessionID: session}, in, w.now)
	succeed(t, "register the device "+name, err)
	return session, d.ID
}

// sessions lists the first 10 sessions of a person.
func (w *world) sessions(t *testing.T, subscriberID core.ID) []core.Session {
	t.Helper()
	list, total, err := w.Sessions(t.Context(), subscriberID, w.now, core.Page{Limit: 10})
	succeed(t, "list the sessions", err)
	equal(t, "total of the sessions", total, int64(len(list)))
	return list
}

func sessionID(s core.Session) core.ID { return s.ID }

func TestSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	w.session(t, rui)
	idle := w.session(t, w.subscriber)
	w.now = w.now.Add(time.Hour)
	first, second := w.session(t, w.subscriber), w.session(t, w.subscriber)
	w.now = w.now.Add(time.Hour)
	client := core.Client{Browser: "Firefox", System: "Linux", Network: "192.0.2.7"}
	succeed(t, "touch the first session", w.TouchSession(t.Context(), first, client, w.now))

	list := w.sessions(t, w.subscriber)
	equal(t, "sessions, most recently used first", ids(list, sessionID), []core.ID{first, second, idle})
	equal(t, "client of the first session", list[0].Client, client)
	equal(t, "last use of the first session", list[0].SeenAt.UTC(), w.now)
	equal(t, "client of the second session", list[1].Client, core.Client{})

	w.now = w.now.Add(core.SessionIdle - 90*time.Minute)
	equal(t, "sessions that are alive later", ids(w.sessions(t, w.subscriber), sessionID), []core.ID{first, second})
}

func TestEndSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	session, device := w.browser(t, w.subscriber, "one")
	_, other := w.browser(t, w.subscriber, "two")

	wantCode(t, "end another person's session", w.EndSession(t.Context(), rui, session, w.now), core.CodeNotFound)
	wantCode(t, "end the session", w.EndSession(t.Context(), w.subscriber, session, w.now), "")
	wantCode(t, "end it again", w.EndSession(t.Context(), w.subscriber, session, w.now), core.CodeNotFound)
	_, err := w.SessionBySecret(t.Context(), session[:])
	wantCode(t, "find the ended session", err, core.CodeNotFound)
	devices, _, err := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10})
	succeed(t, "list the devices", err)
	equal(t, "devices that are left without "+device.String(),
		ids(devices, func(d core.Device) core.ID { return d.ID }), []core.ID{other})
}

func TestEndSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rui := w.other(t, "rui")
	theirs := w.session(t, rui)
	mine, device := w.browser(t, w.subscriber, "mine")
	one, _ := w.browser(t, w.subscriber, "one")
	two, _ := w.browser(t, w.subscriber, "two")

	ended, err := w.EndSessions(t.Context(), w.subscriber, mine, w.now)
	succeed(t, "end the other sessions", err)
	equal(t, "ended sessions", sorted(ended), sorted([]core.ID{one, two}))
	equal(t, "sessions that are left", ids(w.sessions(t, w.subscriber), sessionID), []core.ID{mine})
	equal(t, "another person's sessions", ids(w.sessions(t, rui), sessionID), []core.ID{theirs})
	devices, _, err := w.Devices(t.Context(), w.subscriber, core.Page{Limit: 10})
	succeed(t, "list the devices", err)
	equal(t, "devices that are left", ids(devices, func(d core.Device) core.ID { return d.ID }), []core.ID{device})

	ended, err = w.EndSessions(t.Context(), w.subscriber, core.ID{}, w.now)
	succeed(t, "end all sessions", err)
	equal(t, "last ended session", ended, []core.ID{mine})
	ended, err = w.EndSessions(t.Context(), w.subscriber, core.ID{}, w.now)
	succeed(t, "end no session", err)
	equal(t, "sessions that ended once more", len(ended), 0)
}
