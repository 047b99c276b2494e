package graphics

import (
	"fmt"
	"image"
	"slices"
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// maxSixelColors is how many colors sixels have.
const maxSixelColors = 64

// bandRows is how many rows of pixels one character of sixels has.
const bandRows = 6

// showSixel draws sixels, and leaves clear pixels as they are. The encoder of charmbracelet/x/ansi/sixel draws clear pixels
// too, and takes several times as long and as many bytes.
func showSixel(p Picture) string {
	return placed(p.Area, ansi.SixelGraphics(0, 1, 0, encode(p, maxSixelColors, encodeSixel)))
}

// encodeSixel is an image as sixels.
func encodeSixel(m *image.Paletted) []byte {
	e := sixelEncoder{image: m, colors: make([]bandColor, len(m.Palette)), later: make([]byte, m.Rect.Dx())}
	e.data = fmt.Appendf(nil, `"1;1;%d;%d`, m.Rect.Dx(), m.Rect.Dy())
	for i, c := range m.Palette {
		r, g, b, a := c.RGBA()
		if a >= 0x8000 {
			e.colors[i] = bandColor{number: i, columns: make([]byte, m.Rect.Dx())}
			e.data = fmt.Appendf(e.data, "#%d;2;%d;%d;%d", i, percent(r), percent(g), percent(b))
		}
	}
	for top := 0; top < m.Rect.Dy(); top += bandRows {
		if top > 0 {
			e.data = append(e.data, '-')
		}
		e.band(top)
	}
	return e.data
}

// percent is a channel of a color, of 65535, as sixels have it.
func percent(channel uint32) int { return int(channel*100+0x7fff) / 0xffff }

// sixelEncoder encodes an image in bands of six rows, each color of a band for itself.
type sixelEncoder struct {
	image  *image.Paletted
	colors []bandColor
	later  []byte // of the columns of a band: the pixels of the present color and of those that follow
	data   []byte
}

// bandColor is the pixels of a color in a band, those of a column in the bits of a byte. A color that is clear has no
// columns.
type bandColor struct {
	number     int
	columns    []byte
	count      int // of pixels
	first, end int // columns
}

// band encodes the rows from top on, the most frequent color first. A color may cover pixels of those that follow, which
// are drawn over it: so its rows have long runs.
func (e *sixelEncoder) band(top int) {
	var order []*bandColor
	for y := range min(bandRows, e.image.Rect.Dy()-top) {
		row := e.image.Pix[(top+y)*e.image.Stride:][:e.image.Rect.Dx()]
		for x := 0; x < len(row); {
			end := x + 1
			for end < len(row) && row[end] == row[x] {
				end++
			}
			c := &e.colors[row[x]]
			if c.columns != nil && c.count == 0 {
				order = append(order, c)
				c.first, c.end = x, end
			}
			if c.columns != nil {
				c.add(x, end, 1<<y)
				fill(e.later[x:end], 1<<y)
			}
			x = end
		}
	}
	slices.SortStableFunc(order, func(a, b *bandColor) int { return b.count - a.count })
	for i, c := range order {
		if i > 0 {
			e.data = append(e.data, '$')
		}
		e.number('#', c.number)
		e.row(c)
		for x := c.first; x < c.end; x++ {
			e.later[x] &^= c.columns[x]
			c.columns[x] = 0
		}
		c.count = 0
	}
}

// add adds pixels of a row.
func (c *bandColor) add(x, end int, bit byte) {
	c.count += end - x
	c.first, c.end = min(c.first, x), max(c.end, end)
	fill(c.columns[x:end], bit)
}

func fill(columns []byte, bit byte) {
	for x := range columns {
		columns[x] |= bit
	}
}

// row encodes the pixels of a color in a band, with any of the pixels that are drawn later.
func (e *sixelEncoder) row(c *bandColor) {
	if c.first > 0 {
		e.repeat(c.first, '?')
	}
	for x := c.first; x < c.end; {
		needed, allowed := c.columns[x], e.later[x]
		n := 1
		for x+n < c.end && (needed|c.columns[x+n])&^(allowed&e.later[x+n]) == 0 {
			needed |= c.columns[x+n]
			allowed &= e.later[x+n]
			n++
		}
		e.repeat(n, needed+'?')
		x += n
	}
}

// repeat encodes a character that is repeated.
func (e *sixelEncoder) repeat(n int, character byte) {
	if n > 3 {
		e.number('!', n)
		n = 1
	}
	for range n {
		e.data = append(e.data, character)
	}
}

func (e *sixelEncoder) number(before byte, n int) {
	e.data = strconv.AppendInt(append(e.data, before), int64(n), 10)
}
