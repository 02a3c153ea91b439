package httpapi

import (
	"bufio"
	"net"
	"net/http"
)

// recorder records the status of the response.
type recorder struct {
	http.ResponseWriter
	status int // 0: not written yet
	begins []func()
}

// atBegin has f called when the response begins, or at the end of a request without one.
func (w *recorder) atBegin(f func()) { w.begins = append(w.begins, f) }

func (w *recorder) begin() {
	for _, f := range w.begins {
		f()
	}
	w.begins = nil
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status = status
		w.begin()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
		w.begin()
	}
	if len(b) > piece {
		return writeLarge(w.ResponseWriter, b)
	}
	return w.ResponseWriter.Write(b)
}

// Hijack implements http.Hijacker. Only a stream takes a connection over, to respond with a 200.
func (w *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return conn, buffers, err
	}
	w.status = http.StatusOK
	w.begin()
	return conn, buffers, nil
}

// Unwrap is used by http.ResponseController.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
