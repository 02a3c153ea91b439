package command

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestGroupsHaveExternalIDs(t *testing.T) {
	for ids, want := range map[string]string{
		"":          "[]",
		"a b c":     "[[0 1 2]]",
		"- - -":     "[[0] [1] [2]]",
		"a - b c":   "[[0] [1] [2 3]]",
		"a b a c":   "[[0 1] [2 3]]",
		"- a b - c": "[[0] [1 2] [3] [4]]",
	} {
		var items []item
		for _, id := range strings.Fields(ids) {
			items = append(items, item{in: sininho.PublishInput{Title: "x", ExternalID: strings.Trim(id, "-")}})
		}
		if got := fmt.Sprint(groupsOf(items)); got != want {
			t.Errorf("groups of %q: got %s, want %s", ids, got, want)
		}
	}
	many := make([]item, 2500)
	for i := range many {
		many[i].in = sininho.PublishInput{Title: "x", Body: strings.Repeat("y", 100), ExternalID: fmt.Sprint(i)}
	}
	if got := len(groupsOf(many)); got != 3 {
		t.Errorf("groups of 2,500 small messages: got %d, want 3", got)
	}
	for i := range many {
		many[i].in.Body = strings.Repeat("y", 20_000)
	}
	if got := len(groupsOf(many)); got < 45 || got > 60 {
		t.Errorf("groups of 50 MB: got %d, want about 48", got)
	}
}

// TestAFileIsPublishedInOrder publishes messages with and without external ids.
func TestAFileIsPublishedInOrder(t *testing.T) {
	server := sininhotest.New(t)
	var file, want strings.Builder
	for i := range 30 {
		fmt.Fprintf(&file, "{\"title\":\"%d\"%s}\n", i, map[bool]string{true: fmt.Sprintf(",\"externalId\":\"%d\"", i)}[i%7 > 1])
		fmt.Fprintf(&want, "%d|;", 29-i)
	}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"publish", "demo/novidades", "--file", "-"}, strings.NewReader(file.String()), &stdout,
		&stderr, envOf(server))
	if code != exitDone || strings.Count(stdout.String(), "\tcreated\t") != 30 {
		t.Errorf("got %d, %s%s; want 30 created", code, stdout.String(), stderr.String())
	}
	if got := publishedTitles(t, server) + ";"; got != want.String() {
		t.Errorf("order: got %s, want %s", got, want.String())
	}
}
