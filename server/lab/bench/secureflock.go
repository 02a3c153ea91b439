package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// connections are those of open streams, which nobody reads any more.
type connections []net.Conn

func (c connections) close() {
	for _, conn := range c {
		_ = conn.Close()
	}
}

// opening is a way to open streams.
type opening struct {
	protocol string // that TLS agrees on
	each     int    // streams on a connection
	begin    func(conn net.Conn, host, path string, streams int) error
}

// portsEach is how many connections an address of this machine gets, of the ports that the kernel gives it.
const portsEach = 20_000

// streams opens streams, on some connections at the same time.
func (o opening) streams(ctx context.Context, addr, path string, count int) (connections, error) {
	const atOnce = 8
	type result struct {
		conn net.Conn
		err  error
	}
	count = max(count/o.each, 1)
	results, begin := make(chan result, count), make(chan struct{}, atOnce)
	for i := range count {
		begin <- struct{}{}
		go func() {
			conn, err := o.stream(ctx, i/portsEach, addr, path)
			results <- result{conn, err}
			<-begin
		}()
	}
	var all connections
	var err error
	for range count {
		r := <-results
		if r.err != nil {
			err = fmt.Errorf("open a stream: %w", r.err)
			continue
		}
		all = append(all, r.conn)
	}
	return all, err
}

func (o opening) stream(ctx context.Context, client int, addr, path string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, receiptTimeout)
	defer cancel()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(2+client))}}
	plain, err := dialer.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	config := trusting()
	config.NextProtos = []string{o.protocol}
	conn := tls.Client(plain, config)
	if err := conn.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	if err := conn.SetDeadline(time.Now().Add(receiptTimeout)); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	if err := o.begin(conn, addr, path, o.each); err != nil {
		return nil, errors.Join(err, plain.Close())
	}
	return conn, conn.SetDeadline(time.Time{})
}

// browser are the headers of a browser's request for a stream.
var browser = [][2]string{
	{"accept", "text/event-stream"}, {"accept-language", "pt-PT,pt;q=0.9,en;q=0.8"},
	{"accept-encoding", "gzip, deflate, br, zstd"}, {"cache-control", "no-cache"}, {"pragma", "no-cache"},
	{"user-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"},
	{"sec-ch-ua", `"Chromium";v="140", "Not=A?Brand";v="24", "Google Chrome";v="140"`}, {"sec-ch-ua-mobile", "?0"},
	{"sec-ch-ua-platform", `"Linux"`}, {"sec-fetch-dest", "empty"}, {"sec-fetch-mode", "cors"},
	{"sec-fetch-site", "same-origin"}, {"priority", "u=1, i"},
}

func beginHTTP1(conn net.Conn, host, path string, _ int) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "GET %s HTTP/1.1\r\nHost: %s\r\n", path, host)
	for _, h := range browser {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	b.WriteString("\r\n")
	if _, err := conn.Write(b.Bytes()); err != nil {
		return err
	}
	res, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // the caller closes the connection
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}
	_, err = bufio.NewReader(res.Body).ReadByte()
	return err
}

func beginHTTP2(conn net.Conn, host, path string, streams int) error {
	if _, err := conn.Write([]byte(http2.ClientPreface)); err != nil {
		return err
	}
	framer := http2.NewFramer(conn, conn)
	if err := framer.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 6 << 20}); err != nil {
		return err
	}
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	for i := range streams {
		block.Reset()
		for _, h := range append([][2]string{
			{":method", "GET"}, {":scheme", "https"}, {":authority", host}, {":path", path}}, browser...) {
			if err := encoder.WriteField(hpack.HeaderField{Name: h[0], Value: h[1]}); err != nil {
				return err
			}
		}
		if err := framer.WriteHeaders(http2.HeadersFrameParam{StreamID: uint32(2*i + 1),
			BlockFragment: block.Bytes(), EndStream: true, EndHeaders: true}); err != nil {
			return err
		}
		if err := untilData(framer); err != nil {
			return err
		}
	}
	return nil
}

// untilData reads until the first event.
func untilData(framer *http2.Framer) error {
	for {
		frame, err := framer.ReadFrame()
		if err != nil {
			return err
		}
		switch f := frame.(type) {
		case *http2.SettingsFrame:
			if !f.IsAck() {
				err = framer.WriteSettingsAck()
			}
		case *http2.DataFrame:
			if len(f.Data()) > 0 {
				return nil
			}
		case *http2.RSTStreamFrame, *http2.GoAwayFrame:
			return fmt.Errorf("the stream has ended: %v", frame)
		}
		if err != nil {
			return err
		}
	}
}
