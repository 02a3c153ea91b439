package command

import (
	"strings"
	"testing"
)

// checkCode checks the exit code of a command, and shows its messages if the code is wrong.
func checkCode(t *testing.T, what string, got, want int, stderr string) {
	t.Helper()
	if got != want {
		t.Errorf("exit code of %s: got %d, want %d\n%s", what, got, want, stderr)
	}
}

func checkContains(t *testing.T, what, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("%s: got %q, want it to contain %q", what, got, want)
	}
}
