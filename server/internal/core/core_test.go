package core_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
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
		"good":           {core.PublishInput{Title: "Olá", Body: strings.Repeat("😀", core.MaxBody), Link: "https://example.com/ã?b=c#d"}, nil},
		"blank":          {core.PublishInput{Title: " \t"}, []string{"#/title"}},
		"long":           {core.PublishInput{Title: strings.Repeat("a", core.MaxTitle+1), Body: strings.Repeat("b", core.MaxBody+1)}, []string{"#/body", "#/title"}},
		"NUL":            {core.PublishInput{Title: "a\x00", Body: "b\x00"}, []string{"#/body", "#/title"}},
		"links":          {core.PublishInput{Title: "a", Link: "javascript:alert(1)", Image: "data:image/png;base64,x", Icon: "http://example.com/i.png"}, []string{"#/icon", "#/image", "#/link"}},
		"odd links":      {core.PublishInput{Title: "a", Link: "https://user:pass@example.com", Image: "https://", Icon: "//example.com"}, []string{"#/icon", "#/image", "#/link"}},
		"data":           {core.PublishInput{Title: "a", Data: map[string]string{"ok": strings.Repeat("x", 501), "not ok": ""}}, []string{"#/data", "#/data/ok"}},
		"over already":   {core.PublishInput{Title: "a", ExpiresAt: &past}, []string{"#/expiresAt"}},
		"too far ahead":  {core.PublishInput{Title: "a", ScheduledAt: &far}, []string{"#/scheduledAt"}},
		"past scheduled": {core.PublishInput{Title: "a", ScheduledAt: &past}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := pointers(test.in.Validate(production, now)); !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestLoopbackLinksInDevelopmentOnly(t *testing.T) {
	for link, ok := range map[string]bool{
		"http://localhost:8080/a": true, "http://127.0.0.1/a": true, "http://[::1]:9/a": true,
		"http://localhost.example.com/a": false, "http://10.0.0.1/a": false, "ftp://localhost/a": false,
	} {
		in := core.PublishInput{Title: "a", Link: link}
		if got := len(in.Validate(rulesWith(core.LinkRules{AllowLoopback: true}, core.EventRules{}), now)) == 0; got != ok {
			t.Errorf("%s: %v", link, got)
		}
		if len(in.Validate(production, now)) == 0 {
			t.Errorf("%s passes in production", link)
		}
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
		if got := pointers(in.Validate(rulesWith(links, core.EventRules{}), now)); !slices.Equal(got, want) {
			t.Errorf("faults of a notification that links to %s: got %v, want %v", link, got, want)
		}
	}
}

func TestAPIKeySecret(t *testing.T) {
	key := core.NewAPIKeySecret()
	if len(key) != len("snh_live_")+36 || !core.WellFormedAPIKey(key) {
		t.Fatalf("%q", key)
	}
	for i := range key {
		wrong := []byte(key)
		wrong[i] ^= 1
		if core.WellFormedAPIKey(string(wrong)) {
			t.Errorf("a mistake at %d is not noticed", i)
		}
	}
	if core.WellFormedAPIKey("") || core.WellFormedAPIKey(key+"x") {
		t.Error("another length passes")
	}
}

func TestCursor(t *testing.T) {
	want := core.Cursor{PublishedAt: now.Add(123 * time.Microsecond), ID: core.NewID()}
	got, err := core.ParseCursor(want.String())
	if err != nil || !got.PublishedAt.Equal(want.PublishedAt) || got.ID != want.ID {
		t.Errorf("%+v %v", got, err)
	}
	for _, s := range []string{"", "x", want.String()[1:], want.String() + "A", "////////////////////////////////"} {
		if _, err := core.ParseCursor(s); !core.IsCode(err, core.CodeInvalid) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func FuzzParseCursor(f *testing.F) {
	f.Add(core.Cursor{PublishedAt: now}.String())
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := core.ParseCursor(s); err == nil && c.String() != s {
			t.Errorf("%q comes back as %q", s, c.String())
		}
	})
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
		if got := test.target.Suppression(now); got != test.want {
			t.Errorf("%+v: %q", test.target, got)
		}
	}
}

func TestQuietHours(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	at := func(s string) time.Time {
		when, err := time.ParseInLocation("2006-01-02 15:04", s, lisbon)
		if err != nil {
			t.Fatal(err)
		}
		return when
	}
	for _, test := range []struct{ start, end, now, until string }{
		{"22:00", "07:00", "2026-01-10 21:59", ""},
		{"22:00", "07:00", "2026-01-10 22:00", "2026-01-11 07:00"},
		{"22:00", "07:00", "2026-01-11 06:59", "2026-01-11 07:00"},
		{"22:00", "07:00", "2026-01-11 07:00", ""},
		{"13:00", "14:30", "2026-01-10 13:30", "2026-01-10 14:30"},
		{"13:00", "14:30", "2026-01-10 12:00", ""},
		{"22:00", "07:00", "2026-03-28 23:00", "2026-03-29 07:00"}, // the night in which clocks are put forward
		{"22:00", "07:00", "2026-10-24 23:00", "2026-10-25 07:00"}, // and back
	} {
		start, err1 := core.ParseTimeOfDay(test.start)
		end, err2 := core.ParseTimeOfDay(test.end)
		if err1 != nil || err2 != nil || start.String() != test.start {
			t.Fatal(err1, err2, start)
		}
		var want time.Time
		if test.until != "" {
			want = at(test.until)
		}
		if got := (core.QuietHours{Start: start, End: end}).Until(at(test.now), lisbon); !got.Equal(want) {
			t.Errorf("%+v: %s", test, got)
		}
	}
}

// TestQuietHoursOfADayWithoutMidnight covers zones where clocks are put forward at midnight.
func TestQuietHoursOfADayWithoutMidnight(t *testing.T) {
	start, _ := core.ParseTimeOfDay("22:00")
	end, _ := core.ParseTimeOfDay("07:00")
	for zone, when := range map[string]string{"Atlantic/Azores": "2027-03-29 00:30", "America/Havana": "2027-03-15 00:30", "America/Santiago": "2027-09-06 00:30"} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		now, err := time.ParseInLocation("2006-01-02 15:04", when, location)
		if err != nil {
			t.Fatal(err)
		}
		until := core.QuietHours{Start: start, End: end}.Until(now, location).In(location)
		if got := until.Format("2006-01-02 15:04"); got != when[:10]+" 07:00" {
			t.Errorf("%s at %s: until %s", zone, when, got)
		}
	}
}

func TestSealer(t *testing.T) {
	s, err := core.NewSealer(core.NewSecretKey())
	if err != nil {
		t.Fatal(err)
	}
	sealed := s.Seal([]byte("segredo"))
	if plain, err := s.Open(sealed); err != nil || string(plain) != "segredo" {
		t.Errorf("%q %v", plain, err)
	}
	if bytes.Contains(sealed, []byte("segredo")) {
		t.Error("it can be read")
	}
	other, err := core.NewSealer(core.NewSecretKey())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Open(sealed); err == nil {
		t.Error("another key opens it")
	}
}
