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
	p := playServer(t, dir, nil)
	keep(t, p.said)
	p.kill(t)
	s := mustStart(t, dir)
	wantKept(t, s.URL())
	mustStop(t, s)
	for range 3 {
		playServer(t, dir, nil).kill(t)
	}
	wantKept(t, playServer(t, dir, nil).said)
}

func TestEndsWithOurProcess(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can do that")
	}
	for name, dir := range map[string]string{"open": madeDir(t), "closed": closedDir(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := playServer(t, dir, nil)
			pid, _ := readPidFile(filepath.Join(dir, "data"))
			if !isPostmaster(pid, filepath.Join(dir, "data")) {
				t.Fatalf("process %d is no postmaster", pid)
			}
			p.kill(t)
			if err := waitNoneLeft(t.Context(), dir); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(pidFile(filepath.Join(dir, "data"))); err == nil {
				t.Error("it did not shut down in order")
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
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = orphan.end() })
	if err := orphan.waitReady(t.Context(), s.data()); err != nil {
		t.Fatal(err)
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
		t.Fatal(err)
	}
	if err := bystander.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close(); _ = bystander.Wait() })
	mustWrite(t, pidFile(s.data()), fmt.Sprintf("%d\n%s\n1\n5432\n\n127.0.0.1\n\nready\n", bystander.Process.Pid, s.data()))
	mustStart(t, dir)
	if err := bystander.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the bystander: %v", err)
	}
}

func TestSeesThatItWasKilled(t *testing.T) {
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
		t.Errorf("it is in group %d (%v): Ctrl-C would reach it", group, err)
	}
}

func TestRepairsAHalfMadeDirectory(t *testing.T) {
	t.Parallel()
	dir := openDir(t)
	p, _ := play(t, "server", dir, nil)
	eventually(t, "half a data directory", func() bool {
		found, _ := filepath.Glob(filepath.Join(dir, "data.tmp", "data", "base"))
		return len(found) > 0
	})
	p.kill(t)
	if _, err := os.Stat(filepath.Join(dir, "data")); err == nil {
		t.Error("the data directory is in its place already")
	}
	mustStart(t, dir)
	if _, err := os.Stat(filepath.Join(dir, "data.tmp")); err == nil {
		t.Error("the half is still there")
	}
}
