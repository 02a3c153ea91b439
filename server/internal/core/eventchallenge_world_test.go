package core_test

import (
	"net/netip"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestEventEndpoints(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	in := core.EventEndpointInput{URL: "https://example.com/hook", Name: "hook"}
	e, secret, creation, err := w.endpoints.Create(t.Context(), w.owner, "metro", in, key("k", ""))
	check.Equal(t, "creation", []any{secret != "", creation, err}, []any{true, core.Created, nil})
	check.Equal(t, "endpoint", e, core.EventEndpoint{ID: e.ID, PublisherID: e.PublisherID, URL: in.URL, Name: "hook",
		Events: core.AllEvents(), Enabled: true, CreatedAt: now, UpdatedAt: now})
	again, secret, creation, err := w.endpoints.Create(t.Context(), w.owner, "metro", in, key("k", ""))
	check.Equal(t, "repeated creation", []any{again.ID, secret, creation, err},
		[]any{e.ID, "", core.Replayed, nil})
	chosen := in
	chosen.Events = []core.EventType{core.EventFailed}
	other, _, _, err := w.endpoints.Create(t.Context(), w.owner, "metro", chosen, noKey)
	check.Equal(t, "chosen events", []any{other.Events, err}, []any{chosen.Events, nil})
	_, secret, _, err = w.endpoints.Create(t.Context(), w.owner, "metro", core.EventEndpointInput{URL: "x"}, noKey)
	check.Equal(t, "faults", []any{pointers(fieldsOf(err)), secret}, []any{[]string{"#/name", "#/url"}, ""})

	update := func(p core.EventEndpointPatch, seen *time.Time) (core.EventEndpoint, error) {
		return w.endpoints.Update(t.Context(), w.owner, "metro", e.ID, p, seen)
	}
	w.nudges, w.now = 0, now.Add(time.Hour)
	got, err := update(core.EventEndpointPatch{Enabled: new(false), Name: new("n"), Events: chosen.Events}, &now)
	core.Succeed(t, "disable", err)
	check.Equal(t, "disabled endpoint", []any{got.Enabled, got.DisabledAt, got.Name, got.Events},
		[]any{false, new(w.now), "n", chosen.Events})
	w.now = now.Add(2 * time.Hour)
	got, err = update(core.EventEndpointPatch{Enabled: new(false)}, nil)
	check.Equal(t, "disabled again", []any{got.DisabledAt, err}, []any{new(now.Add(time.Hour)), nil})
	got, err = update(core.EventEndpointPatch{Enabled: new(true), URL: new("https://example.com/b")}, nil)
	core.Succeed(t, "enable", err)
	check.Equal(t, "enabled endpoint", []any{got.Enabled, got.DisabledAt, got.URL},
		[]any{true, (*time.Time)(nil), "https://example.com/b"})
	check.Equal(t, "nudges", w.nudges, 3)
	_, err = update(core.EventEndpointPatch{}, &now)
	core.CheckCode(t, "update another version", err, core.CodeChanged)
	_, err = update(core.EventEndpointPatch{URL: new("x"), Name: new(" ")}, nil)
	check.Equal(t, "faults of a change", pointers(fieldsOf(err)), []string{"#/name", "#/url"})
	check.Equal(t, "nudges by what failed", w.nudges, 3)
	core.CheckCode(t, "delete another version", w.endpoints.Delete(t.Context(), w.owner, "metro", e.ID, &now),
		core.CodeChanged)
	core.CheckCode(t, "delete", w.endpoints.Delete(t.Context(), w.owner, "metro", e.ID, nil), "")
}

// TestAChangeOfTheAddressEndsAPause, and one of the name does not.
func TestAChangeOfTheAddressEndsAPause(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		patch  core.EventEndpointPatch
		paused bool
	}{
		"the name":         {core.EventEndpointPatch{Name: new("n")}, true},
		"the same address": {core.EventEndpointPatch{URL: new("https://example.com/hook")}, true},
		"another address":  {core.EventEndpointPatch{URL: new("https://example.com/b")}, false},
		"enabled as it is": {core.EventEndpointPatch{Enabled: new(true)}, true},
	} {
		w := newWorld(t)
		e := w.endpoint(true)
		w.fail(e, core.EventAttempt{At: now, Status: 500})
		got, err := w.endpoints.Update(t.Context(), w.owner, "metro", e.ID, c.patch, nil)
		core.Succeed(t, "change "+name, err)
		check.Equal(t, "whether it is paused after a change of "+name, got.PausedUntil != nil, c.paused)
		check.Equal(t, "whether it fails after a change of "+name, got.Failing(), c.paused)
		check.Equal(t, "failures in a row after a change of "+name, got.Failures > 0, c.paused)
	}
	w := newWorld(t)
	e := w.endpoint(true)
	w.fail(e, core.EventAttempt{At: now, Status: 410})
	got, err := w.endpoints.Update(t.Context(), w.owner, "metro", e.ID, core.EventEndpointPatch{Enabled: new(true)}, nil)
	core.Succeed(t, "enable", err)
	check.Equal(t, "whether it fails after it was enabled", []any{got.Failing(), got.DisabledReason}, []any{false, ""})
}

