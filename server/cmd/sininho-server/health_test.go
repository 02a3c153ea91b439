package main

import (
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/sininho/sininho/internal/eventually"
)

// TestHealth runs the health check of a container before, while and after the server runs.
func TestHealth(t *testing.T) {
	t.Parallel()
	o := newOutside(t)
	if out, err := o.health(o.addr); err == nil {
		t.Errorf("health before the server runs: got success and %q, want an error", out)
	}
	process := o.start()
	_, port, err := net.SplitHostPort(o.addr)
	if err != nil {
		t.Fatalf("address of the server: %v", err)
	}
	for _, listen := range []string{o.addr, ":" + port, "0.0.0.0:" + port} {
		if out, err := o.health(listen); err != nil || out != "ready\n" {
			t.Errorf("health with LISTEN_ADDR=%s: got %q and %v, want ready", listen, out, err)
		}
	}
	if err := process.Process.Kill(); err != nil {
		t.Fatalf("kill the server: %v", err)
	}
	_ = process.Wait()
	if out, err := o.health(o.addr); err == nil || !strings.Contains(out, "refused") {
		t.Errorf("health after the server was killed: got %q and %v, want a refused connection", out, err)
	}
}

// TestShutdownDelay stops a server that goes on for a while, so that a proxy can turn to others.
func TestShutdownDelay(t *testing.T) {
	t.Parallel()
	o := newOutside(t)
	o.environment = append(o.environment, "SHUTDOWN_DELAY_SECONDS=2")
	process := o.start()
	if err := process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatalf("stop the server: %v", err)
	}
	eventually.True(t, "the server not to be ready", func() bool {
		out, err := o.health(o.addr)
		return err != nil && strings.Contains(out, "503")
	})
	res, err := http.Get("http://" + o.addr + "/livez") //nolint:noctx // a test
	if err != nil {
		t.Fatalf("request to a server that stops: %v", err)
	}
	_ = res.Body.Close()
	if !res.Close {
		t.Error("connection to a server that stops: got kept, want closed, so that no proxy sends by it too late")
	}
	if err := process.Wait(); err != nil {
		t.Errorf("server that stops: ended with %v, want exit status 0", err)
	}
}

func (o *outside) health(listen string) (out string, err error) {
	cmd := exec.CommandContext(o.t.Context(), os.Args[0], "health")
	cmd.Env = []string{"SININHO_SERVER_MAIN=1", "LISTEN_ADDR=" + listen}
	b, err := cmd.CombinedOutput()
	return string(b), err
}

func TestVersion(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "version")
	cmd.Env = []string{"SININHO_SERVER_MAIN=1"}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "sininho-server dev (go1.") {
		t.Errorf("version: got %q and %v, want sininho-server dev with the version of Go", out, err)
	}
}
