package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed introduction.md
var introduction string

// guide returns the page of all settings.
func guide(sections []section) string {
	var b strings.Builder
	b.WriteString(introduction)
	for _, s := range sections {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", heading(s.title), s.about)
		b.WriteString("| setting | meaning | required | default | example |\n| --- | --- | --- | --- | --- |\n")
		for _, s := range s.settings {
			about := s.about
			if s.secret {
				about += " **Secret.**"
			}
			example := s.example
			if s.file != "" {
				example = s.name + "_FILE=" + s.file
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", s.name, about, s.need(), code(s.standard), code(example))
		}
	}
	return b.String()
}

var words = regexp.MustCompile(`([a-z])([A-Z])`)

// heading returns a title as the words of a heading: "Rate limits" for RateLimits. PostHog is a name.
func heading(title string) string {
	if title == "PostHog" {
		return title
	}
	parts := strings.Split(words.ReplaceAllString(title, "$1 $2"), " ")
	for i := range parts[1:] {
		parts[i+1] = strings.ToLower(parts[i+1])
	}
	return strings.Join(parts, " ")
}

func code(value string) string {
	if value == "" {
		return ""
	}
	return "`" + value + "`"
}
