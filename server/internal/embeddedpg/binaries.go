//go:build linux || darwin

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

// oldest is the oldest major version that is supported. Debian 11, the oldest supported system, has it.
const oldest = 13

// places are the directories where packages install PostgreSQL's binaries: Debian, RHEL, Homebrew, Postgres.app.
var places = []string{
	"/usr/lib/postgresql/*/bin",
	"/usr/pgsql-*/bin",
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
	"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// binaries is a directory with postgres and initdb of one major version.
type binaries struct {
	dir   string
	major int
}

func (b binaries) path(name string) string { return filepath.Join(b.dir, name) }

// finder looks for binaries.
type finder struct {
	chosen string   // PG_BINDIR: only this directory is used
	places []string // glob patterns
	path   bool     // whether PATH is searched too
	fetch  func(context.Context) (binaries, error)
}

// find returns the newest installed version or, for an existing data directory, the major version that made it. If none
// is installed, it fetches one. made is 0 for a data directory that does not exist yet.
func (f finder) find(ctx context.Context, data string, made int) (binaries, error) {
	if made != 0 && made < oldest {
		return binaries{},
			fmt.Errorf(
				"%s was made by PostgreSQL %d, and at least %d is needed: move the directory away to start afresh",
				data, made, oldest,
			)
	}
	if f.chosen != "" {
		return f.findChosen(ctx, data, made)
	}
	installed := f.installed(ctx)
	for _, b := range installed {
		if made == 0 || b.major == made {
			return b, nil
		}
	}
	if made != 0 && made != fetchedMajor {
		return binaries{}, wrongVersion(data, made, installed)
	}
	fetched, err := f.fetch(ctx)
	if err != nil && made != 0 {
		return binaries{}, fmt.Errorf("%w. Fetching PostgreSQL %d failed: %w",
			wrongVersion(data, made, installed), made, err)
	}
	if err != nil {
		return binaries{},
			fmt.Errorf("no PostgreSQL %d or newer is installed, and fetching one failed: %w. Install it (`apt-get "+
				"install postgresql`, `brew install postgresql`), or set DATABASE_URL to a database of your own",
				oldest, err)
	}
	return fetched, nil
}

func (f finder) findChosen(ctx context.Context, data string, made int) (binaries, error) {
	b, err := inspect(ctx, f.chosen)
	switch {
	case err != nil:
		return b, fmt.Errorf("PG_BINDIR must name a directory that holds PostgreSQL's postgres and initdb: %w", err)
	case b.major < oldest:
		return b, fmt.Errorf("PG_BINDIR=%s holds PostgreSQL %d, and at least %d is needed", f.chosen, b.major, oldest)
	case made != 0 && b.major != made:
		return b,
			fmt.Errorf("%s was made by PostgreSQL %d, but PG_BINDIR=%s holds %d: point it at a PostgreSQL %d, or "+
				"move the directory away to start afresh",
				data, made, f.chosen, b.major, made)
	}
	return b, nil
}

func wrongVersion(data string, made int, installed []binaries) error {
	have := "none"
	if len(installed) > 0 {
		majors := make([]string, len(installed))
		for i, b := range installed {
			majors[i] = strconv.Itoa(b.major)
		}
		have = "only " + strings.Join(slices.Compact(majors), ", ")
	}
	return fmt.Errorf("%s was made by PostgreSQL %d, but %s is installed: install postgresql-%d, set PG_BINDIR to "+
		"its binaries, or move the directory away to start afresh",
		data, made, have, made)
}

// installed returns the versions that are installed on this machine, newest first.
func (f finder) installed(ctx context.Context) []binaries {
	var dirs []string
	for _, place := range f.places {
		matches, _ := filepath.Glob(place) // fails only on a malformed pattern
		dirs = append(dirs, matches...)
	}
	if postgres, err := exec.LookPath("postgres"); f.path && err == nil {
		dirs = append(dirs, filepath.Dir(postgres))
	}
	var found []binaries
	for _, dir := range dirs {
		if b, err := inspect(ctx, dir); err == nil && b.major >= oldest {
			found = append(found, b)
		}
	}
	slices.SortStableFunc(found, func(a, b binaries) int { return b.major - a.major })
	return found
}

// inspect runs the postgres of a directory to learn its version.
func inspect(ctx context.Context, dir string) (binaries, error) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return binaries{}, err
	}
	//nolint:gosec // a fixed name
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").CombinedOutput()
	if err != nil {
		return binaries{}, fmt.Errorf("%s does not run here: %w: %s", filepath.Join(dir, "postgres"), err,
			strings.TrimSpace(string(out)))
	}
	major, err := parseMajor(string(out))
	return binaries{dir, major}, err
}

// parseMajor returns 15 for "postgres (PostgreSQL) 15.18 (Debian …)", and 19 for "postgres (PostgreSQL) 19beta1".
func parseMajor(version string) (int, error) {
	_, number, _ := strings.Cut(version, "(PostgreSQL) ")
	digits := number[:len(number)-len(strings.TrimLeft(number, "0123456789"))]
	major, err := strconv.Atoi(digits)
	if err != nil {
		return 0, fmt.Errorf("%q is no version of PostgreSQL", strings.TrimSpace(version))
	}
	return major, nil
}
