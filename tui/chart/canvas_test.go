package chart

import (
	"math"
	"slices"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// Unicode's numbering of the dots of a braille cell: 1 to 3 and 7 down the left, 4 to 6 and 8 down the right; dot n is
// bit n−1 above U+2800.
func TestDots(t *testing.T) {
	for place, number := range map[[2]int]int{
		{0, 0}: 1, {0, 1}: 2, {0, 2}: 3, {1, 0}: 4, {1, 1}: 5, {1, 2}: 6, {0, 3}: 7, {1, 3}: 8} {
		c := NewCanvas(3, 2, mono)
		c.Dot(2+place[0], 4+place[1], theme.Color{}, 1)
		if got, want := c.String(), "   \n "+string(rune(0x2800+1<<(number-1)))+" "; got != want {
			t.Errorf("the dot at %v gives %q, want %q", place, got, want)
		}
	}
}

// What is painted later stands in front of what has the same priority, and of nothing that has a higher one; dots of
// one priority join.
func TestWhatStandsInFront(t *testing.T) {
	color := theme.New(true, theme.TrueColor, false)
	put := func(r rune, priority int) func(*Canvas) {
		return func(c *Canvas) { c.Put(0, 0, r, color.Mean, true, priority) }
	}
	dot := func(x, y, priority int) func(*Canvas) { return func(c *Canvas) { c.Dot(x, y, color.Data, priority) } }
	for _, test := range []struct {
		name   string
		paint  []func(*Canvas)
		want   rune
		dotted bool // the colour is the dots'
	}{
		{"the later of two", []func(*Canvas){put('a', 5), put('b', 5)}, 'b', false},
		{"the higher of two", []func(*Canvas){put('a', 5), put('b', 4)}, 'a', false},
		{"the higher one, later", []func(*Canvas){put('a', 5), put('b', 6)}, 'b', false},
		{"two dots", []func(*Canvas){dot(0, 0, 3), dot(1, 3, 3)}, '⢁', true},
		{"a higher dot", []func(*Canvas){dot(0, 0, 3), dot(1, 3, 4)}, '⢁', true},
		{"a lower dot", []func(*Canvas){dot(0, 0, 3), dot(1, 3, 2)}, '⢁', true},
		{"a dot behind a character", []func(*Canvas){put('a', 5), dot(0, 0, 4)}, 'a', false},
		{"a dot on a character", []func(*Canvas){put('a', 5), dot(0, 0, 5)}, '⠁', true},
		{"a character on dots", []func(*Canvas){dot(0, 0, 5), put('a', 5)}, 'a', false},
		{"dots, a character, a dot", []func(*Canvas){dot(0, 0, 5), put('a', 5), dot(1, 0, 5)}, '⠈', true},
	} {
		c := NewCanvas(1, 1, color)
		for _, p := range test.paint {
			p(c)
		}
		want := uv.Cell{Content: string(test.want), Width: 1,
			Style: uv.Style{Fg: color.Color(color.Mean), Attrs: uv.AttrBold}}
		if test.dotted {
			want.Style = uv.Style{Fg: color.Color(color.Data)}
		}
		if got := set(c).CellAt(0, 0); !got.Equal(&want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, want)
		}
	}
}

// What lies outside of a canvas is nowhere on it, not at another edge either.
func TestOutsideOfACanvas(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	c := NewCanvas(4, 3, st)
	for x := -9; x < 18; x++ {
		for y := -9; y < 24; y++ {
			if x < 0 || y < 0 || x >= 8 || y >= 12 {
				c.Dot(x, y, st.Mean, 1)
			}
			if x < 0 || y < 0 || x >= 4 || y >= 3 {
				c.Put(x, y, 'x', st.Mean, false, 1)
				c.Fill(x, y, st.Band)
			}
		}
	}
	assert.Equal(t, "    \n    \n    ", c.String())
	c.Text(2, 1, "word", st.Mean, 1)
	assert.Equal(t, "    \n  wo\n    ", ansi.Strip(c.String()), "a text goes on at")
	if got := len(NewCanvas(-1, 3, st).Lines()) + 10*len(NewCanvas(3, -1, st).Lines()); got != 3 {
		t.Errorf("canvases without a width or a height have %d lines", got)
	}
}

