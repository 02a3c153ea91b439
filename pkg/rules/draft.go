package rules

import (
	"regexp"
	"slices"
	"time"
)

// MaxFields is how many fields a template may have.
const MaxFields = 20

// A field is written as the variables of webhook templates are. Its name has at most 60 characters on one line.
var field = regexp.MustCompile(`\{\{[ \t]*([^{}\s](?:[^{}\r\n]{0,58}[^{}\s])?)[ \t]*\}\}`)

// Fields returns the names of the fields in the texts and addresses, each once, in their order.
func (n Notification) Fields() (names []string) {
	for _, text := range []string{n.Title, n.Body, n.Link, n.Image, n.Icon} {
		for _, found := range field.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(names, found[1]) {
				names = append(names, found[1])
			}
		}
	}
	return names
}

// Filled returns the notification with values in the place of its fields. A field without a value stays.
func (n Notification) Filled(values map[string]string) Notification {
	for _, text := range []*string{&n.Title, &n.Body, &n.Link, &n.Image, &n.Icon} {
		*text = field.ReplaceAllStringFunc(*text, func(found string) string {
			if value, ok := values[field.FindStringSubmatch(found)[1]]; ok {
				return value
			}
			return found
		})
	}
	return n
}

// DraftFaults returns the faults that keep a notification from being stored before it is ready to be published. It may
// lack texts, and its addresses and times are not checked yet.
func (n Notification) DraftFaults() Faults {
	var f Faults
	for _, text := range []struct {
		pointer, value string
		limit          int
	}{
		{"#/title", n.Title, MaxTitle},
		{"#/body", n.Body, MaxBody},
		{"#/image", n.Image, MaxLink},
		{"#/icon", n.Icon, MaxLink},
		{"#/link", n.Link, MaxLink},
		{"#/externalId", n.ExternalID, MaxExternalID},
	} {
		f.Text(text.pointer, text.value)
		f.Length(text.pointer, text.value, text.limit)
	}
	f.OneOf("#/importance", n.Importance, "normal", "important")
	f.data(n.Data)
	f.year("#/scheduledAt", n.ScheduledAt)
	f.year("#/expiresAt", n.ExpiresAt)
	if len(n.Fields()) > MaxFields {
		f.Add("#", "too_many", Text{"has more than 20 fields", "tem mais de 20 campos"})
	}
	return f
}

// year rejects a time that RFC 3339 cannot express in UTC.
func (f *Faults) year(pointer string, at *time.Time) {
	if at != nil && (at.UTC().Year() < 0 || at.UTC().Year() > lastYear) {
		f.Add(pointer, "too_far", Text{"is not in the years 0 to 9999", "não está nos anos 0 a 9999"})
	}
}
