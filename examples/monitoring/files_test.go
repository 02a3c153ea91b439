// Package monitoring_test checks the configuration with Prometheus' own tools, and runs it against a real server.
package monitoring_test

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// alerts returns the names of the alerts.
func alerts(t *testing.T) (names []string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(read(t, "alerts.yml"), -1) {
		names = append(names, m[1])
	}
	return names
}

// TestFiles has promtool check the files, and run the unit tests of the alerts.
func TestFiles(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"check", "config", "prometheus.yml"}, {"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"},
	} {
		out, err := exec.CommandContext(t.Context(), program(t, "promtool"), args...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "SUCCESS") {
			t.Errorf("promtool %s: got %v, want success\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestEveryAlertIsTestedAndExplained looks for each alert in the unit tests and in the runbook, and for an alert for
// each entry of the runbook.
func TestEveryAlertIsTestedAndExplained(t *testing.T) {
	t.Parallel()
	tests, runbook := read(t, "alerts_test.yml"), read(t, "../../docs/runbook.md")
	names := alerts(t)
	if len(names) < 10 {
		t.Fatalf("alerts: got %q, want at least 10", names)
	}
	for _, name := range names {
		for _, test := range []string{name + " fires\n", name + " does not fire\n"} {
			if !strings.Contains(tests, test) {
				t.Errorf("unit test %q: got none, want one", strings.TrimSpace(test))
			}
		}
		_, entry, found := strings.Cut(runbook, "## "+name+"\n")
		entry, _, _ = strings.Cut(entry, "\n## ")
		for _, part := range []string{"**Meaning.**", "**First look.**", "**Fix.**"} {
			if !found || !strings.Contains(entry, part) {
				t.Errorf("runbook, %s: got no %s", name, part)
			}
		}
		if link := "runbook#" + strings.ToLower(name) + "\n"; !strings.Contains(read(t, "alerts.yml"), link) {
			t.Errorf("runbook_url of %s: got none that ends in %s", name, link)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^## (Sininho\w+)$`).FindAllStringSubmatch(runbook, -1) {
		if !slices.Contains(names, m[1]) {
			t.Errorf("runbook: got an entry %s, want none without an alert", m[1])
		}
	}
}

// panelQueries returns the queries of the dashboard, by the titles of their panels, for one server.
func panelQueries(t *testing.T) map[string][]string {
	t.Helper()
	var dashboard struct {
		Panels []struct {
			Title, Type string
			Targets     []struct{ Expr string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, "dashboard.json")), &dashboard); err != nil {
		t.Fatalf("decode the dashboard: %v", err)
	}
	queries := map[string][]string{}
	variables := strings.NewReplacer("$__rate_interval", "5s", "$instance", ".*")
	for _, p := range dashboard.Panels {
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("panel %s: got no query", p.Title)
		}
		for _, target := range p.Targets {
			queries[p.Title] = append(queries[p.Title], variables.Replace(target.Expr))
		}
	}
	if len(queries) < 30 {
		t.Fatalf("panels: got %d, want at least 30", len(queries))
	}
	return queries
}