// set is a canvas of Lip Gloss with the cells of one of ours.
func set(c *Canvas) *lipgloss.Canvas {
	canvas := lipgloss.NewCanvas(c.w, c.h)
	c.Draw(canvas, canvas.Bounds())
	return canvas
}

// A cell is set with its character and colours, a blank with its background only, and without colours with nothing but
// the weight. What there is no room for is left out.
func TestHowACanvasIsSet(t *testing.T) {
	paint := func(st theme.Style) *Canvas {
		c := NewCanvas(6, 2, st)
		c.Put(0, 0, 'a', st.Mean, false, 1)
		c.Put(2, 0, ' ', st.Mean, true, 1)
		c.Put(4, 0, 'c', st.Mean, true, 1)
		c.Fill(4, 0, st.Band)
		c.Fill(5, 0, st.Band)
		c.Text(0, 1, "a日", st.Mean, 1)
		return c
	}
	for _, tier := range []theme.Tier{theme.NoColor, theme.Color16, theme.TrueColor} {
		st := theme.New(true, tier, false)
		fg, bg := st.Color(st.Mean), st.Color(st.Band)
		active := set(paint(st))
		for x, want := range []uv.Cell{
			{Content: "a", Style: uv.Style{Fg: fg}}, {Content: " "}, {Content: " "}, {Content: " "},
			{Content: "c", Style: uv.Style{Fg: fg, Bg: bg, Attrs: uv.AttrBold}},
			{Content: " ", Style: uv.Style{Bg: bg}}} {
			want.Width = 1
			if got := active.CellAt(x, 0); !got.Equal(&want) {
				t.Errorf("tier %d: cell %d is %+v, want %+v", tier, x, got, want)
			}
		}
		if wide := active.CellAt(1, 1); wide.Content != "日" || wide.Width != 2 || active.CellAt(2, 1).Width != 0 {
			t.Errorf("a character of two cells is %+v and %+v", wide, active.CellAt(2, 1))
		}
	}
	small := lipgloss.NewCanvas(5, 1)
	paint(theme.New(true, theme.NoColor, false)).Draw(small, uv.Rect(0, 0, 2, 1))
	if got := small.CellAt(4, 0); got.Content != " " {
		t.Errorf("outside of its area stands %+v", got)
	}
}

// Dots of fine lines leave a gap of one dot around those of other lines.
func TestFineLinesLeaveAGap(t *testing.T) {
	c := NewCanvas(1, 1, colors)
	c.Dot(0, 0, colors.Mean, priorityLine)
	c.Dot(1, 1, colors.Sample, priorityFine)
	c.Dot(0, 3, colors.Sample, priorityFine)
	assert.Equal(t, "⡁", set(c).CellAt(0, 0).Content)
}

// A band shades a cell by the share of it that it covers, between edges of dots, in every tier of colours.
func TestBandShades(t *testing.T) {
	for _, c := range []struct {
		tier     theme.Tier
		lo, hi   float64
		glyph    string
		fraction float64 // of the band's colour in the background
	}{
		{theme.TrueColor, -1, 2, " ", 1}, {theme.TrueColor, 0.75, 2, "⠉", 0}, {theme.TrueColor, 0.25, 2, "⠤", 2. / 3},
		{theme.TrueColor, -1, 0.5, "⠤", 1. / 3}, {theme.TrueColor, 0.55, 0.6, "⠒", 0}, {theme.Color256, -1, 2, " ", 1},
		{theme.Color256, -1, 0.6, "⠒", 1}, {theme.Color256, -1, 0.4, "⠤", 0},
		{theme.Color16, -1, 0.6, "⠒", 1}, {theme.Color16, -1, 0.4, "⠤", 0}, {theme.NoColor, -1, 2, ":", 0},
		{theme.NoColor, -1, 0.6, "⠒", 0},
	} {
		st := theme.New(true, c.tier, false)
		canvas := NewCanvas(1, 1, st)
		Band{X: []float64{0, 1}, Lo: []float64{c.lo, c.lo}, Hi: []float64{c.hi, c.hi}, Color: st.Band}.draw(canvas,
			Frame{Cols: 1, Rows: 1, x: Scale{To: 1}, y: Scale{From: 1}, style: st})
		want := uv.Cell{Content: c.glyph, Width: 1}
		if c.fraction > 0 {
			want.Style.Bg = st.Color(theme.Mix(st.Page, st.Band, c.fraction))
		}
		if c.glyph != " " && c.glyph != ":" {
			want.Style.Fg = st.Color(st.BandEdge)
		}
		if got := set(canvas).CellAt(0, 0); !got.Equal(&want) {
			t.Errorf("tier %d, from %g to %g: %+v, want %+v", c.tier, c.lo, c.hi, got, want)
		}
	}
}

