package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGeneratedFilesAreUpToDate compares the generated files with what is generated now.
func TestGeneratedFilesAreUpToDate(t *testing.T) {
	const root = "../.."
	source, err := os.ReadFile(filepath.Join(root, "server", "settings.go"))
	if err != nil {
		t.Fatalf("read a file: %v", err)
	}
	sections, err := parse(source)
	if err != nil {
		t.Fatalf("parse: %v", err)
	}
	for path, want := range map[string]string{
		"docs/settings.gen.md": guide(sections), ".env.example": example(sections),
	} {
		got, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatalf("read a file: %v", err)
		}
		if string(got) != want {
			t.Errorf("%s differs from server/settings.go: run `make generate`", path)
		}
	}
}

func TestSettingsWithoutComments(t *testing.T) {
	for source, want := range map[string]string{
		"package p\n// Part is it.\ntype Part struct {\n A string `env:\"A\"`\n}":    "A has no comment",
		"package p\n// Part.\ntype Part struct {\n // It.\n A string `env:\"A\"`\n}": "Part: a comment such as",
		"package p\n// Part is it.\ntype Part struct {\n // It.\n A string\n}":       "has no tag",
	} {
		if _, err := parse([]byte(source)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parse %q: got %v, want an error with %q", source, err, want)
		}
	}
}
