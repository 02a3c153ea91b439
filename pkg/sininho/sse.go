package sininho

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// maxEventBytes bounds a line and the data of an event; the longest notification, with every
// character escaped, has about 150 kB.
const maxEventBytes = 1 << 20

// sseEvent is one server-sent event as received. kind is empty for a block that only sets the id.
type sseEvent struct {
	id, kind string
	data     []byte
}

// sseReader reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
type sseReader struct {
	lines *bufio.Scanner
	// alive is called for every line, including comments.
	alive func()
	// lastID is the id to reconnect with.
	lastID string
	// retry is the wait before reconnecting that the server requests; 0 if it requests none.
	retry time.Duration
	begun bool
}

func newSSEReader(r io.Reader, lastID string, alive func()) *sseReader {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 4096), maxEventBytes)
	lines.Split(splitLines)
	return &sseReader{lines: lines, alive: alive, lastID: lastID}
}

// next returns the next event that has data or an id, or io.EOF at the end of the stream. It drops
// an incomplete event, as the standard requires; the event comes again after reconnecting.
func (r *sseReader) next() (sseEvent, error) {
	event := sseEvent{kind: "message"}
	var data []byte
	hasData, hasID := false, false
	id := r.lastID
	for r.lines.Scan() {
		r.alive()
		line := r.line()
		if line == "" {
			r.lastID = id
			if hasData {
				event.id, event.data = id, data
				return event, nil
			}
			if hasID {
				return sseEvent{id: id}, nil
			}
			event.kind = "message"
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			event.kind = value
		case "data":
			if len(data)+len(value) > maxEventBytes {
				return sseEvent{}, fmt.Errorf("%w: an event of more than %d bytes", errResponse, maxEventBytes)
			}
			if hasData {
				data = append(data, '\n')
			}
			data, hasData = append(data, value...), true
		case "id":
			if !strings.ContainsRune(value, 0) {
				id, hasID = value, true
			}
		case "retry":
			r.setRetry(value)
		}
	}
	if err := r.lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return sseEvent{}, fmt.Errorf("%w: a line of more than %d bytes", errResponse, maxEventBytes)
	} else if err != nil {
		return sseEvent{}, err
	}
	return sseEvent{}, io.EOF
}

func (r *sseReader) line() string {
	line := r.lines.Text()
	if !r.begun {
		r.begun = true
		line = strings.TrimPrefix(line, "\uFEFF")
	}
	return line
}

func (r *sseReader) setRetry(value string) {
	if ms, err := strconv.ParseUint(value, 10, 31); err == nil {
		r.retry = time.Duration(ms) * time.Millisecond
	}
}

// splitLines splits at LF, CRLF or CR.
func splitLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	i := bytes.IndexAny(data, "\r\n")
	switch {
	case i < 0:
		return 0, nil, nil // an unfinished line at the end is dropped
	case data[i] == '\n':
		return i + 1, data[:i], nil
	case i+1 < len(data) && data[i+1] == '\n':
		return i + 2, data[:i], nil
	case i+1 == len(data) && !atEOF:
		return 0, nil, nil
	default:
		return i + 1, data[:i], nil
	}
}
