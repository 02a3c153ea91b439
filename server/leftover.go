package server

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"
)

const (
	// smallBody is the size up to which net/http itself reads what a handler has left of a body.
	smallBody = 256 << 10
	// After the response, that much of a larger body is read, for that long.
	maxLeftover  = 64 << 20
	leftoverTime = 30 * time.Second
)

// drained reads what next has left of large request bodies once it has responded. A client that is still sending when
// its connection is closed gets a reset, and may never see the response. In HTTP/2 each request ends by itself.
func drained(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 1 || r.ContentLength >= 0 && r.ContentLength <= smallBody {
			next.ServeHTTP(w, r)
			return
		}
		body := &watchedBody{ReadCloser: r.Body, left: r.ContentLength}
		early := &earlyResponse{ResponseWriter: w, body: body}
		r.Body = body
		next.ServeHTTP(early, r)
		early.finish()
	})
}

// watchedBody is a request body that is known to be complete, or not.
type watchedBody struct {
	io.ReadCloser
	left     int64 // bytes; negative: unknown
	complete bool
}

func (b *watchedBody) Read(p []byte) (n int, err error) {
	n, err = b.ReadCloser.Read(p)
	b.left -= int64(n)
	b.complete = b.complete || err == io.EOF || b.left == 0
	return n, err
}

// earlyResponse keeps a response that begins before the request is complete, so that it is sent at once and as a whole.
type earlyResponse struct {
	http.ResponseWriter

	body   *watchedBody
	begun  bool
	status int // 0: the response is not kept
	kept   bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (e *earlyResponse) WriteHeader(status int) {
	if e.begun || e.body.complete || status < http.StatusOK {
		e.ResponseWriter.WriteHeader(status)
		return
	}
	e.begun, e.status = true, status
}

// Write implements http.ResponseWriter.
func (e *earlyResponse) Write(p []byte) (int, error) {
	if !e.begun && !e.body.complete {
		e.WriteHeader(http.StatusOK)
	}
	if e.status == 0 {
		e.begun = true
		return e.ResponseWriter.Write(p)
	}
	if e.kept.Len()+len(p) > smallBody {
		if err := e.release(); err != nil {
			return 0, err
		}
		return e.ResponseWriter.Write(p)
	}
	return e.kept.Write(p)
}

// FlushError implements what http.ResponseController needs: the response is not kept any longer.
func (e *earlyResponse) FlushError() error {
	if err := e.release(); err != nil {
		return err
	}
	return http.NewResponseController(e.ResponseWriter).Flush()
}

// Hijack implements http.Hijacker.
func (e *earlyResponse) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	e.begun, e.status = true, 0
	return http.NewResponseController(e.ResponseWriter).Hijack()
}

// Unwrap is used by http.ResponseController.
func (e *earlyResponse) Unwrap() http.ResponseWriter { return e.ResponseWriter }

func (e *earlyResponse) release() error {
	if e.status == 0 {
		return nil
	}
	e.ResponseWriter.WriteHeader(e.status)
	e.status = 0
	_, err := e.ResponseWriter.Write(e.kept.Bytes())
	return err
}

// finish sends a response that was kept, and reads what is left of the request.
func (e *earlyResponse) finish() {
	if !e.begun && !e.body.complete {
		e.WriteHeader(http.StatusOK)
	}
	if e.status == 0 {
		return
	}
	header := e.Header()
	header.Set("Connection", "close")
	if header.Get("Content-Length") == "" && e.kept.Len() > 0 {
		header.Set("Content-Length", strconv.Itoa(e.kept.Len()))
	}
	if e.release() != nil {
		return
	}
	c := http.NewResponseController(e.ResponseWriter)
	if c.Flush() != nil {
		return
	}
	if conn, _, err := c.Hijack(); err == nil {
		drain(conn)
	}
}

// drain closes a connection once the client has closed it, or has sent more than it may.
func drain(conn net.Conn) {
	defer conn.Close() // nobody could be told of an error
	if conn.SetDeadline(time.Now().Add(leftoverTime)) != nil {
		return
	}
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, conn, maxLeftover)
}
