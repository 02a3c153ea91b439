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
