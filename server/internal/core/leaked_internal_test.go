package core

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../.."

// documentedPattern returns the pattern by which the guide lets scanners find secrets.
func documentedPattern(t *testing.T) *regexp.Regexp {
	t.Helper()
	guide, err := os.ReadFile(filepath.Join(root, "docs", "authentication.md"))
	if err != nil {
		t.Fatalf("read the guide: %v", err)
	}
	line := regexp.MustCompile(`(?m)^\\b.*\\b$`).Find(guide)
	pattern, err := regexp.Compile(string(line))
	if err != nil || line == nil {
		t.Fatalf("pattern in the guide: got %q and error %v, want a pattern", line, err)
	}
	return pattern
}

// TestPatternFindsSecrets wants every secret that is issued to match the documented pattern.
func TestPatternFindsSecrets(t *testing.T) {
	pattern := documentedPattern(t)
	for range 100 {
		for _, prefix := range []string{keyPrefix, tokenPrefix} {
			if s := newSecret(prefix); pattern.FindString("key="+s+"&") != s {
				t.Errorf("secret %s: got no match of %s, want one", s, pattern)
			}
		}
	}
}

// TestNoSecretIsCommitted scans all files of the repository. Examples of keys in them have no valid checksum.
func TestNoSecretIsCommitted(t *testing.T) {
	pattern := documentedPattern(t)
	list, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Fatalf("list the files of the repository: %v", err)
	}
	files := strings.Split(strings.Trim(string(list), "\x00"), "\x00")
	if len(files) < 100 {
		t.Errorf("files of the repository: got %d, want all", len(files))
	}
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(root, name))
		if err != nil || !bytes.Contains(content, []byte("_live_")) {
			continue // deleted in the working tree, or without any
		}
		for _, found := range pattern.FindAllString(string(content), -1) {
			if WellFormedCredential(found) {
				t.Errorf("%s contains a secret that ends in %s: got one, want none", name, hint(found))
			}
		}
	}
}
