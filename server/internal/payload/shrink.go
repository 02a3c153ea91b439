package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sininho/sininho/pkg/mend"
	"github.com/sininho/sininho/server/internal/core"
)

const (
	maxItems  = 100         // of a list
	maxLevel  = 50          // of nested lists and objects
	maxText   = 20_000      // bytes of a text
	maxNumber = 400         // bytes of a number
	maxNames  = 2_000       // members of an object
	spare     = 2 * maxText // left for the end of what was begun within the budget
)

// shrink returns an object of at most core.MaxPayload bytes with what comes first in each list, text and object. It
// counts the alerts that it leaves out in truncatedAlerts, as Alertmanager and Grafana do. It reads token by token, so
// that it needs little more memory than its result.
func shrink(object []byte, adjusted *mend.Adjustments) []byte {
	var out bytes.Buffer
	s := shrinker{
		in: jsontext.NewDecoder(bytes.NewReader(object), lenient...), adjusted: adjusted,
		out: jsontext.NewEncoder(&out, lenient...),
	}
	if err := s.value(core.MaxPayload-spare, "", 0); err != nil {
		adjusted.Add(whole, "was too large, and was dropped")
		return []byte("{}") // cannot happen: it is JSON
	}
	return bytes.TrimSpace(out.Bytes())
}

type shrinker struct {
	in       *jsontext.Decoder
	out      *jsontext.Encoder
	adjusted *mend.Adjustments
	alerts   int  // left out
	listed   bool // whether truncatedAlerts has been written
}

// value copies a value within a budget of bytes. pointer is where it is.
func (s *shrinker) value(budget int64, pointer string, depth int) error {
	switch kind := s.in.PeekKind(); kind {
	case '{', '[':
		if depth > maxLevel {
			return s.drop(pointer, "was nested too deeply, and was dropped")
		}
		if kind == '[' {
			return s.list(budget, pointer, depth)
		}
		return s.object(budget, pointer, depth)
	case '"':
		return s.text(budget, pointer)
	default:
		v, err := s.in.ReadValue()
		if err != nil {
			return err
		}
		if len(v) > maxNumber {
			s.adjusted.Add(whole+pointer, "had too many digits, and was dropped")
			return s.out.WriteToken(jsontext.Null)
		}
		return s.out.WriteValue(v)
	}
}

// drop leaves null instead of a value.
func (s *shrinker) drop(pointer, reason string) error {
	s.adjusted.Add(whole+pointer, reason)
	if err := s.in.SkipValue(); err != nil {
		return err
	}
	return s.out.WriteToken(jsontext.Null)
}

func (s *shrinker) object(budget int64, pointer string, depth int) error {
	end := s.out.OutputOffset() + budget
	if err := s.copyToken(); err != nil {
		return err
	}
	left := 0
	for n := 0; s.in.PeekKind() != '}'; n++ {
		name, err := s.in.ReadToken()
		if err != nil {
			return err
		}
		at, remaining := name.String(), end-s.out.OutputOffset()
		if n >= maxNames || int64(len(at)) >= min(remaining/2, maxText/2) {
			left++
			err = s.in.SkipValue()
		} else {
			err = s.member(at, remaining, pointer, depth)
		}
		if err != nil {
			return err
		}
	}
	if left > 0 {
		s.adjusted.Add(whole+pointer, fmt.Sprintf("lost %d members, because the payload is too large", left))
	}
	if depth == 0 && s.alerts > 0 && !s.listed {
		if err := s.out.WriteToken(jsontext.String(truncatedAlerts)); err != nil {
			return err
		}
		if err := s.out.WriteToken(jsontext.Int(int64(s.alerts))); err != nil {
			return err
		}
	}
	return s.copyToken()
}

const truncatedAlerts = "truncatedAlerts"

func (s *shrinker) member(name string, budget int64, pointer string, depth int) error {
	if err := s.out.WriteToken(jsontext.String(name)); err != nil {
		return err
	}
	if depth == 0 && name == truncatedAlerts && s.alerts > 0 {
		return s.truncated()
	}
	return s.value(budget, pointer+"/"+core.EscapePointer(name), depth+1)
}

// truncated writes the number of alerts that the sender or shrink left out.
func (s *shrinker) truncated() error {
	v, err := s.in.ReadValue()
	if err != nil {
		return err
	}
	var before int
	_ = json.Unmarshal(v, &before) // 0 for what is not a number
	s.listed = true
	return s.out.WriteToken(jsontext.Int(int64(before + s.alerts)))
}

// list copies a list, which may take half of the budget, because what follows it is often what counts. It begins no
// element of which little would be left.
func (s *shrinker) list(budget int64, pointer string, depth int) error {
	end := s.out.OutputOffset() + budget/2
	if err := s.copyToken(); err != nil {
		return err
	}
	kept, all := 0, 0
	for ; s.in.PeekKind() != ']'; all++ {
		if remaining := end - s.out.OutputOffset(); kept < maxItems && remaining > budget/16 {
			if err := s.value(remaining, fmt.Sprintf("%s/%d", pointer, all), depth+1); err != nil {
				return err
			}
			kept++
			continue
		}
		if err := s.in.SkipValue(); err != nil {
			return err
		}
	}
	if kept < all {
		s.adjusted.Add(whole+pointer,
			fmt.Sprintf("was cut from %d to %d elements, because the payload is too large", all, kept))
		if pointer == "/alerts" {
			s.alerts = all - kept
		}
	}
	return s.copyToken()
}

func (s *shrinker) text(budget int64, pointer string) error {
	token, err := s.in.ReadToken()
	if err != nil {
		return err
	}
	text := token.String()
	limit := int(min(budget/2, maxText))
	if quoted, err := jsontext.AppendQuote(nil, text); err != nil || len(quoted) > limit {
		s.adjusted.Add(whole+pointer, fmt.Sprintf("was cut from %d bytes, because the payload is too large", len(text)))
		text = cutQuoted(text, limit)
	}
	return s.out.WriteToken(jsontext.String(text))
}

// cutQuoted cuts a text so that it takes at most limit bytes as JSON, or a few if that is less.
func cutQuoted(text string, limit int) string {
	const longestEscape, added = 6, 8 // bytes: of a character, and of the quotation marks and the ellipsis
	limit = max(0, limit-added)
	for _, size := range []int{limit, limit / longestEscape} {
		cut := strings.ToValidUTF8(text[:min(size, len(text))], "") + "…"
		if quoted, err := jsontext.AppendQuote(nil, cut); err == nil && len(quoted) <= limit+added {
			return cut
		}
	}
	return "…"
}

func (s *shrinker) copyToken() error {
	token, err := s.in.ReadToken()
	if err != nil {
		return err
	}
	return s.out.WriteToken(token)
}
