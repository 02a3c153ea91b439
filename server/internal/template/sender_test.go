package template_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/server/internal/core"
)

// event is a file in testdata/events: a payload from the sender's documentation, shortened, and its source.
type event struct {
	From    string
	Headers map[string]string
	Payload json.RawMessage
}

func events(t *testing.T) map[string]event {
	t.Helper()
	paths, err := filepath.Glob("testdata/events/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("event files: got %d, %v; want some", len(paths), err)
	}
	all := map[string]event{}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatalf("read the file: %v", err)
		}
		var e event
		if err := json.Unmarshal(b, &e); err != nil || !strings.HasPrefix(e.From, "https://") {
			t.Fatalf("%s: got source %q, %v; want JSON with an HTTPS source", path, e.From, err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".json")] = e
	}
	return all
}

func render(t *testing.T, e event, sender core.WebhookSender) core.Rendered {
	t.Helper()
	r, err := senders(t).Render(t.Context(), sender, nil, e.Payload, e.Headers)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	return r
}

func TestDocumentedEvents(t *testing.T) {
	t.Parallel()
	all := events(t)
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sender, _, _ := strings.Cut(name, "-")
		r := render(t, all[name], core.WebhookSender(sender))
		fmt.Fprintf(&out, "%s  (%s, id %s)\n    %s\n", name, r.Kind, r.ID, describe(r, nil))
		rules := core.NewRules(core.LinkRules{AllowLoopback: true}, core.EventRules{}, nil)
		for _, fault := range r.Notification.Validate(rules, start) {
			if r.Skip == "" && fault.Pointer != "#/link" && fault.Pointer != "#/image" {
				t.Errorf("%s: unexpected fault %+v", name, fault)
			}
		}
		if strings.Contains(r.Notification.Title+r.Notification.Body, "jenny@example.com") {
			t.Errorf("text of %s: got a customer's email in it, want none", name)
		}
	}
	golden(t, "events.txt", out.String())
}

// An alert that Alertmanager sends again is the same event, in any order of alerts; each change is another event.
func TestAlertIDsChangeWithTheState(t *testing.T) {
	t.Parallel()
	firing := events(t)["alertmanager-firing"]
	id := func(change func(p map[string]any)) string {
		var p map[string]any
		if err := json.Unmarshal(firing.Payload, &p); err != nil {
			t.Fatalf("decode JSON: %v", err)
		}
		change(p)
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatalf("encode JSON: %v", err)
		}
		return render(t, event{Payload: b}, core.SenderAlertmanager).ID
	}
	first := func(p map[string]any) map[string]any { return p["alerts"].([]any)[0].(map[string]any) }
	was := id(func(map[string]any) {})
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(was) {
		t.Errorf("id of an alert: got %q, want 32 hexadecimal digits", was)
	}
	for name, same := range map[string]func(map[string]any){
		"again":         func(map[string]any) {},
		"another order": func(p map[string]any) { slices.Reverse(p["alerts"].([]any)) },
		"another text":  func(p map[string]any) { first(p)["annotations"] = map[string]any{"summary": "x"} },
	} {
		if id(same) != was {
			t.Errorf("id of an alert %s: got another, want the same", name)
		}
	}
	for name, other := range map[string]func(map[string]any){
		"resolved":      func(p map[string]any) { p["status"] = "resolved" },
		"one resolved":  func(p map[string]any) { first(p)["status"] = "resolved" },
		"fired again":   func(p map[string]any) { first(p)["startsAt"] = "2026-03-02T12:00:00Z" },
		"one fewer":     func(p map[string]any) { p["alerts"] = p["alerts"].([]any)[:1] },
		"another group": func(p map[string]any) { p["groupKey"] = "{}:{}" },
	} {
		if id(other) == was {
			t.Errorf("id of an alert %s: got the same, want another", name)
		}
	}
}
