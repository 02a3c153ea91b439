package cluster

import (
	"bytes"
	"errors"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/sininho/sininho/internal/eventually"
)

// Node is one process of the built server.
type Node struct {
	c    *Cluster
	Addr string
	// Environment has the settings of this node alone, which come after those of the cluster.
	Environment map[string]string

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

// Start starts a node and waits until it is ready.
func (c *Cluster) Start() *Node {
	c.T.Helper()
	n := c.Node()
	n.Start()
	return n
}

// Node returns a node that is not started yet.
func (c *Cluster) Node() *Node {
	c.T.Helper()
	n := &Node{c: c, Addr: FreeAddr(c.T)}
	c.Nodes = append(c.Nodes, n)
	return n
}

// Start starts the process at the node's address, also after it has ended.
func (n *Node) Start() {
	n.c.T.Helper()
	n.Launch()
	n.WaitReady()
}

// Launch starts the process without waiting.
func (n *Node) Launch() {
	n.c.T.Helper()
	cmd, log, ended := exec.Command(n.c.Binary, "serve"), &output{}, make(chan struct{})
	cmd.Env = n.c.settings(n.Addr, n.Environment)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		n.c.T.Fatalf("start a node: %v", err)
	}
	n.cmd, n.log, n.ended = cmd, log, ended
	go func() {
		n.err = cmd.Wait()
		close(ended)
	}()
	n.c.T.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
		if n.c.T.Failed() {
			n.c.T.Logf("log of the node at %s:\n%s", n.Addr, tail(log.String()))
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

// WaitReady waits until the node is ready.
func (n *Node) WaitReady() {
	n.c.T.Helper()
	eventually.True(n.c.T, "the node at "+n.Addr+" to be ready", func() bool {
		select {
		case <-n.ended:
			n.c.T.Fatalf("the node at %s has ended: %v", n.Addr, n.err)
		default:
		}
		return n.Check("/readyz") == http.StatusOK
	})
}

// Check returns the status of a health check, or 0 without a response.
func (n *Node) Check(path string) int {
	client := http.Client{Timeout: 5 * time.Second}
	res, err := client.Get("http://" + n.Addr + path)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// Kill ends the process at once.
func (n *Node) Kill() {
	n.c.T.Helper()
	n.Signal(syscall.SIGKILL)
	<-n.ended
}

// Signal sends the process a signal.
func (n *Node) Signal(s syscall.Signal) {
	n.c.T.Helper()
	if err := n.cmd.Process.Signal(s); err != nil {
		n.c.T.Fatalf("send %s to a node: %v", s, err)
	}
}

// Send is Signal for a process that may have ended.
func (n *Node) Send(s syscall.Signal) error { return n.cmd.Process.Signal(s) }

// Ended reports whether the process has ended.
func (n *Node) Ended() bool {
	select {
	case <-n.ended:
		return true
	default:
		return false
	}
}

// Wait waits for the end of the process, and returns its exit status and how long that took.
func (n *Node) Wait() (status int, took time.Duration) {
	n.c.T.Helper()
	began := time.Now()
	<-n.ended
	if exit, ok := errors.AsType[*exec.ExitError](n.err); ok {
		return exit.ExitCode(), time.Since(began)
	}
	if n.err != nil {
		n.c.T.Fatalf("wait for a node: %v", n.err)
	}
	return 0, time.Since(began)
}

// Logged reports whether the node has written a text.
func (n *Node) Logged(text string) bool { return strings.Contains(n.log.String(), text) }
