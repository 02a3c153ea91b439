package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pathInText matches a file or folder of the repository in backquotes: it has a slash and no space.
var pathInText = regexp.MustCompile("`([a-z][A-Za-z0-9_.-]*/[A-Za-z0-9_./-]*)`")

// moduleOrTag matches the path of a Go module and the tag of a release, which are no files.
var moduleOrTag = regexp.MustCompile(`^github\.com/|/v\d`)

// TestNamedPathsExist checks that every file and folder that ARCHITECTURE.md and CONTRIBUTING.md name exists.
func TestNamedPathsExist(t *testing.T) {
	for _, page := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md"} {
		text, err := os.ReadFile(filepath.Join("..", page))
		if err != nil {
			t.Fatalf("read %s: %v", page, err)
		}
		named := 0
		for _, found := range pathInText.FindAllStringSubmatch(string(text), -1) {
			path := strings.TrimSuffix(found[1], "/")
			if moduleOrTag.MatchString(path) {
				continue
			}
			if _, err := os.Stat(filepath.Join("..", path)); err != nil {
				t.Errorf("path %s in %s: %v", path, page, err)
			}
			named++
		}
		if named == 0 {
			t.Errorf("paths in %s: got none, want some to check", page)
		}
	}
}
