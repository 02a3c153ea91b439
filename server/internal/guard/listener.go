package guard

import (
	"container/list"
	"net"
)

// Listen returns a listener that accepts those connections of a TCP listener for which there is room.
func (d *Door) Listen(l net.Listener) net.Listener { return &listener{l, d} }

type listener struct {
	net.Listener
	door *Door
}

// Accept implements net.Listener.
func (l *listener) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		tcp, ok := accepted.(*net.TCPConn)
		if err != nil || !ok {
			return accepted, err
		}
		c := &conn{TCPConn: tcp, door: l.door}
		from, _ := tcp.RemoteAddr().(*net.TCPAddr)
		if from == nil { // the client has left already
			_ = tcp.Close()
			continue
		}
		if l.door.admit(c, from.AddrPort().Addr().Unmap()) {
			return c, nil
		}
		_ = tcp.Close() // nothing was sent
	}
}

// conn is a connection that counts until it is closed.
type conn struct {
	*net.TCPConn
	door *Door

	// Under Door.mu.
	groups []*group        // nil: it counts no longer
	places []*list.Element // in the queues of the groups, while it waits for a request
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.door.mu.Lock()
	c.door.forget(c)
	c.door.mu.Unlock()
	return c.TCPConn.Close()
}

// wait has the connection wait for a request from now on.
func (c *conn) wait() {
	if c.places != nil {
		return
	}
	for _, g := range c.groups {
		c.places = append(c.places, g.waiting.PushBack(c))
	}
}

// goOn ends wait.
func (c *conn) goOn() {
	for i, place := range c.places {
		c.groups[i].waiting.Remove(place)
	}
	c.places = nil
}
