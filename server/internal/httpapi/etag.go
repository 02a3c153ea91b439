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

// seen reads an If-Match header: nil without one, and for `*`. What is no version of ours matches nothing.
func seen(ifMatch *string) (*time.Time, error) {
	if ifMatch == nil || strings.TrimSpace(*ifMatch) == "*" {
		return nil, nil //nolint:nilnil // no condition
	}
	tag, ok := strings.CutPrefix(strings.TrimSpace(*ifMatch), `"`)
	tag, closed := strings.CutSuffix(tag, `"`)
	micros, err := strconv.ParseInt(tag, 36, 64)
	if !ok || !closed || err != nil {
		return nil, core.ErrChanged()
	}
	return new(time.UnixMicro(micros)), nil
}
