package pushservice

import (
	"slices"
	"sync"
)

// maxQueue is the number of messages that can wait for a device; beyond that the oldest is dropped.
const maxQueue = 1000

// device is a browser. Messages are kept until the browser acknowledges them, so that a broken stream loses none.
type device struct {
	secret uint64

	mu     sync.Mutex
	stream *stream // nil while the browser is not connected
	queue  []*stanza
}

// stanza is a message on its way to a browser.
type stanza struct {
	id   string // lets the browser recognize a repeated message
	body buffer
	// topic, unless it is empty, lets a message replace one that has not been sent.
	topic string
	// sent is the message's number on the current stream, or zero if it has not been sent there.
	sent uint64
}

// push queues a message, and sends it if the device is connected.
func (d *device) push(m *stanza) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = slices.DeleteFunc(d.queue, func(other *stanza) bool {
		return m.topic != "" && other.topic == m.topic && other.sent == 0
	})
	d.queue = append(d.queue, m)
	if len(d.queue) > maxQueue {
		d.queue = slices.Delete(d.queue, 0, len(d.queue)-maxQueue)
	}
	if d.stream != nil {
		d.flush()
	}
}

// connect replaces the device's stream, closes the previous one, and sends the queued messages except those that the
// browser reports as received.
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

// flush sends the messages that were not sent on this stream. If it breaks, the rest waits for the next one.
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

// reply sends a message that need not be kept.
func (d *device) reply(s *stream, tag byte, body buffer) {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = s.write(tag, body) // its reader notices
}

// acknowledge removes the messages up to the last one that the browser has read of the stream.
func (d *device) acknowledge(s *stream, last uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stream == s {
		d.queue = slices.DeleteFunc(d.queue, func(m *stanza) bool { return m.sent != 0 && m.sent <= last })
	}
}
