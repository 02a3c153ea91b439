package acme

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"
)

const host = "sininho.example.com"

// program is the server that TestMain builds.
var program string

func TestMain(m *testing.M) {
	os.Setenv("PEBBLE_VA_NOSLEEP", "1")
	dir, err := os.MkdirTemp("", "sininho-acme-")
	if err == nil {
		program = filepath.Join(dir, "sininho-server")
		build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./server/cmd/sininho-server")
		build.Dir, build.Stdout, build.Stderr = "../..", os.Stderr, os.Stderr
		err = build.Run()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build the server:", err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// node is a server with a certificate for host, in a process of its own.
type node struct {
	t                   *testing.T
	dir, addr, httpAddr string
	authority           *authority
	log                 output
}

// output is what a process has written so far.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func newNode(t *testing.T) *node {
	t.Helper()
	dir, err := os.MkdirTemp("", "sininho-acme-") // PostgreSQL's user must reach it if this is root
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatalf("make a folder: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return &node{t: t, dir: dir, addr: freeAddr(t), httpAddr: freeAddr(t)}
}

func (n *node) url() string {
	_, port, _ := net.SplitHostPort(n.addr)
	return "https://" + net.JoinHostPort(host, port)
}

// start starts the server by the two commands of the guide.
func (n *node) start() *exec.Cmd {
	n.t.Helper()
	file := filepath.Join(n.dir, "sininho.env")
	if _, err := os.Stat(file); err != nil {
		out, err := exec.Command(program, "init", "--url", n.url(), "--env-file", file, "--data",
			filepath.Join(n.dir, "data"), "--tls", "auto", "--smtp", "smtp://127.0.0.1:1").CombinedOutput()
		if err != nil {
			n.t.Fatalf("init: %v\n%s", err, out)
		}
	}
	cmd := exec.Command(program, "serve", "--env-file", file)
	cmd.Env = append(os.Environ(), "LISTEN_ADDR="+n.addr, "HTTP_ADDR="+n.httpAddr,
		"ACME_DIRECTORY_URL="+n.authority.directory, "ACME_CA_FILE="+n.authority.caFile)
	cmd.Stdout, cmd.Stderr = &n.log, &n.log
	if err := cmd.Start(); err != nil {
		n.t.Fatalf("start the server: %v", err)
	}
	n.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if n.t.Failed() {
			n.t.Log(n.log.String())
		}
	})
	return cmd
}

func (n *node) stop(cmd *exec.Cmd) {
	n.t.Helper()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		n.t.Fatalf("stop the server: %v", err)
	}
	if err := cmd.Wait(); err != nil {
		n.t.Errorf("server that is stopped: ended with %v, want exit status 0", err)
	}
}

// tls connects to the server as a client that asks for a host and trusts the authority.
func (n *node) tls(serverName string, protocols ...string) (*tls.Conn, error) {
	return tls.Dial("tcp", n.addr, &tls.Config{ServerName: serverName, RootCAs: n.authority.roots, NextProtos: protocols})
}

// serial returns the number of the server's certificate, or "" while it has none.
func (n *node) serial() string {
	conn, err := n.tls(host, "h2")
	if err != nil {
		return ""
	}
	defer conn.Close()
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.String()
}

// client returns a client that finds host at addr, and does not follow redirects.
func (n *node) client(addr string, http2 bool) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(!http2)
	protocols.SetHTTP2(http2)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: n.authority.roots}, Protocols: protocols,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}}
	n.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// within waits for a condition.
func (n *node) within(limit time.Duration, what string, condition func() bool) {
	n.t.Helper()
	deadline := time.After(limit)
	for !condition() {
		select {
		case <-deadline:
			n.t.Fatalf("waited %s for %s", limit, what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
