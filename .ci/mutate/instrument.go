package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is a wrong change. Its key is the same wherever the code moves within its function.
type mutant struct {
	number, line int
	file, key    string
}

// helpers are what the changed code calls.
const helpers = `
import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"sync"
)

var mutantNumber, _ = strconv.Atoi(os.Getenv("MUTANT"))

var mutantsReached sync.Map

func mutantOn(n int) bool {
	if name := os.Getenv("MUTANTS_REACHED"); name != "" {
		if _, known := mutantsReached.LoadOrStore(n, true); !known {
			f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(f, n)
			f.Close()
		}
	}
	return mutantNumber == n
}

type mutantNumbers interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

func mutantMore[T mutantNumbers](n int) (more T) {
	if mutantOn(n) {
		more = 1
	}
	return more
}

func mutantTwice[T mutantNumbers](n int, a T) T { return a + a*mutantMore[T](n) }

func mutantLess[T cmp.Ordered](n int, a, b T) bool { return a < b || mutantOn(n) && a == b }

func mutantGreater[T cmp.Ordered](n int, a, b T) bool { return a > b || mutantOn(n) && a == b }

func mutantAdd[T mutantNumbers](n int, a, b T) T {
	if mutantOn(n) {
		return a - b
	}
	return a + b
}
`

// instrument writes the package with all its changes, and an overlay that replaces its files, into a folder.
func (p *source) instrument(temp string) (mutants []mutant, err error) {
	overlay := map[string]string{}
	add := func(name string, text []byte) error {
		to := filepath.Join(temp, filepath.Base(name))
		overlay[name] = to
		return os.WriteFile(to, text, 0o600)
	}
	for _, f := range p.files {
		name := p.set.Position(f.Package).Filename
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		w := &writer{source: p, file: f, text: text, mutants: mutants, skip: map[ast.Expr]bool{}}
		w.visitFile()
		if mutants = w.mutants; len(w.edits) > 0 {
			if err := add(name, w.apply()); err != nil {
				return nil, err
			}
		}
	}
	text := "package " + p.files[0].Name.Name + "\n" + helpers
	if err := add(filepath.Join(p.dir, "mutants.go"), []byte(text)); err != nil {
		return nil, err
	}
	b, err := json.Marshal(map[string]any{"Replace": overlay})
	if err != nil {
		return nil, err
	}
	return mutants, os.WriteFile(filepath.Join(temp, "overlay.json"), b, 0o600)
}

// edit replaces some bytes of a file. At one place, ends come before beginnings, and inner ends before outer ones.
type edit struct {
	at, length, order int
	text              string
}

// writer writes a file with its changes.
type writer struct {
	*source
	file    *ast.File
	text    []byte
	within  string // the function
	skip    map[ast.Expr]bool
	edits   []edit
	mutants []mutant
}

func (w *writer) offset(at token.Pos) int { return w.set.Position(at).Offset }

// new numbers a change of a node.
func (w *writer) new(n ast.Node, what string) int {
	text := string(w.text[w.offset(n.Pos()):w.offset(n.End())])
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 60 {
		text = string(r[:60]) + "…"
	}
	at := w.set.Position(n.Pos())
	file := filepath.Base(at.Filename)
	w.mutants = append(w.mutants, mutant{len(w.mutants) + 1, at.Line, file,
		fmt.Sprintf("%s %s: %s %s", strings.TrimSuffix(w.path+"/"+file, ".go"), w.within, what, text)})
	return len(w.mutants)
}

// wrap adds text before and after a node.
func (w *writer) wrap(n ast.Node, before, after string) {
	order := len(w.edits)
	w.edits = append(w.edits, edit{w.offset(n.Pos()), 0, order, before}, edit{w.offset(n.End()), 0, -1 - order, after})
}

func (w *writer) apply() []byte {
	slices.SortStableFunc(w.edits, func(a, b edit) int {
		if a.at != b.at {
			return a.at - b.at
		}
		return a.order - b.order
	})
	var out bytes.Buffer
	done := 0
	for _, e := range w.edits {
		out.Write(w.text[done:e.at])
		out.WriteString(e.text)
		done = e.at + e.length
	}
	out.Write(w.text[done:])
	return out.Bytes()
}

func (w *writer) visitFile() {
	for _, d := range w.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if w.within = d.Name.Name; d.Body != nil {
				w.function(d.Type, d.Body)
			}
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				w.within = "var"
				w.visit(d, nil)
			}
		}
	}
}

// function changes the body of a function.
func (w *writer) function(t *ast.FuncType, body ast.Node) {
	fails := false
	if r := t.Results; r != nil {
		id, ok := r.List[len(r.List)-1].Type.(*ast.Ident)
		fails = ok && id.Name == "error"
	}
	w.visit(body, &fails)
}

// visit changes what is in a node of a function.
func (w *writer) visit(in ast.Node, fails *bool) {
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			w.function(n.Type, n.Body)
			return false
		case *ast.GenDecl:
			return n.Tok == token.VAR
		case *ast.ArrayType:
			return false
		case *ast.BlockStmt:
			w.statements(n.List, fails)
		case *ast.CaseClause:
			w.statements(n.Body, fails)
		case *ast.CommClause:
			w.statements(n.Body, fails)
		case *ast.IfStmt:
			w.condition(n.Cond)
		case *ast.ForStmt:
			w.condition(n.Cond)
		case *ast.SwitchStmt:
			w.cases(n)
		case *ast.BinaryExpr:
			return w.binary(n)
		case *ast.BasicLit:
			return n.Kind == token.INT && w.constant(n)
		case *ast.Ident:
			return w.constant(n)
		case *ast.UnaryExpr:
			return w.constant(n)
		case *ast.SelectorExpr:
			return w.constant(n)
		}
		return true
	})
}

