package ntfy

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/lab/check"
)

// TestParseDelay expects the times that ntfy documents, on a Wednesday at noon.
func TestParseDelay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	for s, want := range map[string]string{
		"30m": "Mar 4 12:30", "3h": "Mar 4 15:00", "2 days": "Mar 6 12:00", "30 min": "Mar 4 12:30", "1h30m": "Mar 4 13:30",
		"1772632800": "Mar 4 14:00", "10am": "Mar 5 10:00", "8:30pm": "Mar 4 20:30", "tomorrow, 10am": "Mar 5 10:00",
		"tomorrow, 3pm": "Mar 5 15:00", "in 2 hours": "Mar 4 14:00", "Friday, 7am": "Mar 6 07:00",
		"soon": "40004", "1 fortnight": "40004", "-5m": "40005", "5s": "40005", "1": "40005", "400 days": "40006",
		"9999999999999": "40004", "99999999999 days": "40004", "10am and more": "40004",
	} {
		at, err := parseDelay(s, now)
		got := ""
		if err != nil {
			got = codeOf(err)
		} else {
			got = at.Format("Jan 2 15:04")
		}
		check.Equal(t, "time of "+s, got, want)
	}
}
