package core

import "time"

// Timezone returns the time zone with that name. A name that another node accepted, but this node's time zone database
// lacks, yields UTC, because an error would hold up the pushes of everyone.
func Timezone(name string) *time.Location {
	if l, err := time.LoadLocation(name); err == nil {
		return l
	}
	return time.UTC
}