// fail notes attempts of an endpoint.
func (w *world) fail(e core.EventEndpoint, attempts ...core.EventAttempt) {
	_, _, err := w.UpdateEventEndpoint(w.t.Context(), e.PublisherID, e.ID, w.now, noKey,
		func(e *core.EventEndpoint, _ *core.EventSecrets) error {
			e.Take(attempts...)
			return nil
		})
	core.Succeed(w.t, "note attempts", err)
}

func TestChallenge(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		attempt   core.EventAttempt
		prepare   func(w *world, e core.EventEndpoint)
		confirmed bool
		said      int
		want      string
	}{
		"that is answered":    {core.EventAttempt{Status: 200}, nil, true, 1, ""},
		"that is not":         {core.EventAttempt{Status: 300}, nil, false, 1, ""},
		"of another endpoint": {core.EventAttempt{Status: 204, Error: "no signature"}, nil, false, 1, ""},
		"of a confirmed one": {core.EventAttempt{Status: 500}, func(w *world, e core.EventEndpoint) {
			w.challenge = core.EventAttempt{Status: 200}
			_, _, err := w.endpoints.Challenge(t.Context(), w.owner, "metro", e.ID)
			core.Succeed(t, "confirm", err)
			w.said = nil
		}, true, 0, ""},
		"of a disabled one": {core.EventAttempt{Status: 200}, func(w *world, e core.EventEndpoint) {
			made(w.endpoints.Update(t.Context(), w.owner, "metro", e.ID, core.EventEndpointPatch{Enabled: new(false)}, nil))
		}, false, 0, "disabled"},
		"of none": {core.EventAttempt{}, func(w *world, e core.EventEndpoint) {
			core.Succeed(t, "delete", w.endpoints.Delete(t.Context(), w.owner, "metro", e.ID, nil))
		}, false, 0, "not_found"},
	} {
		w := newWorld(t)
		e := w.endpoint(false)
		w.said = nil
		if c.prepare != nil {
			c.prepare(w, e)
		}
		w.challenge, w.nudges = c.attempt, 0
		confirmed, sent, err := w.endpoints.Challenge(t.Context(), w.owner, "metro", e.ID)
		check.Equal(t, "a challenge "+name, []any{confirmed, len(w.said), reasonOf(err)},
			[]any{c.confirmed, c.said, c.want})
		check.Equal(t, "whether an attempt is returned of a challenge "+name, sent != nil, c.said > 0)
		if got, err := w.endpoints.Get(t.Context(), w.owner, "metro", e.ID); err == nil {
			check.Equal(t, "whether it is confirmed after a challenge "+name, got.Confirmed(), c.confirmed)
			check.Equal(t, "whether events are due after a challenge "+name, w.nudges > 0, c.confirmed && c.said > 0)
		}
	}
}

// TestConfirmByHand confirms an endpoint with the challenge that it received, once.
func TestConfirmByHand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.endpoint(false)
	challenge := "3kTMd8yWqvXb2RzLpN5cHs"
	w.keepChallenge(e, challenge, e.URL)
	_, err := w.endpoints.Confirm(t.Context(), w.owner, "metro", e.ID, "x")
	check.Equal(t, "faults of another challenge", codes(fieldsOf(err)), "challenge")
	w.now = now.Add(time.Minute)
	got, err := w.endpoints.Confirm(t.Context(), w.owner, "metro", e.ID, challenge)
	core.Succeed(t, "confirm", err)
	check.Equal(t, "confirmation", []any{got.ConfirmedURL, got.ConfirmedAt}, []any{e.URL, new(w.now)})
	kept := w.Secrets(e.ID)
	check.Equal(t, "whether the challenge is used up", []any{kept.ChallengeHash == nil, kept.ChallengedAt == nil},
		[]any{true, true})
	_, err = w.endpoints.Confirm(t.Context(), w.owner, "metro", e.ID, "x")
	core.CheckCode(t, "confirm what is confirmed", err, "")
	_, err = w.endpoints.Confirm(t.Context(), w.owner, "metro", core.NewID(), "x")
	core.CheckCode(t, "confirm nothing", err, core.CodeNotFound)
}

