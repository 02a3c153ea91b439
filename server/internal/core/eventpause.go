package core

import (
	"slices"
	"time"
)

// eventPauses lists the pauses of an endpoint after each failure in a row; the last one repeats.
var eventPauses = []time.Duration{5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour}

// failingFor is how long every attempt may fail before an endpoint is disabled.
const failingFor = 5 * 24 * time.Hour

// Failing reports whether the endpoint accepted none of the latest events. A failing endpoint gets one event at a time.
func (e *EventEndpoint) Failing() bool { return e.FailingSince != nil }

// Take records the results of attempts that were made together. An endpoint that accepted any of the events works, even
// if it rejects others. One that accepted none is paused, longer after each failure in a row, and disabled when it has
// failed for failingFor. A 410 response disables it at once.
func (e *EventEndpoint) Take(attempts ...EventAttempt) {
	if slices.ContainsFunc(attempts, EventAttempt.Delivered) {
		e.resume()
	} else {
		e.fail(attempts)
	}
	for _, a := range attempts {
		if e.Enabled && a.Status == statusGone {
			e.switchOff("It responded 410 Gone.", a.At)
		}
	}
}

func (e *EventEndpoint) fail(attempts []EventAttempt) {
	pause := jittered(eventPauses[min(e.Failures, len(eventPauses)-1)])
	e.Failures++
	for _, a := range attempts {
		if e.FailingSince == nil || a.At.Before(*e.FailingSince) {
			e.FailingSince = &a.At
		}
		until := a.At.Add(a.Duration).Add(max(pause, min(a.RetryAfter, longestRetryAfter)))
		if e.PausedUntil == nil || e.PausedUntil.Before(until) {
			e.PausedUntil = &until
		}
		if e.Enabled && a.At.Sub(*e.FailingSince) >= failingFor {
			e.switchOff("Every attempt failed for 5 days.", a.At)
		}
	}
}

// resume ends the pause and forgets the failures.
func (e *EventEndpoint) resume() { e.FailingSince, e.Failures, e.PausedUntil = nil, 0, nil }
