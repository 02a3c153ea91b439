package core

import (
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Page says which part of a list is wanted.
type Page struct {
	Limit, Offset int
	After         *Cursor // instead of Offset, in lists of notifications
}

// Cursor is a place in a list of notifications ordered by publication, newest first: that of its last item.
type Cursor struct {
	PublishedAt time.Time
	ID          ID
}

const cursorSize = 8 + 16

// String is the cursor as callers see it: opaque.
func (c Cursor) String() string {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, cursorSize), uint64(c.PublishedAt.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(b, c.ID[:]...))
}

// ParseCursor reads what String wrote.
func ParseCursor(s string) (Cursor, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != cursorSize {
		return Cursor{}, Invalid(FieldError{"query:cursor", "format",
			Text{"is not a cursor that this server gave", "não é um cursor dado por este servidor"}})
	}
	at := time.UnixMicro(int64(binary.BigEndian.Uint64(b))).UTC() //nolint:gosec // bits
	if at.Year() < 1970 || at.Year() > 9999 {
		return Cursor{}, Invalid(FieldError{"query:cursor", "format",
			Text{"is not a cursor that this server gave", "não é um cursor dado por este servidor"}})
	}
	return Cursor{PublishedAt: at, ID: ID(b[8:])}, nil
}
