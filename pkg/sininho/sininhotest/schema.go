package sininhotest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/sininho/sininho/pkg/rules"
	"github.com/sininho/sininho/pkg/sininho"
)

type kind int

const (
	text kind = iota
	integer
	boolean
	object
	list
)

// schema holds the contract's requirements for a value. min and max bound the characters of a text, the
// value of an integer, the members of an object, or the items of a list; a max of 0 means no bound.
type schema struct {
	kind     kind
	min, max int
	pattern  *regexp.Regexp
	format   func(string) bool
	enum     []string
	nullable bool

	members  map[string]schema // nil for a map of texts
	values   *schema           // for the values of a map, or the items of a list
	required []string
}

// faults collects everything that is wrong with a request.
type faults []sininho.FieldError

func (f *faults) add(pointer, code, detail string) {
	fault := sininho.FieldError{Pointer: pointer, Code: code, Detail: detail}
	if !slices.Contains(*f, fault) {
		*f = append(*f, fault)
	}
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return invalid(f...)
}

// rules adds the faults of an [*sininho.InputError] in fields that have no fault yet, and are not part of one that has.
func (f *faults) rules(err error) {
	var input *sininho.InputError
	if !errors.As(err, &input) {
		return
	}
	known := slices.Clone(*f)
	for _, fault := range input.Fields {
		if !slices.ContainsFunc(known, func(k sininho.FieldError) bool {
			return strings.HasPrefix(fault.Pointer+"/", k.Pointer+"/")
		}) {
			f.add(fault.Pointer, fault.Code, fault.Detail)
		}
	}
}

// check checks a value against a schema.
func (f *faults) check(pointer string, value any, s schema) {
	if v, ok := value.(string); s.enum != nil && (!ok || !slices.Contains(s.enum, v)) {
		f.add(pointer, "enum", "is none of: "+strings.Join(s.enum, ", "))
		return
	}
	switch v := value.(type) {
	case string:
		if s.kind == text {
			f.checkText(pointer, v, s)
			return
		}
	case map[string]any:
		if s.kind == object {
			f.checkObject(pointer, v, s)
			return
		}
	case []any:
		if s.kind == list {
			f.checkList(pointer, v, s)
			return
		}
	case int64:
		if s.kind == integer {
			f.checkInteger(pointer, v, s)
			return
		}
	case float64: // of JSON
		if s.kind == integer && v == math.Trunc(v) {
			f.checkInteger(pointer, int64(v), s)
			return
		}
	case bool:
		if s.kind == boolean {
			return
		}
	case nil:
		if s.nullable {
			return
		}
	}
	f.add(pointer, "type", "has the wrong type")
}

func (f *faults) checkText(pointer, v string, s schema) {
	n := utf8.RuneCountInString(v)
	if n < s.min {
		f.add(pointer, "too_short", "has fewer than "+strconv.Itoa(s.min)+" characters")
	}
	if s.max > 0 && n > s.max {
		f.add(pointer, "too_long", fmt.Sprintf("has %d characters; at most %d are allowed", n, s.max))
	}
	if s.pattern != nil && !s.pattern.MatchString(v) {
		f.add(pointer, "pattern", "does not match "+s.pattern.String())
	}
	if s.format != nil && !s.format(v) {
		f.add(pointer, "format", "has the wrong format")
	}
}

func (f *faults) checkInteger(pointer string, v int64, s schema) {
	if v < int64(s.min) {
		f.add(pointer, "minimum", "is less than "+strconv.Itoa(s.min))
	}
	if v > int64(s.max) {
		f.add(pointer, "maximum", "is greater than "+strconv.Itoa(s.max))
	}
}

func (f *faults) checkObject(pointer string, v map[string]any, s schema) {
	if len(v) < s.min {
		f.add(pointer, "too_few", "has fewer than "+strconv.Itoa(s.min)+" members")
	}
	if s.max > 0 && len(v) > s.max {
		f.add(pointer, "too_many", "has more than "+strconv.Itoa(s.max)+" members")
	}
	for _, name := range s.required {
		if _, given := v[name]; !given {
			f.add(pointer+"/"+name, "required", "is missing")
		}
	}
	for name, value := range v {
		at := pointer + "/" + escapePointer.Replace(name)
		member, known := s.members[name]
		switch {
		case s.values != nil:
			f.check(at, value, *s.values)
		case known:
			f.check(at, value, member)
		default:
			f.add(at, "unknown_field", "is not a field of this object")
		}
	}
}

func (f *faults) checkList(pointer string, v []any, s schema) {
	if len(v) < s.min {
		f.add(pointer, "too_few", "has fewer than "+strconv.Itoa(s.min)+" items")
	}
	if len(v) > s.max {
		f.add(pointer, "too_many", "has more than "+strconv.Itoa(s.max)+" items")
		v = v[:s.max]
	}
	for i, item := range v {
		f.check(pointer+"/"+strconv.Itoa(i), item, *s.values)
	}
}

// faultless returns a body without its faulty members, because json.Unmarshal would stop at a value
// of the wrong type and match an unknown name to a field that differs only in case.
func (f faults) faultless(body []byte) []byte {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(body, &members)
	for _, fault := range f {
		name, _ := strings.CutPrefix(fault.Pointer, "#/")
		delete(members, unescapePointer.Replace(name))
	}
	out, _ := json.Marshal(members)
	return out
}

var (
	escapePointer   = strings.NewReplacer("~", "~0", "/", "~1")
	unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")
)

// decoded decodes a body, as far as its values have the right types.
func decoded[T any](body []byte) (in T) {
	_ = json.Unmarshal(body, &in)
	return in
}

const (
	maxBody  = 1 << 20 // bytes
	maxBatch = 2 << 20
)

// readBody reads a body and checks it. It returns an error if the body cannot be read at all.
func (f *faults) readBody(r *request, s *schema, maxBody int) error {
	body, _ := io.ReadAll(r.Body)
	rules.MarkLoneSurrogates(body)
	var value any
	switch {
	case len(body) > maxBody:
		return &refusal{status: http.StatusRequestEntityTooLarge, code: "too_large",
			detail: fmt.Sprintf("The body has more than %d MiB.", maxBody>>20)}
	case len(body) == 0:
		return malformed("A JSON body is required.")
	case !isJSON(r.Header):
		return &refusal{status: http.StatusUnsupportedMediaType, code: "unsupported_media_type",
			detail: "The body must be application/json in UTF-8, without Content-Encoding."}
	case !utf8.Valid(body) || json.Unmarshal(body, &value) != nil:
		return malformed("The body is not JSON in UTF-8, or is nested 10,000 levels deep or more.")
	}
	r.body = body
	if at, found := repeatedName(json.NewDecoder(bytes.NewReader(body)), "#"); found {
		f.add(at, "duplicate", "is given more than once")
	}
	f.check("#", value, *s)
	return nil
}

func isJSON(h http.Header) bool {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	return err == nil && media == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8")) &&
		h.Get("Content-Encoding") == ""
}

func isUUID(s string) bool {
	_, err := uuid.Parse(s)
	return err == nil && len(s) == 36
}

func isTime(s string) bool {
	var t time.Time
	err := t.UnmarshalText([]byte(s))
	return err == nil && t.UTC().Year() >= 1 && t.UTC().Year() <= 9999
}

func isURI(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme != ""
}
