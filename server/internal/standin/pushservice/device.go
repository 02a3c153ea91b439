package pushservice

import (
	"slices"
	"sync"
)

// maxQueue is how many messages wait for a device; beyond that the oldest is dropped.
const maxQueue = 1000

// device is a browser. Its messages wait until it says that it has them, so that none is lost when its stream breaks.
type device struct {
	secret uint64

	mu     sync.Mutex
	stream *stream // nil while it is not connected
	queue  []*stanza
}

// stanza is a message on its way.
type stanza struct {
	id   string // by which a browser knows it again
	body buffer
	// sent is which message of the stream it was, or zero if it was not sent on this one.
	sent uint64
}

// push queues a message, and sends it if the device is connected.
func (d *device) push(m *stanza) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = append(d.queue, m)
	if len(d.queue) > maxQueue {
		d.queue = slices.Delete(d.queue, 0, len(d.queue)-maxQueue)
	}
	if d.stream != nil {
		d.flush()
	}
}

// connect makes a stream the device's, ends the one before, and sends what waits but for what the browser says it has.
func (d *device) connect(s *stream, has []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stream != nil {
		d.stream.close()
	}
	d.stream = s
	d.queue = slices.DeleteFunc(d.queue, func(m *stanza) bool { return slices.Contains(has, m.id) })
	for _, m := range d.queue {
		m.sent = 0
	}
	if s.write(tagLoginResponse, buffer{}.text(1, "login").int(lastReceivedOf[tagLoginResponse], s.received)) != nil {
		return // its reader notices
	}
	d.flush()
}

func (d *device) disconnect(s *stream) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stream == s {
		d.stream = nil
	}
}

// flush sends what was not sent on this stream. It stops where the stream breaks; the rest waits for the next.
func (d *device) flush() {
	for _, m := range d.queue {
		if m.sent != 0 {
			continue
		}
		if d.stream.write(tagData, m.body) != nil {
			return
		}
		m.sent = d.stream.written
	}
}

// answer sends a message that needs no keeping.
func (d *device) answer(s *stream, tag byte, body buffer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = s.write(tag, body) // its reader notices
}

// acknowledge forgets what the browser has: everything up to the last message of the stream that it read.
func (d *device) acknowledge(s *stream, last uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stream == s {
		d.queue = slices.DeleteFunc(d.queue, func(m *stanza) bool { return m.sent != 0 && m.sent <= last })
	}
}
