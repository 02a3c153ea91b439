package rules_test

import (
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/rules"
)

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                              0,
		"0":                             0,
		"120":                           2 * time.Minute,
		"99999999999":                   1 << 30 * time.Second,
		"-1":                            0,
		"1.5":                           0,
		"5m1":                           0,
		"5m":                            0,
		"soon":                          0,
		"Sun, 01 Mar 2026 12:01:00 GMT": time.Minute,
		"Sun, 01 Mar 2026 11:59:00 GMT": 0,
		"Fri, 01 Mar 9999 12:00:00 GMT": 1 << 30 * time.Second,
	} {
		if got := rules.RetryAfter(value, now); got != want {
			t.Errorf("Retry-After: %q: got %v, want %v", value, got, want)
		}
	}
}
