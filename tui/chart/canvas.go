// Package chart draws charts into character cells: braille curves, bands with edges finer than a cell, points, filled
// areas and fields, with axes, legends and color maps, and traces of values over iterations (drawn by asciigraph).
// Numbers and a style go in, boxes of cells come out. It knows no optimizers and does not import Bubble Tea. Package
// svg draws the same charts as pictures.
package chart

import (
	"strings"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"

	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// cell is one character with its colours.
type cell struct {
	glyph    rune
	text     string // the whole character where it has more code points than the glyph; else empty
	fg, bg   theme.Color
	bold     bool
	wide     bool  // the glyph also takes the next cell
	reverse  bool  // foreground and background change places: a block with the terminal's background as its colour
	area     bool  // the glyph is of a filled area, which a curve does not cut
	shaded   bool  // the glyph is of the edge of a region that has most of the cell
	front    bool  // the glyph is in front of a picture: a text, or the cursor
	dots     uint8 // braille dots of lines that are set, for cells whose glyph is 0
	fine     uint8 // those of fine lines
	priority int   // of the mark in front
	owner    int16 // the layer that the cell shows, counted from 1; 0 for none, such as an axis

	// the layer whose dots came last, how much ink they are, and how much those are whose colour the cell has
	inkOf        int16
	ink, mostInk float32
}

// Canvas is a grid of w×h cells, painted in any order and encoded once.
type Canvas struct {
	w, h  int
	cells []cell
	style theme.Style
	layer int16 // that is being drawn
	front bool  // it is in front of a picture
	plot  *Plot // nil where the style leaves no region to a picture
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

// Put sets a character unless the cell has one of a higher priority; the background stays.
func (c *Canvas) Put(col, row int, glyph rune, fg theme.Color, bold bool, priority int) {
	if p := c.at(col, row); p != nil && priority >= p.priority {
		p.coverShade()
		p.glyph = glyph
		p.fg = fg
		p.bold = bold
		p.priority = priority
		p.dots = 0
		p.fine = 0
		p.reverse = false
		p.wide = false
		p.area = false
		p.owner = c.layer
		p.text = ""
		p.front = c.front
	}
}

// coverShade makes the shade of a region the background of a cell where it has most of it, for the mark that takes the
// place of its edge.
func (p *cell) coverShade() {
	if p.shaded {
		p.bg = p.fg
		p.shaded = false
		p.reverse = false
	}
}

// Text writes a string from a cell on. A character of two cells has both; one that has none of its own is left out.
func (c *Canvas) Text(col, row int, text string, fg theme.Color, priority int) {
	front := c.front
	c.front = true
	for character, w := range layout.Characters(c.style.Plain(text)) {
		c.put(col, row, character, w, fg, false, priority)
		col += w
	}
	c.front = front
}

// put sets a character of one or two cells, as Put does.
func (c *Canvas) put(col, row int, character string, w int, fg theme.Color, bold bool, priority int) {
	r, size := utf8.DecodeRuneInString(character)
	if w == 2 {
		c.Put(col+1, row, wideRuneTail, fg, bold, priority)
	}
	c.Put(col, row, r, fg, bold, priority)
	if p := c.at(col, row); p != nil && p.glyph == r {
		p.wide = w == 2
		if size < len(character) {
			p.text = character
		}
	}
}

// wideRuneTail is in a cell that belongs to the two-cell character before it.
const wideRuneTail = -1

// Fill sets the background of a cell.
func (c *Canvas) Fill(col, row int, bg theme.Color) {
	if p := c.at(col, row); p != nil {
		p.bg, p.owner = bg, c.layer
	}
}

// brailleBit is the bit of the dot in a cell's column 0 or 1 and row 0 to 3.
var brailleBit = [4][2]uint8{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}

// Dot sets one braille dot; x counts half columns, y quarter rows. The dots of all lines in a cell stay, in the colour
// of the one with the most ink; those of fine lines leave a gap around others. On a filled area, which stays behind
// them, they are black or white; without colours they are dark. Marks and texts keep their cells.
func (c *Canvas) Dot(x, y int, fg theme.Color, priority int) {
	if x < 0 || y < 0 {
		return
	}
	p := c.at(x/2, y/4)
	if p == nil || p.glyph != 0 && priority < p.priority {
		return
	}
	if p.area && priority == priorityUnder && c.style.Tier == theme.NoColor {
		return // it would be a hole in the area
	}
	if p.glyph != 0 {
		p.coverShade()
		if p.area {
			p.fillBackground()
		}
		p.reverse = p.area && p.bg.IsSet() && c.style.Tier == theme.NoColor
		p.glyph = 0
		p.front = false
		p.bold = false
		p.wide = false
		p.mostInk = 0
	}
	if priority == priorityFine {
		p.fine |= brailleBit[y%4][x%2]
	} else {
		p.dots |= brailleBit[y%4][x%2]
	}
	p.priority = max(p.priority, priority)
	if p.inkOf != c.layer {
		p.inkOf = c.layer
		p.ink = 0
	}
	p.ink += inkOfDot(priority)
	if p.ink < p.mostInk {
		return
	}
	p.mostInk = p.ink
	if p.area && p.bg.IsSet() {
		fg = c.style.OnTop(p.bg)
	}
	p.fg = fg
	p.owner = c.layer
}

// inkOfDot is how much a dot counts for the colour of its cell: a line in front has it with few dots, a line behind
// only with many.
func inkOfDot(priority int) float32 {
	switch priority {
	case priorityUnder:
		return 0.1
	case priorityFine:
		return 0.3
	case priorityEdge:
		return 0.5
	}
	return 1 + 0.5*float32(priority-priorityLine)
}

// touching are for each set of dots of a cell those that are in it or beside it.
var touching = func() (list [256]uint8) {
	for set := range list {
		for row := range 4 {
			for col := range 2 {
				if uint8(set)&brailleBit[row][col] == 0 {
					continue
				}
				for r := max(row-1, 0); r <= min(row+1, 3); r++ {
					list[set] |= brailleBit[r][0] | brailleBit[r][1]
				}
			}
		}
	}
	return list
}()

// shownDots are the dots of a cell. Fine lines leave a gap around others, which they would thicken.
func (p *cell) shownDots() uint8 { return p.dots | p.fine&^touching[p.dots] }

// displayRune is the character that a cell shows.
func (p *cell) displayRune() rune {
	switch {
	case p.glyph != 0:
		return p.glyph
	case p.dots|p.fine != 0:
		return 0x2800 + rune(p.shownDots())
	}
	return ' '
}

// Draw sets the cells of the canvas on a screen, from the upper left corner of an area on.
func (c *Canvas) Draw(scr uv.Screen, area uv.Rectangle) {
	var shown, blank uv.Cell
	blank.Content, blank.Width = " ", 1
	var last *cell // the cell whose colours shown has
	for row := range min(c.h, area.Dy()) {
		for i := range min(c.w, area.Dx()) {
			if c.behind(i, row) {
				continue
			}
			p := &c.cells[row*c.w+i]
			if c.plot != nil {
				p = c.inFront(p)
			}
			r, wide := p.displayRune(), false
			switch {
			case r == wideRuneTail && i > 0 && c.cells[row*c.w+i-1].wide:
				continue
			case p.wide && i+1 < c.w && c.cells[row*c.w+i+1].glyph == wideRuneTail:
				wide = true
			case r == wideRuneTail, p.wide:
				r = ' ' // half of a character
			}
			if last == nil || p.fg != last.fg || p.bg != last.bg || p.bold != last.bold || p.reverse != last.reverse {
				shown.Style = c.look(p)
				last = p
			}
			shown.Content, shown.Width = Glyph(r), 1
			if p.text != "" && r == p.glyph {
				shown.Content = p.text
			}
			if wide {
				shown.Width = 2
			}
			if r == ' ' {
				blank.Style.Bg = shown.Style.Bg
				scr.SetCell(area.Min.X+i, area.Min.Y+row, &blank)
				continue
			}
			scr.SetCell(area.Min.X+i, area.Min.Y+row, &shown)
		}
	}
}

// look is the style of a cell.
func (c *Canvas) look(p *cell) (s uv.Style) {
	s.Fg, s.Bg = c.style.Color(p.fg), c.style.Color(p.bg)
	if p.bold {
		s.Attrs |= uv.AttrBold
	}
	if p.reverse {
		s.Attrs |= uv.AttrReverse
	}
	return s
}

// glyphs are the plain characters, and those from U+2500 to U+28FF, lines, blocks, marks and braille, as strings:
// setting a cell makes none.
var plainGlyphs, glyphs = characters[[0x80]string](0), characters[[0x400]string](0x2500)

// characters are those from one on as strings.
func characters[L [0x80]string | [0x400]string](from rune) (list L) {
	for i := range len(list) {
		list[i] = string(from + rune(i))
	}
	return list
}

// Glyph is a character as a string, without an allocation for the characters that plots use.
func Glyph(r rune) string {
	switch {
	case r >= 0 && r < rune(len(plainGlyphs)):
		return plainGlyphs[r]
	case r >= 0x2500 && r < 0x2500+rune(len(glyphs)):
		return glyphs[r-0x2500]
	}
	return string(r)
}

// Lines encodes the canvas: h lines of exactly w columns, each ending with its colours reset.
func (c *Canvas) Lines() []string {
	b := uv.NewScreenBuffer(c.w, c.h)
	whole := *c
	whole.plot = nil
	whole.Draw(b, b.Bounds())
	lines := make([]string, c.h)
	for row := range lines {
		lines[row] = b.Line(row).Render()
	}
	return lines
}

// String is the encoded canvas, lines joined by line feeds.
func (c *Canvas) String() string { return strings.Join(c.Lines(), "\n") }

// owner is the layer that a cell shows, counted from 1; 0 for none.
func (c *Canvas) owner(col, row int) int {
	if p := c.at(col, row); p != nil {
		return int(p.owner)
	}
	return 0
}

// visible are the names of the layers that some cell shows.
func (c *Canvas) visible(layers []Layer) map[string]bool {
	shown := make([]bool, len(layers))
	for i := range c.cells {
		if owner := c.cells[i].owner; owner > 0 {
			shown[owner-1] = true
		}
	}
	names := map[string]bool{}
	for i, l := range layers {
		if shown[i] {
			names[l.key(c.style).Name] = true
		}
	}
	return names
}
