package core_test

import (
	"testing"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

func TestSubscriberPatch(t *testing.T) {
	quiet := func(start, end core.TimeOfDay) core.Patch[core.QuietHours] {
		return core.Patch[core.QuietHours]{Set: true, Value: &core.QuietHours{Start: start, End: end}}
	}
	for name, test := range map[string]struct {
		in   core.SubscriberPatch
		want []string
	}{
		"nothing": {core.SubscriberPatch{}, nil},
		"valid": {core.SubscriberPatch{
			Name: new("Ana"), Locale: new("pt-BR"), Timezone: new("Atlantic/Azores"), QuietHours: quiet(22*60, 7*60),
		}, nil},
		"no quiet hours": {core.SubscriberPatch{QuietHours: core.Patch[core.QuietHours]{Set: true}}, nil},
		"UTC":            {core.SubscriberPatch{Timezone: new("UTC")}, nil},
		"all faults": {core.SubscriberPatch{
			Name: new(" "), Locale: new("português"), Timezone: new("Lisboa"), QuietHours: quiet(60, 60),
		}, []string{"#/locale", "#/name", "#/quietHours/end", "#/timezone"}},
		"this machine's zone": {core.SubscriberPatch{Timezone: new("Local")}, []string{"#/timezone"}},
		"the localtime file":  {core.SubscriberPatch{Timezone: new("localtime")}, []string{"#/timezone"}},
		"no zone":             {core.SubscriberPatch{Timezone: new("")}, []string{"#/timezone"}},
		"a file":              {core.SubscriberPatch{Timezone: new("./Europe/Lisbon")}, []string{"#/timezone"}},
		"a right/ zone":       {core.SubscriberPatch{Timezone: new("right/Europe/Lisbon")}, []string{"#/timezone"}},
		"a doubled slash":     {core.SubscriberPatch{Timezone: new("Europe//Lisbon")}, []string{"#/timezone"}},
		"a line break":        {core.SubscriberPatch{Name: new("Ana\nRui")}, []string{"#/name"}},
		"right to left":       {core.SubscriberPatch{Name: new("Ana \u202eiuR")}, []string{"#/name"}},
		"a path":              {core.SubscriberPatch{Timezone: new("../../etc/passwd")}, []string{"#/timezone"}},
		"a POSIX locale":      {core.SubscriberPatch{Locale: new("pt_PT")}, []string{"#/locale"}},
		"an unknown language": {core.SubscriberPatch{Locale: new("qq")}, []string{"#/locale"}},
	} {
		check.Equal(t, "faults of a change: "+name, pointers(test.in.Validate(production, now)), test.want)
	}
}

func TestSubscriberPatchLeavesTheRest(t *testing.T) {
	s := core.Subscriber{Name: "Ana", Locale: "pt", Timezone: "UTC", BellDefault: core.BellAll,
		QuietHours: &core.QuietHours{Start: 60, End: 120}}
	want := s
	want.Timezone = "Atlantic/Azores"
	core.SubscriberPatch{Timezone: new("Atlantic/Azores")}.Apply(&s)
	check.Equal(t, "subscriber with another time zone", s, want)

	want.BellDefault, want.QuietHours = core.BellNone, nil
	patch := core.SubscriberPatch{BellDefault: new(core.BellNone), QuietHours: core.Patch[core.QuietHours]{Set: true}}
	patch.Apply(&s)
	check.Equal(t, "subscriber with another bell and no quiet hours", s, want)
}
