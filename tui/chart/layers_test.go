package chart

import (
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/theme"
)

// picture draws layers into 10×5 cells, x from 0 to 10 and y from 0 to 5, so that a cell is a unit; blanks are written
// as points.
func picture(st theme.Style, layers ...Layer) string {
	c := Chart{X: Axis{Max: 10, HideTicks: true}, Y: Axis{Max: 5, HideTicks: true}, Layers: layers}
	return strings.ReplaceAll(ansi.Strip(c.Draw(10, 5, st).String()), " ", ".")
}

// Every kind of layer stands where its numbers say; what reaches beyond the plot is cut, and does not come in at
// another edge.
func TestLayersStandWhereTheyBelong(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name   string
		layers []Layer
		want   string
	}{
		{"points", []Layer{Points{X: []float64{0, 9.9, 0, 9.9, 4.5, -0.1, 10.1, 5, 5, nan, inf, 5, 3}, Y: []float64{0, 0, 4.9, 4.9, 2.5, 2, 2, -0.1, 5.1, 2, 2, nan}}}, `
O........O
..........
....O.....
..........
O........O`},
		{"points in front of one another", []Layer{
			Points{X: []float64{2.5}, Y: []float64{2.5}, Shape: theme.GlyphStar},
			Points{X: []float64{2.5, 3.5}, Y: []float64{2.5, 2.5}, Shape: theme.GlyphCross},
			Points{X: []float64{3.5}, Y: []float64{2.5}, Shape: theme.GlyphStar, Back: true}}, `
..........
..........
..xx......
..........
..........`},
		{"labels", []Layer{Label{X: 1.5, Y: 0.5, Text: "ab"}, Label{X: 8.5, Y: 4.5, Text: "long"}, Label{X: -1, Y: 3, Text: "no"}, Label{X: 3, Y: 5.5, Text: "no"}, Label{X: 3, Y: -0.5, Text: "no"}, Label{X: 10.5, Y: 1, Text: "no"}, Label{X: nan, Y: 1, Text: "no"}}, `
........lo
..........
..........
..........
.ab.......`},
		{"a cross gives way to points", []Layer{Cross{X: 3.5, Y: 1.5}, Points{X: []float64{3.5, 6.5}, Y: []float64{3.5, 1.5}}}, `
...|......
...O......
...|......
---+--O---
...|......`},
		{"crosses elsewhere", []Layer{Cross{X: -0.5, Y: 1.5}, Cross{X: 10.5, Y: 1.5}, Cross{X: 1, Y: 5.5}, Cross{X: 1, Y: -0.5}, Cross{X: nan, Y: 1}, Cross{X: 1, Y: inf}}, `
..........
..........
..........
..........
..........`},
		{"a box", []Layer{Box{X0: 2.5, X1: 6.5, Y0: 1.5, Y1: 4.5}}, `
..#---#...
..|...|...
..|...|...
..#---#...
..........`},
		{"a dashed box and a dashed rule", []Layer{Box{X0: 2.5, X1: 6.5, Y0: 1.5, Y1: 4.5, Dash: true},
			Rule{At: 8.5, Dash: true}}, `
..#...#.:.
..:...:.:.
..:...:.:.
..#...#.:.
........:.`},
		{"boxes that reach beyond", []Layer{Box{X0: -3, X1: 2.5, Y0: -2, Y1: 2.5}, Box{X0: 7.5, X1: 12, Y0: 3.5, Y1: 8}, Box{X0: nan, X1: 2, Y0: 1, Y1: 2}}, `
.......|..
.......#--
--#.......
..|.......
..|.......`},
		{"specks", []Layer{Dots{X: []float64{0.5, 9.5, 4.5, -1, 11, 3, 3, nan}, Y: []float64{0.5, 4.5, 2.5, 2, 2, -1, 6, 2}}}, `
.........'
..........
....'.....
..........
'.........`},
		{"rules", []Layer{Rule{At: 0}, Rule{At: 9.9, Solid: true}, Rule{At: 4.5}, Rule{At: -0.1}, Rule{At: 10.1}, Rule{At: nan}}, `
|...|....|
|...|....|
|...|....|
|...|....|
|...|....|`},
		{"an area", []Layer{Area{X: []float64{0, 1.999, 2, 4.999, 5, 8.999, 9.001, 9.5}, Y: []float64{1, 1, 3, 3, -9, -9, 99, 99}}}, `
.........#
.........#
..###....#
..###....#
#####....#`},
		{"a flat line", []Layer{Curve{X: []float64{-5, 15}, Y: []float64{2.5, 2.5}}}, `
..........
..........
==========
..........
..........`},
		{"a step", []Layer{Curve{X: []float64{1.5, 5.5, 5.5, 8.4}, Y: []float64{0.5, 0.5, 4.5, 4.5}}}, `
.....====.
.....=....
.....=....
.....=....
.=====....`},
		{"a gap", []Layer{Curve{X: []float64{0, 2.9, 3, 6.5, 10}, Y: []float64{1.5, 1.5, nan, 3.5, 3.5}}}, `
..........
......====
..........
===.......
..........`},
		{"a line that leaves", []Layer{Curve{X: []float64{0, 10}, Y: []float64{-2.5, 7.5}}}, `
......==..
.....==...
....==....
...==.....
..==......`},
		{"a curve in front", []Layer{Curve{X: []float64{0, 10}, Y: []float64{2.5, 2.5}, Priority: 2}, Curve{X: []float64{0, 10}, Y: []float64{2.5, 2.5}, Line: theme.Marked}}, `
..........
..........
==========
..........
..........`},
		{"kinds of line", []Layer{Curve{X: []float64{0, 10}, Y: []float64{4.5, 4.5}, Line: theme.Dashed},
			Curve{X: []float64{0, 10}, Y: []float64{3.5, 3.5}, Line: theme.Dotted},
			Curve{X: []float64{0, 10}, Y: []float64{2.5, 2.5}, Line: theme.Fine}, Curve{X: []float64{0, 10}, Y: []float64{1.5, 1.5}, Line: theme.Marked}}, `
----------
".".".".".
~..~..~..~
+.+.+.+.+.
..........`},
		{"a band", []Layer{Band{X: []float64{1, 8}, Lo: []float64{1, 1}, Hi: []float64{4, 4}}}, `
..........
._______..
.:::::::..
._______..
..........`},
		{"a band that reaches beyond", []Layer{Band{X: []float64{0, 10}, Lo: []float64{-3, -3}, Hi: []float64{2, 2}}}, `
..........
..........
..........
__________
::::::::::`},
		{"contours of a plane", []Layer{Contours{Field: Field{Cols: 2, Rows: 2, Z: []float64{0, 1, 0, 1}}, Levels: []float64{0.55}}}, `
.....,....
.....,....
.....,....
.....,....
.....,....`},
		{"a field", []Layer{Heat{Field{Cols: 2, Rows: 2, Z: []float64{0, 1, 0, 1}}, ColorScale{Map: Viridis, Hi: 1}}}, `
..::-=+##%
..::-=+##%
..::-=+##%
..::-=+##%
..::-=+##%`},
	} {
		if got := picture(plain, c.layers...); got != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant%s", c.name, got, c.want)
		}
	}
}