// Setting the cells of a plot, of which there are thousands, makes nothing anew.
func TestSettingCellsAllocatesNothing(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	c := curves(st).Draw(120, 36, st)
	canvas := lipgloss.NewCanvas(120, 36)
	var screen uv.Screen = canvas
	if n := testing.AllocsPerRun(20, func() { c.Draw(screen, canvas.Bounds()) }); n > 4 {
		t.Errorf("%g allocations for %d cells", n, 120*36)
	}
}

// curves is a chart with a band, two curves and points.
func curves(st theme.Style) Chart {
	x := []float64{0, 0.25, 0.5, 0.75, 1}
	return Chart{X: Axis{Max: 1}, Y: Axis{Max: 1}, Layers: []Layer{
		Band{X: x, Lo: []float64{0.1, 0.2, 0.1, 0.3, 0.2}, Hi: []float64{0.8, 0.7, 0.9, 0.6, 0.8}, Color: st.Band,
			Name: "band"},
		Curve{X: x, Y: []float64{0.5, 0.4, 0.6, 0.5, 0.5}, Color: st.Mean, Name: "mean"},
		Points{X: []float64{0.5}, Y: []float64{0.6}, Shape: theme.GlyphFilled, Color: st.Data, Name: "data"}}}
}

// The box of a chart describes its marks and axes where they are drawn, knows the values under a cell and whose mark a
// cell shows, and its legend is lit with what it names.
func TestChartBox(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	c := curves(st)
	description := Description{Y: "Values from 0 to 1.", X: "Places from 0 to 1.", Marks: func(name string) (string, string) {
		return "What is called " + name + ".", "posterior"
	}}
	root := layout.New(40, 12, c.WithLegend(40, 12, 2, st, description).At(0, 0))
	f := layout.Arrange(root, 40, 12)
	names := map[string]layout.PlacedBox{}
	for _, p := range f.DescribedBoxes() {
		names[p.Name] = p
	}
	for _, name := range []string{"band", "mean", "data", "left axis", "bottom axis"} {
		if p, ok := names[name]; !ok || len(f.Spans(p)) == 0 {
			t.Errorf("%q is not described, or nowhere", name)
		}
	}
	inLegend := func(name string) bool {
		return slices.ContainsFunc(f.Spans(names[name]), func(s layout.Span) bool { return s.Row == 0 })
	}
	if !inLegend("band") || !inLegend("data") || inLegend("bottom axis") {
		t.Error("the legend is not lit with what it names")
	}
	var point layout.Span
	for _, s := range f.Spans(names["data"]) {
		if s.Row > 0 {
			point = s
		}
	}
	if p, ok := f.DescribedAt(point.From, point.Row); !ok || p.Name != "data" {
		t.Errorf("on the point lies %q", p.Name)
	}
	path := f.PathAt(point.From, point.Row)
	chart := path[len(path)-1]
	v := chart.Value(float64(point.From-chart.Area.Min.X)+0.5, float64(point.Row-chart.Area.Min.Y)+0.5)
	if len(v) != 2 || math.Abs(v[0]-0.5) > 0.05 || math.Abs(v[1]-0.6) > 0.1 {
		t.Errorf("the cell of the point at (0.5, 0.6) stands for %v", v)
	}
	assert.Nil(t, chart.Value(0, 0), "a cell of the axis stands for a value")
}

