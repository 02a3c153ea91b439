package settings

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sininho.env")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatalf("write a file: %v", err)
	}
	return path
}

func TestRead(t *testing.T) {
	path := write(t, "\ufeff# a comment\n\nA=plain\r\n  export B='it'\\''s $HOME #1'  # comment\nC=\"a \\\"b\\\" \\$c \\n\"\n"+
		"D=\nE=postgres://u:p#w@h/d?x=$y;z\nF=a\\ b\nA=last\nG=ç")
	got, err := Read(path)
	if err != nil {
		t.Fatalf("read the file: %v", err)
	}
	want := map[string]string{"A": "last", "B": "it's $HOME #1", "C": `a "b" $c \n`, "D": "",
		"E": "postgres://u:p#w@h/d?x=$y;z", "F": "a b", "G": "ç"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables of the file (-want +got):\n%s", diff)
	}
}

// TestFaultsOfAFile expects all faults at once, with their lines and without the values.
func TestFaultsOfAFile(t *testing.T) {
	path := write(t, "A=1\nB 2\nC = 3\nD='secret\nE=secret word\n2F=1\nG=\"secret\\\"\nH=secret\\\n")
	_, err := Read(path)
	if err == nil {
		t.Fatal("read a file with faults: got no error")
	}
	for _, want := range []string{":2: must be NAME=value", ":3: must be NAME=value", ":4: D: the quote is not closed",
		":5: E: put a value with spaces in single quotes", ":6: must be NAME", ":7: G: the quote", ":8: H: nothing"} {
		if !strings.Contains(err.Error(), path+want) {
			t.Errorf("faults of the file: got\n%v\nwant one with %q", err, want)
		}
	}
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("faults of the file: got\n%v\nwant no value", err)
	}
	if _, err := Read(path + "x"); !os.IsNotExist(err) {
		t.Errorf("read a file that does not exist: got %v", err)
	}
}

// TestQuote expects that the shell and this package read the values that were quoted.
func TestQuote(t *testing.T) {
	for _, value := range []string{"", "a", "it's", `a"b\c`, "$HOME `id` $(id)", "a b\t#c", "ç;&|", `\`, "'"} {
		path := write(t, "X="+Quote(value)+"\n")
		got, err := Read(path)
		if err != nil || got["X"] != value {
			t.Errorf("quoted %q: got %q and %v", value, got["X"], err)
		}
		out, err := exec.CommandContext(t.Context(), "sh", "-c", `. "$1" && printf %s "$X"`, "sh", path).CombinedOutput()
		if err != nil || string(out) != value {
			t.Errorf("quoted %q, read by the shell: got %q and %v", value, out, err)
		}
	}
}

func TestCheckPrivate(t *testing.T) {
	path := write(t, "")
	for mode, private := range map[os.FileMode]bool{0o600: true, 0o640: true, 0o660: true, 0o604: false, 0o602: false} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatalf("change a mode: %v", err)
		}
		if err := CheckPrivate(path); (err == nil) != private {
			t.Errorf("file with mode %o: got error %v, want private %t", mode, err, private)
		}
	}
}

// TestCreate creates files whatever the umask is, and replaces neither a file nor what a link leads to.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	for _, umask := range []int{0, 0o022, 0o777} {
		before := syscall.Umask(umask)
		path := filepath.Join(dir, "umask"+string(rune('0'+umask%8)))
		err := Create(path, []byte("A=1\n"))
		syscall.Umask(before)
		info, statErr := os.Stat(path)
		if err != nil || statErr != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("file created with umask %o: got %v, %v and %v, want mode 600", umask, err, statErr, info)
		}
		_ = os.Remove(path)
	}
	kept, link := write(t, "kept"), filepath.Join(dir, "link")
	if err := os.Symlink(kept, link); err != nil {
		t.Fatalf("make a link: %v", err)
	}
	for _, path := range []string{kept, link} {
		if err := Create(path, []byte("new")); err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("create %s, which exists: got %v", path, err)
		}
	}
	if b, err := os.ReadFile(kept); err != nil || string(b) != "kept" {
		t.Errorf("existing file: got %q and %v, want it unchanged", b, err)
	}
}
