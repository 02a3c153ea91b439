package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Machine is where and with what a run was made.
type Machine struct {
	Cores      int       `json:"cores"`
	Load       string    `json:"load"` // the load average of the last minute before the run
	CPU        string    `json:"cpu"`
	Go         string    `json:"go"`
	PostgreSQL string    `json:"postgresql"`
	Date       time.Time `json:"date"`
	Commit     string    `json:"commit"` // "+" is added when there were changes
}

func (m Machine) String() string {
	return fmt.Sprintf("%d cores (%s) with load %s before, %s, PostgreSQL %s, commit %s, %s", m.Cores, m.CPU, m.Load,
		m.Go, m.PostgreSQL, m.Commit, m.Date.Format("2006-01-02 15:04 MST"))
}

// readMachine is called before anything is started.
func readMachine(ctx context.Context) Machine {
	load, _ := os.ReadFile("/proc/loadavg")
	before, _, _ := strings.Cut(string(load), " ")
	return Machine{Cores: runtime.NumCPU(), Load: before, CPU: cpuModel(), Go: runtime.Version(),
		Date: time.Now().UTC().Truncate(time.Second), Commit: commit(ctx)}
}

// readDatabase adds what only the database knows.
func (m *Machine) readDatabase(ctx context.Context, pool *pgxpool.Pool) error {
	return pool.QueryRow(ctx, "show server_version").Scan(&m.PostgreSQL)
}

func cpuModel() string {
	b, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(b)) {
		if name, model, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return runtime.GOARCH
}

func commit(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "unknown"
	}
	id := strings.TrimSpace(string(out))
	if changed, err := exec.CommandContext(ctx, "git", "status", "--porcelain", "-uno").Output(); err == nil &&
		len(changed) > 0 {
		id += "+"
	}
	return id
}
