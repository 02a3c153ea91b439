package postgres

import (
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// uuidArray returns ids as an argument that a statement casts to uuid[]; nil is NULL.
func uuidArray(ids []core.ID) any {
	if ids == nil {
		return nil
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return pgdialect.Array(texts)
}
