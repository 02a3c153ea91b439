package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
)

const note = `# Settings of a Sininho server, generated from server/settings.go: docs/settings.gen.md explains them.
# Copy this file, make the copy readable to the server alone (chmod 600), fill in what is not commented out, and
# uncomment what you change. NAME_FILE may name a file with the value instead. SECRET_KEY and
# DEMO_WEBHOOK_URL are commented out, because the commands of docs/production.md append them.
`

const lineWidth = 100

// example returns a file of environment variables, for a shell, systemd and Compose. What is required has its example
// as value; the rest is commented out, and so is what has no example because commands append it.
func example(sections []section) string {
	var b strings.Builder
	b.WriteString(note)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n%s\n", comment("---- "+heading(s.title)+": "+s.about))
		for _, s := range s.settings {
			fmt.Fprintf(&b, "\n%s\n", comment(s.about+requirement(s)))
			name, value := s.name, cmp.Or(s.file, s.example, s.standard)
			if s.file != "" {
				name += "_FILE"
			}
			if s.when != always || value == "" {
				b.WriteString("#")
			}
			fmt.Fprintf(&b, "%s=%s\n", name, quote(value))
		}
	}
	return b.String()
}

func requirement(s setting) string {
	var b strings.Builder
	switch {
	case s.need() == always:
		b.WriteString(" Required.")
	case s.when != "":
		b.WriteString(" Required " + s.need() + ".")
	case s.standard != "":
		b.WriteString(" Default: " + s.standard)
	}
	if s.secret {
		b.WriteString(" Secret.")
	}
	return b.String()
}

var (
	aside  = regexp.MustCompile(`\(\[([^\]]*)\]\(([^)#]*)[^)]*\)\)`) // a link that is all there is in parentheses
	link   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	markup = strings.NewReplacer("`", "", "*", "")
	plain  = regexp.MustCompile(`^[A-Za-z0-9_./:,@+=-]*$`)
)

// comment returns a text without Markdown in lines that begin with "# ".
func comment(text string) string {
	var lines []string
	line := "#"
	text = aside.ReplaceAllString(text, "($1: docs/$2)")
	for _, word := range strings.Fields(markup.Replace(link.ReplaceAllString(text, "$1"))) {
		if len(line)+1+len(word) > lineWidth {
			lines, line = append(lines, line), "#"
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n")
}

// quote puts a value in quotes if a shell would read it otherwise.
func quote(value string) string {
	if plain.MatchString(value) {
		return value
	}
	return "'" + value + "'"
}
