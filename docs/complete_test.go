package docs_test

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sininho/sininho/docs"
	"github.com/sininho/sininho/server"
)

func guide(t *testing.T, name string) string {
	t.Helper()
	b, err := docs.Read(name)
	if err != nil {
		t.Fatalf("read %s.md: %v", name, err)
	}
	return string(b)
}

// TestEverySnippetIsInEveryLanguage checks that each example is shown with curl, the CLI, Go and TypeScript, or gives a
// reason why not.
func TestEverySnippetIsInEveryLanguage(t *testing.T) {
	ways := []string{"curl", "cli", "go", "ts"}
	for _, section := range docs.Sections {
		for _, name := range section.Guides {
			var groups [][]*snippet
			for _, s := range readSnippets(t, name) {
				if !slices.Contains(ways, s.kind()) {
					continue
				}
				again := func(other *snippet) bool { return other.kind() == s.kind() }
				if last := len(groups) - 1; last >= 0 && s.follows && !slices.ContainsFunc(groups[last], again) {
					groups[last] = append(groups[last], s)
				} else {
					groups = append(groups, []*snippet{s})
				}
			}
			for _, group := range groups {
				excused := slices.ContainsFunc(group, func(s *snippet) bool { return s.only != "" })
				if (len(group) < len(ways)) != excused {
					t.Errorf("example at %s.md:%d: got %d of %v, a reason for fewer: %t", name, group[0].line,
						len(group), ways, excused)
				}
			}
		}
	}
}

// TestEverySettingIsExplained looks for each setting of the server in the guide to the settings.
func TestEverySettingIsExplained(t *testing.T) {
	text := guide(t, "settings")
	for _, setting := range (server.Config{}).Settings() {
		if !strings.Contains(text, "`"+setting.Name+"`") {
			t.Errorf("settings.gen.md: setting %s is missing", setting.Name)
		}
	}
}

// TestEveryCommandIsNamed looks for each command in the guide of the command line.
func TestEveryCommandIsNamed(t *testing.T) {
	text := guide(t, "cli")
	help, err := exec.CommandContext(t.Context(), "go", "run", "../cli/cmd/sininho", "--help").Output()
	if err != nil {
		t.Fatalf("run sininho --help: %v", err)
	}
	_, commands, _ := strings.Cut(string(help), "COMMANDS:")
	commands, _, _ = strings.Cut(commands, "GLOBAL OPTIONS:")
	found := regexp.MustCompile(`(?m)^   ([a-z]+)(?:, [a-z]+)?  `).FindAllStringSubmatch(commands, -1)
	if len(found) < 10 {
		t.Fatalf("commands in the help: got %d, want at least 10: %s", len(found), help)
	}
	for _, command := range found {
		if command[1] != "help" && !strings.Contains(text, "`"+command[1]+"`") {
			t.Errorf("cli.md: command %s is missing", command[1])
		}
	}
}

// TestTheReferenceOfCommandsIsUpToDate compares the reference with the output of `sininho docs --reference`.
func TestTheReferenceOfCommandsIsUpToDate(t *testing.T) {
	reference, err := exec.CommandContext(t.Context(), "go", "run", "../cli/cmd/sininho", "docs", "--reference").Output()
	if err != nil {
		t.Fatalf("run sininho docs --reference: %v", err)
	}
	if !strings.HasSuffix(guide(t, "commands"), string(reference)) {
		t.Error("commands.gen.md: differs from the output of 'sininho docs'; run 'make generate'")
	}
}
