package main

import (
	_ "embed"
	"os"
	"path/filepath"
	"text/template"
)

//go:embed formula.rb.tmpl
var formulaText string

var formula = template.Must(template.New("formula").Parse(formulaText))

// formulaBuild is one platform in the formula.
type formulaBuild struct{ System, Arch, File, Sum string }

// homebrew has the platforms as Homebrew names them.
var homebrew = map[string]string{"darwin": "macos", "linux": "linux", "amd64": "intel", "arm64": "arm"}

// writeFormula writes the Homebrew formula of the command line, for the archives that have been built.
func (r *release) writeFormula(builds []build) error {
	var all []formulaBuild
	for _, b := range builds {
		if b.program != client || homebrew[b.system] == "" {
			continue
		}
		name := r.archiveName(b) + ".tar.gz"
		sum, err := checksum(filepath.Join(r.dist, name))
		if err != nil {
			return err
		}
		all = append(all, formulaBuild{homebrew[b.system], homebrew[b.arch], name, sum})
	}
	if len(all) == 0 {
		return nil
	}
	out, err := os.Create(filepath.Join(r.dist, client+".rb"))
	if err != nil {
		return err
	}
	defer out.Close()
	return formula.Execute(out, map[string]any{"Version": r.number(), "Tag": r.version, "Builds": all})
}
