package postgres

import (
	"encoding/hex"

	"github.com/sininho/sininho/server/internal/core"
)

// UUIDs returns ids as an argument that a statement casts to uuid[]. It is the array in PostgreSQL's notation: pgx
// takes several times as long to encode a list, and cannot encode one of ids behind a pooler.
func UUIDs(ids []core.ID) string {
	text := append(make([]byte, 0, len("{}")+len(ids)*(2*len(core.ID{})+1)), '{')
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = hex.AppendEncode(text, id[:])
	}
	return string(append(text, '}'))
}
