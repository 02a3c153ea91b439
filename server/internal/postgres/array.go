package postgres

import (
	"github.com/google/uuid"
	"github.com/uptrace/bun/dialect/pgdialect"

	"github.com/sininho/sininho/server/internal/core"
)

// uuidArray is ids as an argument to be cast to uuid[]; nil is NULL.
func uuidArray(ids []core.ID) any {
	if ids == nil {
		return nil
	}
	return pgdialect.Array(idTexts(ids))
}

func idTexts(ids []core.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

func parseIDs(texts []string) ([]core.ID, error) {
	out := make([]core.ID, len(texts))
	for i, t := range texts {
		id, err := uuid.Parse(t)
		if err != nil {
			return nil, err
		}
		out[i] = id
	}
	return out, nil
}
