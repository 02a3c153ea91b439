package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
)

// Curve is how a figure grows with the size of something.
type Curve struct {
	What   string   `json:"what"`
	Of     string   `json:"of"` // what the sizes count
	Unit   string   `json:"unit"`
	Points []*Point `json:"points"`

	bar func(size, first int) float64 // the most of a point to the first one; nil: any
}

// flat is the bar of what does not grow, within the noise.
func flat(int, int) float64 { return 1.1 }

// logarithmic is the bar of what grows as the depth of an index.
func logarithmic(size, first int) float64 {
	return max(flat(size, first), math.Log(float64(size))/math.Log(float64(first)))
}

// Point is a place on a curve, with a value for each round.
type Point struct {
	Size   int       `json:"size"`
	Values []float64 `json:"values"`

	measure func(ctx context.Context) (float64, error)
}

// run measures all points in each round.
func (c *Curve) run(ctx context.Context, rounds int) error {
	fmt.Fprintf(os.Stderr, "%s ", c.What)
	defer fmt.Fprintln(os.Stderr)
	for range rounds {
		for _, p := range c.Points {
			value, err := p.measure(ctx)
			if err != nil {
				return fmt.Errorf("%s, %d %s: %w", c.What, p.Size, c.Of, err)
			}
			p.Values = append(p.Values, value)
		}
		fmt.Fprint(os.Stderr, ".")
	}
	return nil
}

// print prints the medians, and the ratios to the first point in the same rounds.
func (c *Curve) print(out io.Writer) {
	fmt.Fprintf(out, "\n%s\n\n", c.What)
	lines := [][]string{{c.Of, "median", "to the first", "bar", "spread", ""}}
	for _, p := range c.Points {
		if len(p.Values) > 0 {
			lines = append(lines, c.cells(p))
		}
	}
	printTable(out, lines)
}

func (c *Curve) cells(p *Point) []string {
	row := Row{Ours: p.Values, Limit: c.Points[0].Values[:len(p.Values)]}
	if c.bar != nil {
		row.Bar = atMost(c.bar(p.Size, c.Points[0].Size))
	}
	row.sum()
	mark := ""
	if row.Short {
		mark = "short"
	}
	return []string{fmt.Sprint(p.Size), amount(median(p.Values), c.Unit), fmt.Sprintf("%.2f", row.Ratio),
		row.Bar.text(c.Unit), fmt.Sprintf("%.2f … %.2f", row.Lowest, row.Highest), mark}
}
