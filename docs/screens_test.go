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

// TestScreensAreNamedAsOnScreen checks what the guides emphasize in Portuguese (with a letter that
// English lacks): it names a screen, or a part of one, and has to read as in the web app.
func TestScreensAreNamedAsOnScreen(t *testing.T) {
	t.Parallel()
	texts := textsOnScreen(t)
	found := 0
	for _, section := range docs.Sections {
		for _, guide := range section.Guides {
			source, err := docs.Read(guide)
			if err != nil {
				t.Fatalf("read the guides: %v", err)
			}
			for _, match := range emphasized.FindAllSubmatch(source, -1) {
				for name := range strings.SplitSeq(string(match[1]), ", ") {
					found++
					if !strings.Contains(texts, "'"+name+"'") {
						t.Errorf("%s.md names the screen %q, which the web app has not", guide, name)
					}
				}
			}
		}
	}
	if found == 0 {
		t.Error("no guide names a screen, want some to check")
	}
}

// textsOnScreen returns the sources of the web app's texts.
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
