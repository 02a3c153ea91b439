//go:build linux || darwin

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// process is one run of postgres.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
	log  logMark
}

// logMark is the position in the log where a run begins.
type logMark struct {
	path string
	from int64
}

func startProcess(ctx context.Context, cmd *exec.Cmd, dir string) (*process, error) {
	alive, err := lockAlive(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer alive.Close() // PostgreSQL has a copy of the file, which keeps the lock
	log, mark, err := openLog(filepath.Join(dir, "postgres.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close() // PostgreSQL has its own copy
	cmd.Stdout, cmd.Stderr = log, log
	cmd.ExtraFiles = []*os.File{alive}
	p := &process{cmd: cmd, done: make(chan struct{}), log: mark}
	if err := p.start(); err != nil {
		return nil, err
	}
	return p, nil
}

// start starts postgres on a locked thread that outlives it, because dieWithParent interrupts it when the thread ends.
func (p *process) start() error {
	started := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.done)
		err := p.cmd.Start()
		started <- err
		if err == nil {
			_ = p.cmd.Wait() // the log has the reason
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	return nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) waitReady(ctx context.Context, data string) error {
	ready, err := waitUntil(ctx, startWithin, func() (bool, error) {
		select {
		case <-p.done:
			return false, p.failure("it ended at once")
		default:
			pid, ready := readPidFile(data)
			return ready && pid == p.pid(), nil
		}
	})
	if err == nil && !ready {
		err = p.failure(fmt.Sprintf("it was not ready within %s", startWithin))
	}
	return err
}

func (p *process) failure(what string) error {
	last := p.log.last()
	return fmt.Errorf("%s%s. The end of %s:\n%s", what, advice(last), p.log.path, last)
}

func (p *process) end() error {
	for _, signal := range harder {
		if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("stop PostgreSQL (process %d): %w", p.pid(), err)
		}
		select {
		case <-p.done:
			return nil
		case <-time.After(stopWithin):
		}
	}
	return fmt.Errorf("PostgreSQL (process %d) does not stop", p.pid())
}

const logLimit = 16 << 20 // bytes

// openLog opens the log for appending, because it contains earlier runs. A log over the limit is renamed first.
func openLog(path string) (*os.File, logMark, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > logLimit {
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, logMark{}, err
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, logMark{}, err
	}
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, logMark{}, errors.Join(err, f.Close())
	}
	return f, logMark{path, end}, nil
}

// last returns the end of the run's log.
func (m logMark) last() string {
	f, err := os.Open(m.path)
	if err != nil {
		return ""
	}
	defer f.Close() // nothing was written
	const most = 2_000
	end, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return ""
	}
	b, _ := io.ReadAll(io.NewSectionReader(f, max(m.from, end-most), most))
	return strings.TrimSpace(string(b))
}
