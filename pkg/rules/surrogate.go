package rules

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf16"
)

// LoneSurrogate returns the offset in json of the first \uXXXX that is half of a surrogate pair without its
// other half, or -1. Such a string has no UTF-8 form, and encoding/json replaces that half with U+FFFD.
func LoneSurrogate(json []byte) int {
	for at := 0; ; {
		next := bytes.IndexByte(json[at:], '\\')
		if next < 0 {
			return -1
		}
		at += next
		first := codeUnit(json[at:])
		switch {
		case !utf16.IsSurrogate(first):
			at = min(at+2, len(json))
		case utf16.DecodeRune(first, codeUnit(json[at+escapeLength:])) == unicode.ReplacementChar:
			return at
		default:
			at += 2 * escapeLength
		}
	}
}

// MarkLoneSurrogates replaces every lone surrogate with \u0000, which validation refuses because no text may
// contain a NUL. Replacing it with U+FFFD, as encoding/json does, would silently change the caller's text.
func MarkLoneSurrogates(json []byte) {
	for {
		at := LoneSurrogate(json)
		if at < 0 {
			return
		}
		copy(json[at:], `\u0000`)
		json = json[at+escapeLength:]
	}
}

const escapeLength = len(`\uXXXX`)

// codeUnit returns the code unit of the \uXXXX at the start of json, or -1 if there is none.
func codeUnit(json []byte) rune {
	if len(json) < escapeLength || json[0] != '\\' || json[1] != 'u' {
		return -1
	}
	unit, err := strconv.ParseUint(string(json[2:escapeLength]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(unit)
}