// cases negates the cases of a switch without a tag.
func (w *writer) cases(s *ast.SwitchStmt) {
	for _, c := range s.Body.List {
		if c, ok := c.(*ast.CaseClause); ok && s.Tag == nil {
			for _, e := range c.List {
				w.condition(e)
			}
		}
	}
}

// statements drops statements, and the errors that are returned.
func (w *writer) statements(list []ast.Stmt, fails *bool) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt:
			if c, ok := s.X.(*ast.CallExpr); ok && types.ExprString(c.Fun) != "panic" {
				w.drop(s)
			}
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE && types.ExprString(s.Lhs[0]) != "_" {
				w.drop(s)
			}
		case *ast.IncDecStmt:
			w.drop(s)
		case *ast.ReturnStmt:
			w.returned(s, fails)
		}
	}
}

func (w *writer) drop(s ast.Stmt) {
	w.wrap(s, fmt.Sprintf("if !mutantOn(%d) { ", w.new(s, "drop")), " }")
}

// returned returns nil in place of an error, and the other of true and false.
func (w *writer) returned(s *ast.ReturnStmt, fails *bool) {
	if len(s.Results) == 0 {
		return
	}
	last := s.Results[len(s.Results)-1]
	_, operator := last.(*ast.BinaryExpr)
	switch t := w.info.Types[last]; {
	case fails != nil && *fails && !t.IsNil() && len(s.Results) > 1 && isIdent(last, "err"):
		for _, r := range s.Results { // nobody looks at what comes with an error
			w.skip[r] = true
		}
		fallthrough
	case fails != nil && *fails && !t.IsNil() && (len(s.Results) > 1 || !isTuple(t.Type)):
		before := string(w.text[w.offset(s.Pos()):w.offset(last.Pos())])
		w.wrap(s, fmt.Sprintf("if mutantOn(%d) { %snil }; ", w.new(s, "no error"), before), "")
	case !operator:
		w.condition(last)
	}
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

func isTuple(t types.Type) bool {
	_, ok := t.(*types.Tuple)
	return ok
}

// condition negates a condition.
func (w *writer) condition(e ast.Expr) {
	if b, ok := e.(*ast.BinaryExpr); e == nil || ok && (b.Op == token.EQL || b.Op == token.NEQ) {
		return // nothing, or what binary changes in the same way
	}
	if t := w.info.Types[e].Type; t != nil && types.Identical(types.Default(t), types.Typ[types.Bool]) {
		w.wrap(e, "((", fmt.Sprintf(") != mutantOn(%d))", w.new(e, "not")))
	}
}

// binary changes an operator. It reports whether the operands can be changed too.
func (w *writer) binary(n *ast.BinaryExpr) bool {
	if !w.constant(n) {
		return false
	}
	of, ok := w.info.Types[n.X].Type.Underlying().(*types.Basic)
	ordered := ok && of.Info()&types.IsOrdered != 0
	number := ok && of.Info()&(types.IsInteger|types.IsFloat) != 0
	switch op := n.Op; {
	case op == token.LAND || op == token.LOR: // by De Morgan's law, so that no operand is written twice
		m := fmt.Sprintf(") != mutantOn(%d))", w.new(n, op.String()))
		w.wrap(n, "((", m)
		w.wrap(n.X, "((", m)
		w.wrap(n.Y, "((", m)
	case op == token.EQL || op == token.NEQ:
		w.wrap(n, "((", fmt.Sprintf(") != mutantOn(%d))", w.new(n, op.String())))
	case ordered && (op == token.LSS || op == token.GEQ):
		w.call(n, map[token.Token]string{token.LSS: "mutantLess", token.GEQ: "!mutantLess"}[op])
	case ordered && (op == token.GTR || op == token.LEQ):
		w.call(n, map[token.Token]string{token.GTR: "mutantGreater", token.LEQ: "!mutantGreater"}[op])
	case number && op == token.ADD:
		w.call(n, "mutantAdd")
	}
	return true
}

// call makes an operator a call of a helper.
func (w *writer) call(n *ast.BinaryExpr, name string) {
	w.wrap(n, fmt.Sprintf("%s(%d, ", name, w.new(n, n.Op.String())), ")")
	w.edits = append(w.edits, edit{w.offset(n.OpPos), len(n.Op.String()), 0, ","})
}

// constant adds one to a number, and doubles a duration. It reports whether the expression is no constant.
func (w *writer) constant(e ast.Expr) bool {
	t := w.info.Types[e]
	if t.Value == nil || t.Value.Kind() != constant.Int || w.skip[e] {
		return t.Value == nil
	}
	switch of := t.Type.(type) {
	case *types.Basic:
		w.wrap(e, "(", fmt.Sprintf(" + mutantMore[%s](%d))", types.Default(of), w.new(e, "+1")))
	case *types.Named:
		if of.String() == "time.Duration" && bytes.Contains(w.text, []byte("\t\"time\"\n")) { // its name is known
			w.wrap(e, fmt.Sprintf("mutantTwice[time.Duration](%d, ", w.new(e, "twice")), ")")
		}
	}
	return false
}
