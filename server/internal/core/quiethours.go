package core

import (
	"fmt"
	"time"
)

// QuietHours are from when until when a subscriber is pushed nothing, in their timezone; over midnight when Start is
// after End.
type QuietHours struct{ Start, End TimeOfDay }

// TimeOfDay is minutes since midnight.
type TimeOfDay int

// ParseTimeOfDay reads hours and minutes, as "22:00".
func ParseTimeOfDay(s string) (TimeOfDay, error) {
	t, err := time.Parse("15:04", s)
	return TimeOfDay(t.Hour()*60 + t.Minute()), err
}

func (t TimeOfDay) String() string { return fmt.Sprintf("%02d:%02d", t/60, t%60) }

// on is the moment at that time on a day; where clocks are put forward over it, just after.
func (t TimeOfDay) on(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), int(t)/60, int(t)%60, 0, 0, day.Location())
}

// Until answers when the quiet hours end that now is in; the zero time outside of them.
func (q QuietHours) Until(now time.Time, timezone *time.Location) time.Time {
	local := now.In(timezone)
	today := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, timezone) // a time that every day has
	for _, day := range []time.Time{today.AddDate(0, 0, -1), today} {                   // those that began yesterday, and today
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
