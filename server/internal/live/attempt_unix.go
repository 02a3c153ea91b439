//go:build unix

package live

import (
	"errors"
	"syscall"
)

// takesOver reports that sockets can be written to without waiting.
const takesOver = true

// attempt is one try at a socket that does not wait. A shard makes one and uses it again, because a closure for each
// write would be garbage.
type attempt struct {
	buffer            []byte
	n                 int
	err               error
	tryWrite, tryRead func(fd uintptr) bool
	incoming          [512]byte
}

func newAttempt() *attempt {
	a := &attempt{}
	// They return true, because false means to wait until the socket is ready.
	a.tryWrite = func(fd uintptr) bool { a.n, a.err = again(syscall.Write, fd, a.buffer); return true }
	a.tryRead = func(fd uintptr) bool { a.n, a.err = again(syscall.Read, fd, a.incoming[:]); return true }
	return a
}

func again(call func(int, []byte) (int, error), fd uintptr, b []byte) (n int, err error) {
	for err = syscall.EINTR; errors.Is(err, syscall.EINTR); {
		n, err = call(int(fd), b)
	}
	return max(n, 0), err
}

// write writes as much of b as the kernel takes at once.
func (a *attempt) write(conn syscall.RawConn, b []byte) (n int, err error) {
	a.buffer = b
	defer func() { a.buffer = nil }()
	if err := conn.Write(a.tryWrite); err != nil {
		return 0, err
	}
	if wouldWait(a.err) {
		return 0, nil
	}
	return a.n, a.err
}

// left reports whether the client has closed its connection. What it sends is dropped, but over TLS it ends the stream:
// it may say that the client leaves, or ask for other keys, and is not read.
func (a *attempt) left(conn syscall.RawConn, tls bool) bool {
	if err := conn.Read(a.tryRead); err != nil {
		return true
	}
	return a.n == 0 && !wouldWait(a.err) || a.n > 0 && tls
}

func wouldWait(err error) bool {
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EWOULDBLOCK)
}
