package ntfy

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

// encoding is a form in which messages are streamed.
type encoding struct {
	media  string
	encode func(message) []byte
}

var (
	jsonLines        = encoding{"application/x-ndjson", encodeJSON}
	serverSentEvents = encoding{"text/event-stream", encodeEvent}
	rawLines         = encoding{"text/plain", encodeRaw}
)

func encodeJSON(m message) []byte {
	b, _ := json.Marshal(m) // texts and numbers
	return append(b, '\n')
}

func encodeEvent(m message) []byte {
	b := append([]byte("data: "), encodeJSON(m)...)
	if m.Event != eventMessage {
		b = append([]byte("event: "+m.Event+"\n"), b...)
	}
	return append(b, '\n')
}

// encodeRaw returns the text of a message in one line, and an empty line for anything else.
func encodeRaw(m message) []byte {
	if m.Event != eventMessage {
		return []byte("\n")
	}
	return []byte(strings.ReplaceAll(m.Message, "\n", " ") + "\n")
}

// sink is where a subscription's messages go.
type sink interface{ send(message) error }

// writeLimit is how long a client may take to accept a message.
const writeLimit = 20 * time.Second

// response sends messages in the body of a response. It begins with the first one, so that a refusal can come before.
type response struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	encoding encoding

	mu    sync.Mutex
	begun bool
}

func newSink(w http.ResponseWriter, e encoding) *response {
	return &response{w: w, control: http.NewResponseController(w), encoding: e}
}

func (o *response) begin() {
	if o.begun {
		return
	}
	o.begun = true
	_ = o.control.SetReadDeadline(time.Time{}) // the time that a request may take would end the response
	h := o.w.Header()
	h.Set("Content-Type", o.encoding.media+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies such as nginx must not buffer messages
	o.w.WriteHeader(http.StatusOK)
}

func (o *response) send(m message) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begin()
	if err := o.control.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	if _, err := o.w.Write(o.encoding.encode(m)); err != nil {
		return err
	}
	if err := o.control.Flush(); err != nil {
		return err
	}
	return o.control.SetWriteDeadline(time.Time{}) // HTTP/2 would end the response even if nothing is written
}
