package postgres

import "github.com/sininho/sininho/server/internal/core"

// patch sets a column unless the change leaves it out.
func patch[T any](column *T, value *T) {
	if value != nil {
		*column = *value
	}
}

// patchText sets a column that may be NULL, which rows hold as an empty text.
func patchText(column *string, p core.Patch[string]) {
	switch {
	case !p.Set:
	case p.Value == nil:
		*column = ""
	default:
		*column = *p.Value
	}
}
