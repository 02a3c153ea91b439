package fcm

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strings"
	"sync"
)

// template is what the messages of one notification have in common: everything but the token. It is judged once, and
// every further message that differs by its token alone is recognized by its bytes.
type template struct {
	// head and tail are the body of the request up to the token's literal and from it.
	head, tail string
	// before and after are the message, as compact JSON, around the token's literal.
	before, after string
	validateOnly  bool
	refused       *answer
}

// message is the whole message to a token, as compact JSON.
func (t *template) message(token string) []byte {
	literal, err := json.Marshal(token)
	if err != nil {
		panic(err) // a string
	}
	b := make([]byte, 0, len(t.before)+len(literal)+len(t.after))
	b = append(b, t.before...)
	b = append(b, literal...)
	return append(b, t.after...)
}

// templates are those that were met lately.
type templates struct {
	mu    sync.RWMutex
	known map[fingerprint]*template
}

// fingerprint finds a template; the bytes themselves are compared, so that chance does no harm.
type fingerprint struct{ head, tail uint64 }

var fingerprintSeed = maphash.MakeSeed()

// maxTemplates bounds what is looked up, not what is recorded: a record holds its template itself.
const maxTemplates = 4096

var tokenName = []byte(`"token":"`)

// read reads the body of messages:send, and answers the token and the template of it.
func (ts *templates) read(body []byte) (token string, t *template) {
	head, literal, tail := cutToken(body)
	if t := ts.find(head, tail); t != nil {
		return string(literal[1 : len(literal)-1]), t
	}
	m, raw, validateOnly, no := readMessage(body)
	t = &template{validateOnly: validateOnly, refused: no}
	start, end, ok := locate(raw, "token")
	if !ok {
		if t.refused == nil { // its name is written in another case, which Go lets pass and FCM does not
			t.refused = invalid("message", "Invalid JSON payload received. No \"token\" at 'message'.")
		}
		return m.Token, t
	}
	t.before, t.after = string(raw[:start]), string(raw[end:])
	if len(head) == 0 || !isTokenOf(body, head, literal) || string(literal) != `"`+m.Token+`"` {
		return m.Token, t
	}
	t.head, t.tail = share(string(head), t.before), share(string(tail), t.after)
	t.before, t.after = share(t.before, t.head), share(t.after, t.tail)
	ts.add(t)
	return m.Token, t
}

func (ts *templates) find(head, tail []byte) *template {
	if len(head) == 0 {
		return nil
	}
	f := fingerprint{maphash.Bytes(fingerprintSeed, head), maphash.Bytes(fingerprintSeed, tail)}
	ts.mu.RLock()
	t := ts.known[f]
	ts.mu.RUnlock()
	if t == nil || t.head != string(head) || t.tail != string(tail) {
		return nil
	}
	return t
}

func (ts *templates) add(t *template) {
	f := fingerprint{maphash.String(fingerprintSeed, t.head), maphash.String(fingerprintSeed, t.tail)}
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.known == nil || len(ts.known) >= maxTemplates {
		ts.known = make(map[fingerprint]*template)
	}
	ts.known[f] = t
}

// cutToken cuts a body around what is probably the token's literal, quotes included: the last that is written plainly and
// is not empty. Only what was read as JSON with the same head and tail makes it certain.
func cutToken(body []byte) (head, literal, tail []byte) {
	i := bytes.LastIndex(body, tokenName)
	if i < 0 {
		return nil, nil, nil
	}
	start := i + len(tokenName) - 1
	for end := start + 1; end < len(body); end++ {
		switch c := body[end]; {
		case c == '"' && end > start+1:
			return body[:start], body[start : end+1], body[end+1:]
		case c == '"' || c == '\\' || c < ' ' || c >= 0x7f:
			return nil, nil, nil
		}
	}
	return nil, nil, nil
}

// isTokenOf reports whether the literal after head is really the message's token.
func isTokenOf(body, head, literal []byte) bool {
	start, end, ok := locate(body, "message", "token")
	return ok && start == len(head) && end-start == len(literal)
}

// locate finds the bytes of a member of a JSON object by its path.
func locate(doc []byte, path ...string) (start, end int, found bool) {
	d := json.NewDecoder(bytes.NewReader(doc))
	for depth := 0; depth < len(path); depth++ {
		if t, err := d.Token(); err != nil || t != json.Delim('{') || !seek(d, path[depth]) {
			return 0, 0, false
		}
	}
	from := int(d.InputOffset())
	var value json.RawMessage
	if d.Decode(&value) != nil {
		return 0, 0, false
	}
	end = int(d.InputOffset())
	start = end - len(value)
	return start, end, start >= from
}

// seek moves a decoder that is inside an object to the value of a member.
func seek(d *json.Decoder, name string) bool {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return false
		}
		if key == name {
			return true
		}
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return false
		}
	}
	return false
}

// share is s in the memory of whole where that contains it, so that a template keeps its text once.
func share(s, whole string) string {
	if i := strings.Index(whole, s); i >= 0 {
		return whole[i : i+len(s)]
	}
	return s
}
