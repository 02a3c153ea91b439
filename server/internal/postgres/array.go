package postgres

import (
	"encoding/hex"
	"strings"

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

// hashes returns strings of bytes as an argument that a statement casts to bytea[].
func hashes(list []string) string {
	text := []byte{'{'}
	for i, hash := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(text, `"\\x`...)
		text = append(hex.AppendEncode(text, []byte(hash)), '"')
	}
	return string(append(text, '}'))
}

var quoteElement = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

// texts returns strings as an argument that a statement casts to text[].
func texts(list []string) string {
	var text strings.Builder
	text.WriteByte('{')
	for i, s := range list {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteByte('"')
		_, _ = quoteElement.WriteString(&text, s) // a Builder does not fail
		text.WriteByte('"')
	}
	text.WriteByte('}')
	return text.String()
}
