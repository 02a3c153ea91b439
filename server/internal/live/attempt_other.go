//go:build !unix

package live

import "syscall"

// takesOver reports that sockets cannot be written to without waiting, so that every stream keeps its handler.
const takesOver = false

// attempt is not used.
type attempt struct{}

func newAttempt() *attempt { return nil }

func (*attempt) write(syscall.RawConn, []byte) (int, error) {
	panic("live: no connection is taken over")
}

func (*attempt) left(syscall.RawConn, bool) bool { panic("live: no connection is taken over") }
