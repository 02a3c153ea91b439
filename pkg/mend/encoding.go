package mend

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// UTF8 decodes a text. It recognizes UTF-8 and UTF-16 by their byte-order mark, UTF-16 without one by its NULs, and
// takes bytes that are not UTF-8 for Windows-1252, which includes Latin-1, unless others of the text are UTF-8: such a
// text was cut within a character. reason says what was done, and is empty for UTF-8.
func UTF8(b []byte) (text, reason string) {
	switch {
	case bytes.HasPrefix(b, []byte("\xEF\xBB\xBF")):
		b = b[3:]
	case bytes.HasPrefix(b, []byte("\xFF\xFE")), isASCII16(b, 0, 1):
		return decode(b, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)), "was decoded from UTF-16"
	case bytes.HasPrefix(b, []byte("\xFE\xFF")), isASCII16(b, 1, 0):
		return decode(b, unicode.UTF16(unicode.BigEndian, unicode.UseBOM)), "was decoded from UTF-16"
	}
	if utf8.Valid(b) {
		return string(b), ""
	}
	whole, broken := count(b)
	if whole == 0 {
		return decode(b, charmap.Windows1252), "was decoded from Windows-1252"
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), "had " + number(broken, "byte") + " outside UTF-8, replaced"
}

// isASCII16 reports whether a text begins with two ASCII characters in UTF-16, whose bytes are at these offsets of each
// pair.
func isASCII16(b []byte, letter, zero int) bool {
	return len(b) >= 4 && b[zero] == 0 && b[2+zero] == 0 && b[letter] != 0 && b[2+letter] != 0
}

func decode(b []byte, from encoding.Encoding) string {
	text, err := from.NewDecoder().Bytes(b)
	if err != nil {
		// These decoders replace what they cannot decode, and never fail.
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(text)
}

// count returns the numbers of characters of several bytes, and of bytes that belong to no character.
func count(b []byte) (whole, broken int) {
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		switch {
		case r == utf8.RuneError && size == 1:
			broken++
		case size > 1:
			whole++
		}
		b = b[size:]
	}
	return whole, broken
}

// Header decodes the value of an HTTP header, which is UTF-8, or ASCII in the form of emails (RFC 2047), which some
// libraries need.
func Header(value string) string {
	text, _ := UTF8([]byte(value))
	if !strings.Contains(text, "=?") {
		return text
	}
	if decoded, err := new(mime.WordDecoder).DecodeHeader(text); err == nil {
		return decoded
	}
	return text
}
