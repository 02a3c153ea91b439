package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/lab/sampledata"
)

// idleFor is how long a server does nothing before its memory is read, and at least while its work is counted.
const idleFor = 3 * time.Second

// webApp is in the binary when it was built before, as `make bench` does.
const webApp = "server/internal/webui/dist/index.html"

// footprint are the measurements of how small the server is.
func (w *world) footprint() []*measurement {
	p := program{filepath.Join(w.dir, "sininho-server"), filepath.Join(w.dir, "dev")}
	name := "stripped binary"
	if _, err := os.Stat(webApp); err != nil {
		name += ", without the web app"
	}
	return []*measurement{
		{name: "binary", once: true, prepare: p.build, ours: p.size,
			rows: []*Row{{What: name, Figure: "size", Unit: "MiB", Bar: within(50)}}},
		{name: "warm start of dev", prepare: p.makeData, ours: p.start,
			rows: []*Row{{What: "warm start of dev", Figure: "took", Unit: "s", Bar: within(2)}}},
		{name: "idle", ours: w.idle, rows: []*Row{
			{What: "memory of an idle server", Figure: "memory", Unit: "MiB", Bar: within(60)},
			{What: "transactions of an idle server", Figure: "transactions", Unit: "/s", Bar: within(4)},
			{What: "a core that an idle server uses", Figure: "cpu", Unit: "%", Bar: within(1.5)},
		}},
	}
}

// program is the server as it is released, and a directory for its data.
type program struct{ binary, data string }

func (p program) build(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "go", "build", "-ldflags", "-s -w", "-o", p.binary,
		"github.com/sininho/sininho/server/cmd/sininho-server").CombinedOutput()
	if err != nil {
		return fmt.Errorf("go build: %w: %s", err, out)
	}
	return nil
}

func (p program) size(context.Context, time.Duration) (figures, error) {
	info, err := os.Stat(p.binary)
	if err != nil {
		return nil, err
	}
	return figures{"size": float64(info.Size()) / (1 << 20)}, nil
}

// makeData starts for the first time.
func (p program) makeData(ctx context.Context) error {
	if err := p.build(ctx); err != nil {
		return err
	}
	_, err := p.start(ctx, 0)
	return err
}

// start starts `sininho-server dev`, stops it, and returns how many seconds it took to be ready.
func (p program) start(ctx context.Context, _ time.Duration) (figures, error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, p.binary, "dev", "--addr", addr, "--data", p.data)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) } // otherwise its PostgreSQL is killed, too
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	err = waitReady(ctx, "http://"+addr)
	took := time.Since(began)
	_ = cmd.Process.Signal(syscall.SIGTERM)
	return figures{"took": took.Seconds()}, errors.Join(err, cmd.Wait())
}

func (w *world) idle(ctx context.Context, lasts time.Duration) (figures, error) {
	if err := w.restart(ctx); err != nil {
		return nil, err
	}
	time.Sleep(idleFor)
	memory, failed := w.server.memory()
	before, err := w.transactions(ctx)
	failed = errors.Join(failed, err)
	used, err := w.server.cpu()
	failed = errors.Join(failed, err)
	began := time.Now()
	time.Sleep(max(lasts, idleFor))
	seconds := time.Since(began).Seconds()
	after, err := w.transactions(ctx)
	failed = errors.Join(failed, err)
	cpu, err := w.server.cpu()
	return figures{"memory": memory / 1024, "transactions": (after - before) / seconds,
		"cpu": 100 * (cpu - used) / 1_000 / seconds}, errors.Join(failed, err)
}

// transactions returns how many there have been in the database of the server. Those of this pool count only later,
// because PostgreSQL adds them up while a connection is idle.
func (w *world) transactions(ctx context.Context) (n float64, err error) {
	err = w.pool.QueryRow(ctx, "select xact_commit + xact_rollback from pg_stat_database where datname = current_database()").
		Scan(&n)
	return n, err
}

// memoryAfterPublishes is the measurement of what a server holds after much work. It is last, because it adds much.
func (w *world) memoryAfterPublishes() []*measurement {
	return []*measurement{{name: "memory after publishes", once: true, ours: w.publishMany, rows: []*Row{
		{What: fmt.Sprintf("memory after %d publishes", w.Publish), Figure: "memory", Unit: "MiB", Bar: within(150)},
	}}}
}

func (w *world) publishMany(ctx context.Context, _ time.Duration) (figures, error) {
	if err := w.restart(ctx); err != nil {
		return nil, err
	}
	var n atomic.Int64
	c := &crowd{world: w, people: make([]sampledata.Person, w.Publish)}
	if _, err := c.all(ctx, func(conn *caller, _ sampledata.Person) error {
		conn.headers = bearer(w.data.APIKey) + "\r\n"
		_, err := conn.publishTo(sampledata.Quiet(int(n.Add(1))))
		return err
	}); err != nil {
		return nil, err
	}
	time.Sleep(idleFor)
	memory, err := w.server.memory()
	return figures{"memory": memory / 1024}, err
}
