package sininhotest

import (
	"encoding/json"
	"strconv"
)

// repeatedName reads the next value, which must be valid JSON, and returns the pointer of the first member whose name
// its object has already used. After such a member it stops reading.
func repeatedName(d *json.Decoder, pointer string) (at string, found bool) {
	token, _ := d.Token()
	kind, _ := token.(json.Delim)
	names := map[string]bool{}
	for i := 0; kind != 0 && d.More(); i++ {
		child := pointer + "/" + strconv.Itoa(i)
		if kind == '{' {
			token, _ = d.Token()
			name, _ := token.(string)
			if child = pointer + "/" + escapePointer.Replace(name); names[name] {
				return child, true
			}
			names[name] = true
		}
		if at, found := repeatedName(d, child); found {
			return at, true
		}
	}
	if kind != 0 {
		_, _ = d.Token() // the end of the object or array
	}
	return "", false
}
