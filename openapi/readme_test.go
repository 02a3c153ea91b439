package openapi_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeListsGeneratedFiles compares the README's table with the scripts that generate code,
// and checks that each file in it exists.
func TestReadmeListsGeneratedFiles(t *testing.T) {
	t.Parallel()
	readme := read(t, "README.md")
	named := map[string]bool{}
	rows := regexp.MustCompile("(?m)^\\| `(\\w+\\.yaml)` \\| .* \\| `([^`]+)`")
	for _, row := range rows.FindAllStringSubmatch(readme, -1) {
		contract, file := row[1], row[2]
		for _, path := range []string{contract, "../" + file} {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("path %s in the README: %v", path, err)
			}
		}
		named[file[:strings.LastIndex(file, "/")]+" "+contract] = true
	}
	script := read(t, "../.ci/generate")
	for _, call := range regexp.MustCompile(`(?m)^go_code (\S+) openapi/(\S+)$`).FindAllStringSubmatch(script, -1) {
		if !named[call[1]+" "+call[2]] {
			t.Errorf("README: no row says that %s is generated from %s", call[1], call[2])
		}
	}
	for _, contract := range []string{"sininho.yaml", "waitlist.yaml"} {
		if !named["sdk-ts/src/gen "+contract] {
			t.Errorf("README: no row says that TypeScript types are generated from %s", contract)
		}
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("read %s: %v", path, err)
	}
	return string(text)
}
