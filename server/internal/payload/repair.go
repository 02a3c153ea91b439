package payload

import (
	"bytes"
	"fmt"
)

// repair mends the JSON that scripts and templates write by putting texts between quotation marks: it escapes control
// characters within texts, doubles backslashes that begin no escape, and removes commas before a closing bracket.
func repair(body []byte) []byte {
	var b bytes.Buffer
	b.Grow(len(body) + len(body)/16)
	inText := false
	for i := 0; i < len(body); i++ {
		c := body[i]
		switch {
		case c == '"':
			inText = !inText
			b.WriteByte(c)
		case !inText:
			if c != ',' || !closes(body[i+1:]) {
				b.WriteByte(c)
			}
		case c == '\\' && isEscape(body[i+1:]):
			b.WriteByte(c)
			i++
			b.WriteByte(body[i])
		case c == '\\':
			b.WriteString(`\\`)
		case c < ' ':
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.Bytes()
}

func closes(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && (rest[0] == '}' || rest[0] == ']')
}

// isEscape reports whether what follows a backslash is an escape of JSON.
func isEscape(rest []byte) bool {
	const hexDigits = 4
	if len(rest) == 0 {
		return false
	}
	if rest[0] != 'u' {
		return bytes.IndexByte([]byte(`"\/bfnrt`), rest[0]) >= 0
	}
	if len(rest) <= hexDigits {
		return false
	}
	for _, c := range rest[1 : hexDigits+1] {
		if bytes.IndexByte([]byte("0123456789abcdefABCDEF"), c) < 0 {
			return false
		}
	}
	return true
}
