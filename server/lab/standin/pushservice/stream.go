package pushservice

import (
	"bufio"
	"net"
	"strconv"
	"time"
)

// Tags of the messages of a stream (MCS).
const (
	tagPing          = 0
	tagPong          = 1
	tagLogin         = 2
	tagLoginResponse = 3
	tagClose         = 4
	tagIq            = 7
	tagData          = 8
)

// lastReceivedOf maps a tag to the field in which the sender reports how many messages it has read.
var lastReceivedOf = map[byte]int{tagPing: 2, tagPong: 2, tagLoginResponse: 6, tagIq: 10, tagData: 11}

const (
	version      = 41
	oldest       = 38
	loginTimeout = 10 * time.Second
	writeTimeout = 5 * time.Second
)

// stream is a browser's connection. Both sides count the messages that they read. device.mu guards writing.
type stream struct {
	conn     net.Conn
	reader   *bufio.Reader
	received uint64 // messages read; only the reader changes it
	written  uint64
}

func (s *Service) acceptStreams() {
	for {
		c, err := s.stream.Accept()
		if err != nil {
			return // closed
		}
		s.mu.Lock()
		if s.closed {
			_ = c.Close()
		} else {
			s.connections[c] = struct{}{}
			s.wait.Go(func() { s.serve(c) })
		}
		s.mu.Unlock()
	}
}

// serve reads a stream to its end.
func (s *Service) serve(c net.Conn) {
	defer func() {
		s.mu.Lock()
		delete(s.connections, c)
		s.mu.Unlock()
		_ = c.Close()
	}()
	st := &stream{conn: c, reader: bufio.NewReader(c)}
	_ = c.SetReadDeadline(time.Now().Add(loginTimeout))
	if v, err := st.reader.ReadByte(); err != nil || v < oldest {
		return
	}
	d, has := s.login(st)
	if d == nil {
		return
	}
	_ = c.SetReadDeadline(time.Time{})
	d.connect(st, has)
	defer d.disconnect(st)
	for st.serveNext(d) {
	}
}

// login returns the device that logs in, and the ids of the messages that the browser has received.
func (s *Service) login(st *stream) (d *device, has []string) {
	const (
		user       = 3
		authToken  = 5
		receivedID = 10
	)
	tag, f, err := readFrame(st.reader)
	if err != nil || tag != tagLogin {
		return nil, nil
	}
	st.received++
	id, err1 := strconv.ParseUint(f.text(user), 10, 64)
	secret, err2 := strconv.ParseUint(f.text(authToken), 10, 64)
	if err1 != nil || err2 != nil {
		return nil, nil
	}
	return s.device(id, secret), f.texts[receivedID]
}

// serveNext reads one message, and reports whether there may be another.
func (st *stream) serveNext(d *device) bool {
	tag, f, err := readFrame(st.reader)
	if err != nil || tag == tagClose {
		return false
	}
	st.received++
	if last, ok := f.numbers[lastReceivedOf[tag]]; ok {
		d.acknowledge(st, last)
	}
	if tag == tagPing {
		d.reply(st, tagPong, buffer{}.int(lastReceivedOf[tagPong], st.received))
	}
	return true
}

// write sends one message. The version precedes the first. If writing fails, the stream is closed.
func (st *stream) write(tag byte, body buffer) error {
	out := frame(tag, body)
	if st.written == 0 {
		out = append([]byte{version}, out...)
	}
	_ = st.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := st.conn.Write(out); err != nil {
		st.close()
		return err
	}
	st.written++
	return nil
}

func (st *stream) close() { _ = st.conn.Close() }
