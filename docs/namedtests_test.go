package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testInText matches the link to a test, [TestName](path/to/file_test.go), or its name in backquotes.
var testInText = regexp.MustCompile("\\[(Test[A-Za-z0-9]+)\\]\\(([^)]+_test\\.go)\\)|`(Test[A-Za-z0-9]+)`")

// TestNamedTestsExist checks that the tests that the guides name exist, and are in the files that the links lead to.
func TestNamedTestsExist(t *testing.T) {
	all := allTests(t)
	for _, page := range []string{"guarantees.md", "threat-model.md", "security/asvs.md", "works-with.md"} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatalf("read %s: %v", page, err)
		}
		named := testInText.FindAllStringSubmatch(string(text), -1)
		if len(named) == 0 {
			t.Errorf("tests in %s: got none, want some to check", page)
		}
		for _, found := range named {
			name, file := found[1]+found[3], filepath.Join(filepath.Dir(page), found[2])
			if found[2] == "" {
				file = ""
			}
			if !all[name][filepath.Clean(file)] {
				t.Errorf("%s: test %s is not in %q", page, name, file)
			}
		}
	}
}

// allTests returns the files of all Go tests by their names, and "." for any file.
func allTests(t *testing.T) map[string]map[string]bool {
	t.Helper()
	all, function := map[string]map[string]bool{}, regexp.MustCompile(`(?m)^func (Test[A-Za-z0-9]+)\(`)
	for _, root := range []string{"../server", "../pkg", "../cli", "../docs", "../examples"} {
		err := filepath.WalkDir(root, func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, found := range function.FindAllStringSubmatch(string(source), -1) {
				if all[found[1]] == nil {
					all[found[1]] = map[string]bool{".": true}
				}
				all[found[1]][path] = true
			}
			return err
		})
		if err != nil {
			t.Fatalf("find the tests below %s: %v", root, err)
		}
	}
	return all
}
