package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// usageError is a mistake in the command line.
type usageError struct {
	text string
	// command is the command whose help the user is referred to.
	command string
}

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error {
	return &usageError{text: fmt.Sprintf(format, args...)}
}

// arranger reorders a command line for urfave/cli, which stops reading flags at the first argument,
// while people write `publish CHANNEL --title x` and put global flags at the end. It looks up
// whether each flag takes a value, so that no value is mistaken for an argument. It refuses unknown
// commands and flags, and invalid values.
type arranger struct {
	app           *cli.App
	command       *cli.Command
	path          []string
	global, local []string
	positional    []string
}

func arrange(app *cli.App, args []string) ([]string, error) {
	a := &arranger{app: app}
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if len(args) > 0 && args[0] == "--version" {
		args[0] = "version"
	}
	for len(args) > 0 {
		rest, err := a.take(args)
		if err != nil {
			return nil, a.named(err)
		}
		args = rest
	}
	return a.result(), nil
}

func (a *arranger) result() []string {
	out := slices.Concat(a.global, a.path, a.local)
	if len(a.positional) > 0 && !slices.Contains(a.local, "--help") && !slices.Contains(a.local, "--h") {
		out = append(append(out, "--"), a.positional...)
	}
	return out
}

// take reads the first words and returns the rest.
func (a *arranger) take(args []string) (rest []string, err error) {
	switch first := args[0]; {
	case first == "--":
		a.positional = append(a.positional, args[1:]...)
		return nil, nil
	case len(first) > 1 && first[0] == '-':
		return a.flag(args)
	case a.isGroup():
		return args[1:], a.descend(first)
	default:
		a.positional = append(a.positional, first)
		return args[1:], nil
	}
}

func (a *arranger) isGroup() bool { return a.command == nil || len(a.command.Subcommands) > 0 }

func (a *arranger) commands() []*cli.Command {
	if a.command == nil {
		return a.app.Commands
	}
	return a.command.Subcommands
}

func (a *arranger) descend(name string) error {
	for _, c := range a.commands() {
		if c.HasName(name) {
			a.command, a.path = c, append(a.path, name)
			return nil
		}
	}
	var names []string
	for _, c := range a.commands() {
		names = append(names, c.Names()...)
	}
	return usagef("there is no command %q%s", strings.Join(append(a.path, name), " "), suggestion(name, names))
}

func (a *arranger) flag(args []string) (rest []string, err error) {
	name, value, hasValue := strings.Cut(strings.TrimLeft(args[0], "-"), "=")
	rest = args[1:]
	flag, isGlobal := a.find(name)
	if flag == nil {
		return nil, usagef("there is no flag %s%s", flagText(name), suggestion(flagText(name), a.flagNames()))
	}
	text := "--" + name
	if takesValue(flag) && !hasValue {
		if len(rest) == 0 {
			return nil, usagef("the flag %s needs a value", flagText(name))
		}
		value = rest[0]
		hasValue = true
		rest = rest[1:]
	}
	if hasValue {
		if err := checkValue(flag, flagText(name), value, a.choices(flagText(name))); err != nil {
			return nil, err
		}
		text += "=" + value
	}
	if isGlobal {
		a.global = append(a.global, text)
	} else {
		a.local = append(a.local, text)
	}
	return rest, nil
}

// find looks for a flag in the command and then in the application.
func (a *arranger) find(name string) (flag cli.Flag, isGlobal bool) {
	if a.command != nil {
		if f := findFlag(a.command.Flags, name); f != nil {
			return f, false
		}
	}
	if f := findFlag(a.app.Flags, name); f != nil {
		return f, true
	}
	return findFlag([]cli.Flag{cli.HelpFlag}, name), false
}

func findFlag(flags []cli.Flag, name string) cli.Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// choices returns the values that a flag of the command takes, or nil if it takes any.
func (a *arranger) choices(flag string) []string {
	if flag == "--scopes" && len(a.path) > 0 && a.path[0] != "keys" {
		return tokenScopes
	}
	return choices(flag)
}

func takesValue(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && d.TakesValue()
}

func (a *arranger) flags() []cli.Flag {
	flags := slices.Clone(a.app.Flags)
	if a.command != nil {
		flags = append(flags, a.command.Flags...)
	}
	return append(flags, cli.HelpFlag)
}

func (a *arranger) flagNames() []string {
	var names []string
	for _, f := range a.flags() {
		for _, name := range f.Names() {
			names = append(names, flagText(name))
		}
	}
	return names
}

func flagText(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// named adds to a usage error the command whose help to point to.
func (a *arranger) named(err error) error {
	if e, ok := errors.AsType[*usageError](err); ok {
		e.command = strings.Join(append([]string{a.app.Name}, a.path...), " ")
	}
	return err
}

// suggestion returns a hint with the name that was probably meant, or "".
func suggestion(given string, names []string) string {
	best, distance := "", 3
	for _, name := range names {
		if d := editDistance(given, name); d < distance && d < len(name) {
			best, distance = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// editDistance counts the letters to insert, delete, replace or swap with their neighbour.
func editDistance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
