package template

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/sininho/sininho/server/internal/core"
)

// number is a number that is not an int. It is written without an exponent.
type number float64

// String formats n without an exponent.
func (n number) String() string { return strconv.FormatFloat(float64(n), 'f', -1, 64) }

// maxWhole is the limit below which a float64 represents every whole number.
const maxWhole = 1 << 53

// tidy converts a whole number to an int and any other to a number.
func tidy(f float64) any {
	if f == float64(int64(f)) && f > -maxWhole && f < maxWhole {
		return int(f)
	}
	return number(f)
}

// readPayload parses a JSON object and converts its numbers to int, to number or, if all their digits may matter, to
// text.
func readPayload(body []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var payload map[string]any
	err := d.Decode(&payload)
	if _, after := d.Token(); err != nil || payload == nil || !errors.Is(after, io.EOF) {
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

// numbers replaces the numbers within a value and subtracts the count of its values from left.
func numbers(value any, left *int) any {
	*left--
	switch v := value.(type) {
	case json.Number:
		if whole, err := v.Int64(); err == nil {
			return int(whole)
		}
		if !strings.ContainsAny(v.String(), ".eE") {
			return v.String() // probably an id rather than an amount, so every digit matters
		}
		f, _ := v.Float64() // a value that is out of range becomes infinite
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

const slot = 16 // bytes of a value without its content

// size estimates how many bytes a value takes when it is written, counting a shared part every time it occurs. It stops
// counting above maxBytes, because any larger value exceeds the limit anyway.
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
