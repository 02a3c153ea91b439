package sininhotest

import (
	"strconv"
	"strings"
	"time"
)

// etag names a version by the microsecond of the latest change.
func etag(version time.Time) string {
	return `"` + strconv.FormatInt(version.UnixMicro(), 36) + `"`
}

// checkSeen refuses a change to something that is not as the If-Match header says.
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
