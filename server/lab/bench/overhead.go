package main

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// overheads are the measurements of what validation and authentication cost. They look into httpapi, so they are a
// benchmark of that package.
func (w *world) overheads() []*measurement {
	return []*measurement{{name: "request overhead", ours: overhead, rows: []*Row{
		{What: "validation and auth of a publish, more than its handler", Figure: "time", Unit: "µs", Bar: within(100)},
		{What: "validation and auth of a publish, allocations", Figure: "allocations", Bar: within(150)},
	}}}
}

func overhead(ctx context.Context, _ time.Duration) (figures, error) {
	cmd := exec.CommandContext(ctx, "go", "test", "-run", "^$", "-bench", "^BenchmarkPublish$", "-benchmem",
		"github.com/sininho/sininho/server/internal/httpapi")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go test: %w: %s%s", err, out, stderr.Bytes())
	}
	whole, err := benchmarkLine(string(out), "BenchmarkPublish/whole")
	if err != nil {
		return nil, err
	}
	handler, err := benchmarkLine(string(out), "BenchmarkPublish/handler")
	return figures{"time": (whole["ns/op"] - handler["ns/op"]) / 1000,
		"allocations": whole["allocs/op"] - handler["allocs/op"]}, err
}

// benchmarkLine returns the values of a line of `go test -bench` by their units.
func benchmarkLine(out, name string) (map[string]float64, error) {
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], name) {
			continue
		}
		values := map[string]float64{}
		for i := 2; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return nil, err
			}
			values[fields[i+1]] = v
		}
		return values, nil
	}
	return nil, fmt.Errorf("go test printed no %s: %s", name, out)
}
