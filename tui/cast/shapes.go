package cast

import "fmt"

// drawShape draws a character that is a shape, braille, a line or a block, in the cell at x, y pixels; it is false for
// another one.
func drawShape(l layers, r rune, color string, x, y int) bool {
	switch {
	case r >= 0x2800 && r <= 0x28ff:
		drawBraille(in(l.dots, color), r-0x2800, x, y)
	case arms[r] != "":
		drawArms(in(l.lines, color), arms[r], x, y)
	case r >= 0x2580 && r <= 0x259f:
		return drawBlock(in(l.rects, color), r, x, y)
	default:
		return false
	}
	return true
}

// drawBraille draws the dots of a braille character: bits 0 to 2 and 6 are the left column from the top, the others the
// right one (Unicode, U+2800).
func drawBraille(p *path, bits rune, x, y int) {
	for i := range 8 {
		if bits&(1<<i) == 0 {
			continue
		}
		column, row := i/3, i%3
		if i >= 6 {
			column, row = i-6, 3
		}
		p.move(x+2+4*column, y+2+4*row)
		p.WriteString("h0")
	}
}

// arms are the lines of box-drawing characters from the middle of the cell: up, down, left, right.
var arms = map[rune]string{'─': "lr", '│': "ud", '┌': "dr", '┐': "dl", '└': "ur", '┘': "ul", '├': "udr", '┤': "udl",
	'┬': "dlr", '┴': "ulr", '┼': "udlr", '╭': "dr", '╮': "dl", '╰': "ur", '╯': "ul"}

// drawArms draws lines from the middle of a cell to its edges.
func drawArms(p *path, arms string, x, y int) {
	switch arms {
	case "lr":
		fmt.Fprintf(p, "M%d %d.5h%d", x, y+cellH/2, cellW)
		return
	case "ud":
		fmt.Fprintf(p, "M%d.5 %dv%d", x+cellW/2, y, cellH)
		return
	}
	for _, arm := range arms {
		fmt.Fprintf(p, "M%d.5 %d.5%s", x+cellW/2, y+cellH/2,
			map[rune]string{'u': "V" + fmt.Sprint(y), 'd': "V" + fmt.Sprint(y+cellH), 'l': "H" + fmt.Sprint(x),
				'r': "H" + fmt.Sprint(x+cellW)}[arm])
	}
}

// drawBlock draws a block element (Unicode, U+2580 to U+259F), but for shades.
func drawBlock(p *path, r rune, x, y int) bool {
	const w, h = cellW, cellH
	switch {
	case r == '▀':
		p.rect(x, y, w, h/2)
	case r >= '▁' && r <= '█':
		n := int(r-'▁') + 1
		p.rect(x, y+h-n*h/8, w, n*h/8)
	case r >= '▉' && r <= '▏':
		p.rect(x, y, w*(7-int(r-'▉'))/8, h)
	case r == '▐':
		p.rect(x+w/2, y, w/2, h)
	case r == '▔':
		p.rect(x, y, w, h/8)
	case r == '▕':
		p.rect(x+w-w/8, y, w/8, h)
	case r >= '▖' && r <= '▟':
		// bits: upper left, upper right, lower left, lower right
		for _, quadrant := range [10]string{"c", "d", "a", "acd", "ad", "abc", "abd", "b", "bc", "bcd"}[r-'▖'] {
			q := int(quadrant - 'a')
			p.rect(x+q%2*w/2, y+q/2*h/2, w/2, h/2)
		}
	default:
		return false
	}
	return true
}