// Bands are painted first, or that of one curve would cover another curve.
func TestBandsAreBehindCurves(t *testing.T) {
	x := []float64{0, 10}
	line := Curve{X: []float64{0, 5}, Y: []float64{2.5, 2.5}}
	band := Band{X: x, Lo: []float64{2, 2}, Hi: []float64{2.9, 2.9}, Color: colors.Band}
	mark := Points{X: []float64{4.5}, Y: []float64{2.5}}
	area := Area{X: x, Y: []float64{2.9, 2.9}, Color: colors.Data}
	for _, st := range []theme.Style{colors, plain, mono} {
		if a, b := picture(st, band, area, line, mark), picture(st, area, line, mark, band); a != b {
			t.Errorf("a band that is declared last covers\n%s\nof\n%s", b, a)
		}
	}
}

// Lines of a kind are broken more than those of the kind before: a solid one has no gap, a fine one is solid where its
// colour tells it apart.
func TestBrokenLines(t *testing.T) {
	dots := func(st theme.Style, l theme.Line) (n int) {
		x := []float64{0, 24}
		c := Chart{X: Axis{Max: 24, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true},
			Layers: []Layer{Curve{X: x, Y: []float64{0.6, 0.6}, Line: l}}}
		for _, cell := range c.Draw(24, 1, st).cells {
			for rows := 3; rows >= 0; rows-- {
				for side := range 2 {
					if (cell.dots|cell.fine)&brailleBit[rows][side] != 0 {
						n++
					}
				}
			}
		}
		return n
	}
	if solid, fine := dots(colors, theme.Solid), dots(colors, theme.Fine); solid != 48 || fine != 48 {
		t.Errorf("unbroken lines have %d and %d of 48 dots", solid, fine)
	}
	if dashed, dotted := dots(colors, theme.Dashed),
		dots(colors, theme.Dotted); dashed >= 48 || dashed <= dotted || dotted < 12 ||
		dots(colors, theme.Marked) != dotted {
		t.Errorf("broken lines have %d and %d of 48 dots", dashed, dotted)
	}
	if dashed, dotted, fine := dots(mono, theme.Dashed), dots(mono, theme.Dotted),
		dots(mono, theme.Fine); dashed != 2*dots(colors, theme.Dashed) || dotted <= fine || fine < 12 ||
		dots(mono, theme.Marked) != 0 {
		t.Errorf("without colour they have %d (of double width), %d and %d", dashed, dotted, fine)
	}
}

// A dotted line is as dense over many points as over few.
func TestDotsOfADottedLine(t *testing.T) {
	count := func(points int) (n int) {
		var x, y []float64
		for i := range points {
			x = append(x, 24*float64(i)/float64(points-1))
			y = append(y, 0.6)
		}
		c := Chart{X: Axis{Max: 24, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true},
			Layers: []Layer{Curve{X: x, Y: y, Line: theme.Dotted}}}
		for _, cell := range c.Draw(24, 1, colors).cells {
			n += bits.OnesCount8(cell.dots)
		}
		return n
	}
	assert.Equal(t, count(2), count(500))
}

// What lies on the very edge of a plot is drawn: optimizers like the ends of a domain.
func TestPointsOnTheEdge(t *testing.T) {
	for _, flip := range []bool{false, true} {
		c := Chart{X: Axis{Min: -3, Max: 7, HideTicks: true}, Y: Axis{Min: 0.1, Max: 0.7, HideTicks: true, Flip: flip},
			Layers: []Layer{Points{X: []float64{-3, 7, -3, 7}, Y: []float64{0.1, 0.1, 0.7, 0.7}, Color: colors.Data}}}
		assert.Equal(t, "O  O\n    \nO  O", ansi.Strip(c.Draw(4, 3, plain).String()), "the points are drawn as\n")
	}
}
