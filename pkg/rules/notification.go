package rules

import (
	"regexp"
	"strconv"
	"time"
)

// Limits of a notification: MaxTitle, MaxBody, MaxExternalID and MaxDataValue in characters, MaxData in entries.
const (
	MaxTitle      = 200
	MaxBody       = 20_000
	MaxExternalID = 255
	MaxData       = 20
	MaxDataValue  = 500
)

// maxAhead is how far ahead a notification can be scheduled.
const maxAhead = 366 * 24 * time.Hour

// lastYear is the last year that RFC 3339 can express.
const lastYear = 9999

// Notification holds the fields of a notification that have rules.
type Notification struct {
	Title, Body, Image, Icon, Link string
	Importance                     string // empty for the default
	Data                           map[string]string
	ExternalID                     string
	ScheduledAt, ExpiresAt         *time.Time
}

// Faults returns every fault of a notification that is published or scheduled at now.
func (n Notification) Faults(links Links, now time.Time) Faults {
	var f Faults
	f.Name("#/title", n.Title, MaxTitle)
	f.Prose("#/body", n.Body)
	f.Length("#/body", n.Body, MaxBody)
	f.Text("#/externalId", n.ExternalID)
	f.Length("#/externalId", n.ExternalID, MaxExternalID)
	f.Picture("#/image", n.Image, links)
	f.Picture("#/icon", n.Icon, links)
	f.Destination("#/link", n.Link, links)
	f.OneOf("#/importance", n.Importance, "normal", "important")
	f.data(n.Data)
	f.schedule(n.ScheduledAt, n.ExpiresAt, now)
	return f
}

// IsDataKey reports whether data may have the key.
func IsDataKey(key string) bool { return dataKey.MatchString(key) }

var dataKey = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

func (f *Faults) data(data map[string]string) {
	if len(data) > MaxData {
		f.Add("#/data", "too_many", TooMany(MaxData))
	}
	for k, v := range data {
		if !IsDataKey(k) {
			start := strconv.QuoteToASCII(k[:min(len(k), 64)])
			f.Add("#/data", "key", Text{
				"has the key " + start + "; keys have at most 64 letters, digits, '_', '.' and '-'",
				"tem a chave " + start + "; as chaves têm no máximo 64 letras, algarismos, '_', '.' e '-'"})
			continue
		}
		f.Text("#/data/"+k, v)
		f.Length("#/data/"+k, v, MaxDataValue)
	}
}

func (f *Faults) schedule(scheduled, expires *time.Time, now time.Time) {
	start := now
	if scheduled != nil && scheduled.After(now) {
		start = *scheduled
	}
	if start.After(now.Add(maxAhead)) {
		f.Add("#/scheduledAt", "too_far", Text{"is more than a year ahead", "está a mais de um ano"})
	}
	switch {
	case expires == nil:
	case !expires.After(now):
		f.Add("#/expiresAt", "past", Text{"has passed", "já passou"})
	case !expires.After(start):
		f.Add("#/expiresAt", "past", Text{"is not after the time of publication", "não é posterior à publicação"})
	case expires.Year() > lastYear:
		f.Add("#/expiresAt", "too_far", afterLastYear)
	}
}

var afterLastYear = Text{"is after the year 9999", "é posterior ao ano 9999"}

// Expiry requires the expiry time of a credential, unless nil, to be in the future and before the year 10000.
func (f *Faults) Expiry(pointer string, at *time.Time, now time.Time) {
	switch {
	case at == nil:
	case !at.After(now):
		f.Add(pointer, "past", Text{"is not in the future", "não está no futuro"})
	case at.Year() > lastYear:
		f.Add(pointer, "too_far", afterLastYear)
	}
}
