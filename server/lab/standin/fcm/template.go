package fcm

import (
	"bytes"
	"encoding/json"
	"hash/maphash"
	"strings"
	"sync"
)

// template is the part that the messages of one notification share: everything but the address, an installation
// id or a token. It is validated once. Later messages that differ only by their address are recognized by their bytes.
type template struct {
	// head and tail are the parts of the request's body before and after the address's literal.
	head, tail string
	// before and after are the parts of the message, as compact JSON, before and after that literal.
	before, after string
	validateOnly  bool
	refused       *response
}

// message returns the whole message to an address, as compact JSON.
func (t *template) message(address string) []byte {
	literal, err := json.Marshal(address)
	if err != nil {
		panic(err) // a string can always be marshaled
	}
	b := make([]byte, 0, len(t.before)+len(literal)+len(t.after))
	b = append(b, t.before...)
	b = append(b, literal...)
	return append(b, t.after...)
}

// templates are the recently used templates.
type templates struct {
	mu    sync.RWMutex
	known map[fingerprint]*template
}

// fingerprint is the key of a template. The bytes are compared as well, so collisions are harmless.
type fingerprint struct{ head, tail uint64 }

var fingerprintSeed = maphash.MakeSeed()

// maxTemplates limits the lookup table, not the record: each record holds its own template.
const maxTemplates = 4096

// read parses the body of messages:send and returns its address and template.
func (ts *templates) read(body []byte) (address string, t *template) {
	head, literal, tail := cutAddress(body)
	if t := ts.find(head, tail); t != nil {
		return string(literal[1 : len(literal)-1]), t
	}
	m, raw, validateOnly, refusal := readMessage(body)
	t = &template{validateOnly: validateOnly, refused: refusal}
	name := "token"
	if m.FID != "" {
		name = "fid"
	}
	start, end, ok := locate(raw, name)
	if !ok {
		if t.refused == nil { // the member's name has another case, which Go accepts and FCM does not
			t.refused = invalid("message", "Invalid JSON payload received. No \""+name+"\" at 'message'.")
		}
		return m.address(), t
	}
	t.before, t.after = string(raw[:start]), string(raw[end:])
	if len(head) == 0 || !isAt(body, name, head, literal) || string(literal) != `"`+m.address()+`"` {
		return m.address(), t
	}
	t.head, t.tail = share(string(head), t.before), share(string(tail), t.after)
	t.before, t.after = share(t.before, t.head), share(t.after, t.tail)
	ts.add(t)
	return m.address(), t
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

// cutAddress splits a body around what is probably the address's literal, quotes included: the last one that is not
// empty and has no escapes. Only parsing the JSON with the same head and tail makes it certain.
func cutAddress(body []byte) (head, literal, tail []byte) {
	start := max(endOf(body, `"token":`), endOf(body, `"fid":`))
	if start < 0 || start >= len(body) || body[start] != '"' {
		return nil, nil, nil
	}
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

// endOf returns where the last occurrence of a name ends, or -1.
func endOf(body []byte, name string) int {
	i := bytes.LastIndex(body, []byte(name))
	if i < 0 {
		return i
	}
	return i + len(name)
}

// isAt reports whether the literal after head really is the member of the message with a name.
func isAt(body []byte, name string, head, literal []byte) bool {
	start, end, ok := locate(body, "message", name)
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

// seek moves a decoder inside an object to the value of a member.
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

// share returns s as a slice of whole if whole contains it, so that a template keeps its text only once in memory.
func share(s, whole string) string {
	if i := strings.Index(whole, s); i >= 0 {
		return whole[i : i+len(s)]
	}
	return s
}
