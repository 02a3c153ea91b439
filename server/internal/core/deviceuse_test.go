package core_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// register registers a device of a person.
func (w *world) register(c core.Caller, installation, address string) core.Device {
	in := core.DeviceInput{InstallationID: installation, Kind: core.KindFCM, Address: address, Platform: "web", Name: "n"}
	return made(first(w.devices.Register(w.t.Context(), c, in)))
}

func TestDevices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.register(w.stranger, "i", "a")
	check.Equal(t, "device", d, core.Device{ID: d.ID, SubscriberID: w.stranger.SubscriberID, InstallationID: "i",
		Push:     core.PushAddress{Kind: core.KindFCM, Address: "a", Owner: w.stranger.SubscriberID, Untried: true},
		Platform: "web", Name: "n", CreatedAt: now, SeenAt: now})
	_, _, err := w.devices.Register(t.Context(), w.stranger, core.DeviceInput{Name: " ", Kind: core.KindFCM})
	check.Equal(t, "faults", pointers(fieldsOf(err)), []string{"#/address", "#/name"})
	got, err := w.devices.Rename(t.Context(), w.stranger, d.ID, core.DeviceRename{Name: "m"})
	check.Equal(t, "renamed device", []any{got.Name, err}, []any{"m", nil})
	_, err = w.devices.Rename(t.Context(), w.stranger, d.ID, core.DeviceRename{Name: " "})
	core.CheckCode(t, "rename to nothing", err, core.CodeInvalid)
	_, err = w.devices.Rename(t.Context(), w.owner, d.ID, core.DeviceRename{Name: "x"})
	core.CheckCode(t, "rename somebody else's", err, core.CodeNotFound)
	w.register(w.owner, "i", "a")
	check.Equal(t, "cause when somebody else has the address", w.RetiredCause(d.ID), core.RetiredMoved)
	e := w.register(w.stranger, "i", "b")
	core.CheckCode(t, "remove", w.devices.Remove(t.Context(), w.stranger, e.ID), "")
	check.Equal(t, "cause when it was removed", w.RetiredCause(e.ID), core.RetiredRemoved)
	core.CheckCode(t, "remove nothing", w.devices.Remove(t.Context(), w.stranger, core.NewID()), core.CodeNotFound)
	list, total, err := w.devices.List(t.Context(), w.stranger, core.Page{})
	check.Equal(t, "devices that are left", []any{len(list), total, err}, []any{0, int64(0), nil})
}

func TestTestOfADevice(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := w.register(w.stranger, "i", "a")
	try := func() (core.Result, error) { return w.devices.Test(t.Context(), w.stranger, d.ID) }
	r, err := try()
	check.Equal(t, "result", []any{r.Outcome, err}, []any{core.Accepted, nil})
	p := w.sent[0]
	check.Equal(t, "push", []any{p.Title, p.Body, p.High, p.ID != ""},
		[]any{"Sininho", "As notificações chegam a este dispositivo.", false, true})
	if life := time.Until(p.Expires); life < 59*time.Minute || life > time.Hour {
		t.Errorf("life of the push: got %s, want an hour", life)
	}
	got := made(w.Device(t.Context(), w.stranger.SubscriberID, d.ID))
	check.Equal(t, "it rings", got.RingsSince, &now)
	w.now = now.Add(time.Hour)
	_, err = try()
	core.Succeed(t, "test again", err)
	got = made(w.Device(t.Context(), w.stranger.SubscriberID, d.ID))
	check.Equal(t, "it has rung since", got.RingsSince, &now)

	w.Pauses[core.ServiceFCM] = core.Result{Pause: time.Minute, Cause: core.CauseQuota}
	r, err = try()
	check.Equal(t, "result while pushes are paused", []any{r, err},
		[]any{core.Result{Cause: core.CauseQuota, Wait: time.Minute}, nil})
	check.Equal(t, "pushes that were sent", len(w.sent), 2)
	delete(w.Pauses, core.ServiceFCM)
	for range 9 {
		_, err = try()
		core.Succeed(t, "test as often as one may", err)
	}
	_, err = try()
	core.CheckCode(t, "test too often", err, core.CodeRateLimited)
	w.now = w.now.Add(time.Hour)
	w.result = core.Result{Outcome: core.Failed, Retire: true}
	_, err = try()
	core.Succeed(t, "test a device that is gone", err)
	check.Equal(t, "cause of its end", w.RetiredCause(d.ID), core.RetiredUnregistered)
	_, err = try()
	core.CheckCode(t, "test it once more", err, core.CodeNotFound)
	e := w.register(w.stranger, "j", "b")
	w.result = core.Result{Outcome: core.Failed}
	made(w.devices.Test(t.Context(), w.stranger, e.ID))
	got = made(w.Device(t.Context(), w.stranger.SubscriberID, e.ID))
	check.Equal(t, "it has rung after a failure", got.RingsSince, nil)
}

