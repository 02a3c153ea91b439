// Package mailtest compares emails with files in tests.
package mailtest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/sininho/sininho/server/internal/mail"
	"github.com/sininho/sininho/server/lab/check"
)

var update = flag.Bool("update", false, "rewrite the emails in testdata")

// Golden fails the test if an email is not that of the file with this name in testdata. The flag -update writes the
// file.
func Golden(t testing.TB, name string, m mail.Message) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	got := "Subject: " + m.Subject + "\n\n" + m.Text + "\n" + m.HTML
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatalf("write the email %s: %v", name, err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("read the email %s: %v", name, err)
	}
	check.Equal(t, "email "+name, got, string(want))
}
