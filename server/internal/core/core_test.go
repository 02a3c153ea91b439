package core_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
	"github.com/sininho/sininho/server/lab/check"
)

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// rulesWith returns the rules of an installation without custom templates.
func rulesWith(links core.LinkRules, events core.EventRules) *core.Rules {
	return core.NewRules(links, events, nil)
}

// production holds the rules of an installation on the Internet.
var production = rulesWith(core.LinkRules{}, core.EventRules{})

// pointers returns the pointers of the faults, sorted.
func pointers(faults []core.FieldError) []string {
	var out []string
	for _, f := range faults {
		out = append(out, f.Pointer)
	}
	slices.Sort(out)
	return out
}

// fieldsOf returns the faults in an error, or none if it is not a *core.Error.
func fieldsOf(err error) []core.FieldError {
	if e, ok := errors.AsType[*core.Error](err); ok {
		return e.Fields
	}
	return nil
}

func clock() time.Time { return now }

func TestPublishInputReportsEveryFault(t *testing.T) {
	past, far := now.Add(-time.Hour), now.AddDate(2, 0, 0)
	for name, test := range map[string]struct {
		in   core.PublishInput
		want []string
	}{
		"valid": {core.PublishInput{
			Title: "Olá", Body: strings.Repeat("😀", core.MaxBody), Link: "https://example.com/ã?b=c#d",
		}, nil},
		"blank": {core.PublishInput{Title: " \t"}, []string{"#/title"}},
		"long": {core.PublishInput{
			Title: strings.Repeat("a", core.MaxTitle+1), Body: strings.Repeat("b", core.MaxBody+1),
		}, []string{"#/body", "#/title"}},
		"NUL": {core.PublishInput{Title: "a\x00", Body: "b\x00"}, []string{"#/body", "#/title"}},
		"links": {core.PublishInput{
			Title: "a", Link: "javascript:alert(1)", Image: "data:image/png;base64,x", Icon: "http://example.com/i.png",
		}, []string{"#/icon", "#/image", "#/link"}},
		"odd links": {core.PublishInput{
			Title: "a", Link: "https://user:pass@example.com", Image: "https://", Icon: "//example.com",
		}, []string{"#/icon", "#/image", "#/link"}},
		"data": {core.PublishInput{
			Title: "a", Data: map[string]string{"ok": strings.Repeat("x", 501), "not ok": ""},
		}, []string{"#/data", "#/data/ok"}},
		"already expired":       {core.PublishInput{Title: "a", ExpiresAt: &past}, []string{"#/expiresAt"}},
		"too far ahead":         {core.PublishInput{Title: "a", ScheduledAt: &far}, []string{"#/scheduledAt"}},
		"scheduled in the past": {core.PublishInput{Title: "a", ScheduledAt: &past}, nil},
	} {
		check.Equal(t, "faults of a notification: "+name, pointers(test.in.Validate(production, now)), test.want)
	}
}

func TestLoopbackLinksInDevelopmentOnly(t *testing.T) {
	development := rulesWith(core.LinkRules{AllowLoopback: true}, core.EventRules{})
	for link, want := range map[string][]string{
		"http://localhost:8080/a": nil, "http://127.0.0.1/a": nil, "http://[::1]:9/a": nil, "https://localhost/a": nil,
		"http://a.localhost/": nil, "http://0.0.0.0/": nil, "ftp://localhost/a": {"#/link"},
	} {
		in := core.PublishInput{Title: "a", Link: link}
		check.Equal(t, "faults of "+link+" in development", pointers(in.Validate(development, now)), want)
		check.Equal(t, "faults of "+link+" in production", pointers(in.Validate(production, now)), []string{"#/link"})
	}
}

func TestLinksToTheServerItself(t *testing.T) {
	links := core.LinkRules{AllowLoopback: true, Origin: "http://localhost:8080"}
	for link, want := range map[string][]string{
		"http://localhost:8080/feed":         nil,
		"http://localhost:8080/channels/a/b": nil,
		"http://localhost:3000/login/device": nil,
		"http://localhost:8080/login/device": {"#/link"},
		"http://127.0.0.1:8080/settings":     {"#/link"},
	} {
		in := core.PublishInput{Title: "a", Link: link, Image: "http://localhost:8080/icon-192.png"}
		faults := in.Validate(rulesWith(links, core.EventRules{}), now)
		check.Equal(t, "faults of a notification that links to "+link, pointers(faults), want)
	}
}

func TestAPIKeySecret(t *testing.T) {
	key := core.NewAPIKeySecret()
	check.Equal(t, "length of a new key", len(key), len("snh_live_")+36)
	check.Equal(t, "WellFormedCredential of a new key", core.WellFormedCredential(key), true)
	for i := range key {
		wrong := []byte(key)
		wrong[i] ^= 1
		if core.WellFormedCredential(string(wrong)) {
			t.Errorf("WellFormedCredential of a key with an error at %d: got true, want false", i)
		}
	}
	check.Equal(t, "WellFormedCredential of no key", core.WellFormedCredential(""), false)
	check.Equal(t, "WellFormedCredential of a longer key", core.WellFormedCredential(key+"x"), false)
}

