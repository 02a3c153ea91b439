package command

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

func TestParseTemplate(t *testing.T) {
	for text, want := range map[string]string{
		"title: x":                           "x",
		"title: 42\nexternalId: \"{{ a }}\"": "42",
		"{\"title\": \"\\ud83d\\ude00\"}":    "😀",
		"\n {\"title\":\"x\"}":               "x",
	} {
		if got, err := parseTemplate([]byte(text)); err != nil || got.Title != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                    "no title",
		"body: x":             "no title",
		"title: ' '":          "no title",
		"titel: x":            `did you mean "title"`,
		"- x":                 "no YAML",
		"title: [a]":          "no YAML",
		`{"title": {"a": 1}}`: "no YAML",
	} {
		if _, err := parseTemplate([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Somebody who is typing does not wait for a server.
func TestCompletionIsBoundedInTimeAndSilent(t *testing.T) {
	t.Parallel()
	server := sininhotest.New(t)
	release := make(chan struct{})
	defer close(release)
	for range 5 {
		server.Respond(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-release:
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stdout, stderr strings.Builder
	code := Run(ctx, []string{completeCommand, "publish", "demo"}, nil, &stdout, &stderr, envOf(server))
	if code != 0 || stdout.String()+stderr.String() != "" || ctx.Err() != nil {
		t.Errorf("code %d, %q, %q, %v", code, stdout.String(), stderr.String(), ctx.Err())
	}
}
