package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// figures are the results of one round of one side, by name.
type figures map[string]float64

// side measures once, for about length.
type side func(ctx context.Context, length time.Duration) (figures, error)

// measurement measures Sininho, and the limit in the same rounds if there is one.
type measurement struct {
	name    string                          // for -only
	prepare func(ctx context.Context) error // nil: nothing to prepare
	cleanup func() error                    // nil: nothing to clean up
	ours    side
	limit   side // nil: there is none
	once    bool // one round is enough, or too dear to repeat
	rows    []*Row
}

// Row is a line of the table: one figure of a measurement.
type Row struct {
	What   string    `json:"what"`
	Figure string    `json:"figure"`
	Unit   string    `json:"unit"`
	Ours   []float64 `json:"ours"`  // a value for each round
	Limit  []float64 `json:"limit"` // empty when the bar is a fixed number
	Bar    Bar       `json:"bar"`

	// The rest is computed. Ratios are of ours to the limit.
	Ratio   float64 `json:"ratio,omitempty"` // median
	Lowest  float64 `json:"lowest"`          // of the ratios, or of ours when there is no limit
	Highest float64 `json:"highest"`
	Short   bool    `json:"short"`
}

// Bar is what a row has to reach. A zero field is no bar.
type Bar struct {
	RatioAtLeast float64 `json:"ratioAtLeast,omitempty"`
	RatioAtMost  float64 `json:"ratioAtMost,omitempty"`
	AtMost       float64 `json:"atMost,omitempty"` // of ours, in the row's unit
}

func atLeast(ratio float64) Bar { return Bar{RatioAtLeast: ratio} }

func atMost(ratio float64) Bar { return Bar{RatioAtMost: ratio} }

func within(ours float64) Bar { return Bar{AtMost: ours} }

// matches reports whether -only selects the measurement.
func (m *measurement) matches(only string) bool {
	return selects(only, m.name) || slices.ContainsFunc(m.rows, func(r *Row) bool { return selects(only, r.What) })
}

// selects reports whether -only, which has texts between commas, selects a name.
func selects(only, name string) bool {
	return slices.ContainsFunc(strings.Split(only, ","), func(text string) bool { return strings.Contains(name, text) })
}

// run measures all rounds. The sides take turns in going first.
func (m *measurement) run(ctx context.Context, rounds int, length time.Duration) (err error) {
	if m.cleanup != nil {
		defer func() { err = errors.Join(err, m.cleanup()) }()
	}
	fmt.Fprintf(os.Stderr, "%s ", m.name)
	defer fmt.Fprintln(os.Stderr)
	if m.prepare != nil {
		if err := m.prepare(ctx); err != nil {
			return fmt.Errorf("prepare: %w", err)
		}
	}
	if m.once {
		rounds = 1
	}
	for round := range rounds {
		if err := m.round(ctx, length, round%2 == 0); err != nil {
			return err
		}
		fmt.Fprint(os.Stderr, ".")
	}
	return nil
}

func (m *measurement) round(ctx context.Context, length time.Duration, limitFirst bool) (err error) {
	var ours, limit figures
	if m.limit != nil && limitFirst {
		if limit, err = m.limit(ctx, length); err != nil {
			return fmt.Errorf("the limit: %w", err)
		}
	}
	if ours, err = m.ours(ctx, length); err != nil {
		return err
	}
	if m.limit != nil && !limitFirst {
		if limit, err = m.limit(ctx, length); err != nil {
			return fmt.Errorf("the limit: %w", err)
		}
	}
	for _, r := range m.rows {
		r.add(ours, limit)
	}
	return nil
}

func (r *Row) add(ours, limit figures) {
	if value, ok := ours[r.Figure]; ok {
		r.Ours = append(r.Ours, value)
	}
	if value, ok := limit[r.Figure]; ok {
		r.Limit = append(r.Limit, value)
	}
}

// sum computes what the table shows.
func (r *Row) sum() {
	if len(r.Ours) == 0 {
		return
	}
	spread := r.Ours
	if len(r.Limit) == len(r.Ours) {
		spread = make([]float64, len(r.Ours))
		for i := range spread {
			spread[i] = r.Ours[i] / r.Limit[i]
		}
		r.Ratio = median(spread)
	}
	r.Lowest, r.Highest = slices.Min(spread), slices.Max(spread)
	r.Short = r.Bar.missed(median(r.Ours), r.Ratio)
}

func (b Bar) missed(ours, ratio float64) bool {
	return b.RatioAtLeast > 0 && ratio < b.RatioAtLeast || b.RatioAtMost > 0 && ratio > b.RatioAtMost ||
		b.AtMost > 0 && ours > b.AtMost
}

// median returns the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	v := slices.Sorted(slices.Values(values))
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}