// A curve over a filled area leaves no hole in it: the area is the background of its dots, which stand out from it.
func TestCurveOverArea(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	x := []float64{0, 1}
	c := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true}, Layers: []Layer{
		Area{X: x, Y: []float64{0.8, 0.8}, Color: st.Acquisition},
		Curve{X: x, Y: []float64{0.3, 0.3}, Color: st.Next, Line: theme.Dashed},
		Curve{X: x, Y: []float64{0.9, 0.9}, Color: st.Next}}}
	canvas := c.Draw(20, 10, st)
	dots := 0
	for i, p := range canvas.cells {
		row := i / canvas.w
		switch {
		case p.dots != 0 && row >= 2:
			if dots++; p.bg != st.Acquisition || p.fg != st.OnTop(st.Acquisition) {
				t.Errorf("the curve cuts the area in row %d", row)
			}
		case p.dots != 0:
			if p.bg.IsSet() || p.fg != st.Next {
				t.Errorf("the curve above the area has a background in row %d", row)
			}
		}
	}
	if dots < 8 {
		t.Fatalf("the curve has %d cells", dots)
	}
}

// Without colours the dots of a curve are dark where a filled area has most of the cell.
func TestCurveOverAreaWithoutColors(t *testing.T) {
	st, x := theme.New(true, theme.NoColor, false), []float64{0, 1}
	for _, c := range []struct {
		area, curve float64
		dark        bool
	}{{0.3, 0.35, false}, {0.32, 0.35, false}, {0.36, 0.35, true}, {0.9, 0.35, true}} {
		canvas := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true}, Layers: []Layer{
			Area{X: x, Y: []float64{c.area, c.area}, Color: st.Acquisition},
			Curve{X: x, Y: []float64{c.curve, c.curve}}}}.Draw(20, 10, st)
		p := canvas.at(10, 6)
		assert.NotZero(t, p.dots, "the curve is hidden by an area up to %g", c.area)
		assert.Equal(t, c.dark, p.reverse, "the curve is dark on an area up to %g", c.area)
	}
}

// Text keeps the marks and the joiners of its characters, and labels within a plot take cells, not code points.
func TestTextOfAllScripts(t *testing.T) {
	st := theme.New(true, theme.NoColor, false)
	c := NewCanvas(9, 1, st)
	c.Text(0, 0, "e\u0301温می\u200cش", st.Text, priorityAxis)
	if got, want := c.Lines()[0], "e\u0301温می\u200cش   "; got != want {
		t.Errorf("the text is %q, want %q", got, want)
	}
	c.Text(0, 0, "e", st.Text, priorityAxis)
	if got := c.Lines()[0]; !strings.HasPrefix(got, "e温") {
		t.Errorf("a mark is left of another character: %q", got)
	}
	layers := []Layer{Curve{X: []float64{0, 1}, Y: []float64{0.2, 0.2}, Name: "温度曲線"}, Label{X: 0.1, Y: 0.9, Text: "甲乙丙"}}
	lines := Chart{Layers: layers, X: Axis{Label: "湿度と温度 (C)", Max: 1, Ends: [2]string{"低い", "高い"}}, Y: Axis{Max: 1, Label: "収率"},
		Labels: true}.Draw(60, 9, st).Lines()
	all := strings.Join(lines, "\n")
	for _, want := range []string{"温度曲線", "甲乙丙", "湿度と温度 (C)", "収率", "低い", "高い"} {
		assert.Contains(t, all, want, "no %s in\n%s", want, all)
	}
	for _, line := range lines {
		if n := ansi.StringWidth(line); n != 60 {
			t.Errorf("%q has %d cells", line, n)
		}
	}
}
