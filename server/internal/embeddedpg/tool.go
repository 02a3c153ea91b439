//go:build linux || darwin

package embeddedpg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Tool returns the path of one of PostgreSQL's client programs, such as pg_dump, that works with a server of a major
// version: of the same version or, if it is not installed, of the next newer one that is. PG_BINDIR names the only
// directory to look in.
func Tool(ctx context.Context, name string, major int) (string, error) {
	var dirs []string
	for _, place := range places {
		matches, _ := filepath.Glob(place) // fails only on a malformed pattern
		dirs = append(dirs, matches...)
	}
	if path, err := exec.LookPath(name); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	if chosen := os.Getenv("PG_BINDIR"); chosen != "" {
		dirs = []string{chosen}
	}
	best, path := 0, ""
	for _, dir := range dirs {
		tool := filepath.Join(dir, name)
		if v, err := toolVersion(ctx, tool); err == nil && v >= major && (best == 0 || v < best) {
			best, path = v, tool
		}
	}
	if path == "" {
		return "", fmt.Errorf("no %s of PostgreSQL %d or newer is installed: install the client programs "+
			"(`apt-get install postgresql-client-%d`, `brew install postgresql@%d`), or set PG_BINDIR to their "+
			"directory", name, major, major, major)
	}
	return path, nil
}

// toolVersion returns the major version of a client program, which says "pg_dump (PostgreSQL) 15.18".
func toolVersion(ctx context.Context, path string) (int, error) {
	//nolint:gosec // a fixed name
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("%s --version: %w", path, err)
	}
	return parseMajor(strings.TrimSpace(string(out)))
}
