package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
)

// function is what is counted of one function. Its complexity is cyclomatic: one, and one more for each branch.
type function struct {
	name              string
	lines, complexity int
}

type functions []function

// add counts the functions of a Go file.
func (f *functions) add(name string, content []byte) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, content, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		d, is := d.(*ast.FuncDecl)
		if !is || d.Body == nil {
			continue
		}
		from, to := set.Position(d.Pos()), set.Position(d.End())
		*f = append(*f, function{
			name:       fmt.Sprintf("%s:%d %s", name, from.Line, d.Name.Name),
			lines:      to.Line - from.Line + 1,
			complexity: complexity(d),
		})
	}
	return nil
}

func complexity(of ast.Node) int {
	sum := 1
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			sum++
		case *ast.CaseClause:
			if n.List != nil {
				sum++
			}
		case *ast.CommClause:
			if n.Comm != nil {
				sum++
			}
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				sum++
			}
		}
		return true
	})
	return sum
}

// write prints how long functions are, the longest of them, and those with a complexity above 15.
func (f functions) write() {
	slices.SortFunc(f, func(a, b function) int { return cmp.Compare(b.lines, a.lines) })
	at := func(share float64) int { return f[int(float64(len(f)-1)*share)].lines }
	fmt.Printf("%d functions: median %d lines, p90 %d, longest %d\n", len(f), at(0.5), at(0.1), at(0))
	for _, one := range f[:5] {
		fmt.Printf("%6d lines  %s\n", one.lines, one.name)
	}
	slices.SortStableFunc(f, func(a, b function) int { return cmp.Compare(b.complexity, a.complexity) })
	above := slices.IndexFunc(f, func(one function) bool { return one.complexity <= 15 })
	fmt.Printf("%d functions with a complexity above 15\n", above)
	for _, one := range f[:above] {
		fmt.Printf("%6d        %s\n", one.complexity, one.name)
	}
}
