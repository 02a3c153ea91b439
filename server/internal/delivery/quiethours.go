package delivery

import (
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// quietHours are those of a person, as columns.
type quietHours struct {
	QuietStart *string `bun:"quiet_start"`
	QuietEnd   *string `bun:"quiet_end"`
	Timezone   *string `bun:"timezone"`
}

// hours returns the quiet hours, or nil if there are none. It looks a timezone up once.
func (r quietHours) hours(timezones map[string]*time.Location) (q *core.QuietHours, in *time.Location, err error) {
	if r.QuietStart == nil {
		return nil, nil, nil
	}
	q = &core.QuietHours{}
	if q.Start, err = core.ParseTimeOfDay(*r.QuietStart); err != nil {
		return nil, nil, err
	}
	if q.End, err = core.ParseTimeOfDay(*r.QuietEnd); err != nil {
		return nil, nil, err
	}
	if timezones[*r.Timezone] == nil {
		timezones[*r.Timezone] = core.Timezone(*r.Timezone)
	}
	return q, timezones[*r.Timezone], nil
}

// quietColumns select quietHours of a person o.
const quietColumns = `to_char(o.quiet_start, 'HH24:MI') as quiet_start, to_char(o.quiet_end, 'HH24:MI') as quiet_end,
	o.timezone`

// quietPatience is after how long it is looked again whether a person is still in their quiet hours, which they may
// have changed meanwhile.
const quietPatience = 15 * time.Minute

// left returns for how long a push waits for the end of the quiet hours, at most quietPatience.
func (r quietHours) left(now time.Time, timezones map[string]*time.Location) (time.Duration, error) {
	quiet, timezone, err := r.hours(timezones)
	if err != nil || quiet == nil {
		return 0, err
	}
	until := quiet.Until(now, timezone)
	if until.IsZero() {
		return 0, nil
	}
	return min(until.Sub(now), quietPatience), nil
}