func TestCursor(t *testing.T) {
	want := core.Cursor{PublishedAt: now.Add(123 * time.Microsecond), ID: core.NewID()}
	got, err := core.ParseCursor(want.String())
	core.Succeed(t, "parse "+want.String(), err)
	check.Equal(t, "parsed cursor", got, want)
	for _, s := range []string{"", "x", want.String()[1:], want.String() + "A", "////////////////////////////////"} {
		_, err := core.ParseCursor(s)
		core.CheckCode(t, fmt.Sprintf("parse %q", s), err, core.CodeInvalid)
	}
}

func TestSuppression(t *testing.T) {
	later, earlier := now.Add(time.Hour), now.Add(-time.Hour)
	for _, test := range []struct {
		target core.Target
		want   string
	}{
		{core.Target{Importance: core.Normal, Bell: core.BellAll}, ""},
		{core.Target{Importance: core.Normal, Bell: core.BellImportant}, core.CauseBell},
		{core.Target{Importance: core.Important, Bell: core.BellImportant}, ""},
		{core.Target{Importance: core.Important, Bell: core.BellNone}, core.CauseBell},
		{core.Target{Importance: core.Important, Bell: core.BellAll, MutedUntil: &later}, core.CauseMuted},
		{core.Target{Importance: core.Normal, Bell: core.BellAll, MutedUntil: &earlier}, ""},
	} {
		check.Equal(t, fmt.Sprintf("suppression of %+v", test.target), test.target.Suppression(now), test.want)
	}
}

func TestQuietHours(t *testing.T) {
	lisbon := zone(t, "Europe/Lisbon")
	for _, test := range []struct{ start, end, now, until string }{
		{"22:00", "07:00", "2026-01-10 21:59", ""},
		{"22:00", "07:00", "2026-01-10 22:00", "2026-01-11 07:00"},
		{"22:00", "07:00", "2026-01-11 06:59", "2026-01-11 07:00"},
		{"22:00", "07:00", "2026-01-11 07:00", ""},
		{"13:00", "14:30", "2026-01-10 13:30", "2026-01-10 14:30"},
		{"13:00", "14:30", "2026-01-10 12:00", ""},
		{"22:00", "07:00", "2026-03-28 23:00", "2026-03-29 07:00"}, // clocks go forward this night
		{"22:00", "07:00", "2026-10-24 23:00", "2026-10-25 07:00"}, // clocks go back this night
	} {
		var want time.Time
		if test.until != "" {
			want = localTime(t, test.until, lisbon)
		}
		got := quietHours(t, test.start, test.end).Until(localTime(t, test.now, lisbon), lisbon)
		check.Equal(t, fmt.Sprintf("end of the quiet hours of %+v", test), got, want)
	}
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	location, err := time.LoadLocation(name)
	core.Succeed(t, "load the time zone", err)
	return location
}

func localTime(t *testing.T, s string, location *time.Location) time.Time {
	t.Helper()
	when, err := time.ParseInLocation("2006-01-02 15:04", s, location)
	core.Succeed(t, "parse a time", err)
	return when
}

func quietHours(t *testing.T, start, end string) core.QuietHours {
	t.Helper()
	from, err := core.ParseTimeOfDay(start)
	core.Succeed(t, "parse the start", err)
	check.Equal(t, "String of the parsed start", from.String(), start)
	until, err := core.ParseTimeOfDay(end)
	core.Succeed(t, "parse the end", err)
	return core.QuietHours{Start: from, End: until}
}

// TestQuietHoursOfADayWithoutMidnight covers zones where clocks go forward at midnight.
func TestQuietHoursOfADayWithoutMidnight(t *testing.T) {
	for name, when := range map[string]string{
		"Atlantic/Azores":  "2027-03-29 00:30",
		"America/Havana":   "2027-03-15 00:30",
		"America/Santiago": "2027-09-06 00:30",
	} {
		location := zone(t, name)
		until := quietHours(t, "22:00", "07:00").Until(localTime(t, when, location), location).In(location)
		what := "end of the quiet hours in " + name + " at " + when
		check.Equal(t, what, until.Format("2006-01-02 15:04"), when[:10]+" 07:00")
	}
}

func TestSealer(t *testing.T) {
	s, err := core.NewSealer(core.NewSecretKey())
	core.Succeed(t, "new sealer", err)
	sealed := s.Seal([]byte("segredo"))
	plain, err := s.Open(sealed)
	core.Succeed(t, "open", err)
	check.Equal(t, "opened text", string(plain), "segredo")
	if bytes.Contains(sealed, []byte("segredo")) {
		t.Errorf("the sealed text %q contains the plain text", sealed)
	}
	other, err := core.NewSealer(core.NewSecretKey())
	core.Succeed(t, "new sealer with another key", err)
	if _, err := other.Open(sealed); err == nil {
		t.Error("open with another key: got no error")
	}
}
