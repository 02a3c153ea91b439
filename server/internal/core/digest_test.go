package core_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

// digestHours parses times of day; quiet hours may be empty.
func digestHours(t *testing.T, at, quietStart, quietEnd, timezone string) core.DigestHours {
	t.Helper()
	told, err := core.ParseTimeOfDay(at)
	core.Succeed(t, "parse the time of the digest", err)
	h := core.DigestHours{At: told, Timezone: zone(t, timezone)}
	if quietStart != "" {
		h.Quiet = new(quietHours(t, quietStart, quietEnd))
	}
	return h
}

// TestNextDigest expects the next digest at the person's hour, once a day, also where clocks change and in quiet hours.
func TestNextDigest(t *testing.T) {
	for name, c := range map[string]struct{ at, quietStart, quietEnd, timezone, told, now, want string }{
		"today":                        {"18:00", "", "", "Europe/Lisbon", "2027-01-10 18:00", "2027-01-11 12:00", "2027-01-11 18:00"},
		"tomorrow, at the hour":        {"18:00", "", "", "Europe/Lisbon", "2027-01-11 18:00", "2027-01-11 18:00", "2027-01-12 18:00"},
		"later on the day it was told": {"20:00", "", "", "Europe/Lisbon", "2027-01-11 18:00", "2027-01-11 19:00", "2027-01-12 20:00"},
		"after the end of quiet hours": {"23:00", "22:00", "07:00", "Europe/Lisbon", "2027-01-10 07:00", "2027-01-10 12:00", "2027-01-11 07:00"},
		"yesterday's, in the morning":  {"23:00", "22:00", "07:00", "Europe/Lisbon", "2027-01-10 07:00", "2027-01-11 01:00", "2027-01-11 07:00"},
		"the day clocks go forward":    {"18:00", "", "", "Europe/Lisbon", "2027-03-27 18:00", "2027-03-27 18:00", "2027-03-28 18:00"},
		"the day clocks go back":       {"18:00", "", "", "Europe/Lisbon", "2027-10-30 18:00", "2027-10-30 18:00", "2027-10-31 18:00"},
		"an hour that is skipped":      {"01:30", "", "", "Europe/Lisbon", "2027-03-27 01:30", "2027-03-27 12:00", "2027-03-28 02:30"},
		"an hour that comes twice":     {"01:30", "", "", "Europe/Lisbon", "2027-10-31 01:30", "2027-10-31 01:30", "2027-11-01 01:30"},
		"a day without midnight":       {"00:00", "", "", "America/Santiago", "2027-09-04 00:00", "2027-09-04 12:00", "2027-09-05 01:00"},
	} {
		h := digestHours(t, c.at, c.quietStart, c.quietEnd, c.timezone)
		next := h.Next(localTime(t, c.told, h.Timezone), localTime(t, c.now, h.Timezone))
		check.Equal(t, name, next.In(h.Timezone).Format("2006-01-02 15:04"), c.want)
	}
}

// TestDueDigest expects a digest that is late to be told on its day, and otherwise to be left to the next one.
func TestDueDigest(t *testing.T) {
	night := digestHours(t, "18:00", "22:00", "07:00", "Europe/Lisbon")
	for name, c := range map[string]struct {
		hours          core.DigestHours
		due, now, want string
	}{
		"not planned yet":                {night, "", "2027-01-11 12:00", "next 2027-01-11 18:00"},
		"at its hour":                    {night, "2027-01-11 18:00", "2027-01-11 18:00", "told, next 2027-01-12 18:00"},
		"when a server is back":          {night, "2027-01-11 18:00", "2027-01-11 21:00", "told, next 2027-01-12 18:00"},
		"when it is back in quiet hours": {night, "2027-01-11 18:00", "2027-01-11 22:30", "next 2027-01-12 07:00"},
		"after it has waited for them":   {night, "2027-01-12 07:00", "2027-01-12 07:00", "told, next 2027-01-13 18:00"},
		"the day after":                  {night, "2027-01-11 18:00", "2027-01-12 10:00", "next 2027-01-12 18:00"},
		"days after":                     {night, "2027-01-11 18:00", "2027-01-15 19:00", "next 2027-01-16 18:00"},
		"a moment after midnight": {digestHours(t, "23:59", "", "", "Europe/Lisbon"), "2027-01-11 23:59", "2027-01-12 00:01",
			"told, next 2027-01-13 23:59"},
	} {
		var due time.Time
		if c.due != "" {
			due = localTime(t, c.due, c.hours.Timezone)
		}
		tell, next := c.hours.Judge(due, localTime(t, "2027-01-10 18:00", c.hours.Timezone),
			localTime(t, c.now, c.hours.Timezone))
		got := "next " + next.In(c.hours.Timezone).Format("2006-01-02 15:04")
		if tell {
			got = "told, " + got
		}
		check.Equal(t, name, got, c.want)
	}
}

func TestDigestInEachLanguage(t *testing.T) {
	digest := core.Digest{SubscriberID: core.ID{7}, Until: now}
	came := []core.Came{{"Deploys", 8}, {"Junta", 3}, {"Metro", 1}, {"Pão", 1}}
	for in, want := range map[core.Language][2]string{
		core.Portuguese:          {"Resumo: 13 notificações", "Deploys 8, Junta 3, e mais 2 canais"},
		core.BrazilianPortuguese: {"Resumo: 13 notificações", "Deploys 8, Junta 3, e mais 2 canais"},
		core.English:             {"Digest: 13 notifications", "Deploys 8, Junta 3, and 2 more channels"},
	} {
		p := core.NewDigest(digest, came, in)
		check.Equal(t, "digest in "+string(in), [2]string{p.Title, p.Body}, want)
		check.Equal(t, "id and expiry of the digest", []any{p.ID, p.Expires},
			[]any{core.ID{7}.String(), now.Add(24 * time.Hour)})
	}
	for want, came := range map[string][]core.Came{
		"Resumo: 1 notificação: Metro 1":                       {{"Metro", 1}},
		"Resumo: 12 notificações: Deploys 8, Junta 3, Metro 1": {{"Deploys", 8}, {"Junta", 3}, {"Metro", 1}},
		"Resumo: 502+ notificações: Deploys 500+, Junta 2":     {{"Deploys", core.DigestCounted}, {"Junta", 2}},
	} {
		p := core.NewDigest(digest, came, core.Portuguese)
		check.Equal(t, "digest", p.Title+": "+p.Body, want)
	}
}

// TestBellOfDigests expects what is important to ring at once, and nothing else.
func TestBellOfDigests(t *testing.T) {
	for importance, want := range map[core.Importance]string{core.Important: "", core.Normal: core.CauseBell} {
		target := core.Target{Bell: core.BellDigest, Importance: importance}
		check.Equal(t, "suppression of what is "+string(importance), target.Suppression(now), want)
	}
	had := core.Subscription{Bell: core.BellImportant}.Both(core.Subscription{Bell: core.BellDigest}, now)
	check.Equal(t, "bell of somebody who had two", had.Bell, core.BellDigest)
}
