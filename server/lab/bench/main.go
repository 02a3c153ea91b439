package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/sininho/sininho/server/lab/sampledata"
)

func main() {
	var err error
	if len(os.Args) > 1 && roles[os.Args[1]] != nil {
		err = play(roles[os.Args[1]])
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
		defer stop()
		err = run(ctx, readFlags())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func readFlags() settings {
	var s settings
	standard := sampledata.Standard()
	scale := flag.Float64("scale", 1, "of the standard set of data; 0.01 is enough to see that all works")
	flag.IntVar(&s.Rounds, "rounds", 5, "rounds of each measurement")
	flag.DurationVar(&s.Length, "length", 2*time.Second, "how long each side of a round runs, where time decides")
	flag.IntVar(&s.Sizes.Notifications, "notifications", 0, "notifications in the data, instead of by scale")
	flag.IntVar(&s.Sizes.Channels, "channels", 0, "channels in the data, instead of by scale")
	flag.IntVar(&s.Sizes.Subscriptions, "subscriptions", 0, "subscriptions in the data, instead of by scale")
	flag.IntVar(&s.Sizes.Devices, "devices", 0, "devices in the data and in a dispatch, instead of by scale")
	flag.IntVar(&s.People, "people", 10_000, "people who read and follow at once")
	flag.IntVar(&s.Streams, "streams", 5_000, "open live streams")
	flag.IntVar(&s.SecureStreams, "secure-streams", 1_000, "open live streams over TLS, with a connection each")
	flag.IntVar(&s.Publish, "publishes", 50_000, "publishes before memory is looked at")
	flag.BoolVar(&s.Growth, "growth", false, "measure how figures grow with the data, instead of the table")
	flag.BoolVar(&s.Nodes, "nodes", false, "measure 1 to 3 servers on the database, instead of the table")
	flag.BoolVar(&s.Rehearse, "rehearse", false, "publish once to everyone, over 3 servers, instead of the table")
	flag.StringVar(&s.Only, "only", "", "measure only what has one of these texts, with commas between, in its name")
	flag.StringVar(&s.JSONFile, "json", "bench-results/latest.json", "file for the results")
	flag.Parse()
	s.Sizes = chosen(s.Sizes, standard.Scale(*scale))
	return s
}

// chosen returns the sizes that were asked for, and those of the scale for the others.
func chosen(asked, scaled sampledata.Sizes) sampledata.Sizes {
	for _, pair := range [][2]*int{
		{&asked.Notifications, &scaled.Notifications}, {&asked.Channels, &scaled.Channels},
		{&asked.Subscriptions, &scaled.Subscriptions}, {&asked.Devices, &scaled.Devices},
	} {
		if *pair[0] == 0 {
			*pair[0] = *pair[1]
		}
	}
	return asked
}

func run(ctx context.Context, s settings) (err error) {
	report := &Report{Settings: s, Machine: readMachine(ctx)}
	fmt.Fprintf(os.Stderr, "making %+v\n", s.Sizes)
	w, err := newWorld(ctx, s)
	defer func() { err = errors.Join(err, w.close()) }()
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "loaded in %s; profiles of the server: %s/debug/pprof/\n", w.loaded.Round(time.Second),
		w.server.Control)
	report.Loaded = w.loaded.Seconds()
	if err := report.Machine.readDatabase(ctx, w.pool); err != nil {
		return err
	}
	switch {
	case s.Growth:
		report.Curves, err = w.growth(ctx)
	case s.Nodes:
		report.Curves, err = w.wide(ctx)
	case s.Rehearse:
		report.Curves, err = w.rehearse(ctx)
	default:
		report.Rows, err = w.measure(ctx)
	}
	report.print(os.Stdout)
	return errors.Join(err, report.save(s.JSONFile))
}

// measurements are in an order in which none changes what a later one measures.
func (w *world) measurements() []*measurement {
	return slices.Concat(w.footprint(), w.feeds(), w.lists(), w.overheads(), w.publishes(), w.metrics(), w.events(),
		w.streams(), w.streamsOverTLS(), w.reads(), w.dispatches(), w.webPushes(), w.memoryAfterPublishes())
}

// measure runs what -only selects. After an error it returns the rows so far.
func (w *world) measure(ctx context.Context) (rows []*Row, err error) {
	for _, m := range w.measurements() {
		if !m.matches(w.Only) {
			continue
		}
		rows = append(rows, m.rows...)
		failed := sampledata.Settle(ctx, w.pool) // what was measured before leaves dead rows and dirty pages
		if failed == nil {
			failed = m.run(ctx, w.Rounds, w.Length)
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", m.name, failed))
		}
		if ctx.Err() != nil {
			return rows, err
		}
	}
	return rows, err
}
