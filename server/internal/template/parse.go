package template

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/osteele/liquid/parser"
	"github.com/osteele/liquid/render"

	"github.com/sininho/sininho/server/internal/core"
)

// config is the configuration for parsing. Rendering uses a copy with metered filters.
var config = newConfig()

// fault is a fault in a template and its line, which is 0 if unknown.
type fault struct {
	line int
	what core.Text
}

func (f *fault) text() core.Text {
	if f.line == 0 {
		return f.what
	}
	return core.Text{
		EN: fmt.Sprintf("line %d: %s", f.line, f.what.EN),
		PT: fmt.Sprintf("linha %d: %s", f.line, f.what.PT),
	}
}

// parse parses a template and returns its first fault.
func parse(source string) (node render.Node, bad *fault) {
	defer func() { // the parser panics on numbers that are too large, for example
		if recover() != nil {
			node, bad = nil, &fault{what: core.Text{EN: "it cannot be read", PT: "não se consegue ler"}}
		}
	}()
	start := parser.SourceLoc{LineNo: 1}
	if bad := check(parser.Scan(source, start, nil)); bad != nil {
		return nil, bad
	}
	node, err := config.Compile(source, start)
	if err != nil {
		return nil, newFault(err)
	}
	return node, nil
}

// located is an error of the Liquid library.
type located interface {
	error
	Cause() error
	LineNumber() int
}

var preamble = regexp.MustCompile(`^Liquid error(?: \(line \d+\))?: `)

func newFault(err located) *fault {
	what := preamble.ReplaceAllString(err.Error(), "")
	if cause := err.Cause(); cause != nil {
		what = strings.Replace(what, cause.Error(), plain(cause.Error()), 1)
	}
	what = strings.Replace(what, " not inside  in ", " ends nothing in ", 1)
	return &fault{err.LineNumber(), core.Text{EN: what, PT: "não se percebe: " + what}}
}

// needed describes the types of Go that values are converted to.
var needed = map[string]string{
	"float64": "a number", "int": "a whole number", "[]interface {}": "a list", "string": "a text",
	"time.Time": "a time",
}

// plain returns the library's text without the value and the types of Go, which mean nothing to the template's author.
func plain(cause string) string {
	if i := strings.LastIndex(cause, " to type "); i >= 0 && strings.HasPrefix(cause, "can't convert ") {
		return "the value is not " + cmp.Or(needed[cause[i+len(" to type "):]], "of the right kind")
	}
	if before, _, found := strings.Cut(cause, "invalid divisor: "); found {
		return before + `the divisor is not a number")`
	}
	return cause
}

var (
	identifier = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)
	quoted     = regexp.MustCompile(`"[^"]*"|'[^']*'`)
	filterName = regexp.MustCompile(`\|\s*([A-Za-z_][\w-]*)?`)
)

func isCondition(t parser.Token) bool {
	return t.Type == parser.TagTokenType && (t.Name == "if" || t.Name == "elsif" || t.Name == "unless")
}

// check finds faults that the library finds only when it renders, or never: unclosed tags, which the library treats as
// text, comparisons outside of conditions, and unknown filters.
func check(tokens []parser.Token) *fault {
	verbatim := "" // the tag that ends the comment or raw part being skipped
	for _, t := range tokens {
		switch {
		case verbatim != "":
			if t.Name == verbatim {
				verbatim = ""
			}
			continue
		case t.Type == parser.TagTokenType && (t.Name == "comment" || t.Name == "raw"):
			verbatim = "end" + t.Name
			continue
		case t.Type == parser.TextTokenType:
			if i := max(strings.Index(t.Source, "{{"), strings.Index(t.Source, "{%")); i >= 0 {
				return &fault{t.SourceLoc.LineNo + strings.Count(t.Source[:i], "\n"), core.Text{
					EN: "a tag is not closed in its line", PT: "falta fechar as chavetas na mesma linha",
				}}
			}
			continue
		}
		if strings.HasPrefix(t.Args, "%") || strings.HasPrefix(t.Args, "{") {
			return &fault{t.SourceLoc.LineNo, core.Text{
				EN: "syntax error in " + t.Source, PT: "não se percebe " + t.Source,
			}}
		}
		if !isCondition(t) && operators.MatchString(quoted.ReplaceAllString(t.Args, "")) {
			return &fault{t.SourceLoc.LineNo, core.Text{
				EN: "only if, elsif and unless compare, not " + t.Source,
				PT: "só if, elsif e unless comparam, e não " + t.Source,
			}}
		}
		for _, name := range filterName.FindAllStringSubmatch(quoted.ReplaceAllString(t.Args, ""), -1) {
			if known[name[1]] == nil {
				return &fault{t.SourceLoc.LineNo, core.Text{
					EN: fmt.Sprintf("there is no filter %q", name[1]), PT: fmt.Sprintf("não há um filtro %q", name[1]),
				}}
			}
		}
	}
	if verbatim != "" {
		return &fault{what: core.Text{EN: verbatim + " is missing", PT: "falta " + verbatim}}
	}
	return nil
}
