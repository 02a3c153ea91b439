package template

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/osteele/liquid/filters"
	"github.com/osteele/liquid/render"
	"github.com/osteele/liquid/values"
)

// standard lists the Liquid filters that are used unchanged. Their output is at most a few times the size of their
// input.
var standard = strings.Fields(`
	abs ceil compact concat default divided_by downcase escape escape_once first floor json last lstrip map minus modulo
	newline_to_br plus remove remove_first reverse round rstrip size sort sort_natural split strip strip_html
	strip_newlines times upcase url_decode url_encode`)

// known maps the names of the filters that templates may use to their functions.
var known = knownFilters()

// dictionary collects filters by name.
type dictionary map[string]any

// AddFilter implements filters.FilterDictionary.
func (d dictionary) AddFilter(name string, filter any) { d[name] = filter }

func knownFilters() map[string]any {
	all := dictionary{}
	filters.AddStandardFilters(all)
	date := all["date"]
	use := map[string]any{
		"append": func(s, suffix string) (string, error) {
			return bounded(len(s)+len(suffix), func() string { return s + suffix })
		},
		"prepend": func(s, prefix string) (string, error) {
			return bounded(len(s)+len(prefix), func() string { return prefix + s })
		},
		"replace":       func(s, old, by string) (string, error) { return replace(s, old, by, -1) },
		"replace_first": func(s, old, by string) (string, error) { return replace(s, old, by, 1) },
		"capitalize":    capitalize, "join": join, "slice": slice, "truncate": truncate,
		"truncatewords": truncateWords, "uniq": uniq,
		"date": func(at, format any) (any, error) { return writeDate(date, at, format) },
	}
	for _, name := range standard {
		use[name] = all[name]
	}
	return use
}

// addFilters adds the known filters to c and charges the meter for each call.
func addFilters(c *render.Config, m *meter) {
	for name, filter := range known {
		fn := reflect.ValueOf(filter)
		c.AddFilter(name, func(args ...any) (any, error) {
			cost := 0
			for i, arg := range args {
				if r, ok := arg.(values.Range); ok {
					if r.Len() > maxRange {
						return nil, errLong
					}
					args[i] = r.AsArray()
				}
				cost += size(args[i])
			}
			m.spend(1, cost)
			out, err := values.Call(fn, args)
			if f, ok := out.(float64); ok {
				if math.IsNaN(f) || math.IsInf(f, 0) {
					return nil, errors.New("the result is no number")
				}
				out = tidy(f)
			}
			if n, ok := out.(int64); ok {
				out = int(n)
			}
			m.spend(0, size(out))
			return out, err
		})
	}
}

// maxRange is the maximum length of a range that is converted to a list.
const maxRange = 1000

var errLong = errors.New("the result is too long")

// bounded returns the text, or errLong if its length would exceed maxText. It does not build a text that is too long.
func bounded(length int, text func() string) (string, error) {
	if length > maxText {
		return "", errLong
	}
	return text(), nil
}

func replace(s, old, by string, n int) (string, error) {
	count := strings.Count(s, old)
	if n >= 0 {
		count = min(count, n)
	}
	return bounded(len(s)+count*max(len(by)-len(old), 0), func() string { return strings.Replace(s, old, by, n) })
}

func capitalize(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

func join(list []any, separator func(string) string) (string, error) {
	between := separator(" ")
	var texts []string
	length := 0
	for _, v := range list {
		if v == nil {
			continue
		}
		texts = append(texts, fmt.Sprint(v))
		if length += len(texts[len(texts)-1]) + len(between); length > maxText {
			return "", errLong
		}
	}
	return strings.Join(texts, between), nil
}

func slice(s string, start int, length func(int) int) string {
	r, n := []rune(s), length(1)
	if start < 0 {
		start += len(r)
	}
	if start < 0 || start > len(r) || n < 0 {
		return ""
	}
	return string(r[start : start+min(n, len(r)-start)])
}

// defaultLength and defaultWords are the defaults of Liquid.
const defaultLength, defaultWords = 50, 15

func truncate(s string, length func(int) int, ellipsis func(string) string) string {
	limit, end := length(defaultLength), ellipsis("…")
	r := []rune(s)
	if len(r) <= limit {
		return s
	}
	return strings.TrimRightFunc(string(r[:min(max(limit-utf8.RuneCountInString(end), 0), len(r))]), unicode.IsSpace) +
		end
}

func truncateWords(s string, count func(int) int, ellipsis func(string) string) string {
	limit, end := max(count(defaultWords), 1), ellipsis("…")
	words := strings.Fields(s)
	if len(words) <= limit {
		return s
	}
	return strings.Join(words[:limit], " ") + end
}

// uniq keeps the first of several values with the same type and text.
func uniq(list []any) (result []any) {
	seen := map[string]bool{}
	for _, v := range list {
		key := fmt.Sprintf("%T %v", v, v)
		if !seen[key] {
			seen[key] = true
			result = append(result, v)
		}
	}
	return result
}

// width matches the part of a date format that requests padding, which could be of any length.
var width = regexp.MustCompile(`%[^a-zA-Z%]*[0-9]`)

const maxFormat = 100

// writeDate is Liquid's filter date, but also accepts seconds since 1970.
func writeDate(standard, at, format any) (any, error) {
	if f, ok := format.(string); ok && (len(f) > maxFormat || width.MatchString(f)) {
		return nil, errors.New("the format has a width or is too long")
	}
	switch t := at.(type) {
	case nil:
		return nil, nil
	case int:
		at = time.Unix(int64(t), 0).UTC()
	case number:
		at = time.Unix(int64(t), 0).UTC()
	}
	args := []any{at}
	if format != nil {
		args = append(args, format)
	}
	return values.Call(reflect.ValueOf(standard), args)
}
