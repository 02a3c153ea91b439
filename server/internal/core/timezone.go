package core

import "time"

// Timezone returns UTC for a name that this node does not know but another node accepted: that must not hold up
// everybody's pushes.
func Timezone(name string) *time.Location {
	if l, err := time.LoadLocation(name); err == nil {
		return l
	}
	return time.UTC
}
