package plot

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/plot/scale"
	"bandscope/tui/theme"
)

// Unicode's numbering of the dots of a braille cell: 1 to 3 and 7 down the left, 4 to 6 and 8 down the right; dot n is bit n−1 above U+2800.
func TestDots(t *testing.T) {
	for place, number := range map[[2]int]int{{0, 0}: 1, {0, 1}: 2, {0, 2}: 3, {1, 0}: 4, {1, 1}: 5, {1, 2}: 6, {0, 3}: 7, {1, 3}: 8} {
		c := NewCanvas(3, 2, mono)
		c.Dot(2+place[0], 4+place[1], theme.Color{}, 1)
		if got, want := c.String(), "   \n "+string(rune(0x2800+1<<(number-1)))+" "; got != want {
			t.Errorf("the dot at %v gives %q, want %q", place, got, want)
		}
	}
}

// What is painted later stands in front of what has the same priority, and of nothing that has a higher one; dots of one priority join.
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
		{"a higher dot", []func(*Canvas){dot(0, 0, 3), dot(1, 3, 4)}, '⢀', true},
		{"a lower dot", []func(*Canvas){dot(0, 0, 3), dot(1, 3, 2)}, '⠁', true},
		{"a dot behind a character", []func(*Canvas){put('a', 5), dot(0, 0, 4)}, 'a', false},
		{"a dot on a character", []func(*Canvas){put('a', 5), dot(0, 0, 5)}, '⠁', true},
		{"a character on dots", []func(*Canvas){dot(0, 0, 5), put('a', 5)}, 'a', false},
		{"dots, a character, a dot", []func(*Canvas){dot(0, 0, 5), put('a', 5), dot(1, 0, 5)}, '⠈', true},
	} {
		c := NewCanvas(1, 1, color)
		for _, p := range test.paint {
			p(c)
		}
		want := color.SGR(color.Mean, theme.Color{}, true) + string(test.want) + "\x1b[0m"
		if test.dotted {
			want = color.SGR(color.Data, theme.Color{}, false) + string(test.want) + "\x1b[0m"
		}
		if got := c.String(); got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
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
	if got := c.String(); got != "    \n    \n    " {
		t.Errorf("%q", got)
	}
	c.Text(2, 1, "word", st.Mean, 1)
	if got := ansi.Strip(c.String()); got != "    \n  wo\n    " {
		t.Errorf("a text goes on at %q", got)
	}
	if got := len(NewCanvas(-1, 3, st).Lines()) + 10*len(NewCanvas(3, -1, st).Lines()); got != 3 {
		t.Errorf("canvases without a width or a height have %d lines", got)
	}
}

// Colours are written where they change, blanks have a background only, every line ends without colours, and without colour nothing but the weight is written.
func TestHowACanvasIsWritten(t *testing.T) {
	paint := func(st theme.Style) string {
		c := NewCanvas(6, 2, st)
		c.Put(0, 0, 'a', st.Mean, false, 1)
		c.Put(1, 0, 'b', st.Mean, false, 1)
		c.Put(2, 0, ' ', st.Mean, true, 1)
		c.Put(4, 0, 'c', st.Mean, true, 1)
		c.Fill(4, 0, st.Band)
		c.Fill(5, 0, st.Band)
		return c.String()
	}
	st := theme.New(true, theme.Color16, false)
	if got, want := paint(st), "\x1b[0;96mab\x1b[0m  \x1b[0;1;96;44mc\x1b[0;44m \x1b[0m\n      "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := paint(theme.New(true, theme.NoColor, false)), "ab  \x1b[0;1mc\x1b[0m \n      "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	under := theme.New(true, theme.TrueColor, false)
	c := NewCanvas(1, 1, under)
	Band{X: []float64{0, 1}, Lo: []float64{0.75, 0.75}, Hi: []float64{2, 2}, Color: under.Band}.draw(c, Frame{Cols: 1, Rows: 1, x: scale.Scale{To: 1}, y: scale.Scale{From: 1}, style: under})
	if got := c.String(); !strings.Contains(got, "\x1b[7m▆") {
		t.Errorf("a band over the upper quarter of a cell is %q, want a block over the lower three, reversed", got)
	}
}

// A curve over a filled area leaves no hole in it: the area is the background of its dots, which stand out from it.
func TestCurveOverArea(t *testing.T) {
	st := theme.New(true, theme.TrueColor, false)
	x := []float64{0, 1}
	c := Chart{X: Axis{Max: 1, HideTicks: true}, Y: Axis{Max: 1, HideTicks: true}, Layers: []Layer{
		Area{X: x, Y: []float64{0.8, 0.8}, Color: st.Acquisition}, Curve{X: x, Y: []float64{0.3, 0.3}, Color: st.Next, Line: theme.Dashed}, Curve{X: x, Y: []float64{0.9, 0.9}, Color: st.Next}}}
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
