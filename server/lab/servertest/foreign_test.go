package servertest_test

import (
	"strings"
	"testing"
)

// ownPaths are the paths of a publisher p and its channel p/c, and the same of the publisher q.
var ownPaths = strings.NewReplacer("/publishers/p/", "/publishers/q/", "/channels/p/c/", "/channels/q/c/")

// TestForeignObjects names p's objects in paths of the publisher q, as callers who may do everything with q. In p's own
// paths, TestAccess expects 404 for them.
func TestForeignObjects(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	tried := map[string]bool{}
	for id, op := range documented(t) {
		inParent := strings.HasPrefix(op.path, "/publishers/{publisherSlug}/") ||
			strings.HasPrefix(op.path, "/channels/{publisherSlug}/{channelSlug}/")
		if !inParent || !strings.Contains(op.path, "{id}") {
			continue
		}
		for _, caller := range []string{"other-owner", "other-key"} {
			r := table[id].make(f)
			r.path = ownPaths.Replace(r.path)
			status, body := f.call(op.method, caller, "foreign", r)
			if refused := status == 403 && caller == "other-key"; status != 404 && !refused {
				t.Errorf("%s of q with an object of p as %s: got %d, want 404: %s", id, caller, status, body)
			}
			tried[id] = true
		}
	}
	if len(tried) < 20 {
		t.Errorf("operations on an object of a publisher or channel: got %d, want at least 20: %v", len(tried), tried)
	}
}
