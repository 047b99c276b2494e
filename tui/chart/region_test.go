package chart

import (
	"math"
	"testing"

	"bandscope/tui/theme"
)

// below is the region below the line from (0, left) to (1, right), which goes over the edges of the plot.
func below(left, right float64) Region {
	return Region{X: []float64{-1, 2, 2, -1}, Y: []float64{2*left - right, 2*right - left, -3, -3},
		Triangles: [][3]int{{0, 1, 2}, {0, 2, 3}}, Whole: true, Color: theme.NewColor("#232838", 236, 8)}
}

// parts is how much of a cell a region has, from its background or the block in it.
func parts(t *testing.T, p cell) float64 {
	t.Helper()
	if p.bg.IsSet() {
		return 1
	}
	for _, b := range blocks {
		if b.glyph == p.displayRune() && b.reverse == p.reverse {
			n := 0
			for k := range 8 {
				n += int(b.parts >> k & 1)
			}
			return float64(n) / 8
		}
	}
	t.Fatalf("a cell shows %q", p.displayRune())
	return 0
}

// In 256 colours and more the edge of a region is within an eighth of a cell of its line, whatever its slope.
func TestRegionEdge(t *testing.T) {
	axis := Axis{Max: 1, HideTicks: true}
	for _, tier := range []theme.Tier{theme.Color256, theme.TrueColor} {
		for _, line := range [][2]float64{{0.5, 0.5}, {0.31, 0.31}, {0.9, 0.1}, {0.2, 0.35}, {0.7, 0.55}} {
			const cols, rows = 40, 10
			c := Chart{X: axis, Y: axis, Gutter: 0, Layers: []Layer{below(line[0], line[1])}}.
				Draw(cols, rows, theme.New(true, tier, false))
			for col := range cols {
				height := 0.0
				for row := range rows {
					height += parts(t, *c.at(col, row))
				}
				want := (line[0] + (line[1]-line[0])*(float64(col)+0.5)/cols) * rows
				if math.Abs(height-want) > 0.26 {
					t.Errorf("tier %d, from %g to %g: column %d is filled up to %.3f, want %.3f", tier, line[0], line[1],
						col, height, want)
				}
			}
		}
	}
}

// A mark in front of the edge of a region has its shade behind it where that has most of the cell.
func TestMarksOnTheEdgeOfRegions(t *testing.T) {
	axis := Axis{Max: 1, HideTicks: true}
	st := theme.New(true, theme.TrueColor, false)
	for _, mark := range []Layer{Curve{X: []float64{0, 1}, Y: []float64{0.5, 0.5}, Color: st.Mean, Priority: 1},
		Points{X: []float64{0.5}, Y: []float64{0.5}, Color: st.Data}} {
		for _, part := range []float64{0.25, 0.75} {
			edge := 0.4 + 0.2*part // the middle of five rows is from 0.4 to 0.6
			region := below(edge, edge)
			c := Chart{X: axis, Y: axis, Layers: []Layer{region, mark}}.Draw(1, 5, st)
			if p := c.at(0, 2); p.reverse || (p.bg == region.Color) != (part > 0.5) || p.fg == region.Color {
				t.Errorf("%T on a cell with %g of a region: %+v", mark, part, *p)
			}
		}
	}
}

// In 16 colours and without colour a region has an outline and no background that marks would have to stand out from; in
// 16 colours dots fill it.
func TestRegionWithoutBackground(t *testing.T) {
	axis := Axis{Max: 1, HideTicks: true}
	for _, tier := range []theme.Tier{theme.NoColor, theme.Color16} {
		const cols, rows = 40, 10
		c := Chart{X: axis, Y: axis, Layers: []Layer{below(0.5, 0.5)}}.Draw(cols, rows, theme.New(true, tier, false))
		var dots [4 * rows]int
		for row := range rows {
			for col := range cols {
				p := c.at(col, row)
				if p.bg.IsSet() || p.glyph != 0 {
					t.Fatalf("tier %d: a cell is %+v", tier, *p)
				}
				for y := range 4 {
					for x := range 2 {
						if p.dots&brailleBit[y][x] != 0 {
							dots[4*row+y]++
						}
					}
				}
			}
		}
		inside := 0
		for y, n := range dots {
			switch {
			case y == 2*rows && n < cols:
				t.Errorf("tier %d: the edge has %d dots", tier, n)
			case y < 2*rows && n > 0:
				t.Errorf("tier %d: %d dots are outside", tier, n)
			case y > 2*rows:
				inside += n
			}
		}
		if (inside > 0) != (tier == theme.Color16) || inside > cols*rows/2 {
			t.Errorf("tier %d: %d dots are inside", tier, inside)
		}
	}
}
