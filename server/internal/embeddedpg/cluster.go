//go:build linux || darwin

package embeddedpg

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// version returns the major version that made a data directory, or 0 if the directory does not exist yet.
func version(data string) (int, error) {
	b, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if errors.Is(err, os.ErrNotExist) {
		return 0, emptyOrMissing(data)
	}
	if err != nil {
		return 0, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		return 0, fmt.Errorf("%s is no data directory of PostgreSQL %d or newer: move it away to start afresh", data,
			oldest)
	}
	return major, nil
}

// emptyOrMissing fails if the directory has other content, because a data directory appears complete or not at all.
func emptyOrMissing(data string) error {
	err := os.Remove(data) // fails unless the directory is empty
	if err == nil || errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return fmt.Errorf("%s is there but is no PostgreSQL data directory: move it away, or choose another directory "+
		"(%w)", data, err)
}

// keepPassword reads the password, or creates one for a data directory that does not exist yet.
func keepPassword(dir string, made int) (string, error) {
	path := filepath.Join(dir, "postgres.password")
	b, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return "", err
	}
	if password := strings.TrimSpace(string(b)); password != "" {
		return password, nil
	}
	if made != 0 {
		return "",
			fmt.Errorf("%s is missing, and nobody gets into the database without it: put it back, or move %s away to "+
				"start afresh",
				path, filepath.Join(dir, "data"))
	}
	password := rand.Text()
	return password, os.WriteFile(path, []byte(password+"\n"), 0o600)
}

// unfinished is where the data directory is created before it is moved to its place.
func (s *Server) unfinished() string { return s.data() + ".tmp" }

// makeCluster creates the data directory and moves it to its place once it is complete. initdb inherits the lock on the
// alive file: if this process is killed, the next one waits for initdb to end before it cleans up.
func (s *Server) makeCluster(ctx context.Context) error {
	s.config.Logger.InfoContext(ctx, "making a PostgreSQL data directory", "dir", s.data(), "version", s.binaries.major)
	work := s.unfinished()
	if err := os.Mkdir(work, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(work) // if this fails, the next start removes it
	data := filepath.Join(work, "data")
	if err := s.initdb(ctx, work, data); err != nil {
		return err
	}
	return os.Rename(data, s.data())
}

func (s *Server) initdb(ctx context.Context, work, data string) error {
	password := filepath.Join(work, "password")
	if err := os.WriteFile(password, []byte(s.password+"\n"), 0o600); err != nil {
		return err
	}
	if err := errors.Join(s.account.own(work), s.account.own(password)); err != nil {
		return err
	}
	alive, err := lockAlive(ctx, s.config.Dir)
	if err != nil {
		return err
	}
	defer alive.Close() // initdb has a copy of the file, which keeps the lock
	var out []byte
	for _, ctype := range characterTypes {
		args := []string{
			"-D", data, "-U", owner, "--pwfile=" + password, "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C",
			"--lc-ctype=" + ctype,
		}
		if s.config.Settings["fsync"] == "off" {
			args = append(args, "--no-sync")
		}
		cmd := s.account.command(ctx, s.binaries.path("initdb"), args...)
		cmd.ExtraFiles = []*os.File{alive}
		if out, err = runLocked(cmd); err == nil || ctx.Err() != nil ||
			!strings.Contains(string(out), "invalid locale name") {
			break
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("initdb: %w%s\n%s", err, advice(string(out)), out)
	}
	return nil
}

// characterTypes are the locales for upper and lower case; the first that the machine has is used. The last knows only
// ASCII letters. Sorting is by bytes in any case.
var characterTypes = []string{"C.UTF-8", "en_US.UTF-8", "C"}

// advice returns instructions for faults that PostgreSQL only reports.
func advice(output string) string {
	if strings.Contains(output, "No space left on device") {
		return ": the disk is full: free some space, or choose another directory"
	}
	return ""
}
