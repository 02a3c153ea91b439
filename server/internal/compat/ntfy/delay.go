package ntfy

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/olebedev/when"
)

const (
	minDelay = 10 * time.Second
	maxDelay = 365 * 24 * time.Hour
	// maxPhrase is how long a time in English may be.
	maxPhrase = 100
)

// spelled is a duration such as "3 days", which Go does not read.
var spelled = regexp.MustCompile(`(?i)^(\d{1,9})\s*(d|days?|h|hours?|m|mins?|minutes?|s|secs?|seconds?)$`)

var units = map[byte]time.Duration{'d': 24 * time.Hour, 'h': time.Hour, 'm': time.Minute, 's': time.Second}

// parseDuration reads 30m, 1h30m or 3 days.
func parseDuration(s string) (time.Duration, bool) {
	if d, err := time.ParseDuration(s); err == nil {
		return d, true
	}
	parts := spelled.FindStringSubmatch(s)
	if parts == nil {
		return 0, false
	}
	n, _ := strconv.Atoi(parts[1]) // digits
	return time.Duration(n) * units[strings.ToLower(parts[2])[0]], true
}

// parseDelay returns when a message is to be published: after a duration, at a Unix time, or at a time in English such
// as "tomorrow, 10am".
func parseDelay(s string, now time.Time) (*time.Time, error) {
	if s == "" {
		return nil, nil
	}
	at, ok := parseTime(strings.TrimSpace(s), now)
	switch {
	case !ok:
		return nil, errDelay.because("use a duration such as 30m, a Unix time, or a time such as tomorrow, 10am")
	case at.Before(now.Add(minDelay)):
		return nil, errDelaySmall
	case at.After(now.Add(maxDelay)):
		return nil, errDelayLarge
	}
	return &at, nil
}

func parseTime(s string, now time.Time) (time.Time, bool) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return time.Unix(n, 0), n < 1<<40
	}
	if d, ok := parseDuration(s); ok {
		return now.Add(d), true
	}
	if len(s) > maxPhrase {
		return time.Time{}, false
	}
	for _, phrase := range []string{s, "tomorrow, " + s} { // 10am is tomorrow's if today's has passed
		found, err := when.EN.Parse(phrase, now)
		if err == nil && found != nil && strings.HasSuffix(phrase, found.Text) && found.Time.After(now) {
			return found.Time, true
		}
	}
	return time.Time{}, false
}
