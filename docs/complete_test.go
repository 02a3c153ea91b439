package docs_test

import (
	"os/exec"
	"reflect"
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
		t.Fatalf("read the guides: %v", err)
	}
	return string(b)
}

// TestEverySnippetIsInEveryLanguage wants what is shown in one of the four ways to be shown in all, or a reason beside it.
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
					t.Errorf("%s.md:%d: of %v it is shown in %d; excused: %v", name, group[0].line, ways, len(group), excused)
				}
			}
		}
	}
}

// TestEverySettingIsExplained looks for each setting of the server in the guide for those who run it.
func TestEverySettingIsExplained(t *testing.T) {
	text := guide(t, "production")
	for field := range reflect.TypeFor[server.Config]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("env"), ",")
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("production.md does not explain %s", name)
		}
	}
}

// TestEveryCommandIsNamed looks for each command in the guide of the command line.
func TestEveryCommandIsNamed(t *testing.T) {
	text := guide(t, "cli")
	help, err := exec.CommandContext(t.Context(), "go", "run", "../cli/cmd/sininho", "--help").Output()
	if err != nil {
		t.Fatalf("Output: %v", err)
	}
	_, commands, _ := strings.Cut(string(help), "COMMANDS:")
	commands, _, _ = strings.Cut(commands, "GLOBAL OPTIONS:")
	found := regexp.MustCompile(`(?m)^   ([a-z]+)(?:, [a-z]+)?  `).FindAllStringSubmatch(commands, -1)
	if len(found) < 10 {
		t.Fatalf("the help has changed: %s", help)
	}
	for _, command := range found {
		if command[1] != "help" && !strings.Contains(text, "`"+command[1]+"`") {
			t.Errorf("cli.md does not name %s", command[1])
		}
	}
}

// TestTheReferenceOfCommandsIsUpToDate compares it with what the command line says of itself.
func TestTheReferenceOfCommandsIsUpToDate(t *testing.T) {
	reference, err := exec.CommandContext(t.Context(), "go", "run", "../cli/cmd/sininho", "docs").Output()
	if err != nil {
		t.Fatalf("Output: %v", err)
	}
	if !strings.HasSuffix(guide(t, "commands"), string(reference)) {
		t.Error("commands.gen.md is not what 'sininho docs' writes; run 'make generate'")
	}
}
