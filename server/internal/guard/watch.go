package guard

import (
	"net"
	"net/http"
)

// Watch tells the door of a connection whether it waits for a request. It is for http.Server.ConnState, and ignores
// connections that came through no door.
func Watch(of net.Conn, state http.ConnState) {
	c, ok := below(of)
	if !ok {
		return
	}
	c.door.mu.Lock()
	defer c.door.mu.Unlock()
	switch state {
	case http.StateIdle:
		c.wait()
	case http.StateActive, http.StateHijacked:
		c.goOn()
	case http.StateNew, http.StateClosed: // as it was accepted, and as it was closed
	}
}

// below returns the connection of a door below TLS.
func below(c net.Conn) (*conn, bool) {
	for {
		switch x := c.(type) {
		case *conn:
			return x, true
		case interface{ NetConn() net.Conn }:
			c = x.NetConn()
		default:
			return nil, false
		}
	}
}
