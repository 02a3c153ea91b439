package core_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func timeOfDay(t *testing.T, s string) core.TimeOfDay {
	t.Helper()
	at, err := core.ParseTimeOfDay(s)
	core.Succeed(t, "parse a time of day", err)
	return at
}

// TestNextOfPlan expects what is planned on its days, at its hour where it is planned, also where clocks change.
func TestNextOfPlan(t *testing.T) {
	t.Parallel()
	friday, daily := []core.Weekday{"friday"}, []core.Weekday{"monday", "tuesday", "wednesday", "thursday", "friday",
		"saturday", "sunday"}
	for name, c := range map[string]struct {
		week                []core.Weekday
		month               []int
		at, timezone        string
		after, starts, ends string
		want                string
	}{
		"this week":                  {friday, nil, "17:00", "Europe/Lisbon", "2027-01-06 12:00", "", "", "2027-01-08 17:00"},
		"today":                      {friday, nil, "17:00", "Europe/Lisbon", "2027-01-08 16:59", "", "", "2027-01-08 17:00"},
		"not twice":                  {friday, nil, "17:00", "Europe/Lisbon", "2027-01-08 17:00", "", "", "2027-01-15 17:00"},
		"of two days":                {[]core.Weekday{"monday", "friday"}, nil, "17:00", "Europe/Lisbon", "2027-01-08 17:00", "", "", "2027-01-11 17:00"},
		"over the change to summer":  {friday, nil, "17:00", "Europe/Lisbon", "2027-03-26 17:00", "", "", "2027-04-02 17:00"},
		"over the change to winter":  {friday, nil, "17:00", "Europe/Lisbon", "2027-10-29 17:00", "", "", "2027-11-05 17:00"},
		"a time that is skipped":     {daily, nil, "01:30", "Europe/Lisbon", "2027-03-27 12:00", "", "", "2027-03-28 02:30"},
		"after it":                   {daily, nil, "01:30", "Europe/Lisbon", "2027-03-28 02:30", "", "", "2027-03-29 01:30"},
		"half an hour that is":       {daily, nil, "02:15", "Australia/Lord_Howe", "2027-10-02 12:00", "", "", "2027-10-03 02:45"},
		"a midnight that is":         {daily, nil, "00:00", "America/Santiago", "2027-09-04 12:00", "", "", "2027-09-05 01:00"},
		"a time that comes twice":    {daily, nil, "01:30", "Europe/Lisbon", "2027-10-31 01:30", "", "", "2027-11-01 01:30"},
		"on a day of the month":      {nil, []int{1, 15}, "09:00", "Asia/Tokyo", "2027-01-02 12:00", "", "", "2027-01-15 09:00"},
		"on the last of a month":     {nil, []int{31}, "09:00", "Asia/Tokyo", "2027-02-01 12:00", "", "", "2027-02-28 09:00"},
		"once on the last of it":     {nil, []int{29, 30, 31}, "09:00", "Asia/Tokyo", "2027-02-28 09:00", "", "", "2027-03-29 09:00"},
		"on the last of a leap year": {nil, []int{30}, "09:00", "Asia/Tokyo", "2028-02-01 12:00", "", "", "2028-02-29 09:00"},
		"over the end of a year":     {nil, []int{1}, "00:00", "Pacific/Kiritimati", "2027-12-01 00:00", "", "", "2028-01-01 00:00"},
		"not before it starts":       {friday, nil, "17:00", "Europe/Lisbon", "2027-01-06 12:00", "2027-01-08 17:01", "", "2027-01-15 17:00"},
		"when it starts":             {friday, nil, "17:00", "Europe/Lisbon", "2027-01-06 12:00", "2027-01-08 17:00", "", "2027-01-08 17:00"},
		"when it ends":               {friday, nil, "17:00", "Europe/Lisbon", "2027-01-06 12:00", "", "2027-01-08 17:00", "2027-01-08 17:00"},
		"not after it ends":          {friday, nil, "17:00", "Europe/Lisbon", "2027-01-06 12:00", "", "2027-01-08 16:59", ""},
	} {
		zone := zone(t, c.timezone)
		p := core.Plan{Weekdays: c.week, MonthDays: c.month, Time: timeOfDay(t, c.at), Timezone: c.timezone}
		if c.starts != "" {
			p.StartsAt = new(localTime(t, c.starts, zone))
		}
		if c.ends != "" {
			p.EndsAt = new(localTime(t, c.ends, zone))
		}
		got := ""
		if next := p.Next(localTime(t, c.after, zone)); next != nil {
			got = next.In(zone).Format("2006-01-02 15:04")
		}
		check.Equal(t, name, got, c.want)
	}
}

// faultsOf returns the faults of an input that was refused.
func faultsOf(err error) (list []string) {
	var e *core.Error
	if errors.As(err, &e) {
		for _, f := range e.Fields {
			list = append(list, f.Pointer+" "+f.Code)
		}
	}
	return list
}

