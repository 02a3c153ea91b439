package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRowsAreMarked(t *testing.T) {
	for name, c := range map[string]struct {
		row   Row
		ratio float64
		short bool
	}{
		"fast enough":      {Row{Ours: []float64{4, 6, 5}, Limit: []float64{10, 10, 10}, Bar: atLeast(0.5)}, 0.5, false},
		"too slow":         {Row{Ours: []float64{4, 6, 4}, Limit: []float64{10, 10, 10}, Bar: atLeast(0.5)}, 0.4, true},
		"an even number":   {Row{Ours: []float64{4, 6}, Limit: []float64{10, 10}, Bar: atLeast(0.5)}, 0.5, false},
		"quick enough":     {Row{Ours: []float64{9, 9, 50}, Limit: []float64{10, 10, 10}, Bar: atMost(1)}, 0.9, false},
		"too late":         {Row{Ours: []float64{11, 9, 50}, Limit: []float64{10, 10, 10}, Bar: atMost(1)}, 1.1, true},
		"small enough":     {Row{Ours: []float64{60, 50, 99}, Bar: within(60)}, 0, false},
		"too large":        {Row{Ours: []float64{61, 50, 99}, Bar: within(60)}, 0, true},
		"without a bar":    {Row{Ours: []float64{61}}, 0, false},
		"not measured yet": {Row{Bar: within(60)}, 0, false},
	} {
		c.row.sum()
		if c.row.Short != c.short || c.row.Ratio != c.ratio {
			t.Errorf("%s: got ratio %v, short %t, want %v, %t", name, c.row.Ratio, c.row.Short, c.ratio, c.short)
		}
	}
}

func TestTableIsAligned(t *testing.T) {
	var out bytes.Buffer
	r := Report{Rows: []*Row{
		{What: "publish", Unit: "/s", Ours: []float64{1200}, Limit: []float64{4000}, Bar: atLeast(0.35)},
		{What: "größer", Unit: "MiB", Ours: []float64{9.5}, Bar: within(60)},
	}}
	r.print(&out)
	got, _, _ := strings.Cut(out.String(), "\n\n")
	lines := strings.Split(got, "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[1], "short") || strings.HasSuffix(lines[2], "short") {
		t.Errorf("table: got\n%s\nwant three lines, the second of them short", got)
	}
	if !strings.Contains(out.String(), "1 of 2 rows fall short.") {
		t.Errorf("summary: got\n%s\nwant 1 of 2 rows", out.String())
	}
}
