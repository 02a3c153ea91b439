package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestInitAndServe makes the settings of a new installation and serves with them: two commands on a bare machine.
func TestInitAndServe(t *testing.T) {
	t.Parallel()
	asEachUser(t, func(b *bare) {
		mail := newMailbox(b.t)
		out := b.mustRun("init", "--url", "http://"+b.addr, "--env-file", "new.env", "--data", "data",
			"--sign-in", "email", "--smtp", mail.SMTPURL(), "--mail-from", "sininho@example.com", "--push", "webpush")
		if !strings.Contains(out, " serve --env-file new.env\n") {
			b.t.Errorf("init: got %s, want the next command", out)
		}
		info, err := os.Stat(b.path("new.env"))
		if err != nil || info.Mode().Perm() != 0o600 {
			b.t.Errorf("mode of the file: got %v and %v, want 600", info, err)
		}
		process := b.serve("new.env")
		b.post("olá")
		ana := b.signIn(mail, "ana@example.com")
		if err := process.Process.Signal(syscall.SIGKILL); err != nil {
			b.t.Fatalf("kill the server: %v", err)
		}
		_ = process.Wait()
		process = b.serve("new.env")
		b.wantPosts("after kill -9", "olá")
		if got := ana.email(); got != "ana@example.com" {
			b.t.Errorf("the person who is signed in after kill -9: got %q, want ana@example.com", got)
		}
		b.stop(process)
	})
}

// TestInitReplacesNothing expects that an existing file stays, and that no file is made of incomplete settings.
func TestInitReplacesNothing(t *testing.T) {
	t.Parallel()
	b := newBare(t, nil)
	b.write("kept.env", "kept", 0o600)
	out, err := b.run("init", "--url", "https://sininho.example.com", "--env-file", "kept.env")
	if err == nil || !strings.Contains(out, "kept.env exists already") {
		t.Errorf("init over a file: got %v and %s, want it refused", err, out)
	}
	if content, err := os.ReadFile(b.path("kept.env")); err != nil || string(content) != "kept" {
		t.Errorf("existing file: got %q and %v, want it unchanged", content, err)
	}
	out, err = b.run("init", "--env-file", "new.env") // its input is no terminal
	if err == nil || !strings.Contains(out, "--url is needed: Address at which people reach the installation") {
		t.Errorf("init without flags: got %v and %s, want the flags that are missing", err, out)
	}
	if _, err := os.Lstat(b.path("new.env")); !os.IsNotExist(err) {
		t.Errorf("file of incomplete settings: got %v, want none", err)
	}
}
