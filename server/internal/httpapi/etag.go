package httpapi

import (
	"strconv"
	"strings"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

// etag names a version: the microsecond of the latest change.
func etag(version time.Time) *string {
	return new(`"` + strconv.FormatInt(version.UnixMicro(), 36) + `"`)
}

// seen reads an If-Match header: nil without one, and for `*`. What is no version of ours matches nothing, and of a list
// the latest version is the one that could.
func seen(ifMatch *string) (*time.Time, error) {
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
