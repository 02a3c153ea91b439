package sininhotest

import (
	"strconv"
	"strings"
	"time"
)

// etag identifies a version by the time of the latest change, in microseconds.
func etag(version time.Time) string {
	return `"` + strconv.FormatInt(version.UnixMicro(), 36) + `"`
}

// checkSeen refuses a change if the If-Match header does not name the current version.
func checkSeen(r *request, version time.Time) error {
	seen := r.Header.Values("If-Match")
	if len(seen) == 0 || strings.TrimSpace(seen[0]) == "*" {
		return nil
	}
	for tag := range strings.SplitSeq(seen[0], ",") {
		if strings.TrimSpace(tag) == etag(version) {
			return nil
		}
	}
	return changed()
}
