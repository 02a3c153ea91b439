package payload

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sininho/sininho/server/internal/core"
)

// NotJSON returns the error for a body that is not JSON, or nil. Its texts say what is wrong at which byte; the first
// byte is 1. A name that an object repeats is no fault here.
func NotJSON(body []byte) error {
	if fault := notUTF8(body); fault != nil {
		return malformed(*fault)
	}
	d := jsontext.NewDecoder(bytes.NewReader(body), lenient...)
	err := d.SkipValue()
	if err == nil {
		if _, err = d.ReadToken(); errors.Is(err, io.EOF) {
			return nil
		}
		// whatever follows: the value itself was complete
		at := len(body) - len(bytes.TrimLeft(body[d.InputOffset():], " \t\r\n")) + 1
		return malformed(core.Text{
			EN: fmt.Sprintf("The body has something after its JSON, at byte %d.", at),
			PT: fmt.Sprintf("O corpo tem algo depois do JSON, no byte %d.", at)})
	}
	return malformed(syntaxFault(body, err))
}

// lenient accepts what is not for the parser to refuse: repeated names, and escaped halves of surrogate pairs.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

func malformed(detail core.Text) error { return core.Malformed(detail) }

func notUTF8(body []byte) *core.Text {
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return &core.Text{EN: "The body is not JSON at byte 1: it begins with a byte-order mark; leave it out.",
			PT: "O corpo não é JSON no byte 1: começa com uma marca de ordem de bytes; retire-a."}
	case bytes.HasPrefix(body, []byte("\xFF\xFE")), bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return &core.Text{EN: "The body is not UTF-8 at byte 1: it looks like UTF-16.",
			PT: "O corpo não é UTF-8 no byte 1: parece UTF-16."}
	case utf8.Valid(body):
		return nil
	}
	at := 0
	for {
		r, size := utf8.DecodeRune(body[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return &core.Text{EN: fmt.Sprintf("The body is not UTF-8 at byte %d.", at+1),
		PT: fmt.Sprintf("O corpo não é UTF-8 no byte %d.", at+1)}
}

// MaxDepth is how deep arrays and objects may be nested.
const MaxDepth = 10_000

// syntaxFault words an error of the parser.
func syntaxFault(body []byte, err error) core.Text {
	syntax, _ := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case syntax == nil: // the body ended: the parser has no position for that
		return ended(body, "", "")
	case errors.Is(err, io.ErrUnexpectedEOF):
		in, inPT := within(string(syntax.JSONPointer))
		return ended(body, in, inPT)
	case tooDeep(body, int(syntax.ByteOffset)):
		return core.Text{
			EN: fmt.Sprintf("The body is nested more than 10,000 levels deep, at byte %d.", syntax.ByteOffset+1),
			PT: fmt.Sprintf("O corpo tem mais de 10.000 níveis, no byte %d.", syntax.ByteOffset+1),
		}
	}
	in, inPT := within(string(syntax.JSONPointer))
	found, foundPT := foundAt(body, int(syntax.ByteOffset))
	return core.Text{EN: fmt.Sprintf("The body is not JSON at byte %d%s: %s.", syntax.ByteOffset+1, in, found),
		PT: fmt.Sprintf("O corpo não é JSON no byte %d%s: %s.", syntax.ByteOffset+1, inPT, foundPT)}
}

func ended(body []byte, in, inPT string) core.Text {
	return core.Text{
		EN: fmt.Sprintf("The body is not JSON: it ends at byte %d, before its JSON does%s.", len(body), in),
		PT: fmt.Sprintf("O corpo não é JSON: acaba no byte %d, antes do fim do JSON%s.", len(body), inPT)}
}

const maxShown = 100 // bytes of a pointer

func within(pointer string) (en, pt string) {
	if pointer == "" || len(pointer) > maxShown {
		return "", ""
	}
	return ", in #" + pointer, ", em #" + pointer
}

// foundAt says which character is not expected there.
func foundAt(body []byte, at int) (en, pt string) {
	if at >= len(body) {
		return "something is missing", "falta algo"
	}
	r, _ := utf8.DecodeRune(body[at:])
	switch {
	case r < ' ':
		return fmt.Sprintf("the control character U+%04X must be escaped", r),
			fmt.Sprintf("o carácter de controlo U+%04X tem de ser escapado", r)
	case r == '\'':
		return `texts and names are in double quotation marks`, `os textos e os nomes ficam entre aspas (")`
	case r == '\\':
		return "JSON has no such escape", "o JSON não tem esse escape"
	default:
		return fmt.Sprintf("%q is not expected here", r), fmt.Sprintf("não se espera %q aqui", r)
	}
}

// tooDeep reports whether the parser stopped because arrays and objects are nested too deeply before a byte.
func tooDeep(body []byte, at int) bool {
	inText, now := false, 0
	for i := 0; i < min(at+1, len(body)); i++ {
		switch b := body[i]; {
		case b == '"':
			inText = !inText
		case inText && b == '\\':
			i++
		case inText:
		case b == '[' || b == '{':
			now++
		case b == ']' || b == '}':
			now--
		}
	}
	return now >= MaxDepth
}
