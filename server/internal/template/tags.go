package template

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/osteele/liquid/expressions"
	"github.com/osteele/liquid/render"
	"github.com/osteele/liquid/values"
)

// meterName is the variable that holds the meter. No template can refer to it.
const meterName = "\x00meter"

// newConfig registers the Liquid tags that need only variables, so there is no include. It replaces the library's own
// tags, because their cost, such as that of loops, cannot be metered.
func newConfig() render.Config {
	c := render.NewConfig()
	c.AddTag("assign", assign)
	c.AddTag("break", leave(errBreak))
	c.AddTag("continue", leave(errContinue))
	c.AddBlock("capture").Compiler(capture)
	c.AddBlock("case").Clause("when").Clause("else").Compiler(choose)
	c.AddBlock("comment")
	c.AddBlock("for").Clause("else").Compiler(loop)
	c.AddBlock("if").Clause("else").Clause("elsif").
		Compiler(func(n render.BlockNode) (renderer, error) { return decide(n, false) })
	c.AddBlock("raw")
	c.AddBlock("unless").Clause("else").Compiler(func(n render.BlockNode) (renderer, error) { return decide(n, true) })
	return c
}

type renderer = func(io.Writer, render.Context) error

func meterOf(ctx render.Context) *meter { return ctx.Get(meterName).(*meter) }

func bind(ctx render.Context, name string, value any) {
	ctx.Set(name, variable{value, meterOf(ctx)})
}

func assign(args string) (renderer, error) {
	s, err := expressions.ParseStatement(expressions.AssignStatementSelector, args)
	if err != nil {
		return nil, err
	}
	return func(_ io.Writer, ctx render.Context) error {
		value, err := ctx.Evaluate(s.Assignment.ValueFn)
		if err != nil {
			return err
		}
		bind(ctx, s.Assignment.Variable, value)
		return nil
	}, nil
}

func capture(node render.BlockNode) (renderer, error) {
	name := strings.Trim(node.Args, `"'`)
	if !identifier.MatchString(name) {
		return nil, fmt.Errorf("capture needs the name of a variable")
	}
	return func(_ io.Writer, ctx render.Context) error {
		out := output{meter: meterOf(ctx)}
		if err := ctx.RenderChildren(&out); err != nil {
			return err
		}
		bind(ctx, name, string(out.text))
		return nil
	}, nil
}

// branch is a part of an `if` or `case` with its condition.
type branch struct {
	taken func(render.Context) (bool, error)
	body  *render.BlockNode
}

func always(render.Context) (bool, error) { return true, nil }

func first(branches []branch) renderer {
	return func(w io.Writer, ctx render.Context) error {
		meterOf(ctx).spend(1, 0)
		for _, b := range branches {
			taken, err := b.taken(ctx)
			if err != nil {
				return err
			}
			if taken {
				return ctx.RenderBlock(w, b.body)
			}
		}
		return nil
	}
}

// decide compiles `if`, or `unless` if negated.
func decide(node render.BlockNode, negated bool) (renderer, error) {
	test, err := condition(node.Args, negated)
	if err != nil {
		return nil, err
	}
	branches := []branch{{test, &node}}
	for _, clause := range node.Clauses {
		test := always
		if clause.Name == "elsif" {
			if test, err = condition(clause.Args, false); err != nil {
				return nil, err
			}
		}
		branches = append(branches, branch{test, clause})
	}
	return first(branches), nil
}

func condition(source string, negated bool) (func(render.Context) (bool, error), error) {
	e, err := expressions.Parse(source)
	if err != nil {
		return nil, err
	}
	compared, err := operands(source)
	if err != nil {
		return nil, err
	}
	return func(ctx render.Context) (bool, error) {
		for _, operand := range compared {
			value, err := ctx.Evaluate(operand)
			if err != nil {
				return false, err
			}
			meterOf(ctx).spend(1, size(value))
		}
		value, err := ctx.Evaluate(e)
		return (value != nil && value != false) != negated, err
	}, nil
}

// operators matches the operators in a condition. It also matches quoted strings, so that an operator within one is not
// mistaken for an operator of the condition.
var operators = regexp.MustCompile(`"[^"]*"|'[^']*'|==|!=|<>|<=|>=|<|>|\s(?:and|or|contains)\s`)

// literal matches numbers and words that cost nothing to compare. foreign matches the words of Liquid that the library
// does not support and treats as undefined variables.
var (
	literal = regexp.MustCompile(`^\s*(?:-?\d+(?:\.\d+)?|true|false|nil|null)\s*$`)
	foreign = regexp.MustCompile(`^\s*(?:empty|blank)\s*$`)
)

// operands returns the operands of a condition's comparisons. The library compares whole lists and texts, so their size
// is charged to the meter.
func operands(source string) (found []expressions.Expression, err error) {
	from := 0
	for _, at := range append(operators.FindAllStringIndex(source, -1), []int{len(source), len(source)}) {
		if at[0] < len(source) && strings.ContainsAny(source[at[0]:at[0]+1], `"'`) ||
			at[0] == len(source) && from == 0 {
			continue
		}
		operand := source[from:at[0]]
		from = at[1]
		if literal.MatchString(operand) {
			continue
		}
		if foreign.MatchString(operand) {
			return nil, fmt.Errorf("there is no %s; compare with nil or \"\", or the size with 0",
				strings.TrimSpace(operand))
		}
		e, err := expressions.Parse(operand)
		if err != nil {
			return nil, err
		}
		found = append(found, e)
	}
	return found, nil
}

