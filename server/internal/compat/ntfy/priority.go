package ntfy

import "strings"

// priorities are the names of ntfy's priorities.
var priorities = map[string]int{"1": 1, "min": 1, "2": 2, "low": 2, "3": 3, "default": 3, "4": 4, "high": 4, "5": 5,
	"max": 5, "urgent": 5}

const (
	defaultPriority = 3
	highPriority    = 4 // from here on it is important
)

// parsePriority returns a priority, 0 if there is none.
func parsePriority(s string) (int, error) {
	s = strings.ToLower(strings.TrimSpace(s))
	if s == "" {
		return 0, nil
	}
	if p, ok := priorities[s]; ok {
		return p, nil
	}
	return 0, errPriority.because("use 1 to 5, or min, low, default, high or max")
}
