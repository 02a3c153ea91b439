package core

import (
	"fmt"
	"time"
)

// QuietHours is the daily period, in the subscriber's timezone, in which nothing is pushed to them. It includes
// midnight if Start is after End.
type QuietHours struct{ Start, End TimeOfDay }

// TimeOfDay is a number of minutes since midnight.
type TimeOfDay int

// ParseTimeOfDay parses hours and minutes, such as "22:00".
func ParseTimeOfDay(s string) (TimeOfDay, error) {
	t, err := time.Parse("15:04", s)
	return TimeOfDay(t.Hour()*60 + t.Minute()), err
}

func (t TimeOfDay) String() string { return fmt.Sprintf("%02d:%02d", t/60, t%60) }

// on returns the moment of that time on a day. If the clocks skip it, time.Date moves it across the gap, in a direction
// that depends on the zone.
func (t TimeOfDay) on(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), int(t)/60, int(t)%60, 0, 0, day.Location())
}

// Until returns the end of the quiet hours that include now, or the zero time if none do.
func (q QuietHours) Until(now time.Time, timezone *time.Location) time.Time {
	local := now.In(timezone)
	today := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0,
		timezone) // noon, because every day has one
	for _, day := range []time.Time{today.AddDate(0, 0, -1), today} { // those of yesterday or today
		start, end := q.Start.on(day), q.End.on(day)
		if q.Start > q.End {
			end = q.End.on(day.AddDate(0, 0, 1))
		}
		if !local.Before(start) && local.Before(end) {
			return end.UTC()
		}
	}
	return time.Time{}
}