// choose compiles `case`.
func choose(node render.BlockNode) (renderer, error) {
	subject, err := expressions.Parse(node.Args)
	if err != nil {
		return nil, err
	}
	var branches []branch
	for _, clause := range node.Clauses {
		test := always
		if clause.Name == "when" {
			s, err := expressions.ParseStatement(expressions.WhenStatementSelector, clause.Args)
			if err != nil {
				return nil, err
			}
			test = func(ctx render.Context) (bool, error) { return anyEquals(ctx, subject, s.Exprs) }
		}
		branches = append(branches, branch{test, clause})
	}
	return first(branches), nil
}

func anyEquals(ctx render.Context, subject expressions.Expression, others []expressions.Expression) (bool, error) {
	value, err := ctx.Evaluate(subject)
	if err != nil {
		return false, err
	}
	for _, other := range others {
		v, err := ctx.Evaluate(other)
		if err != nil {
			return false, err
		}
		meterOf(ctx).spend(1, size(value)+size(v))
		if values.Equal(value, v) {
			return true, nil
		}
	}
	return false, nil
}

var (
	errBreak    = errors.New("break is not within a loop")
	errContinue = errors.New("continue is not within a loop")
)

func leave(how error) render.TagCompiler {
	return func(string) (renderer, error) {
		return func(_ io.Writer, ctx render.Context) error { return ctx.WrapError(how) }, nil
	}
}

// loop compiles `for`.
func loop(node render.BlockNode) (renderer, error) {
	s, err := expressions.ParseStatement(expressions.LoopStatementSelector, node.Args)
	if err != nil {
		return nil, err
	}
	if s.Loop.Cols != nil || len(node.Clauses) > 1 {
		return nil, errors.New("for has neither cols nor more than one else")
	}
	cost := 1 + nodes(node.Body)
	return func(w io.Writer, ctx render.Context) error {
		seq, err := newSequence(ctx, s.Loop)
		if err != nil {
			return err
		}
		if seq.length == 0 && len(node.Clauses) == 1 {
			return ctx.RenderBlock(w, node.Clauses[0])
		}
		defer restore(ctx, s.Loop.Variable)()
		defer restore(ctx, "forloop")()
		for i := range seq.length {
			meterOf(ctx).spend(cost, 0)
			bind(ctx, s.Loop.Variable, seq.at(i))
			bind(ctx, "forloop", map[string]any{"first": i == 0, "last": i == seq.length-1, "index": i + 1, "index0": i,
				"rindex": seq.length - i, "rindex0": seq.length - i - 1, "length": seq.length})
			switch err := ctx.RenderChildren(w); {
			case err == nil || errors.Is(err.Cause(), errContinue):
			case errors.Is(err.Cause(), errBreak):
				return nil
			default:
				return err
			}
		}
		return nil
	}, nil
}

// restore returns a function that sets a variable back to its current value.
func restore(ctx render.Context, name string) func() {
	was := ctx.Get(name)
	return func() { ctx.Set(name, was) }
}

// nodes returns the maximum number of nodes that one round of a loop renders.
func nodes(body []render.Node) int {
	n := len(body)
	for _, node := range body {
		if block, ok := node.(*render.BlockNode); ok {
			n += nodes(block.Body)
			for _, clause := range block.Clauses {
				n += nodes(clause.Body)
			}
		}
	}
	return n
}

// sequence is the items over which a loop iterates.
type sequence struct {
	length int
	at     func(int) any
}

func newSequence(ctx render.Context, l expressions.Loop) (sequence, error) {
	value, err := ctx.Evaluate(l.Expr)
	if err != nil {
		return sequence{}, err
	}
	seq := itemsOf(value)
	if l.Reversed {
		forward := seq
		seq.at = func(i int) any { return forward.at(forward.length - 1 - i) }
	}
	offset, err := whole(ctx, l.Offset, 0)
	if err != nil {
		return sequence{}, err
	}
	offset = min(max(offset, 0), seq.length)
	limit, err := whole(ctx, l.Limit, seq.length)
	if err != nil {
		return sequence{}, err
	}
	return sequence{max(min(limit, seq.length-offset), 0), func(i int) any { return seq.at(i + offset) }}, nil
}

func whole(ctx render.Context, e expressions.Expression, otherwise int) (int, error) {
	if e == nil {
		return otherwise, nil
	}
	value, err := ctx.Evaluate(e)
	n, ok := value.(int)
	if err == nil && !ok {
		err = errors.New("limit and offset are whole numbers")
	}
	return n, err
}

// itemsOf returns the items of a list or range, or the pairs of an object in the order of their names. Any other value
// has no items.
func itemsOf(value any) sequence {
	switch v := value.(type) {
	case values.Range:
		return sequence{max(v.Len(), 0), v.Index}
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		return sequence{len(names), func(i int) any { return []any{names[i], v[names[i]]} }}
	}
	list := reflect.ValueOf(value)
	if value == nil || list.Kind() != reflect.Slice || list.Type() == reflect.TypeFor[[]byte]() {
		return sequence{}
	}
	return sequence{list.Len(), func(i int) any { return list.Index(i).Interface() }}
}
