package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is a child process.
type process struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr bytes.Buffer // shown when the process fails
}

const stopTimeout = 30 * time.Second

// start starts this program in a role, and decodes what it says when it is ready.
func start(ctx context.Context, role string, environment map[string]string, info any) (*process, error) {
	p, stdout, err := newProcess(ctx, role, environment)
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, info)
	}
	if err != nil {
		return nil, fmt.Errorf("start the process %s: %w", role, errors.Join(err, p.stop()))
	}
	return p, nil
}

// newProcess prepares a process. It outlives ctx, because it must be stopped in order.
func newProcess(ctx context.Context, role string, environment map[string]string) (
	p *process, stdout io.Reader, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	p = &process{cmd: exec.CommandContext(context.WithoutCancel(ctx), self, role)}
	p.cmd.Stderr = &p.stderr
	p.cmd.Env = os.Environ()
	for name, value := range environment {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, nil, err
	}
	stdout, err = p.cmd.StdoutPipe()
	return p, stdout, err
}

// stop asks the process to end, and kills it if it takes too long.
func (p *process) stop() error {
	_ = p.stdin.Close()
	kill := time.AfterFunc(stopTimeout, func() { _ = p.cmd.Process.Kill() })
	defer kill.Stop()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("%w\n%s", err, p.stderr.Bytes())
	}
	return nil
}

// cpu returns the CPU time that the process has used, in milliseconds.
func (p *process) cpu() (float64, error) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.cmd.Process.Pid))
	if err != nil || len(tasks) == 0 {
		return 0, errors.Join(err, errors.New("no CPU times in /proc: this needs Linux"))
	}
	sum := 0.0
	for _, name := range tasks {
		b, err := os.ReadFile(name)
		if err != nil {
			continue // the thread has just ended
		}
		ran, _, _ := strings.Cut(string(b), " ")
		ns, err := strconv.ParseFloat(ran, 64)
		if err != nil {
			return 0, err
		}
		sum += ns
	}
	return sum / 1e6, nil
}

// memory returns the resident memory of the process in KiB.
func (p *process) memory() (float64, error) { return p.status("VmRSS:") }

// peakMemory returns the most since resetPeak, in KiB.
func (p *process) peakMemory() (float64, error) { return p.status("VmHWM:") }

func (p *process) resetPeak() error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid), []byte("5"), 0)
}

func (p *process) status(name string) (float64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(line, name); ok {
			return strconv.ParseFloat(strings.Fields(value)[0], 64)
		}
	}
	return 0, fmt.Errorf("no %s in /proc", name)
}

// connectionsTo returns how many TCP connections the process has to a server on this machine.
func (p *process) connectionsTo(serverURL string) (n int, err error) {
	u, err := url.Parse(serverURL)
	if err != nil {
		return 0, err
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return 0, err
	}
	table, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		return 0, err
	}
	sockets, err := p.sockets()
	remote := fmt.Sprintf(":%04X", port)
	for line := range strings.Lines(string(table)) {
		// The third field is the remote address, and the tenth the inode.
		if f := strings.Fields(line); len(f) > 9 && strings.HasSuffix(f[2], remote) && sockets["socket:["+f[9]+"]"] {
			n++
		}
	}
	return n, err
}

// sockets returns the open sockets of the process as /proc shows them.
func (p *process) sockets() (map[string]bool, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.cmd.Process.Pid))
	open := map[string]bool{}
	for _, name := range files {
		if target, err := os.Readlink(name); err == nil { // otherwise it has just been closed
			open[target] = true
		}
	}
	return open, err
}
