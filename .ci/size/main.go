// Command size counts what there is to understand: `make size`. Lines are those of files that git knows, tests and
// generated code apart; functions are those of hand-written Go without tests.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path"
	"regexp"
	"strings"
	"text/tabwriter"
)

// sum is how many files and lines a part has.
type sum struct{ files, lines int }

// parts are the rows of the table, in its order. A file belongs to the first whose pattern matches it.
var parts = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"Go, generated", nil}, // by what the files say
	{"Go, tests", regexp.MustCompile(`_test\.go$`)},
	{"Go, laboratory", regexp.MustCompile(`^(server/lab|docs/settings|pkg/sininho/sininhotest|internal/eventually)/.*\.go$|` +
		`^(webapp|\.ci)/.*\.go$`)},
	{"Go, server", regexp.MustCompile(`^(server|internal|openapi|docs)/.*\.go$`)},
	{"Go, command line", regexp.MustCompile(`^cli/.*\.go$`)},
	{"Go, SDK", regexp.MustCompile(`^pkg/.*\.go$`)},
	{"Go, examples", regexp.MustCompile(`^examples/.*\.go$`)},
	{"SQL, schema", regexp.MustCompile(`^server/.*/migrations/.*\.sql$`)},
	{"TypeScript, generated", nil},
	{"TypeScript, tests", regexp.MustCompile(`^(webapp/(e2e|src/testing)|sdk-ts/test)/.*\.tsx?$|\.test\.tsx?$`)},
	{"TypeScript, web app", regexp.MustCompile(`^webapp/src/.*\.tsx?$`)},
	{"TypeScript, SDK", regexp.MustCompile(`^sdk-ts/src/.*\.ts$`)},
	{"Python, tests", regexp.MustCompile(`^sdk-py/tests/.*\.py$`)},
	{"Python, SDK", regexp.MustCompile(`^sdk-py/src/.*\.py$`)},
	{"CSS, web app", regexp.MustCompile(`^webapp/.*\.css$`)},
	{"Markdown", regexp.MustCompile(`\.md$`)},
}

var (
	generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$|^// @ts-nocheck|@generated|auto-generated`)
	isUsers   = regexp.MustCompile(`^Go, (server|command line|SDK|examples)$`)
	isOurs    = regexp.MustCompile(`^Go, (server|command line|SDK|examples|laboratory)$`)
	setting   = regexp.MustCompile("`env:\"[A-Z]")
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	list, err := exec.Command("git", "ls-files", "-z").Output()
	if err != nil {
		return fmt.Errorf("git ls-files: %w", err)
	}
	sums, packages, settings := map[string]*sum{}, map[string]bool{}, 0
	var functions functions
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		content, err := os.ReadFile(name)
		if os.IsNotExist(err) {
			continue // removed, and not committed yet
		}
		if err != nil {
			return err
		}
		part := partOf(name, content)
		if part == "" {
			continue
		}
		if sums[part] == nil {
			sums[part] = &sum{}
		}
		sums[part].files++
		sums[part].lines += bytes.Count(content, []byte("\n"))
		if isOurs.MatchString(part) {
			if err := functions.add(name, content); err != nil {
				return err
			}
		}
		if folder := path.Dir(name); strings.HasPrefix(name, "server/internal/") && part == "Go, server" {
			packages[folder] = true
		}
		if name == "server/settings.go" {
			settings = len(setting.FindAll(content, -1))
		}
	}
	write(sums)
	fmt.Printf("\n%d packages in server/internal, %d settings\n\n", len(packages), settings)
	functions.write()
	return nil
}

func partOf(name string, content []byte) string {
	isGenerated := generated.Match(content[:min(len(content), 400)])
	for _, p := range parts {
		switch {
		case p.pattern != nil && p.pattern.MatchString(name):
			return p.name
		case p.name == "Go, generated" && isGenerated && path.Ext(name) == ".go",
			p.name == "TypeScript, generated" && isGenerated && strings.HasPrefix(path.Ext(name), ".ts"):
			return p.name
		}
	}
	return ""
}

func write(sums map[string]*sum) {
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer func() { _ = table.Flush() }()
	row := func(name string, s sum) { fmt.Fprintf(table, "%-40s\t%d files\t%d lines\t\n", name, s.files, s.lines) }
	var users, ours sum
	for _, p := range parts {
		s := sums[p.name]
		if s == nil {
			continue
		}
		row(p.name, *s)
		if isUsers.MatchString(p.name) {
			users.files, users.lines = users.files+s.files, users.lines+s.lines
		}
		if isOurs.MatchString(p.name) {
			ours.files, ours.lines = ours.files+s.files, ours.lines+s.lines
		}
	}
	row("hand-written Go that runs for users", users)
	row("hand-written Go without tests", ours)
}
