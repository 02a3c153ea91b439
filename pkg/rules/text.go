package rules

import (
	"strings"
	"unicode"
)

// IsBlank reports whether a text has nothing visible: only spaces, controls, combining marks
// without a letter, and letters that are drawn as nothing, such as the Hangul fillers. A character
// that is newer than this program's Unicode tables counts as visible.
func IsBlank(s string) bool { return !strings.ContainsFunc(s, isVisible) }

func isVisible(r rune) bool {
	const emptyBraille = '\u2800' // categorized as a symbol, but drawn as nothing
	return r != emptyBraille && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.M, unicode.Z,
		unicode.Other_Default_Ignorable_Code_Point) // not unicode.C, which includes unassigned characters
}

// HasControls reports whether a one-line text, such as a title or a name, breaks its line or
// changes the direction of the text beside it.
func HasControls(s string) bool { return strings.ContainsFunc(s, IsControl) }

// IsControl reports whether r is a control character (Cc), a line or paragraph separator, or a direction control such
// as U+202E.
func IsControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || IsDirection(r)
}

// IsProseControl is IsControl for texts of several lines, which have line breaks and tabs.
func IsProseControl(r rune) bool { return r != '\n' && r != '\r' && r != '\t' && IsControl(r) }

// IsDirection reports whether r is invisible and only sets the direction of the text around it.
func IsDirection(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }
