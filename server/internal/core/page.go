package core

import (
	"encoding/base64"
	"encoding/binary"
	"time"
)

// Page selects a part of a list.
type Page struct {
	Limit, Offset int
	After         *Cursor // replaces Offset in lists of notifications
}

// Cursor is a position in a list of notifications that is ordered by publication, newest first. It is the position of
// the last item on a page.
type Cursor struct {
	PublishedAt time.Time
	ID          ID
}

const cursorSize = 8 + 16

// String returns the cursor as an opaque string for callers.
func (c Cursor) String() string {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, cursorSize), uint64(c.PublishedAt.UnixMicro()))
	return base64.RawURLEncoding.EncodeToString(append(b, c.ID[:]...))
}

// ParseCursor parses a string that Cursor.String returned.
func ParseCursor(s string) (Cursor, error) {
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != cursorSize {
		return Cursor{}, errCursor()
	}
	at := time.UnixMicro(int64(binary.BigEndian.Uint64(b))).UTC() //nolint:gosec // reverses the conversion in String
	c := Cursor{PublishedAt: at, ID: ID(b[8:])}
	if at.Year() < 1970 || at.Year() > 9999 || c.String() != s { // the decoder ignores line breaks
		return Cursor{}, errCursor()
	}
	return c, nil
}

func errCursor() *Error {
	return Invalid(FieldError{Pointer: "query:cursor", Code: "format",
		Detail: Text{EN: "is not a cursor from this server", PT: "não é um cursor deste servidor"}})
}