func weekly(makes core.PlanMakes) core.Plan {
	return core.Plan{Makes: makes, Weekdays: []core.Weekday{"friday"}, Time: 17 * 60, Timezone: "Europe/Lisbon"}
}

// TestPlanFaults validates plans, and contents that cannot be published again and again.
func TestPlanFaults(t *testing.T) {
	t.Parallel()
	ready := core.PublishInput{Title: "Ementa"}
	planned := func(change func(*core.Plan)) core.Plan {
		p := weekly(core.MakesNotification)
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		content core.PublishInput
		plan    core.Plan
		want    []string
	}{
		"right":            {ready, weekly(core.MakesNotification), nil},
		"a draft of a key": {ready, weekly(core.MakesDraft), []string{"#/plan/makes key"}},
		"no title":         {core.PublishInput{Body: "x"}, weekly(core.MakesNotification), []string{"#/content/title blank"}},
		"fields":           {core.PublishInput{Title: "{{ x }}"}, weekly(core.MakesNotification), []string{"#/content fields"}},
		"only once": {core.PublishInput{Title: "x", ExternalID: "1", ScheduledAt: &now, ExpiresAt: &now},
			weekly(core.MakesNotification), []string{"#/content/externalId exclusive", "#/content/scheduledAt exclusive",
				"#/content/expiresAt exclusive"}},
		"no days": {ready, planned(func(p *core.Plan) { p.Weekdays = nil }), []string{"#/plan/weekdays required"}},
		"both":    {ready, planned(func(p *core.Plan) { p.MonthDays = []int{1} }), []string{"#/plan/monthDays exclusive"}},
		"unknown days": {ready, planned(func(p *core.Plan) { p.Weekdays = []core.Weekday{"sexta"} }),
			[]string{"#/plan/weekdays/0 enum"}},
		"days that no month has": {ready, planned(func(p *core.Plan) { p.Weekdays, p.MonthDays = nil, []int{0, 1, 32} }),
			[]string{"#/plan/monthDays/0 invalid", "#/plan/monthDays/2 invalid"}},
		"the rest": {ready, core.Plan{Makes: "x", Weekdays: []core.Weekday{"friday"}, Timezone: "Lisboa",
			StartsAt: new(now.AddDate(2, 0, 0)), EndsAt: new(now)},
			[]string{"#/plan/makes enum", "#/plan/timezone timezone", "#/plan/startsAt too_far", "#/plan/endsAt past"}},
		"over before it begins": {ready, planned(func(p *core.Plan) { p.EndsAt = new(now.Add(time.Minute)) }),
			[]string{"#/plan/endsAt order"}},
	} {
		w := newWorld(t)
		in := core.TemplateInput{Name: "Ementa", Content: c.content, Plan: &c.plan}
		_, _, err := w.templates.Create(t.Context(), w.key(core.ScopePublish), "metro", "avisos", in, noKey)
		if diff := cmp.Diff(c.want, faultsOf(err)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestChangePlan plans, changes what is planned, and ends it.
func TestChangePlan(t *testing.T) {
	t.Parallel()
	w, ctx := newWorld(t), t.Context()
	change := func(c core.Caller, id core.ID, patch core.TemplatePatch) (core.Draft, error) {
		return w.templates.Update(ctx, c, "metro", "avisos", id, patch, nil)
	}
	in := core.TemplateInput{Name: "Ementa", Content: core.PublishInput{Title: "{{ sopa }}"},
		Plan: new(weekly(core.MakesDraft))}
	d := made(first(w.templates.Create(ctx, w.editor, "metro", "avisos", in, noKey)))
	check.Equal(t, "planner", d.PlannerID, w.editor.SubscriberID)
	check.Equal(t, "next", d.NextAt, in.Plan.Next(now))

	later := weekly(core.MakesDraft)
	later.StartsAt = new(d.NextAt.Add(time.Minute))
	d = made(change(w.owner, d.ID, core.TemplatePatch{Plan: core.Patch[core.Plan]{Set: true, Value: &later}}))
	check.Equal(t, "who planned last", d.PlannerID, w.owner.SubscriberID)
	check.Equal(t, "next, one left out", *d.NextAt, in.Plan.Next(now).AddDate(0, 0, 7))

	_, err := change(w.owner, d.ID,
		core.TemplatePatch{Plan: core.Patch[core.Plan]{Set: true, Value: new(weekly(core.MakesNotification))}})
	check.Equal(t, "publish with a field", faultsOf(err), []string{"#/content fields"})
	next := d.NextAt
	d = made(change(w.editor, d.ID, core.TemplatePatch{Content: &core.PublishInput{Title: "Sopa"}}))
	check.Equal(t, "next after another change", d.NextAt, next)
	check.Equal(t, "planner after it", d.PlannerID, w.owner.SubscriberID)
	d = made(change(w.key(core.ScopePublish), d.ID, core.TemplatePatch{Plan: core.Patch[core.Plan]{Set: true}}))
	if d.Plan != nil || d.NextAt != nil || d.PlannerID != (core.ID{}) {
		t.Errorf("ended: got %+v, want no plan", d)
	}
}
