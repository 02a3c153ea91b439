package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// source is a package with its types.
type source struct {
	dir, path string
	set       *token.FileSet
	files     []*ast.File
	info      *types.Info
}

// load parses a package and finds its types.
func load(dir string) (*source, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,DepOnly", ".")
	list.Dir, list.Stderr = dir, os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := list.Start(); err != nil {
		return nil, err
	}
	p := &source{set: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	exports := map[string]string{}
	for d := json.NewDecoder(out); ; {
		var one struct {
			ImportPath, Dir, Export string
			GoFiles                 []string
			DepOnly                 bool
		}
		if err := d.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if exports[one.ImportPath] = one.Export; one.DepOnly {
			continue
		}
		p.dir, p.path = one.Dir, one.ImportPath
		for _, name := range one.GoFiles {
			f, err := parser.ParseFile(p.set, filepath.Join(one.Dir, name), nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			if !ast.IsGenerated(f) {
				p.files = append(p.files, f)
			}
		}
	}
	if err := list.Wait(); err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(p.set, "gc", open)}
	_, err = config.Check(p.path, p.set, p.files, p.info)
	return p, err
}
