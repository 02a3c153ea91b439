package rules

import (
	"net/http"
	"strconv"
	"time"
)

// mostSeconds is the longest wait that RetryAfter returns, in seconds: some decades.
const mostSeconds = 1 << 30

// RetryAfter returns how long a value of the header Retry-After asks to wait: it is a number of seconds or a date
// (RFC 9110, 10.2.3). It returns 0 if the value is neither, or if the date is over.
func RetryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 64); err == nil {
		return time.Duration(min(seconds, mostSeconds)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return min(max(0, at.Sub(now)), mostSeconds*time.Second)
	}
	return 0
}
