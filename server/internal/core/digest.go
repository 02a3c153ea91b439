package core

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DefaultDigestAt is when a person is told the digest unless they choose another time.
const DefaultDigestAt TimeOfDay = 18 * 60

// DigestHours is when a person is told, once a day, what came in the channels whose bell is BellDigest.
type DigestHours struct {
	At       TimeOfDay
	Quiet    *QuietHours // whose end it waits for
	Timezone *time.Location
}

// digestGrace is how late a digest may be that was due on the day before.
const digestGrace = time.Hour

// Next returns the first moment after now at which a digest is due, on a later day than the latest one was told.
func (h DigestHours) Next(told, now time.Time) time.Time {
	local := now.In(h.Timezone)
	noon := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, h.Timezone) // every day has one
	for day := noon.AddDate(0, 0, -1); ; day = day.AddDate(0, 0, 1) {                    // yesterday's may have waited
		at := h.At.on(day)
		if h.day(at) < h.day(day) { // the clocks skip it at midnight
			at = at.Add(time.Hour)
		}
		if end := h.quietUntil(at); !end.IsZero() {
			at = end
		}
		if at.After(now) && h.day(at) > h.day(told) {
			return at.UTC()
		}
	}
}

// Judge reports whether a digest that was due is told now, and returns when the next one is due. It is not told in
// quiet hours, or when its day is over because no server was there: the next one tells it too. One that was due at the
// zero time was not planned yet.
func (h DigestHours) Judge(due, told, now time.Time) (tell bool, next time.Time) {
	if due.IsZero() || h.day(due) != h.day(now) && now.Sub(due) > digestGrace {
		return false, h.Next(told, now)
	}
	if until := h.quietUntil(now); !until.IsZero() {
		return false, until
	}
	return true, h.Next(now, now)
}

func (h DigestHours) quietUntil(at time.Time) time.Time {
	if h.Quiet == nil {
		return time.Time{}
	}
	return h.Quiet.Until(at, h.Timezone)
}

// day returns the person's date at a moment; a later one is greater.
func (h DigestHours) day(at time.Time) string { return at.In(h.Timezone).Format(time.DateOnly) }

// Digest is what a person is told: what was published after Since, up to Until.
type Digest struct {
	SubscriberID ID
	Since, Until time.Time
}

// Came is how much of a channel a digest tells.
type Came struct {
	Channel string // its name
	Count   int
}

// DigestCounted is how many of the latest notifications of a channel a digest counts at most.
const DigestCounted = 500

// digestNames is how many channels a digest names if it does not name all.
const digestNames = 2

// NewDigest returns the push of a person's digest, in a language, with the channels that have the most first. Its id is
// the person's, so that it replaces that of the day before.
func NewDigest(d Digest, came []Came, in Language) Push {
	text, total, more := pushTexts.In(in), 0, ""
	for _, c := range came {
		total += c.Count
		if c.Count == DigestCounted {
			more = "+"
		}
	}
	title := text.digestOfOne
	if total > 1 {
		title = fmt.Sprintf(text.digest, strconv.Itoa(total)+more)
	}
	named := came
	if len(came) > digestNames+1 {
		named = came[:digestNames]
	}
	parts := make([]string, len(named), len(named)+1)
	for i, c := range named {
		parts[i] = c.String()
	}
	if rest := len(came) - len(named); rest > 0 {
		parts = append(parts, fmt.Sprintf(text.channels, rest))
	}
	return Push{ID: d.SubscriberID.String(), Title: title, Body: strings.Join(parts, ", "), Link: "/feed?part=unread",
		Again: true, Expires: d.Until.Add(PushLife)}
}

// String returns the channel with its count.
func (c Came) String() string {
	if c.Count == DigestCounted {
		return fmt.Sprintf("%s %d+", c.Channel, c.Count)
	}
	return fmt.Sprintf("%s %d", c.Channel, c.Count)
}
