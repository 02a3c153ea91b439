package httpapi

import (
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// etag returns the ETag of a version: the microsecond of its latest change.
func etag(version time.Time) *string {
	return new(`"` + strconv.FormatInt(version.UnixMicro(), 36) + `"`)
}

// parseIfMatch parses an If-Match header. It returns nil when the header is missing or `*`. A tag that Sininho did not
// issue matches nothing, and of several tags only the latest can match.
func parseIfMatch(ifMatch *string) (*time.Time, error) {
	if ifMatch == nil || strings.TrimSpace(*ifMatch) == "*" {
		return nil, nil //nolint:nilnil // no condition
	}
	latest := int64(-1)
	for tag := range strings.SplitSeq(*ifMatch, ",") {
		tag, ok := strings.CutPrefix(strings.TrimSpace(tag), `"`)
		tag, closed := strings.CutSuffix(tag, `"`)
		if micros, err := strconv.ParseInt(tag, 36, 64); ok && closed && err == nil {
			latest = max(latest, micros)
		}
	}
	if latest < 0 {
		return nil, core.ErrChanged()
	}
	return new(time.UnixMicro(latest)), nil
}
