// Package plot draws charts into a grid of character cells: braille curves, bands with edges finer than a cell, points,
// filled areas and fields, with axes and legends. It is pure: numbers and a style in, lines out. It never imports Bubble Tea and
// knows nothing of optimizers. Where values lie along an axis is tui/plot/scale's; values over iterations are tui/plot/trace's;
// the same charts as SVG pictures are tui/plot/svg's.
package plot

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/theme"
)

// cell is one character with its colours.
type cell struct {
	glyph    rune
	fg, bg   theme.Color
	bold     bool
	wide     bool  // the glyph has the next cell too
	reverse  bool  // foreground and background change places: a block with the terminal's background as its colour
	area     bool  // the glyph is of a filled area, which a curve does not cut
	dots     uint8 // braille dots that are set, for cells whose glyph is 0
	priority int   // of whatever gave the cell its foreground
}

// Canvas is a grid of w×h cells, painted in any order and encoded once.
type Canvas struct {
	w, h  int
	cells []cell
	style theme.Style
}

// NewCanvas makes an empty canvas; negative sizes count as 0.
func NewCanvas(w, h int, st theme.Style) *Canvas {
	w, h = max(w, 0), max(h, 0)
	return &Canvas{w: w, h: h, cells: make([]cell, w*h), style: st}
}

// at is the cell in a column and row, nil outside the canvas.
func (c *Canvas) at(col, row int) *cell {
	if col < 0 || row < 0 || col >= c.w || row >= c.h {
		return nil
	}
	return &c.cells[row*c.w+col]
}

// Put sets a character if nothing of a higher priority stands there; the background stays.
func (c *Canvas) Put(col, row int, glyph rune, fg theme.Color, bold bool, priority int) {
	if p := c.at(col, row); p != nil && priority >= p.priority {
		p.glyph, p.fg, p.bold, p.priority, p.dots, p.reverse, p.wide, p.area = glyph, fg, bold, priority, 0, false, false, false
	}
}

// Text writes a string from a cell on. A character of two cells has both; one that has none of its own is left out.
func (c *Canvas) Text(col, row int, text string, fg theme.Color, priority int) {
	for _, r := range c.style.Plain(text) {
		switch ansi.StringWidth(string(r)) {
		case 0:
			continue
		case 2:
			c.Put(col+1, row, second, fg, false, priority)
			c.Put(col, row, r, fg, false, priority)
			if p := c.at(col, row); p != nil {
				p.wide = p.glyph == r
			}
			col += 2
		default:
			c.Put(col, row, r, fg, false, priority)
			col++
		}
	}
}

// second stands in a cell that a character of two cells before it has.
const second = -1

// Fill sets the background of a cell.
func (c *Canvas) Fill(col, row int, bg theme.Color) {
	if p := c.at(col, row); p != nil {
		p.bg = bg
	}
}

// brailleBit is the bit of the dot in a cell's column 0 or 1 and row 0 to 3.
var brailleBit = [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// Dot sets one braille dot; x counts half columns, y quarter rows. Dots of a higher priority take the cell's colour, and
// clear what stood there; on a filled area, which stays behind them, they are black or white.
func (c *Canvas) Dot(x, y int, fg theme.Color, priority int) {
	if x < 0 || y < 0 {
		return
	}
	p := c.at(x/2, y/4)
	if p == nil || priority < p.priority {
		return
	}
	if priority > p.priority || p.glyph != 0 {
		if p.area {
			p.settle()
		}
		p.dots, p.glyph, p.bold, p.reverse, p.wide = 0, 0, false, false, false
	}
	if p.area && p.bg.IsSet() {
		fg = c.style.OnTop(p.bg)
	}
	p.dots |= brailleBit[y%4][x%2]
	p.fg, p.priority = fg, priority
}

// shown is the character that a cell shows.
func (p *cell) shown() rune {
	switch {
	case p.glyph != 0:
		return p.glyph
	case p.dots != 0:
		return 0x2800 + rune(p.dots)
	}
	return ' '
}

// Lines encodes the canvas: h lines of exactly w columns, each ending with its colours reset.
func (c *Canvas) Lines() []string {
	lines := make([]string, c.h)
	type look struct {
		fg, bg        theme.Color
		bold, reverse bool
	}
	sgr := map[look]string{}
	var b strings.Builder
	for row := range c.h {
		b.Reset()
		current := look{}
		for i := range c.w {
			p := &c.cells[row*c.w+i]
			r := p.shown()
			switch {
			case r == second && i > 0 && c.cells[row*c.w+i-1].wide:
				continue
			case r == second, p.wide && (i+1 == c.w || c.cells[row*c.w+i+1].glyph != second):
				r = ' ' // half of a character
			}
			want := look{p.fg, p.bg, p.bold, p.reverse}
			if r == ' ' {
				want = look{bg: p.bg}
			}
			if c.style.Tier == theme.NoColor {
				want.fg, want.bg = theme.Color{}, theme.Color{}
			}
			if want != current {
				code, ok := sgr[want]
				if !ok {
					code = c.style.SGR(want.fg, want.bg, want.bold)
					if want.reverse {
						code += "\x1b[7m"
					}
					sgr[want] = code
				}
				b.WriteString(code)
				current = want
			}
			b.WriteRune(r)
		}
		if current != (look{}) {
			b.WriteString("\x1b[0m")
		}
		lines[row] = b.String()
	}
	return lines
}

// String is the encoded canvas, lines joined by line feeds.
func (c *Canvas) String() string { return strings.Join(c.Lines(), "\n") }
