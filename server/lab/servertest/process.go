package servertest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sininho/sininho/internal/eventually"
	"github.com/sininho/sininho/server"
	"github.com/sininho/sininho/server/internal/dev"
)

// settingsVariable has the settings of a server that this program is to be, instead of running tests.
const settingsVariable = "SERVERTEST_SETTINGS"

// Process is a server in a process of its own.
type Process struct {
	cmd     *exec.Cmd
	control string // address that responds with the number of goroutines
}

// Usage is what a process uses.
type Usage struct {
	Goroutines, Threads, Files int
	Memory                     int // resident, in KiB
}

// String returns the usage in words.
func (u Usage) String() string {
	return fmt.Sprintf("%d goroutines, %d threads, %d file descriptors, %d MiB", u.Goroutines, u.Threads, u.Files,
		u.Memory>>10)
}

// StartApart is Start with the server alone in another process, so that what it uses can be measured: the database and
// the stand-ins are not part of it. It writes its log, with everything in it, to log.
func StartApart(t testing.TB, log io.Writer, options ...Option) (*Server, *Process) {
	t.Helper()
	config := newConfig(t, options)
	d, err := dev.Start(t.Context(), config)
	if err != nil {
		t.Fatalf("start the stand-ins: %v", err)
	}
	t.Cleanup(func() {
		ended, end := context.WithCancel(context.Background())
		end()
		_ = d.Serve(ended) // closes the stand-ins without having served anything
	})
	settings := d.Settings
	settings.ListenAddr = freeAddr(t)
	settings.PublicURL = "http://" + settings.ListenAddr
	p := startProcess(t, settings, log)
	s := newServer(d)
	s.URL = settings.PublicURL
	eventually.True(t, "the server to be ready", func() bool {
		res, err := http.Get(s.URL + "/readyz") //nolint:noctx // on loopback
		if err != nil {
			return false
		}
		return errors.Join(res.Body.Close()) == nil && res.StatusCode == http.StatusOK
	})
	return s, p
}

func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("listen: %v", err)
	}
	defer l.Close() // only needed to find a free port
	return l.Addr().String()
}

func startProcess(t testing.TB, settings server.Config, log io.Writer) *Process {
	t.Helper()
	encoded, err := json.Marshal(settings)
	if err != nil {
		t.Fatalf("encode the settings: %v", err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatalf("path of this program: %v", err)
	}
	p := &Process{cmd: exec.CommandContext(context.Background(), self)}
	p.cmd.Env = append(os.Environ(), settingsVariable+"="+string(encoded))
	p.cmd.Stderr = log
	stdin, errIn := p.cmd.StdinPipe()
	stdout, errOut := p.cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, p.cmd.Start()); err != nil {
		t.Fatalf("start a server: %v", err)
	}
	t.Cleanup(func() {
		_ = stdin.Close()
		if err := p.cmd.Wait(); err != nil {
			t.Errorf("end of the server: %v", err)
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("address of the server: %v", err)
	}
	p.control = strings.TrimSpace(line)
	return p
}

// serveApart is the server of StartApart. It ends with its parent, which holds standard input open.
func serveApart(encoded string) error {
	var settings server.Config
	if err := json.Unmarshal([]byte(encoded), &settings); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	control, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(control, http.HandlerFunc(countGoroutines)) }()
	l, err := server.Listen(ctx, settings.ListenAddr)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := server.New(ctx, settings, log)
	if err != nil {
		return err
	}
	server.TuneMemory()
	_, _ = fmt.Fprintln(os.Stdout, control.Addr())
	return errors.Join(s.Serve(ctx, l), s.Close())
}

func countGoroutines(w http.ResponseWriter, _ *http.Request) {
	debug.FreeOSMemory()
	_, _ = fmt.Fprint(w, runtime.NumGoroutine())
}

// Usage returns what the process uses, once it has given back what it can.
func (p *Process) Usage(t testing.TB) (u Usage) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+p.control, nil)
	if err != nil {
		t.Fatalf("new request: %v", err)
	}
	req.Close = true
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatalf("count the goroutines: %v", err)
	}
	defer res.Body.Close() // it has been read in full
	count, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("read the number of goroutines: %v", err)
	}
	u.Goroutines, _ = strconv.Atoi(string(count))
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.cmd.Process.Pid))
	if err != nil || len(files) == 0 {
		t.Fatalf("file descriptors in /proc: got %d, %v", len(files), err)
	}
	u.Files, u.Threads, u.Memory = len(files), p.status(t, "Threads:"), p.status(t, "VmRSS:")
	return u
}

func (p *Process) status(t testing.TB, name string) int {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Fatalf("status in /proc: %v", err)
	}
	for line := range strings.Lines(string(b)) {
		if value, ok := strings.CutPrefix(line, name); ok {
			n, _ := strconv.Atoi(strings.Fields(value)[0])
			return n
		}
	}
	t.Fatalf("status in /proc: no %s", name)
	return 0
}

// Settled waits until the process uses no more goroutines and files than it may, and returns what it uses.
func (p *Process) Settled(t testing.TB, most Usage) (u Usage) {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute)
	for {
		u = p.Usage(t)
		if u.Goroutines <= most.Goroutines && u.Files <= most.Files && u.Memory <= most.Memory {
			return u
		}
		if time.Now().After(deadline) {
			t.Errorf("usage of the server: got %s, want at most %s", u, most)
			return u
		}
		time.Sleep(200 * time.Millisecond) // between two looks
	}
}

// ForgetPeak has Peak begin again.
func (p *Process) ForgetPeak(t testing.TB) {
	t.Helper()
	const resetPeak = "5" // proc(5)
	name := fmt.Sprintf("/proc/%d/clear_refs", p.cmd.Process.Pid)
	if err := os.WriteFile(name, []byte(resetPeak), 0); err != nil {
		t.Fatalf("reset the peak of the memory: %v", err)
	}
}

// Peak returns the most memory that was resident since the process began, or ForgetPeak, in KiB.
func (p *Process) Peak(t testing.TB) int {
	t.Helper()
	return p.status(t, "VmHWM:")
}
