package core

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Plan is when the content of a template is made a notification or a draft, again and again. Its JSON is stored.
type Plan struct {
	Makes     PlanMakes  `json:"makes"`
	Weekdays  []Weekday  `json:"weekdays,omitempty"`  // or
	MonthDays []int      `json:"monthDays,omitempty"` // the last day of a month stands for those that it lacks
	Time      TimeOfDay  `json:"time"`
	Timezone  string     `json:"timezone"`
	StartsAt  *time.Time `json:"startsAt,omitempty"` // it makes nothing before
	EndsAt    *time.Time `json:"endsAt,omitempty"`   // it makes nothing after
}

// PlanMakes is what a plan makes.
type PlanMakes string

// What plans make.
const (
	MakesNotification PlanMakes = "notification"
	MakesDraft        PlanMakes = "draft" // of the person who planned it
)

// Weekday is the name of a day of the week, such as "friday".
type Weekday string

func weekdayOf(day time.Time) Weekday { return Weekday(strings.ToLower(day.Weekday().String())) }

// includes reports whether the plan makes something on a date.
func (p Plan) includes(day time.Time) bool {
	last := time.Date(day.Year(), day.Month()+1, 0, 0, 0, 0, 0, day.Location()).Day()
	return slices.Contains(p.Weekdays, weekdayOf(day)) ||
		slices.ContainsFunc(p.MonthDays, func(d int) bool { return min(d, last) == day.Day() })
}

// Next returns when the plan makes something for the first time after a moment, or nil if it has ended.
func (p Plan) Next(after time.Time) *time.Time {
	if p.StartsAt != nil && p.StartsAt.After(after) {
		after = p.StartsAt.Add(-1)
	}
	local := after.In(Timezone(p.Timezone))
	noon := time.Date(local.Year(), local.Month(), local.Day(), 12, 0, 0, 0, local.Location()) // every day has one
	for ; ; noon = noon.AddDate(0, 0, 1) {
		at := p.Time.afterGap(noon)
		switch {
		case p.EndsAt != nil && at.After(*p.EndsAt):
			return nil
		case p.includes(noon) && at.After(after):
			return new(at.UTC())
		}
	}
}

// afterGap returns the moment of that time on a day. If the clocks skip it, it is later by as much as they skip.
func (t TimeOfDay) afterGap(day time.Time) time.Time {
	at := t.on(day)
	wanted := time.Date(day.Year(), day.Month(), day.Day(), int(t)/60, int(t)%60, 0, 0, time.UTC)
	shown := time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), 0, 0, time.UTC)
	return at.Add(max(0, wanted.Sub(shown)))
}

// maxPlanAhead is how far ahead a plan may start.
const maxPlanAhead = 366 * 24 * time.Hour

// plan adds the faults of a plan, if there is one.
func (f *faults) plan(p *Plan, now time.Time) {
	if p == nil {
		return
	}
	f.OneOf("#/plan/makes", string(p.Makes), string(MakesNotification), string(MakesDraft))
	f.timezone("#/plan/timezone", p.Timezone)
	f.days(p)
	if p.StartsAt != nil && p.StartsAt.Sub(now) > maxPlanAhead {
		f.Add("#/plan/startsAt", "too_far", Text{EN: "is more than a year ahead", PT: "está a mais de um ano"})
	}
	f.Expiry("#/plan/endsAt", p.EndsAt, now)
	if f.Faults == nil && p.Next(now) == nil {
		f.Add("#/plan/endsAt", "order", Text{EN: "is before the plan makes anything",
			PT: "é antes de o plano fazer alguma coisa"})
	}
}

// days adds the faults of the days of a plan.
func (f *faults) days(p *Plan) {
	for i, d := range p.Weekdays {
		f.OneOf(fmt.Sprintf("#/plan/weekdays/%d", i), string(d), "monday", "tuesday", "wednesday", "thursday", "friday",
			"saturday", "sunday")
	}
	for i, d := range p.MonthDays {
		if d < 1 || d > 31 {
			f.Add(fmt.Sprintf("#/plan/monthDays/%d", i), "invalid",
				Text{EN: "is not a day from 1 to 31", PT: "não é um dia de 1 a 31"})
		}
	}
	switch {
	case len(p.Weekdays) > 0 && len(p.MonthDays) > 0:
		f.Add("#/plan/monthDays", "exclusive",
			Text{EN: "cannot be given with weekdays", PT: "não pode ser dado com weekdays"})
	case len(p.Weekdays)+len(p.MonthDays) == 0:
		f.Add("#/plan/weekdays", "required",
			Text{EN: "is missing; give weekdays or monthDays", PT: "falta; indique weekdays ou monthDays"})
	}
}

// planned returns the faults that keep the content of a template from being made again and again.
func (d Draft) planned(channel ChannelRef, r *Rules, now time.Time) []FieldError {
	var f faults
	if d.Plan == nil {
		return nil
	}
	f.demonstration("#/plan", channel.Demonstration)
	if d.Plan.Makes == MakesDraft {
		if d.PlannerID == (ID{}) {
			f.Add("#/plan/makes", "key", Text{EN: "cannot be draft for an API key, which has no drafts",
				PT: "não pode ser draft para uma chave de API, que não tem rascunhos"})
		}
		return f.Faults
	}
	if len(d.Fields()) > 0 {
		f.Add("#/content", "fields", Text{EN: "has fields, which nobody would fill in; let the plan make a draft",
			PT: "tem campos, que ninguém preencheria; deixe o plano fazer um rascunho"})
		return f.Faults
	}
	content := d.Content
	f.alone("#/content/externalId", content.ExternalID != "")
	f.alone("#/content/scheduledAt", content.ScheduledAt != nil)
	f.alone("#/content/expiresAt", content.ExpiresAt != nil)
	content.ExternalID, content.ScheduledAt, content.ExpiresAt = "", nil, nil
	f.below("#/content", content.Validate(r, now))
	return f.Faults
}

// alone rejects what would be right only once.
func (f *faults) alone(pointer string, given bool) {
	if given {
		f.Add(pointer, "exclusive", Text{EN: "cannot be given with a plan that publishes",
			PT: "não pode ser dado com um plano que publica"})
	}
}

// follow has the plan of a template make what is next, from now on, for a person; zero: for an API key.
func (d *Draft) follow(plan *Plan, planner ID, now time.Time) {
	d.Plan, d.PlannerID, d.NextAt, d.MissedAt = plan, ID{}, nil, nil
	if plan == nil {
		return
	}
	d.PlannerID, d.NextAt = planner, plan.Next(now)
	if plan.StartsAt != nil && plan.StartsAt.Before(now) { // it says nothing any more
		d.Plan = new(*plan)
		d.Plan.StartsAt = nil
	}
}

// Notification returns what a plan publishes to a channel at now.
func (d Draft) Notification(channel ChannelRef, now time.Time) Notification {
	return newNotification(channel, d.Content, now)
}
