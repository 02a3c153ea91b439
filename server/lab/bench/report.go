package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// Report is what a run found. It is kept as JSON.
type Report struct {
	Machine  Machine  `json:"machine"`
	Settings settings `json:"settings"`
	Loaded   float64  `json:"loadedSeconds"` // how long the sample data took
	Rows     []*Row   `json:"rows"`
	Curves   []*Curve `json:"curves,omitempty"`
}

func (r *Report) save(path string) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, append(b, '\n'), 0o644)
}

func (r *Report) print(out io.Writer) {
	lines := [][]string{{"what", "ours", "limit", "ratio", "spread", "bar", ""}}
	short := 0
	for _, row := range r.Rows {
		row.sum()
		lines = append(lines, row.cells())
		if row.Short {
			short++
		}
	}
	if len(r.Rows) > 0 {
		printTable(out, lines)
		fmt.Fprintf(out, "\n%d of %d rows fall short.\n", short, len(r.Rows))
	}
	for _, c := range r.Curves {
		c.print(out)
	}
	fmt.Fprintf(out, "\n%s\n%s\n", r.Machine, footer)
}

const footer = `Ratio is ours to the limit, the median of the rounds; spread is the lowest and highest of them, or of ours where
there is no limit. The client, the stand-ins, PostgreSQL and the server are processes that share the cores.`

func (r *Row) cells() []string {
	if len(r.Ours) == 0 {
		return []string{r.What, "-", "", "", "", r.Bar.text(r.Unit), "not measured"}
	}
	limit, ratio := "", ""
	spread := number(r.Lowest) + " … " + number(r.Highest)
	if len(r.Limit) > 0 {
		limit, ratio = amount(median(r.Limit), r.Unit), fmt.Sprintf("%.2f", r.Ratio)
		spread = fmt.Sprintf("%.2f … %.2f", r.Lowest, r.Highest)
	}
	mark := ""
	if r.Short {
		mark = "short"
	}
	return []string{r.What, amount(median(r.Ours), r.Unit), limit, ratio, spread, r.Bar.text(r.Unit), mark}
}

func (b Bar) text(unit string) string {
	switch {
	case b.RatioAtLeast > 0:
		return fmt.Sprintf("≥%.2f", b.RatioAtLeast)
	case b.RatioAtMost > 0:
		return fmt.Sprintf("≤%.2f", b.RatioAtMost)
	case b.AtMost > 0:
		return "≤" + strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.1f", b.AtMost), "0"), ".") + " " + unit
	default:
		return ""
	}
}

func amount(v float64, unit string) string { return strings.TrimSpace(number(v) + " " + unit) }

// number formats with three digits or more.
func number(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

// printTable aligns the first column to the left and the others, except the last, to the right.
func printTable(out io.Writer, lines [][]string) {
	widths := make([]int, len(lines[0]))
	for _, line := range lines {
		for i, cell := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, line := range lines {
		var b strings.Builder
		for i, cell := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			switch i {
			case 0:
				b.WriteString(cell + pad)
			case len(line) - 1:
				b.WriteString("  " + cell)
			default:
				b.WriteString("  " + pad + cell)
			}
		}
		fmt.Fprintln(out, strings.TrimRight(b.String(), " "))
	}
}
