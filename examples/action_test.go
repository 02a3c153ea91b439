package examples_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/sininho/sininho/pkg/sininho"
	"github.com/sininho/sininho/server/lab/servertest"
)

// action is the part of an action.yml that is needed to run it.
type action struct {
	Inputs map[string]struct {
		Required bool
		Default  string
	}
	Runs struct {
		Steps []struct {
			Shell, Run string
			Env        map[string]string
		}
	}
}

// githubAction runs the action's only step as GitHub's runner does: with its inputs in the variables that it names.
func githubAction(b *bench) {
	source, err := os.ReadFile("github-action/action.yml")
	b.must(err)
	var a action
	b.must(yaml.Unmarshal(source, &a))
	if len(a.Runs.Steps) != 1 || a.Runs.Steps[0].Shell != "bash" {
		b.t.Fatalf("steps of the action: got %+v, want one in bash", a.Runs)
	}
	given := map[string]string{"url": b.awayAtFirst() + "/", "api-key": b.APIKey, "channel": b.channel(),
		"title": `Versão "42" $(id)`, "body": "`uname`\n'fim'"}
	b.act(a, 0, given)
	b.act(a, 0, given) // a workflow run that is repeated
	all := b.publishedCount(1)
	if got := all[0]; got.Title != given["title"] || got.Body != given["body"] {
		b.t.Errorf("notification: got %q, %q; want %q, %q", got.Title, got.Body, given["title"], given["body"])
	}
	if want := "https://github.com/acme/shop/actions/runs/1842"; all[0].Link != want {
		b.t.Errorf("link: got %q, want %q", all[0].Link, want)
	}
	if all[0].Importance != sininho.Normal {
		b.t.Errorf("importance: got %s, want normal", all[0].Importance)
	}
	output, err := os.ReadFile(filepath.Join(b.dir, "output"))
	b.must(err)
	if want := "id=" + all[0].ID + "\n"; string(output) != want+want {
		b.t.Errorf("outputs of two runs: got %q, want %q", output, want+want)
	}
	given["title"] = "\x1b[31mfix\x1b[0m: " + strings.Repeat("word ", 50) + "\n\nThe second paragraph"
	if out := b.act(a, 0, given); !strings.Contains(out, "::notice::the text was cleaned or cut") {
		b.t.Errorf("output with a commit message as the title: got %s, want a notice", out)
	}
	if got := b.publishedCount(2)[0]; !strings.HasPrefix(got.Title, "fix: word") || !strings.HasSuffix(got.Title, "word…") ||
		!strings.Contains(got.Body, "The second paragraph") {
		b.t.Errorf("notification of a commit message: got %q, %q; want it cut at a word, and whole in the body",
			got.Title, got.Body)
	}
	given["link"] = "javascript:alert(1)"
	out := b.act(a, 1, given)
	if !strings.Contains(out, "::error::Unprocessable Entity") || !strings.Contains(out, "#/link") {
		b.t.Errorf("output with a bad link: got %s, want an error about #/link", out)
	}
	if strings.Contains(out, b.APIKey) {
		b.t.Errorf("output with a bad link: got the API key in %s", out)
	}
}

func (b *bench) act(a action, code int, given map[string]string) string {
	b.t.Helper()
	replacements := []string{"${{ github.server_url }}", "https://github.com",
		"${{ github.repository }}", "acme/shop", "${{ github.run_id }}", "1842"}
	for name, input := range a.Inputs {
		value, ok := given[name]
		if !ok {
			if input.Required {
				b.t.Fatalf("input %s: required and not given", name)
			}
			value = strings.NewReplacer(replacements...).Replace(input.Default)
		}
		replacements = append(replacements, "${{ inputs."+name+" }}", value)
	}
	step := *b
	step.environment = append(servertest.Environment(), "GITHUB_ACTION_PATH="+b.here("github-action"),
		"GITHUB_OUTPUT="+filepath.Join(b.dir, "output"),
		"GITHUB_REPOSITORY=acme/shop", "GITHUB_RUN_ID=1842", "GITHUB_JOB=publish")
	for name, value := range a.Runs.Steps[0].Env {
		value = strings.NewReplacer(replacements...).Replace(value)
		if strings.Contains(value, "${{") {
			b.t.Fatalf("variable %s: got %s, want every expression replaced", name, value)
		}
		step.environment = append(step.environment, name+"="+value)
	}
	return step.run(code, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", a.Runs.Steps[0].Run)
}

// TestActionlint lints the workflow together with the action, which is checked too, and the workflows of this
// repository.
func TestActionlint(t *testing.T) {
	t.Parallel()
	b := &bench{t: t, dir: t.TempDir(), environment: servertest.Environment()}
	tool := filepath.Join(t.TempDir(), "actionlint")
	b.run(0, "go", "build", "-C", b.here("../.ci/actionlint"), "-o", tool, "github.com/rhysd/actionlint/cmd/actionlint")
	workflow, err := os.ReadFile("github-action/workflow.yml")
	b.must(err)
	definition, err := os.ReadFile("github-action/action.yml")
	b.must(err)
	local := strings.Replace(string(workflow), "sininho/sininho/examples/github-action@v0.1.0", "./action", 1)
	b.must(os.Mkdir(filepath.Join(b.dir, ".git"), 0o700)) // where actionlint starts looking for actions
	b.write("action/action.yml", string(definition))
	b.write("action/publish.sh", "")
	b.run(0, tool, b.write(".github/workflows/publish.yml", local))

	own, err := filepath.Glob("../.github/workflows/*.yml")
	b.must(err)
	for _, path := range own {
		b.run(0, tool, b.here(path))
	}

	// Shows that the check finds a mistake.
	b.write("action/action.yml", strings.ReplaceAll(string(definition), "channel:", "chanel:"))
	out := b.run(1, tool, b.write(".github/workflows/publish.yml", local))
	if want := `input "channel" is not defined`; !strings.Contains(out, want) {
		t.Errorf("actionlint with a misspelled input: got %s, want %s", out, want)
	}
}

// TestWorkflowsRunTheTests expects all tests to run for every change, and the long ones every night with new seeds.
func TestWorkflowsRunTheTests(t *testing.T) {
	t.Parallel()
	type workflow struct {
		On   map[string]any
		Jobs map[string]struct {
			Strategy struct {
				Matrix struct{ Include []struct{ Run string } }
			}
			Steps []struct{ Run string }
		}
	}
	read := func(name string) (w workflow) {
		source, err := os.ReadFile("../.github/workflows/" + name)
		if err != nil {
			t.Fatalf("read the workflow %s: %v", name, err)
		}
		if err := yaml.Unmarshal(source, &w); err != nil {
			t.Fatalf("workflow %s: %v", name, err)
		}
		return w
	}
	change := read("ci.yml")
	var commands []string
	for _, step := range change.Jobs["all"].Steps {
		commands = append(commands, step.Run)
	}
	if !slices.Contains(commands, ".ci/run") {
		t.Errorf("commands for a change: got %q, want .ci/run among them", commands)
	}
	for _, event := range []string{"push", "pull_request"} {
		if _, ok := change.On[event]; !ok {
			t.Errorf("events that run the tests: got %v, want %s among them", change.On, event)
		}
	}
	for _, suite := range read("nightly.yml").Jobs["suite"].Strategy.Matrix.Include {
		if strings.Contains(suite.Run, "simulate") && !strings.Contains(suite.Run, "FROM=$((GITHUB_RUN_NUMBER") {
			t.Errorf("simulation every night: got %s, want other seeds than the night before", suite.Run)
		}
	}
}
