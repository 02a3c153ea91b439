package production

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
)

// process is a running program.
type process struct {
	t     *testing.T
	cmd   *exec.Cmd
	log   output
	ended chan struct{}
	err   error // once it has ended
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

// start starts a program, which is stopped when the test ends.
func start(t *testing.T, environment []string, dir, name string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.Command(name, args...), ended: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = dir, append(os.Environ(), environment...), &p.log, &p.log
	p.run()
	return p
}

func (p *process) run() {
	p.t.Helper()
	if err := p.cmd.Start(); err != nil {
		p.t.Fatalf("start %s: %v", p.cmd.Path, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	p.t.Cleanup(func() {
		p.stop()
		if p.t.Failed() {
			log := p.log.String()
			p.t.Logf("log of %s:\n%s", p.cmd.Path, log[max(0, len(log)-2000):])
		}
	})
}

// stop ends the process by SIGTERM and returns its exit status.
func (p *process) stop() int {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails when it has ended
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
	if exit, ok := errors.AsType[*exec.ExitError](p.err); ok {
		return exit.ExitCode()
	}
	return 0
}

// waitFor waits until an address responds with 200.
func (p *process) waitFor(client *http.Client, address string) {
	p.t.Helper()
	eventually.True(p.t, address+" to respond", func() bool {
		select {
		case <-p.ended:
			p.t.Fatalf("%s has ended: %v", p.cmd.Path, p.err)
		default:
		}
		return status(p.t.Context(), client, address) == http.StatusOK
	})
}

// status returns the status of a response, or 0 without one.
func status(ctx context.Context, client *http.Client, address string) int {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0
	}
	res, err := client.Do(req)
	if err != nil {
		return 0
	}
	_ = res.Body.Close()
	return res.StatusCode
}

// asNobody makes a program that refuses to run as root run as an unprivileged user.
func (p *process) asNobody() {
	p.t.Helper()
	if os.Geteuid() != 0 {
		return
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		p.t.Fatalf("an unprivileged user: %v", err)
	}
	uid, _ := strconv.ParseUint(nobody.Uid, 10, 32)
	gid, _ := strconv.ParseUint(nobody.Gid, 10, 32)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // only needed to find a free port
	return l.Addr().String()
}

func port(t *testing.T, addr string) string {
	t.Helper()
	_, number, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatalf("address %s: %v", addr, err)
	}
	return number
}