// TestPushes checks what is pushed. What changes silently is not urgent: it must wake no device.
func TestPushes(t *testing.T) {
	t.Parallel()
	soon := now.Add(time.Hour)
	n := core.Notification{ID: core.ID{1}, Title: "T", Body: "B", Image: "i", Icon: "c", Link: "l", PublishedAt: &now,
		Importance: core.Important, Visible: true,
		Channel: core.ChannelRef{ID: core.ID{2}, PublisherSlug: "metro", Slug: "avisos", Name: "Avisos", Icon: "own"}}
	want := core.Push{ID: n.ID.String(), Title: "T", Body: "Avisos · B", Image: "i", Icon: "c", Link: "l",
		Channel: "metro/avisos", ChannelID: core.ID{2}.String(), High: true, Important: true, Published: now,
		Expires: now.Add(24 * time.Hour)}
	check.Equal(t, "push", core.NewPush(n), want)
	with := func(change func(*core.Notification)) core.Notification {
		c := n
		change(&c)
		return c
	}
	p := core.NewPush(with(func(n *core.Notification) { n.Icon, n.Importance, n.ExpiresAt = "", core.Normal, &soon }))
	check.Equal(t, "icon of the channel, urgency and expiry", []any{p.Icon, p.High, p.Expires}, []any{"own", false, soon})
	late := now.Add(25 * time.Hour)
	p = core.NewPush(with(func(n *core.Notification) { n.ExpiresAt = &late }))
	check.Equal(t, "expiry of a push that lasts longer", p.Expires, now.Add(24*time.Hour))

	edited := now.Add(48 * time.Hour)
	want.High, want.Revision, want.RevisedAt, want.Expires = false, core.Corrected, edited, edited.Add(24*time.Hour)
	check.Equal(t, "correction", core.NewRevision(with(func(n *core.Notification) { n.EditedAt = &edited })), want)
	want.Revision = core.Withdrawn
	gone := core.NewRevision(with(func(n *core.Notification) { n.WithdrawnAt, n.Visible = &edited, false }))
	check.Equal(t, "withdrawal", gone, want)

	read := core.NewReading([]core.ID{{1}, {2}}, &n.Channel.ID, now)
	check.Equal(t, "reading", read, core.Push{ID: read.ID, Revision: core.ReadElsewhere, RevisedAt: now,
		Expires: now.Add(24 * time.Hour), Read: core.ID{1}.String() + "," + core.ID{2}.String(), ChannelID: want.ChannelID})
	check.Equal(t, "channel of reading all", core.NewReading(nil, nil, now).ChannelID, "")

	until := now.Add(9 * time.Hour)
	held := core.NewSummary([]core.Notification{n}, until, core.English)
	check.Equal(t, "one that was held", []any{held.Title, held.High, held.Summary, held.Expires},
		[]any{"T", true, false, until.Add(24 * time.Hour)})
	ends := until.Add(time.Minute)
	one := with(func(n *core.Notification) { n.ExpiresAt = &ends })
	check.Equal(t, "expiry of one that was held", core.NewSummary([]core.Notification{one}, until, core.English).Expires, ends)
	six := core.NewSummary([]core.Notification{n, n, n, n, n, n}, until, core.English)
	check.Equal(t, "summary", six, core.Push{ID: want.ID, Title: "6 new notifications", Channel: "metro/avisos",
		Body: "Avisos: T\nAvisos: T\nAvisos: T\nAvisos: T\nAvisos: T\nand 1 more", Expires: until.Add(24 * time.Hour),
		Summary: true})
	five := core.NewSummary([]core.Notification{n, n, n, n, n}, until, core.English)
	check.Equal(t, "summary of five", five.Body, "Avisos: T\nAvisos: T\nAvisos: T\nAvisos: T\nAvisos: T")
	c := core.NewConfirmation(core.ID{9}, core.English, now)
	check.Equal(t, "confirmation", c, core.Push{ID: core.ID{9}.String(), Title: "Done: this device rings",
		Body: "Notifications reach this device.", Expires: now.Add(24 * time.Hour)})
}

