package sininho

import (
	"time"

	"github.com/oapi-codegen/nullable"

	"github.com/sininho/sininho/pkg/api"
)

// Plan is when the content of a template is published again and again, or made a draft. It has either weekdays or
// month days, and makes one notification on each. When the clocks skip the time, it is made later by as much; when they
// repeat it, once.
type Plan struct {
	Makes PlanMakes `json:"makes"`
	// Weekdays are on which days of the week; all seven for daily.
	Weekdays []Weekday `json:"weekdays,omitempty"`
	// MonthDays are on which days of the month, from 1 to 31; in a shorter month, on its last day.
	MonthDays []int `json:"monthDays,omitempty"`
	// Time is a time of day such as 17:00.
	Time string `json:"time"`
	// Timezone is a name from the IANA time zone database, for example Europe/Lisbon.
	Timezone string `json:"timezone"`
	// StartsAt is before which it makes nothing; a time after the template's NextAt leaves that one out.
	StartsAt time.Time `json:"startsAt,omitzero"`
	// EndsAt is after which it makes nothing.
	EndsAt time.Time `json:"endsAt,omitzero"`
}

// PlanMakes is what a plan makes. Later servers may add others.
type PlanMakes string

// What plans make.
const (
	// MakesNotification publishes the content, which needs a title and cannot have fields, times or an ExternalID.
	MakesNotification PlanMakes = "notification"
	// MakesDraft makes a draft of the person who planned it. An API key has no drafts.
	MakesDraft PlanMakes = "draft"
)

// Weekday is a day of the week.
type Weekday string

// The days of the week.
const (
	Monday    Weekday = "monday"
	Tuesday   Weekday = "tuesday"
	Wednesday Weekday = "wednesday"
	Thursday  Weekday = "thursday"
	Friday    Weekday = "friday"
	Saturday  Weekday = "saturday"
	Sunday    Weekday = "sunday"
)

func (p Plan) toAPI() api.PlanInput {
	out := api.PlanInput{Makes: api.PlanInputMakes(p.Makes), Time: p.Time, Timezone: p.Timezone,
		StartsAt: optionalTime(p.StartsAt), EndsAt: optionalTime(p.EndsAt)}
	for _, day := range p.Weekdays {
		out.Weekdays = append(out.Weekdays, api.WeekdayInput(day))
	}
	for _, day := range p.MonthDays {
		out.MonthDays = append(out.MonthDays, int32(min(max(day, 0), 32))) // the server refuses 0 and 32
	}
	return out
}

func (in TemplateUpdate) planPatch() nullable.Nullable[api.PlanInputOrNull] {
	switch {
	case in.Plan == nil:
		return nil
	case in.Plan.Makes == "" && in.Plan.Time == "":
		return nullable.NewNullNullable[api.PlanInputOrNull]()
	}
	p := in.Plan.toAPI()
	return nullable.NewNullableWithValue(api.PlanInputOrNull{Makes: api.PlanInputOrNullMakes(p.Makes),
		Weekdays: p.Weekdays, MonthDays: p.MonthDays, Time: p.Time, Timezone: p.Timezone, StartsAt: p.StartsAt,
		EndsAt: p.EndsAt})
}
