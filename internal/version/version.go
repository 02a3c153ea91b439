// Package version reports which build of Sininho a program is.
package version

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// Set by the linker in a release. Other builds are described by what the Go tool has stamped.
var release, commit, date string

// Info describes a build.
type Info struct {
	Version  string    `json:"version"`          // such as v0.4.0, or dev
	Commit   string    `json:"commit,omitempty"` // with +dirty if files had been changed
	Date     time.Time `json:"date,omitzero"`    // of the commit
	Go       string    `json:"go"`
	Platform string    `json:"platform"` // such as linux/amd64
}

// Read returns the description of this program.
func Read() Info {
	built, ok := debug.ReadBuildInfo()
	if !ok {
		built = &debug.BuildInfo{}
	}
	stamped := map[string]string{}
	for _, s := range built.Settings {
		stamped[s.Key] = s.Value
	}
	if stamped["vcs.modified"] == "true" {
		stamped["vcs.revision"] += "+dirty"
	}
	day, _ := time.Parse(time.RFC3339, cmp.Or(date, stamped["vcs.time"])) // zero when unknown
	return Info{
		Version: cmp.Or(release, name(built.Main.Version)), Commit: cmp.Or(commit, stamped["vcs.revision"]), Date: day,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
}

// name returns the version of the main module, or dev where the Go tool knows none.
func name(module string) string {
	if module == "" || module == "(devel)" {
		return "dev"
	}
	return module
}

// String returns the description on one line.
func (i Info) String() string {
	source := ""
	if i.Commit != "" {
		source = "commit " + i.Commit + ", "
	}
	if !i.Date.IsZero() {
		source += i.Date.UTC().Format(time.DateOnly) + ", "
	}
	return fmt.Sprintf("%s (%s%s, %s)", i.Version, source, i.Go, i.Platform)
}
