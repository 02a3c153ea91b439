package sininhotest

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRepeatedName(t *testing.T) {
	for body, want := range map[string]string{
		`{"title": "Um", "body": "Dois"}`:                            "",
		`[{"a": 1}, {"a": 1}, 1, null, "a"]`:                         "",
		`{"a": {"a": {"a": []}}, "b": {"a": {}}}`:                    "",
		`{"title": "Um", "title": "Dois"}`:                           "#/title",
		`{"title": "Um", "\u0074itle": "Dois"}`:                      "#/title",
		`{"data": {"x/y": [1, {"b": 1}, {"b": 1, "c": 1, "b": 2}]}}`: "#/data/x~1y/2/b",
	} {
		got, found := repeatedName(json.NewDecoder(strings.NewReader(body)), "#")
		if got != want {
			t.Errorf("repeated name in %s: got %q, want %q", body, got, want)
		}
		if found != (want != "") {
			t.Errorf("repeated name in %s found: got %t, want %t", body, found, want != "")
		}
	}
}
