package httpapi

import (
	"testing"
	"time"

	"github.com/sininho/sininho/server/internal/core"
)

func TestIfMatch(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 1000, time.UTC)
	before, is := *etag(now.Add(-time.Second)), *etag(now)
	for header, want := range map[string]bool{
		is: true, " " + is + " ": true, before + ", " + is: true, is + "," + before: true, `"x", ` + is: true,
		before: false, `"x"`: false, "W/" + is: false, is[1:]: false, "": false, ",": false, `"-1"`: false,
	} {
		version, err := parseIfMatch(&header)
		if err == nil {
			err = core.CheckSeen(version, now)
		}
		if (err == nil) != want {
			t.Errorf("If-Match %q: got error %v, want match: %t", header, err, want)
		}
	}
	for _, none := range []*string{nil, new("*"), new(" * ")} {
		if version, err := parseIfMatch(none); version != nil || err != nil {
			t.Errorf("If-Match without a version: got version %v and error %v, want neither", version, err)
		}
	}
}
