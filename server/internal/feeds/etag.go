package feeds

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// layout is part of each tag. It is raised when feeds with the same content are written differently.
const layout = "1"

// etag returns the tag of a feed's current version. It is weak, because a proxy may compress the feed.
func etag(f core.WebFeed, publicURL string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{layout, publicURL, f.ID.String(), f.Version}, "\n")))
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// isCurrent reports whether a tag is among those of an If-None-Match header.
func isCurrent(header, tag string) bool {
	for known := range strings.SplitSeq(header, ",") {
		known = strings.TrimSpace(known)
		if known == "*" || strings.TrimPrefix(known, "W/") == strings.TrimPrefix(tag, "W/") {
			return true
		}
	}
	return false
}
