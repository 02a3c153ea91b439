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
	return pgdialect.Array(Texts(ids))
}

// Texts returns ids as an argument of a hot statement. Behind a pooler pgx cannot encode a []core.ID.
func Texts(ids []core.ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return texts
}
