// Command bench measures Sininho through its whole HTTP stack, each time next to a limit measured in the same run: raw
// SQL on the same database, or a bare HTTP/2 client to the same stand-in. Machines are noisy, so the results are
// ratios: medians over rounds that alternate between the two.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/sininho/sininho/server/internal/dev"
)

func main() {
	rounds := flag.Int("rounds", 5, "rounds of each pair")
	length := flag.Duration("length", 2*time.Second, "how long each side of a round runs")
	devices := flag.Int("devices", 20_000, "devices of the dispatch")
	only := flag.String("only", "", "measure only pairs whose name contains this")
	out := flag.String("json", "bench-results/latest.json", "file for the results")
	flag.Parse()
	if err := run(context.Background(), *rounds, *length, *devices, *only, *out); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// pair is a measurement and its limit. Both functions return operations per second.
type pair struct {
	Name   string
	Bar    float64
	ours   func(context.Context, time.Duration) (float64, error)
	limit  func(context.Context, time.Duration) (float64, error)
	Ours   []float64
	Limit  []float64
	Ratio  float64 // median
	Lowest float64
	Best   float64
}

func run(ctx context.Context, rounds int, length time.Duration, devices int, only, out string) error {
	dir, err := os.MkdirTemp("", "sininho-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(ctx)
	d, err := dev.Start(ctx,
		dev.Config{Addr: "127.0.0.1:0", Dir: dir, LimitsOff: true, Seed: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		stop()
		return err
	}
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			fmt.Fprintln(os.Stderr, "bench: stop the server:", err)
		}
	}()
	pool, err := pgxpool.New(ctx, d.Settings.DatabaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	w, err := newWorld(ctx, d, pool, devices)
	if err != nil {
		return fmt.Errorf("make the data: %w", err)
	}
	pairs := slices.DeleteFunc(w.pairs(), func(p *pair) bool { return !strings.Contains(p.Name, only) })
	for round := range rounds {
		for _, p := range pairs {
			if err := p.measure(ctx, length); err != nil {
				return fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, rounds)
	}
	return report(pairs, out)
}

func (p *pair) measure(ctx context.Context, length time.Duration) error {
	limit, err := p.limit(ctx, length)
	if err != nil {
		return err
	}
	ours, err := p.ours(ctx, length)
	if err != nil {
		return err
	}
	p.Ours, p.Limit = append(p.Ours, ours), append(p.Limit, limit)
	return nil
}

func (p *pair) sum() {
	ratios := make([]float64, len(p.Ours))
	for i := range ratios {
		ratios[i] = p.Ours[i] / p.Limit[i]
	}
	slices.Sort(ratios)
	p.Ratio = ratios[len(ratios)/2]
	p.Lowest = ratios[0]
	p.Best = ratios[len(ratios)-1]
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func report(pairs []*pair, out string) error {
	fmt.Printf("%-46s %10s %10s %7s %15s %6s\n", "what", "ours /s", "limit /s", "ratio", "spread", "bar")
	for _, p := range pairs {
		p.sum()
		mark := ""
		if p.Ratio < p.Bar {
			mark = "  short"
		}
		fmt.Printf("%-46s %10.0f %10.0f %7.2f %7.2f …%6.2f %6.2f%s\n", p.Name, median(p.Ours), median(p.Limit), p.Ratio,
			p.Lowest, p.Best, p.Bar, mark)
	}
	b, err := json.MarshalIndent(pairs, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, append(b, '\n'), 0o644)
}
