package chat

import (
	"fmt"
)

// node is an object of a payload. Its methods return nothing for a member that is missing or has another type.
type node map[string]any

// text returns a text or number.
func (n node) text(name string) string {
	switch v := n[name].(type) {
	case string:
		return v
	case nil, bool, map[string]any, []any:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

func (n node) node(name string) node {
	v, _ := n[name].(map[string]any)
	return v
}

// list returns the objects of a list; an object counts as a list of one.
func (n node) list(name string) []node {
	switch v := n[name].(type) {
	case map[string]any:
		return []node{v}
	case []any:
		var objects []node
		for _, item := range v {
			if object, ok := item.(map[string]any); ok {
				objects = append(objects, object)
			}
		}
		return objects
	}
	return nil
}

// has reports whether one of the members has a value.
func (n node) has(names ...string) bool {
	for _, name := range names {
		switch v := n[name].(type) {
		case nil:
		case string:
			if v != "" {
				return true
			}
		case []any:
			if len(v) > 0 {
				return true
			}
		default:
			return true
		}
	}
	return false
}
