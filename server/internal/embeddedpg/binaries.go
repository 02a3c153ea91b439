package embeddedpg

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// oldest is the oldest major version that is used: what Sininho's SQL needs, and what Debian 11 has.
const oldest = 13

// places are where packages put PostgreSQL's binaries.
var places = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// binaries is a directory that holds postgres and initdb of one major version.
type binaries struct {
	dir   string
	major int
}

func (b binaries) path(name string) string { return filepath.Join(b.dir, name) }

// findBinaries takes the newest installed version, or the one that a data directory needs (0: any), or fetches one.
func findBinaries(ctx context.Context, need int) (binaries, error) {
	installed := installedBinaries(ctx)
	for _, b := range installed {
		if need == 0 || b.major == need {
			return b, nil
		}
	}
	if need != 0 && need != fetchedMajor {
		return binaries{}, wrongVersion(need, installed)
	}
	dir, err := fetch(ctx)
	if err != nil {
		return binaries{}, fmt.Errorf("no PostgreSQL is installed (`apt-get install postgresql`, or set DATABASE_URL to a database of your own), and fetching one failed: %w", err)
	}
	return binaries{dir, fetchedMajor}, nil
}

func wrongVersion(need int, installed []binaries) error {
	have := []string{}
	for _, b := range installed {
		have = append(have, strconv.Itoa(b.major))
	}
	if len(have) == 0 {
		have = []string{"none"}
	}
	return fmt.Errorf("the data directory was made by PostgreSQL %d, but installed is: %s. Install postgresql-%d, set PG_BINDIR to its binaries, or move the data directory away to start afresh",
		need, strings.Join(have, ", "), need)
}

func installedBinaries(ctx context.Context) []binaries {
	if dir := os.Getenv("PG_BINDIR"); dir != "" {
		if b, ok := inspect(ctx, dir); ok {
			return []binaries{b}
		}
	}
	var found []binaries
	for _, place := range places {
		dirs, _ := filepath.Glob(place)
		for _, dir := range dirs {
			if b, ok := inspect(ctx, dir); ok && b.major >= oldest {
				found = append(found, b)
			}
		}
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		if b, ok := inspect(ctx, filepath.Dir(path)); ok && b.major >= oldest {
			found = append(found, b)
		}
	}
	slices.SortStableFunc(found, func(a, b binaries) int { return b.major - a.major })
	return found
}

// inspect asks a directory's postgres for its version.
func inspect(ctx context.Context, dir string) (binaries, bool) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return binaries{}, false
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output() //nolint:gosec // a fixed name
	if err != nil {
		return binaries{}, false
	}
	fields := strings.Fields(string(out)) // postgres (PostgreSQL) 15.18 (Debian …)
	if len(fields) < 3 {
		return binaries{}, false
	}
	version, _, _ := strings.Cut(fields[2], ".")
	major, err := strconv.Atoi(strings.TrimRight(version, "abcdefghijklmnopqrstuvwxyz"))
	return binaries{dir, major}, err == nil
}
