// Command release builds everything that a release publishes: archives, packages, bills of materials, the licences of
// what is inside, a Homebrew formula and checksums. The same commit and version of Go give the same bytes, in any
// folder. `make release VERSION=v0.4.0` runs it, after it has built the web app.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	r := release{}
	only := flag.String("only", "", "`PROGRAM_OS_ARCH`, separated by commas, instead of all")
	flag.StringVar(&r.root, "root", "../..", "the `FOLDER` of the repository")
	flag.StringVar(&r.dist, "dist", "", "the `FOLDER` for the results, which is emptied first")
	flag.StringVar(&r.version, "version", "", "the `VERSION`, such as v0.4.0")
	flag.Parse()
	if err := r.run(*only); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

var isVersion = regexp.MustCompile(`^v[01]\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$`)

// release is one run.
type release struct {
	root, dist string
	version    string
	source     source
	work       string // for what is not a result; removed in the end
	licences   []licence
}

func (r *release) run(only string) (err error) {
	if !isVersion.MatchString(r.version) {
		return fmt.Errorf("%q is not a version; give one such as v0.4.0", r.version)
	}
	builds, err := selectBuilds(only)
	if err != nil {
		return err
	}
	if err := r.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	steps := []func([]build) error{r.findLicences, r.writeCompletions, r.compileAll, r.archiveAll, r.packageAll, r.describeAll,
		r.packSDK, r.packPython, r.writeFormula, r.writeChecksums}
	for _, step := range steps {
		if err := step(builds); err != nil {
			return err
		}
	}
	return nil
}

// prepare reads what the release is made of and empties the folder for the results.
func (r *release) prepare() (err error) {
	for _, folder := range []*string{&r.root, &r.dist} {
		if *folder, err = filepath.Abs(*folder); err != nil {
			return err
		}
	}
	if r.source, err = readSource(r.root); err != nil {
		return err
	}
	if err := os.RemoveAll(r.dist); err != nil {
		return err
	}
	if err := os.MkdirAll(r.dist, 0o755); err != nil {
		return err
	}
	r.work, err = os.MkdirTemp("", "sininho-release-")
	return err
}

// number returns the version as archives and packages have it: 0.4.0.
func (r *release) number() string { return strings.TrimPrefix(r.version, "v") }

func say(format string, args ...any) { fmt.Printf("==> "+format+"\n", args...) }
