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
		got, err := parseTemplate([]byte(text))
		if err != nil {
			t.Errorf("parse template %q: %v", text, err)
			continue
		}
		if got.Title != want {
			t.Errorf("title of template %q: got %q, want %q", text, got.Title, want)
		}
	}
	for text, want := range map[string]string{
		"":                    "no title",
		"body: x":             "no title",
		"title: ' '":          "no title",
		"titel: x":            `did you mean "title"`,
		"- x":                 "not a YAML",
		"title: [a]":          "not a YAML",
		`{"title": {"a": 1}}`: "not a YAML",
	} {
		if _, err := parseTemplate([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parse template %q: got %v, want an error with %q", text, err, want)
		}
	}
}

// Completion must not block the shell while the user is typing.
func TestCompletionIsBoundedInTimeAndSilent(t *testing.T) {
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
	checkCode(t, "completion", code, exitDone, stderr.String())
	if got := stdout.String() + stderr.String(); got != "" {
		t.Errorf("output of completion without a server: got %q, want nothing", got)
	}
	if err := ctx.Err(); err != nil {
		t.Errorf("completion within its time limit: got %v", err)
	}
}
