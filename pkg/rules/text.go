// Package rules has the rules for texts that the server, the SDK and the CLI share. It never words an error: each
// caller does, in its own way.
package rules

import (
	"strings"
	"unicode"
)

// IsBlank reports whether nothing of a text can be seen: it has only spaces, controls, marks without a letter, and
// letters that are drawn as nothing, such as the Hangul fillers. A character that is newer than this program's Unicode
// tables can be seen.
func IsBlank(s string) bool { return !strings.ContainsFunc(s, isVisible) }

func isVisible(r rune) bool {
	const emptyBraille = '\u2800' // a symbol by its category
	return r != emptyBraille && !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.M, unicode.Z,
		unicode.Other_Default_Ignorable_Code_Point) // not unicode.C, which has the unassigned too
}

// HasControls reports whether a text that stands on one line, as titles and names do, breaks that line or changes the
// direction of what stands beside it.
func HasControls(s string) bool { return strings.ContainsFunc(s, IsControl) }

// IsControl reports whether r is a control character (Cc), a line or paragraph separator, or a direction control such
// as U+202E.
func IsControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) || IsDirection(r)
}

// IsDirection reports whether r has no shape and only sets the direction of the text around it.
func IsDirection(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) }
