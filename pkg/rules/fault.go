package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Text is a text for people, in the two languages of Sininho.
type Text struct{ EN, PT string }

// In returns the Portuguese text if pt is true and there is one, otherwise the English text.
func (t Text) In(pt bool) string {
	if pt && t.PT != "" {
		return t.PT
	}
	return t.EN
}

// Fault is one fault of an input.
type Fault struct {
	Pointer string // for example "#/title" or "query:limit"
	Code    string
	Detail  Text
}

// Faults collects the faults of an input, so that all of them are reported at once.
type Faults []Fault

// Add adds a fault.
func (f *Faults) Add(pointer, code string, detail Text) {
	*f = append(*f, Fault{Pointer: pointer, Code: code, Detail: detail})
}

// Has reports whether there is a fault at the pointer.
func (f Faults) Has(pointer string) bool {
	return slices.ContainsFunc(f, func(fault Fault) bool { return fault.Pointer == pointer })
}

// Text rejects a NUL and invalid UTF-8, neither of which the server can store.
func (f *Faults) Text(pointer, s string) {
	if strings.ContainsRune(s, 0) || !utf8.ValidString(s) {
		f.Add(pointer, "text", Text{"has a NUL or is not UTF-8", "contém um NUL ou não é UTF-8"})
	}
}

// Line rejects what Text rejects, and a text without visible characters.
func (f *Faults) Line(pointer, s string) {
	before := len(*f)
	if f.Text(pointer, s); len(*f) == before && IsBlank(s) {
		f.Add(pointer, "blank", Text{"is blank", "está em branco"})
	}
}

// Name checks a name or title, which is shown on one line next to other text, and has at most limit characters.
func (f *Faults) Name(pointer, s string, limit int) {
	before := len(*f)
	if f.Line(pointer, s); len(*f) == before && HasControls(s) {
		f.Add(pointer, "text", Text{"has a line break, or another control or direction character",
			"contém uma mudança de linha, ou outro carácter de controlo ou de direção"})
	}
	f.Length(pointer, s, limit)
}

// Prose rejects what Text rejects, and control and direction characters other than line breaks and tabs.
func (f *Faults) Prose(pointer, s string) {
	before := len(*f)
	if f.Text(pointer, s); len(*f) == before && strings.ContainsFunc(s, IsProseControl) {
		f.Add(pointer, "text", Text{"has a control or direction character other than line breaks and tabs",
			"contém um carácter de controlo ou de direção que não é mudança de linha nem tabulação"})
	}
}

// Length rejects a text of more than limit characters.
func (f *Faults) Length(pointer, s string, limit int) {
	if n := utf8.RuneCountInString(s); n > limit {
		f.Add(pointer, "too_long", TooLong(n, limit))
	}
}

// TooLong returns the text for a text of n characters where at most limit are allowed.
func TooLong(n, limit int) Text {
	return Text{fmt.Sprintf("has %d characters; at most %d are allowed", n, limit),
		fmt.Sprintf("tem %d caracteres; o máximo é %d", n, limit)}
}

// TooMany returns the text for a list or map of more than limit elements.
func TooMany(limit int) Text {
	return Text{fmt.Sprintf("has more than %d elements", limit), fmt.Sprintf("tem mais de %d elementos", limit)}
}

// OneOf rejects a value that is neither empty nor among those allowed.
func (f *Faults) OneOf(pointer, value string, allowed ...string) {
	if value != "" && !slices.Contains(allowed, value) {
		f.Add(pointer, "enum", NoneOf(allowed))
	}
}

// NoneOf returns the text for a value that is not among those allowed.
func NoneOf(allowed []string) Text {
	list := strings.Join(allowed, ", ")
	return Text{"is none of: " + list, "não é nenhum de: " + list}
}
