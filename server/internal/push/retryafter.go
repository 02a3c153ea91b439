package push

import (
	"net/http"
	"time"
)

// RetryAfter parses the header Retry-After, in seconds or as a date. It returns zero when there is none.
func RetryAfter(value string, now time.Time) time.Duration {
	if value == "" {
		return 0
	}
	if d, err := time.ParseDuration(value + "s"); err == nil {
		return max(0, d)
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
