package core_test

import (
	"slices"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

func TestSubscriberPatch(t *testing.T) {
	quiet := func(start, end core.TimeOfDay) core.Patch[core.QuietHours] {
		return core.Patch[core.QuietHours]{Set: true, Value: &core.QuietHours{Start: start, End: end}}
	}
	for name, test := range map[string]struct {
		in   core.SubscriberPatch
		want []string
	}{
		"nothing":             {core.SubscriberPatch{}, nil},
		"good":                {core.SubscriberPatch{Name: new("Ana"), Locale: new("pt-BR"), Timezone: new("Atlantic/Azores"), QuietHours: quiet(22*60, 7*60)}, nil},
		"no quiet hours":      {core.SubscriberPatch{QuietHours: core.Patch[core.QuietHours]{Set: true}}, nil},
		"UTC":                 {core.SubscriberPatch{Timezone: new("UTC")}, nil},
		"all faults":          {core.SubscriberPatch{Name: new(" "), Locale: new("português"), Timezone: new("Lisboa"), QuietHours: quiet(60, 60)}, []string{"#/locale", "#/name", "#/quietHours/end", "#/timezone"}},
		"this machine's zone": {core.SubscriberPatch{Timezone: new("Local")}, []string{"#/timezone"}},
		"its other name":      {core.SubscriberPatch{Timezone: new("localtime")}, []string{"#/timezone"}},
		"no zone":             {core.SubscriberPatch{Timezone: new("")}, []string{"#/timezone"}},
		"a file":              {core.SubscriberPatch{Timezone: new("./Europe/Lisbon")}, []string{"#/timezone"}},
		"of another kind":     {core.SubscriberPatch{Timezone: new("right/Europe/Lisbon")}, []string{"#/timezone"}},
		"written otherwise":   {core.SubscriberPatch{Timezone: new("Europe//Lisbon")}, []string{"#/timezone"}},
		"a line break":        {core.SubscriberPatch{Name: new("Ana\nRui")}, []string{"#/name"}},
		"turned round":        {core.SubscriberPatch{Name: new("Ana \u202eiuR")}, []string{"#/name"}},
		"a path":              {core.SubscriberPatch{Timezone: new("../../etc/passwd")}, []string{"#/timezone"}},
		"a POSIX locale":      {core.SubscriberPatch{Locale: new("pt_PT")}, []string{"#/locale"}},
		"an unknown language": {core.SubscriberPatch{Locale: new("qq")}, []string{"#/locale"}},
	} {
		if got := pointers(test.in.Validate(production, now)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

func TestSubscriberPatchLeavesTheRest(t *testing.T) {
	s := core.Subscriber{Name: "Ana", Locale: "pt", Timezone: "UTC", BellDefault: core.BellAll, QuietHours: &core.QuietHours{Start: 60, End: 120}}
	core.SubscriberPatch{Timezone: new("Atlantic/Azores")}.Apply(&s)
	if s.Name != "Ana" || s.Locale != "pt" || s.Timezone != "Atlantic/Azores" || s.BellDefault != core.BellAll || s.QuietHours == nil {
		t.Errorf("%+v", s)
	}
	core.SubscriberPatch{BellDefault: new(core.BellNone), QuietHours: core.Patch[core.QuietHours]{Set: true}}.Apply(&s)
	if s.BellDefault != core.BellNone || s.QuietHours != nil {
		t.Errorf("%+v", s)
	}
}
