package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// noticesName is the file with the licences of all that is inside the programs, which most of them ask for.
const noticesName = "THIRD_PARTY_LICENSES.md"

// licence is that of a component of another author.
type licence struct {
	ecosystem     string // golang or npm, as in package URLs
	name, version string
	identifier    string // as SPDX has it
	text          string
}

// accepted are the licences that components may have: those that ask for no more than a notice, or, as the MPL, for the
// source of a component that is not changed.
var accepted = []string{"MIT", "ISC", "0BSD", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "(Apache-2.0 AND MIT)",
	"MPL-2.0", "Unlicense", "BSD-2-Clause-Views"}

// findLicences writes the licences of everything in all programs into one file. It fails for one that nobody has
// accepted yet.
func (r *release) findLicences([]build) error {
	modules, err := r.moduleLicences()
	if err != nil {
		return err
	}
	packages, err := r.packageLicences()
	if err != nil {
		return err
	}
	r.licences = slices.Concat(modules, packages)
	var faults []error
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Licences\n\nSininho %s contains, besides its own code, work of others under these licences.\n", r.version)
	for _, l := range r.licences {
		if !slices.Contains(accepted, l.identifier) {
			faults = append(faults, fmt.Errorf("%s has the licence %q, which is not accepted", l.name, l.identifier))
		}
		fmt.Fprintf(&out, "\n## %s %s (%s)\n\n```text\n%s\n```\n", l.name, l.version, l.identifier, strings.TrimSpace(l.text))
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	return os.WriteFile(filepath.Join(r.dist, noticesName), out.Bytes(), 0o644)
}

// moduleLicences returns the licences of the Go modules that are linked into any program, and of Go itself.
func (r *release) moduleLicences() ([]licence, error) {
	root, err := output(r.root, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	standard, err := readModule("std", "", root)
	if err != nil {
		return nil, err
	}
	found := map[string]licence{"std": standard}
	for _, b := range allBuilds {
		list, err := outputWith(b.environment(), r.root, "go", "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./"+mainPackages[b.program])
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(list) {
			module := strings.Split(strings.TrimSpace(line), "\t")
			if len(module) != 3 || strings.HasPrefix(module[0], "github.com/sininho/") || found[module[0]].name != "" {
				continue
			}
			if found[module[0]], err = readModule(module[0], module[1], module[2]); err != nil {
				return nil, err
			}
		}
	}
	return sorted(found), nil
}

func sorted(found map[string]licence) (all []licence) {
	for _, l := range found {
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b licence) int { return cmp.Compare(a.name, b.name) })
	return all
}

// readModule reads the licence files of a module, and NOTICE, which the Apache licence asks to pass on.
func readModule(name, version, dir string) (licence, error) {
	l := licence{ecosystem: "golang", name: name, version: version}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return l, err
	}
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		isLicence := strings.HasPrefix(upper, "LICENSE") || strings.HasPrefix(upper, "LICENCE") || strings.HasPrefix(upper, "COPYING")
		if e.IsDir() || !isLicence && !strings.HasPrefix(upper, "NOTICE") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return l, err
		}
		if isLicence && l.identifier == "" {
			l.identifier = identify(text)
		}
		l.text += "\n\n" + strings.TrimSpace(string(text))
	}
	return l, nil
}

// identify returns the SPDX identifier of the licence that most of a text is.
func identify(text []byte) string {
	best := licensecheck.Match{}
	for _, m := range licensecheck.Scan(text).Match {
		if !m.IsURL && m.End-m.Start > best.End-best.Start {
			best = m
		}
	}
	return best.ID
}

// packageLicences returns the licences of the npm packages in the web app, as its build has listed them.
func (r *release) packageLicences() (all []licence, err error) {
	list, err := os.ReadFile(filepath.Join(r.root, "webapp/dist/license.json"))
	if err != nil {
		return nil, fmt.Errorf("the web app is not built: %w", err)
	}
	var packages []struct{ Name, Version, Identifier, Text string }
	if err := json.Unmarshal(list, &packages); err != nil {
		return nil, fmt.Errorf("licences of the web app: %w", err)
	}
	for _, p := range packages {
		all = append(all, licence{"npm", p.Name, p.Version, p.Identifier, p.Text})
	}
	return all, nil
}