func (w *world) keepChallenge(e core.EventEndpoint, challenge, url string) {
	_, _, err := w.UpdateEventEndpoint(w.t.Context(), e.PublisherID, e.ID, w.now, noKey,
		func(_ *core.EventEndpoint, s *core.EventSecrets) error {
			s.ChallengeHash, s.ChallengedAt = core.HashSecret(challenge+" "+url), new(w.now)
			return nil
		})
	core.Succeed(w.t, "keep a challenge", err)
}

// TestFailedChallengesArePaced counts those that failed, of a person, to a host and to a network.
func TestFailedChallengesArePaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.endpoint(false)
	try := func() error {
		_, _, err := w.endpoints.Challenge(t.Context(), w.owner, "metro", e.ID)
		return err
	}
	w.challenge = core.EventAttempt{Status: 500}
	for range 10 {
		core.Succeed(t, "a failing challenge", try())
	}
	core.CheckCode(t, "the eleventh failing challenge to a host", try(), core.CodeRateLimited)
	check.Equal(t, "challenges that were posted", len(w.said), 10)
	w.now = now.Add(time.Minute)
	core.Succeed(t, "a challenge a minute later", try())

	w = newWorld(t)
	e = w.endpoint(false)
	for range 30 { // they succeed, but the endpoint is not confirmed
		w.challenge = core.EventAttempt{Status: 200}
		core.Succeed(t, "a challenge", try())
		w.unconfirm(e)
	}
	w = newWorld(t)
	e = w.endpoint(false)
	w.dialled, w.challenge = netip.MustParseAddr("192.0.2.1"), core.EventAttempt{Status: 200}
	core.Succeed(t, "a challenge to a network", try())
	for range 30 {
		core.Succeed(t, "take a turn", w.PaceChallenge(t.Context(), core.ChallengePace{
			Name: "challenges to 192.0.2.1/32", Every: 20 * time.Second, AtOnce: 30}))
	}
	w.unconfirm(e)
	before := w.Paces["challenges by "+w.owner.SubscriberID.String()]
	confirmed, sent, err := w.endpoints.Challenge(t.Context(), w.owner, "metro", e.ID)
	core.CheckCode(t, "a challenge to a network with many", err, core.CodeRateLimited)
	check.Equal(t, "whether it is confirmed", []any{confirmed, sent.Status}, []any{false, 0})
	check.Equal(t, "turns of the person, who sent nothing", w.Paces["challenges by "+w.owner.SubscriberID.String()], before)
}

func (w *world) unconfirm(e core.EventEndpoint) {
	_, _, err := w.UpdateEventEndpoint(w.t.Context(), e.PublisherID, e.ID, w.now, noKey,
		func(e *core.EventEndpoint, _ *core.EventSecrets) error {
			e.ConfirmedURL = ""
			return nil
		})
	core.Succeed(w.t, "unconfirm", err)
}

// TestAChallengeConfirmsOnlyItsAddress changes the address while the challenge is under way.
func TestAChallengeConfirmsOnlyItsAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	e := w.endpoint(false)
	w.keepChallenge(e, "c", e.URL)
	patch := core.EventEndpointPatch{URL: new("https://example.com/other")}
	made(w.endpoints.Update(t.Context(), w.owner, "metro", e.ID, patch, nil))
	_, err := w.endpoints.Confirm(t.Context(), w.owner, "metro", e.ID, "c")
	core.CheckCode(t, "confirm another address", err, core.CodeInvalid)
	check.Equal(t, "Confirmed without any confirmation", (&core.EventEndpoint{}).Confirmed(), false)
}

