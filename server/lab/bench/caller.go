package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// caller is an HTTP/1.1 connection that sends one request after another. It costs much less than http.Client, because
// the load shares the cores with what is measured.
type caller struct {
	conn    net.Conn
	reader  *bufio.Reader
	host    string
	headers string // of every request
	out     bytes.Buffer
	in      bytes.Buffer
}

const callTimeout = 30 * time.Second

// dial connects to a server. The headers are those of every request.
func dial(ctx context.Context, baseURL string, headers ...string) (*caller, error) {
	host := strings.TrimPrefix(baseURL, "http://")
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", host)
	if err != nil {
		return nil, err
	}
	c := &caller{conn: conn, reader: bufio.NewReader(conn), host: host}
	for _, h := range headers {
		c.headers += h + "\r\n"
	}
	return c, nil
}

func (c *caller) close() { _ = c.conn.Close() }

// do sends a request and returns the body of the response, which is valid until the next call. It fails unless the
// response has the wanted status.
func (c *caller) do(method, path string, want int, body string, headers ...string) ([]byte, error) {
	_ = c.conn.SetDeadline(time.Now().Add(callTimeout))
	if err := c.send(method, path, body, headers); err != nil {
		return nil, err
	}
	res, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer res.Body.Close()
	c.in.Reset()
	if _, err := io.Copy(&c.in, res.Body); err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if res.StatusCode != want {
		return nil, fmt.Errorf("%s %s: %s: %s", method, path, res.Status, c.in.Bytes())
	}
	return c.in.Bytes(), nil
}

func (c *caller) send(method, path, body string, headers []string) error {
	c.out.Reset()
	fmt.Fprintf(&c.out, "%s %s HTTP/1.1\r\nHost: %s\r\n%s", method, path, c.host, c.headers)
	for _, h := range headers {
		c.out.WriteString(h)
		c.out.WriteString("\r\n")
	}
	if body != "" {
		fmt.Fprintf(&c.out, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	} else if method != http.MethodGet {
		c.out.WriteString("Content-Length: 0\r\n")
	}
	c.out.WriteString("\r\n")
	c.out.WriteString(body)
	_, err := c.conn.Write(c.out.Bytes())
	return err
}
