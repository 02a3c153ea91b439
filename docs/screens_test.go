package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/sininho/sininho/docs"
)

var emphasized = regexp.MustCompile(`(?:^|[^*])\*([^*\n]*[^\x00-\x7f*\n][^*\n]*)\*`)

// TestScreensAreNamedAsOnScreen checks that emphasized Portuguese text in the guides (with a character that English
// lacks), which names a screen or a part of one, is in the web app.
func TestScreensAreNamedAsOnScreen(t *testing.T) {
	t.Parallel()
	texts := textsOnScreen(t)
	found := 0
	for _, section := range docs.Sections {
		for _, guide := range section.Guides {
			source, err := docs.Read(guide)
			if err != nil {
				t.Fatalf("read %s.md: %v", guide, err)
			}
			for _, match := range emphasized.FindAllSubmatch(source, -1) {
				for name := range strings.SplitSeq(string(match[1]), ", ") {
					found++
					if !strings.Contains(texts, "'"+name+"'") {
						t.Errorf("screen %q of %s.md: not in the web app", name, guide)
					}
				}
			}
		}
	}
	if found == 0 {
		t.Error("screens in the guides: got none, want some to check")
	}
}

// textsOnScreen returns the source of the texts of the web app.
func textsOnScreen(t *testing.T) string {
	t.Helper()
	const folder = "../webapp/src/i18n"
	var all strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all.Write(text)
		return err
	})
	if err != nil {
		t.Fatalf("walk the folder: %v", err)
	}
	return all.String()
}
