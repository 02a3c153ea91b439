package mail_test

import (
	"io"
	"net"
	"sync"
	"testing"
)

// elsewhere is an address of this machine that is not loopback.
func elsewhere(t *testing.T) string {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && !n.IP.IsLinkLocalUnicast() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback")
	return ""
}

// forward passes connections to an address on.
func forward(t *testing.T, host, to string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0")) //nolint:noctx // a test
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { pass(from, to) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		all.Wait()
	})
	return l.Addr().String()
}

func pass(from net.Conn, to string) {
	onward, err := net.Dial("tcp", to) //nolint:noctx // a test
	if err != nil {
		_ = from.Close()
		return
	}
	var both sync.WaitGroup
	for a, b := range map[net.Conn]net.Conn{from: onward, onward: from} {
		both.Go(func() {
			_, _ = io.Copy(a, b)
			_ = a.Close()
		})
	}
	both.Wait()
}
