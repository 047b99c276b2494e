package chart

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// lines draws several series in braille, in rows+1 lines: where they have the same value, they are a dot apart, and their
// colours alternate from cell to cell, since a cell has one.
func (t Trace) lines(lo, hi float64, rows, cols int, labels map[int]string, st theme.Style) []string {
	canvas := NewCanvas(cols, rows+1, st)
	shown := make([]uint64, cols*(rows+1)) // the series in each cell, a bit each
	dot := func(series, x, y int) {
		if x < 0 || y < 0 || x >= 2*cols || y >= 4*(rows+1) {
			return
		}
		shown[y/4*cols+x/2] |= 1 << (series % 64)
		canvas.Dot(x, y, t.Series[series].Color, priorityLine)
	}
	last := make([]int, len(t.Series))
	parts := t.parted(lo, hi, rows, 2*cols)
	for x, ys := range parts {
		for s, y := range ys {
			if y == noDot {
				last[s] = noDot
				continue
			}
			from := y
			if x > 0 && last[s] != noDot {
				from = last[s]
			}
			for k := min(from, y); k <= max(from, y); k++ {
				dot(s, x, k)
			}
			last[s] = y
		}
	}
	for i, set := range shown {
		if n := bits.OnesCount64(set); n > 1 {
			for range i % cols % n {
				set &= set - 1
			}
			canvas.cells[i].fg = t.Series[bits.TrailingZeros64(set)].Color
		}
	}
	gutter := 0
	for _, l := range labels {
		gutter = max(gutter, ansi.StringWidth(l))
	}
	gutter = max(gutter, 1)
	lines := canvas.Lines()
	for row := range lines {
		lines[row] = fmt.Sprintf(" %*s ┤", gutter, labels[row]) + lines[row]
	}
	return lines
}

// noDot is the row of dots of a series where it has no value.
const noDot = math.MinInt

// parted are the rows of dots of all series in each column of dots: none in that of a series before it, if another is
// near.
func (t Trace) parted(lo, hi float64, rows, columns int) [][]int {
	_, _, longest := t.bounds()
	all := make([][]int, columns)
	for x := range all {
		i := min(x*longest/columns, longest-1)
		taken := map[int]bool{}
		for _, s := range t.Series {
			y := noDot
			if i < len(s.Values) {
				v := t.value(s.Values[i])
				if t.Log && s.Values[i] == 0 {
					v = lo
				}
				if !math.IsNaN(v) {
					y = freeDot(int(math.Round(4*(1-min(max((v-lo)/(hi-lo), 0), 1))*float64(rows)+1.5)), taken)
					taken[y] = true
				}
			}
			all[x] = append(all[x], y)
		}
	}
	return all
}

// freeDot is the row of dots nearest to one that is not taken.
func freeDot(y int, taken map[int]bool) int {
	for away := 0; ; away++ {
		for _, k := range [2]int{y - away, y + away} {
			if !taken[k] {
				return k
			}
		}
	}
}
