package settings

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

// Read returns the variables of a file. The last line counts where a name occurs more than once. An error names the
// file and the line, and never has the value, which may be secret.
func Read(path string) (map[string]string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	variables := map[string]string{}
	number := 0
	var faults []error
	for line := range strings.Lines(strings.TrimPrefix(string(content), "\ufeff")) {
		number++
		name, value, err := parse(strings.TrimSpace(line))
		if err != nil {
			faults = append(faults, fmt.Errorf("%s:%d: %w", path, number, err))
		}
		if name != "" {
			variables[name] = value
		}
	}
	return variables, errors.Join(faults...)
}

var validName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parse returns the variable of a line, or "" if there is none.
func parse(line string) (name, value string, err error) {
	if line == "" || strings.HasPrefix(line, "#") {
		return "", "", nil
	}
	name, rest, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
	if !ok || !validName.MatchString(name) {
		return "", "", errors.New("must be NAME=value, without spaces around =, or a comment that begins with #")
	}
	value, err = unquote(rest)
	if err != nil {
		return "", "", fmt.Errorf("%s: %w", name, err)
	}
	return name, value, nil
}

// unquote returns a value without its quotes and what follows it. Parts with different quotes may follow each other:
//
//	'it'\''s'
func unquote(s string) (string, error) {
	var value strings.Builder
	for s != "" {
		var part string
		var err error
		switch s[0] {
		case ' ', '\t':
			return value.String(), onlyComment(s)
		case '\'':
			part, s, err = singleQuoted(s[1:])
		case '"':
			part, s, err = doubleQuoted(s[1:])
		case '\\':
			part, s, err = escaped(s[1:])
		default:
			part, s = s[:1], s[1:]
		}
		if err != nil {
			return "", err
		}
		value.WriteString(part)
	}
	return value.String(), nil
}

func onlyComment(s string) error {
	if s = strings.TrimLeft(s, " \t"); s != "" && s[0] != '#' {
		return errors.New("put a value with spaces in single quotes")
	}
	return nil
}

var errOpen = errors.New("the quote is not closed on its line")

func singleQuoted(s string) (part, rest string, err error) {
	part, rest, ok := strings.Cut(s, "'")
	if !ok {
		return "", "", errOpen
	}
	return part, rest, nil
}

func doubleQuoted(s string) (part, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:], nil
		case s[i] == '\\' && i+1 < len(s) && strings.IndexByte("\"\\$`", s[i+1]) >= 0:
			i++
		}
		b.WriteByte(s[i])
	}
	return "", "", errOpen
}

func escaped(s string) (part, rest string, err error) {
	if s == "" {
		return "", "", errors.New("nothing follows the backslash at the end of the line")
	}
	return s[:1], s[1:], nil
}

// plain matches values that mean the same to every reader without quotes.
var plain = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]*$`)

// Quote returns a value as it is written behind `NAME=`, for this package, systemd and shells alike.
func Quote(value string) string {
	if plain.MatchString(value) {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
