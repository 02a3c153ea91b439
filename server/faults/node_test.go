package faults

import (
	"bytes"
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/internal/eventually"
)

// node is one process of the built server.
type node struct {
	i     *installation
	addr  string
	cmd   *exec.Cmd
	log   *output
	ended chan struct{}
	err   error // of the process, once it has ended
}

// output gathers what a process writes.
type output struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

// start starts a node and waits until it is ready.
func (i *installation) start() *node {
	i.t.Helper()
	n := i.node()
	n.start()
	return n
}

// node returns a node that is not started yet.
func (i *installation) node() *node {
	i.t.Helper()
	n := &node{i: i, addr: freeAddr(i.t)}
	i.nodes = append(i.nodes, n)
	return n
}

// start starts the process at the node's address, also after it has ended.
func (n *node) start() {
	n.i.t.Helper()
	n.launch()
	n.waitReady()
}

// launch starts the process without waiting.
func (n *node) launch() {
	n.i.t.Helper()
	cmd, log, ended := exec.Command(n.i.binary, "serve"), &output{}, make(chan struct{})
	cmd.Env = n.i.settings(n.addr)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		n.i.t.Fatalf("start a node: %v", err)
	}
	n.cmd, n.log, n.ended = cmd, log, ended
	go func() {
		n.err = cmd.Wait()
		close(ended)
	}()
	n.i.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if n.i.t.Failed() {
			n.i.t.Logf("log of the node at %s:\n%s", n.addr, tail(log.String()))
		}
	})
}

// tail returns the end of a log.
func tail(log string) string {
	const most = 8_000
	if len(log) > most {
		return "…" + log[len(log)-most:]
	}
	return log
}

func (n *node) waitReady() {
	n.i.t.Helper()
	eventually.True(n.i.t, "the node at "+n.addr+" to be ready", func() bool {
		select {
		case <-n.ended:
			n.i.t.Fatalf("the node at %s has ended: %v", n.addr, n.err)
		default:
		}
		return n.check("/readyz") == http.StatusOK
	})
}

// check returns the status of a health check, or 0 without a response.
func (n *node) check(path string) int {
	client := http.Client{Timeout: 5 * time.Second}
	res, err := client.Get("http://" + n.addr + path)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// kill ends the process at once.
func (n *node) kill() {
	n.i.t.Helper()
	n.signal(syscall.SIGKILL)
	<-n.ended
}

func (n *node) signal(s syscall.Signal) {
	n.i.t.Helper()
	if err := n.cmd.Process.Signal(s); err != nil {
		n.i.t.Fatalf("send %s to a node: %v", s, err)
	}
}

// wait waits for the end of the process, and returns its exit status and how long that took.
func (n *node) wait() (status int, took time.Duration) {
	n.i.t.Helper()
	began := time.Now()
	<-n.ended
	if exit, ok := errors.AsType[*exec.ExitError](n.err); ok {
		return exit.ExitCode(), time.Since(began)
	}
	if n.err != nil {
		n.i.t.Fatalf("wait for a node: %v", n.err)
	}
	return 0, time.Since(began)
}

// logged reports whether the node has written a text.
func (n *node) logged(text string) bool { return strings.Contains(n.log.String(), text) }
