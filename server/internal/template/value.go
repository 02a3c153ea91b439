package template

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// number is a number that is no int, and is written without an exponent.
type number float64

// String writes it.
func (n number) String() string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }

// maxWhole is up to where a float64 holds every whole number.
const maxWhole = 1 << 53

// tidy makes whole numbers ints, and others numbers.
func tidy(f float64) any {
	if f == float64(int64(f)) && f > -maxWhole && f < maxWhole {
		return int(f)
	}
	return number(f)
}

// readPayload reads a JSON object with numbers that are written as they came.
func readPayload(body []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var payload map[string]any
	if err := d.Decode(&payload); err != nil || payload == nil {
		return nil, core.Malformed(core.Text{EN: "The body is not a JSON object.", PT: "O corpo não é um objeto JSON."})
	}
	left := maxValues
	for name, value := range payload {
		payload[name] = numbers(value, &left)
	}
	if left < 0 {
		return nil, core.Invalid(core.FieldError{Pointer: "#", Code: "too_many", Detail: core.Text{
			EN: "holds more values than a template can read", PT: "contém mais valores do que um modelo pode ler"}})
	}
	return payload, nil
}

// numbers replaces the numbers within a value and counts the values.
func numbers(value any, left *int) any {
	*left--
	switch v := value.(type) {
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return int(whole)
		}
		if !strings.ContainsAny(v.String(), ".eE") {
			return v.String() // an id, more likely than an amount: each of its digits matters
		}
		f, _ := v.Float64() // what is out of range is as far as it goes
		return tidy(f)
	case []any:
		for i := range v {
			v[i] = numbers(v[i], left)
		}
	case map[string]any:
		for name := range v {
			v[name] = numbers(v[name], left)
		}
	}
	return value
}

const slot = 16 // bytes of a value itself

// size is about how many bytes a value takes when it is written, with all that is in it as often as it is in it. It need
// not be exact beyond maxBytes, and is not: what is over that cannot be paid for.
func size(value any) int {
	n := slot
	add := func(part any) bool {
		n += size(part)
		return n <= maxBytes
	}
	switch v := value.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case []any:
		for _, item := range v {
			if !add(item) {
				break
			}
		}
	case []string:
		for _, item := range v {
			n += slot + len(item)
		}
	case map[string]any:
		for name, item := range v {
			if n += len(name); !add(item) {
				break
			}
		}
	}
	return n
}
