package postgres_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// TestWordsOfTheLongestTexts writes the words of texts that are long in themselves, or that become long when ligatures
// and accents are taken apart: none of them holds up the others.
func TestWordsOfTheLongestTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(w.Subscribe(t.Context(), w.subscriber, w.channel.ID, w.now))
	var distinct strings.Builder
	for i := range 3_300 {
		fmt.Fprintf(&distinct, "%03x\ufdfa ", i)
	}
	for _, body := range []string{strings.Repeat("é", 20_000), strings.Repeat("\ufdfa", 20_000), distinct.String()} {
		n := w.notification("long")
		n.Body = body
		must3(w.Publish(t.Context(), n, core.Idempotency{}))
	}
	w.publish(t, "afterwards")
	for must(w.WriteWords(t.Context())) {
	}
	f := core.FeedFilter{Search: must(core.ParseSearch("afterwards")), Page: core.Page{Limit: 10}}
	data, total, _, err := w.Feed(t.Context(), w.subscriber, f)
	succeed(t, "search", err)
	if len(data) != 1 || total != 1 {
		t.Errorf("notifications found after long ones: got %d of %d, want 1 of 1", len(data), total)
	}
}