func TestEventDeliveries(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	unconfirmed, e := w.endpoint(false), w.endpoint(true)
	_, err := w.endpoints.Test(t.Context(), w.owner, "metro", unconfirmed.ID)
	check.Equal(t, "reason against a test", reasonOf(err), "unconfirmed")
	w.nudges = 0
	d, err := w.endpoints.Test(t.Context(), w.editor, "metro", e.ID)
	core.Succeed(t, "test", err)
	check.Equal(t, "payload", d.Payload, `{"type":"test","timestamp":"2026-03-01T12:00:00Z","data":{"publisher":"metro"}}`)
	check.Equal(t, "nudges", w.nudges, 1)
	check.Equal(t, "test", []any{d.EndpointID, d.Status, d.NextAttemptAt, d.CreatedAt},
		[]any{e.ID, core.EventPending, &now, now})
	w.fail(e, core.EventAttempt{At: now, Status: 500, RetryAfter: time.Minute})
	until := now.Add(time.Minute)
	all, total, err := w.endpoints.Deliveries(t.Context(), w.owner, "metro", e.ID, "", core.Page{})
	check.Equal(t, "list of a paused endpoint", []any{all[0].NextAttemptAt, total, err}, []any{&until, int64(1), nil})
	w.Attempts[d.ID] = []core.EventAttempt{{Status: 500}}
	one, attempts, err := w.endpoints.Delivery(t.Context(), w.owner, "metro", e.ID, d.ID)
	check.Equal(t, "delivery of a paused endpoint", []any{one.NextAttemptAt, len(attempts), err}, []any{&until, 1, nil})
	_, total, err = w.endpoints.Deliveries(t.Context(), w.owner, "metro", e.ID, core.EventDelivered, core.Page{})
	check.Equal(t, "list of what was delivered", []any{total, err}, []any{int64(0), nil})
	w.now = now.Add(time.Second)
	again, err := w.endpoints.Resend(t.Context(), w.owner, "metro", e.ID, d.ID)
	core.Succeed(t, "send again", err)
	check.Equal(t, "next attempt", again.NextAttemptAt, new(w.now))
	check.Equal(t, "nudges after sending again", w.nudges, 2)
	_, err = w.endpoints.Resend(t.Context(), w.owner, "metro", e.ID, core.NewID())
	core.CheckCode(t, "send nothing again", err, core.CodeNotFound)
	check.Equal(t, "nudges for nothing", w.nudges, 2)
	made(w.endpoints.Update(t.Context(), w.owner, "metro", e.ID, core.EventEndpointPatch{Enabled: new(false)}, nil))
	_, err = w.endpoints.Test(t.Context(), w.owner, "metro", e.ID)
	check.Equal(t, "reason against a test of a disabled one", reasonOf(err), "disabled")
	_, err = w.endpoints.Resend(t.Context(), w.owner, "metro", e.ID, d.ID)
	check.Equal(t, "reason against sending to a disabled one", reasonOf(err), "disabled")
	w.said = nil
	_, secret, creation, err := w.endpoints.Rotate(t.Context(), w.owner, "metro", e.ID, key("k", ""))
	check.Equal(t, "rotation", []any{secret != "", creation, err}, []any{true, core.Created, nil})
	kept := w.Secrets(e.ID)
	check.Equal(t, "opened secret", string(made(testSealer.Open(kept.Sealed))), secret)
	check.Equal(t, "secrets on the next day", len(kept.Good(w.now.Add(24*time.Hour))), 1)
	check.Equal(t, "secrets before", len(kept.Good(w.now.Add(24*time.Hour-1))), 2)
	check.Equal(t, "the latest secret is the first", &kept.Good(w.now)[0][0] == &kept.Sealed[0], true)
	_, secret, creation, err = w.endpoints.Rotate(t.Context(), w.owner, "metro", e.ID, key("k", ""))
	check.Equal(t, "repeated rotation", []any{secret, creation, err}, []any{"", core.Replayed, nil})
}

// TestEvents checks what is posted about a notification.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := core.EventSubject{Publisher: "metro", Channel: "avisos", NotificationID: core.ID{1}, ExternalID: "x"}
	const about = `"data":{"publisher":"metro","channel":"metro/avisos",` +
		`"notificationId":"01000000-0000-0000-0000-000000000000","externalId":"x"`
	const at = `"timestamp":"2026-03-01T12:00:00Z",`
	check.Equal(t, "dispatched", s.Dispatched(7, now).Payload(),
		`{"type":"notification.dispatched",`+at+about+`,"targeted":7}}`)
	all := s.Finished(core.DeliverySummary{Targeted: 7, Failed: core.Causes{"invalid": 2}}, now)
	check.Equal(t, "failed", all[1].Payload(), `{"type":"notification.failed",`+at+about+
		`,"targeted":7,"failed":{"invalid":2}}}`)
	check.Equal(t, "types", []core.EventType{all[0].Type, all[1].Type},
		[]core.EventType{core.EventFinished, core.EventFailed})
	check.Equal(t, "counts", *all[0].Data.Deliveries, core.DeliverySummary{Targeted: 7, Failed: core.Causes{"invalid": 2}})
	check.Equal(t, "events of one that did not fail", len(s.Finished(core.DeliverySummary{}, now)), 1)
	lisbon := now.In(time.FixedZone("", 3600))
	check.Equal(t, "subscribers", core.NewSubscribersEvent("metro", "avisos", 3, lisbon).Payload(),
		`{"type":"channel.subscribers",`+at+`"data":{"publisher":"metro","channel":"metro/avisos","subscribers":3}}`)
}
