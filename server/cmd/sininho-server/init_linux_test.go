package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"github.com/sininho/sininho/internal/eventually"
)

// pseudoTerminal returns both ends of a new terminal.
func pseudoTerminal(t *testing.T) (person, program *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatalf("open a terminal: %v", err)
	}
	t.Cleanup(func() { _ = person.Close() })
	if err := unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatalf("unlock the terminal: %v", err)
	}
	number, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatalf("number of the terminal: %v", err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatalf("open the terminal: %v", err)
	}
	t.Cleanup(func() { _ = program.Close() })
	if !term.IsTerminal(int(program.Fd())) {
		t.Fatal("the program's end of a terminal is none")
	}
	return person, program
}

// TestInitAsks answers the questions of init on a terminal, which never shows the secret.
func TestInitAsks(t *testing.T) {
	t.Parallel()
	b := newBare(t, nil)
	person, program := pseudoTerminal(t)
	cmd := b.command("init", "--sign-in", "google", "--env-file", "asked.env")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	if err := cmd.Start(); err != nil {
		t.Fatalf("start the program: %v", err)
	}
	screen := bufio.NewReader(person)
	var seen strings.Builder
	for _, c := range []struct{ question, answer string }{
		{"such as https://sininho.example.com: ", "https://sininho.example.com"},
		{"Client ID at Google: ", "id"}, {"Client secret at Google: ", "never-shown"},
		{"Next:", ""},
	} {
		for from := seen.Len(); !strings.HasSuffix(seen.String()[from:], c.question); {
			char, err := screen.ReadByte()
			if err != nil {
				t.Fatalf("wait for %q: %v after %q", c.question, err, seen.String())
			}
			seen.WriteByte(char)
		}
		if strings.Contains(c.question, "secret") {
			eventually.True(t, "the terminal to hide what is typed", func() bool {
				mode, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
				return err == nil && mode.Lflag&unix.ECHO == 0
			})
		}
		if _, err := person.WriteString(c.answer + "\n"); err != nil {
			t.Fatalf("answer %q: %v", c.question, err)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("init: %v", err)
	}
	if strings.Contains(seen.String(), "never-shown") {
		t.Errorf("screen: got the secret in\n%s", seen.String())
	}
	content, err := os.ReadFile(b.path("asked.env"))
	if err != nil || !strings.Contains(string(content), "\nGOOGLE_SECRET=never-shown\n") {
		t.Errorf("settings: got %v and\n%s\nwant the answers", err, content)
	}
}