// TestWaitsAreSpread expects that what failed together does not return together.
func TestWaitsAreSpread(t *testing.T) {
	t.Parallel()
	draw := map[string]func() time.Duration{
		"the retries of an event": func() time.Duration {
			d := newDelivery()
			d.Take(core.EventAttempt{At: began, Status: 500})
			return d.NextAttemptAt.Sub(began)
		},
		"the pauses of an endpoint": func() time.Duration {
			e := core.EventEndpoint{Enabled: true}
			e.Take(core.EventAttempt{At: began, Status: 500})
			return e.PausedUntil.Sub(began)
		},
		"the waits of a device": func() time.Duration {
			_, wait, _ := core.DeviceFailures{Failures: 5}.After(core.Result{}, now)
			return wait
		},
	}
	for what, bounds := range map[string][2]time.Duration{
		"the retries of an event":   {5 * time.Second, 6 * time.Second},
		"the pauses of an endpoint": {5 * time.Second, 6 * time.Second},
		"the waits of a device":     {16 * time.Second, 32 * time.Second},
	} {
		least, most := time.Hour, time.Duration(0)
		for range 200 {
			wait := draw[what]()
			least, most = min(least, wait), max(most, wait)
		}
		check.Equal(t, fmt.Sprintf("%s, %s to %s, are within %v", what, least, most, bounds),
			least >= bounds[0] && most <= bounds[1], true)
		if spread := bounds[1] - bounds[0]; most-least < spread/2 {
			t.Errorf("%s: got %s to %s, want them spread over %v", what, least, most, bounds)
		}
	}
}

func TestBrowserSignIns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in             core.DeviceSignInInput
		browser, token string // the reasons for which they are refused
	}{
		"for a browser": {core.DeviceSignInInput{ClientName: "n", Browser: true}, "", "expired_token"},
		"for a program": {core.DeviceSignInInput{ClientName: "n"}, "expired_token", ""},
	} {
		for _, browser := range []bool{true, false} {
			w := newWorld(t)
			s, code, err := w.signIns.Begin(t.Context(), c.in, "192.0.2.1")
			core.Succeed(t, "begin", err)
			check.Equal(t, "network and times of "+name, []any{s.Network, s.CreatedAt, s.ExpiresAt, s.PollInterval},
				[]any{"192.0.2.1", now, now.Add(15 * time.Minute), 5 * time.Second})
			found, err := w.signIns.Find(t.Context(), s.UserCode)
			check.Equal(t, "found sign-in", []any{found.ID, err}, []any{s.ID, nil})
			core.Succeed(t, "approve", w.signIns.Decide(t.Context(), w.stranger, s.UserCode, true))
			core.CheckCode(t, "decide again", w.signIns.Decide(t.Context(), w.stranger, s.UserCode, false),
				core.CodeNotFound)
			if browser {
				id, err := w.signIns.TakeBrowser(t.Context(), code)
				check.Equal(t, "session of a sign-in "+name, []any{reasonOf(err), id == w.stranger.SubscriberID},
					[]any{c.browser, c.browser == ""})
				w.now = now.Add(time.Minute)
				_, err = w.signIns.TakeBrowser(t.Context(), code)
				check.Equal(t, "second session of a sign-in "+name, reasonOf(err), "expired_token")
			} else {
				token, _, _, err := w.signIns.Take(t.Context(), code)
				check.Equal(t, "token of a sign-in "+name, []any{reasonOf(err), token.Name == "n"},
					[]any{c.token, c.token == ""})
			}
			want := now.Add(core.DefaultTokenRules().Life())
			if c.in.Browser {
				want = now.Add(90 * 24 * time.Hour)
			}
			check.Equal(t, "end of what is given "+name, w.signIns.TokenExpiresAt(s), want)
		}
	}
	in := core.DeviceSignInInput{ClientName: "n", Browser: true, Scopes: []core.Scope{core.ScopeRead}}
	check.Equal(t, "faults of a browser with scopes", pointers(in.Validate(nil, now)), []string{"#/scopes"})
	w := newWorld(t)
	_, err := w.signIns.TakeBrowser(t.Context(), "unknown")
	check.Equal(t, "reason against an unknown code", reasonOf(err), "expired_token")
	s, code, err := w.signIns.Begin(t.Context(), core.DeviceSignInInput{ClientName: "n",
		Scopes: []core.Scope{core.ScopeRead}}, "")
	core.Succeed(t, "begin", err)
	core.Succeed(t, "approve", w.signIns.Decide(t.Context(), w.stranger, s.UserCode, true))
	made(w.moderation.SuspendSubscriber(t.Context(), w.operator, w.stranger.SubscriberID, core.SuspensionInput{Reason: "x"}))
	_, secret, _, err := w.signIns.Take(t.Context(), code)
	core.CheckCode(t, "take a token for a suspended account", err, core.CodeForbidden)
	check.Equal(t, "secret for a suspended account", secret, "")
}

func TestSessions(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		age, idle time.Duration
		want      time.Duration // until it ends
	}{"new": {0, 0, 30 * day}, "used": {59 * day, 0, 30 * day}, "old": {80 * day, 0, 10 * day},
		"idle": {40 * day, 29 * day, day}} {
		s := core.Session{CreatedAt: now.Add(-c.age), SeenAt: now.Add(-c.idle)}
		check.Equal(t, "end of a session that is "+name, s.EndsAt(), now.Add(c.want))
		check.Equal(t, "it is alive before", s.Alive(s.EndsAt().Add(-1)), true)
		check.Equal(t, "it is alive then", s.Alive(s.EndsAt()), false)
	}
}
