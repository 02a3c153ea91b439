//go:build linux || darwin

package embeddedpg

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

func TestSurvivesKillOfOurProcess(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	p := startHelperServer(t, dir, nil)
	keep(t, p.output)
	p.kill(t)
	s := mustStart(t, dir)
	wantKept(t, s.URL())
	mustStop(t, s)
	for range 3 {
		startHelperServer(t, dir, nil).kill(t)
	}
	wantKept(t, startHelperServer(t, dir, nil).output)
}

func TestEndsWithOurProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can do that")
	}
	for name, dir := range map[string]string{"open": madeDir(t), "closed": closedDir(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := startHelperServer(t, dir, nil)
			pid, _ := readPidFile(filepath.Join(dir, "data"))
			if !isPostmaster(pid, filepath.Join(dir, "data")) {
				t.Fatalf("process %d of the PID file: got another program, want a postmaster", pid)
			}
			p.kill(t)
			if err := waitNoneLeft(t.Context(), dir); err != nil {
				t.Errorf("wait for the processes to end: %v", err)
			}
			if _, err := os.Stat(pidFile(filepath.Join(dir, "data"))); err == nil {
				t.Error("PID file after the end: exists, want it removed by an orderly shutdown")
			}
		})
	}
}

func TestStopsAnOrphan(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	s := mustStart(t, dir)
	keep(t, s.URL())
	mustStop(t, s)
	orphan, err := s.launch(t.Context()) // without holding the directory's lock
	if err != nil {
		t.Fatalf("launch: %v", err)
	}
	t.Cleanup(func() { _ = orphan.end() })
	if err := orphan.waitReady(t.Context(), s.data()); err != nil {
		t.Fatalf("wait for the orphan: %v", err)
	}
	wantKept(t, mustStart(t, dir).URL())
	<-orphan.done
}

func TestIgnoresAStalePidFile(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	s := mustStart(t, dir)
	mustStop(t, s)
	bystander := s.account.command(context.Background(), "/bin/sh", "-c", "read line") // has the same id
	stdin, err := bystander.StdinPipe()
	if err != nil {
		t.Fatalf("open the bystander's input: %v", err)
	}
	if err := bystander.Start(); err != nil {
		t.Fatalf("start the bystander: %v", err)
	}
	t.Cleanup(func() { _ = stdin.Close(); _ = bystander.Wait() })
	mustWrite(t, pidFile(s.data()),
		fmt.Sprintf("%d\n%s\n1\n5432\n\n127.0.0.1\n\nready\n", bystander.Process.Pid, s.data()))
	mustStart(t, dir)
	if err := bystander.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("signal the bystander: got %v, want it to run", err)
	}
}

func TestDoneWhenPostgreSQLIsKilled(t *testing.T) {
	t.Parallel()
	dir := madeDir(t)
	s := mustStart(t, dir)
	keep(t, s.URL())
	mustKill(t, s.process.pid(), syscall.SIGKILL)
	<-s.Done()
	mustStop(t, s)
	wantKept(t, mustStart(t, dir).URL())
}

func TestIsInAGroupOfItsOwn(t *testing.T) {
	t.Parallel()
	s := mustStart(t, madeDir(t))
	group, err := syscall.Getpgid(s.process.pid())
	if err != nil || group != s.process.pid() {
		t.Errorf("process group: got %d, %v; want its own, which Ctrl-C does not reach", group, err)
	}
}

func TestRepairsAHalfMadeDirectory(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	p, _ := startHelper(t, "server", dir, nil)
	eventually(t, "half a data directory", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "data.tmp", "data", "base"))
		return len(found) > 0
	})
	p.kill(t)
	if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
		t.Error("data directory after the kill: exists, want none yet")
	}
	mustStart(t, dir)
	if _, err := os.Stat(filepath.Join(dir, "data.tmp")); err == nil {
		t.Error("half-made directory after a start: exists, want it removed")
	}
}
