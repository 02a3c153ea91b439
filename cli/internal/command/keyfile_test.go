package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sininho/sininho/pkg/sininho/sininhotest"
)

// TestKeyFile takes the key from a file, and says what is wrong with a file that has none.
func TestKeyFile(t *testing.T) {
	server := sininhotest.New(t)
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text   string
		mode   os.FileMode
		code   int
		stderr string
	}{
		"a key":              {server.APIKey + "\n", 0o600, exitDone, ""},
		"spaces around":      {" \n" + server.APIKey + "\r\n", 0o600, exitDone, ""},
		"open to others":     {server.APIKey, 0o644, exitDone, "Others on this machine can read"},
		"empty":              {"\n", 0o600, exitNotSignedIn, "is empty"},
		"more than a key":    {"SININHO_API_KEY = x", 0o600, exitNotSignedIn, "has 3 words; it must have nothing but the key"},
		"a key of elsewhere": {anAPIKey, 0o600, exitNotSignedIn, "does not accept the key in SININHO_API_KEY_FILE"},
	} {
		path := filepath.Join(dir, strings.ReplaceAll(name, " ", "-"))
		if err := os.WriteFile(path, []byte(c.text), c.mode); err != nil {
			t.Fatalf("write the key: %v", err)
		}
		code, stderr := publishWith(t, map[string]string{"SININHO_URL": server.URL, keyFile: path})
		if code != c.code || !strings.Contains(stderr, c.stderr) || c.stderr == "" && stderr != "" {
			t.Errorf("%s: got %d and %q, want %d and %q", name, code, stderr, c.code, c.stderr)
		}
	}
	code, stderr := publishWith(t, map[string]string{"SININHO_URL": server.URL, keyFile: filepath.Join(dir, "none")})
	if code != exitNotSignedIn || !strings.Contains(stderr, "none: no such file") {
		t.Errorf("no file: got %d and %q", code, stderr)
	}
	code, _ = publishWith(t, map[string]string{"SININHO_URL": server.URL, "SININHO_API_KEY": server.APIKey, keyFile: "/nowhere"})
	if code != exitDone {
		t.Errorf("a key and a file: got %d, want the key to be used", code)
	}
}

func publishWith(t *testing.T, env map[string]string) (code int, stderr string) {
	t.Helper()
	var said bytes.Buffer
	code = Run(t.Context(), []string{"publish", "demo/novidades", "a", "--json"}, strings.NewReader(""), &bytes.Buffer{}, &said,
		func(name string) string { return env[name] })
	return code, said.String()
}
