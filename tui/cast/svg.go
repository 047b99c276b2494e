package cast

import (
	"bufio"
	"fmt"
	"html"
	"image"
	"image/color"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// The size of a cell and the border of the window, in pixels.
const (
	cellW, cellH = 8, 16
	border       = 12
	baseline     = 12 // of a text, from the top of its cell
)

// SVG writes frames as an animated picture, which begins again at the end. Every frame is drawn over the ones before, and
// has only the cells that change. Braille, lines and blocks are drawn as shapes, so that the picture does not depend on
// the fonts of the viewer. A viewer that does not animate shows the last frame.
func SVG(out io.Writer, title string, frames []Frame, end time.Duration) error {
	if len(frames) == 0 {
		return nil
	}
	p := &picture{b: bufio.NewWriter(out), end: max(end, frames[len(frames)-1].At+time.Second)}
	cells := frames[0].Cells
	p.page = shown(cells.CellAt(0, 0)).bg
	w, h := cells.Width()*cellW, cells.Height()*cellH
	captions := slices.ContainsFunc(frames, func(f Frame) bool { return f.Say != "" })
	if captions {
		p.captionY = h + cellH
		h += 2 * cellH
	}
	fmt.Fprintf(p.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%d %d %d %d" width="%d" height="%d" `+
		`font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13">`+"\n",
		-border, -border, w+2*border, h+2*border, w+2*border, h+2*border)
	fmt.Fprintf(p.b, "<title>%s</title>\n", html.EscapeString(title))
	p.styles(frames)
	fmt.Fprintf(p.b, `<rect x="%d" y="%d" width="%d" height="%d" rx="10" fill="%s" stroke="#7f7f7f" stroke-opacity=".5"/>`+
		"\n", -border+1, -border+1, w+2*border-2, h+2*border-2, p.page)
	var before Frame
	for i, f := range frames {
		fmt.Fprintf(p.b, `<g class="f" style="animation-name:f%d">`+"\n", i)
		p.frame(before, f, i)
		fmt.Fprint(p.b, "</g>\n")
		before = f
	}
	fmt.Fprint(p.b, "</svg>\n")
	return p.b.Flush()
}

// picture is an animated picture that is being written.
type picture struct {
	b        *bufio.Writer
	page     string // the background
	end      time.Duration
	captionY int // where captions begin; 0 for none
}

// styles writes when each frame begins to be visible.
func (p *picture) styles(frames []Frame) {
	fmt.Fprintf(p.b, "<style>text{white-space:pre}.d{stroke-linecap:round;stroke-width:2.4;fill:none}.l{fill:none}.r{shape-rendering:crispEdges}.c{text-anchor:middle}.b{font-weight:bold}.u{text-decoration:underline}\n"+
		".f{animation:%.4gs step-end infinite}\n", p.end.Seconds())
	for i, f := range frames {
		if f.At > 0 {
			fmt.Fprintf(p.b, "@keyframes f%d{0%%{visibility:hidden}%.4g%%{visibility:visible}}\n", i,
				100*f.At.Seconds()/p.end.Seconds())
		}
	}
	fmt.Fprint(p.b, "@media(prefers-reduced-motion:reduce){.f{animation:none}}</style>\n")
}

// look is how a cell is drawn.
type look struct {
	text   string
	fg, bg string
	class  string // of its text
}

// shown is how a cell is drawn; its style may have colours exchanged.
func shown(c *uv.Cell) look {
	l := look{text: c.Content, fg: hex(c.Style.Fg, "#808080"), bg: hex(c.Style.Bg, "none")}
	if c.Style.Attrs&uv.AttrReverse != 0 {
		l.fg, l.bg = l.bg, l.fg
	}
	if c.Style.Attrs&uv.AttrBold != 0 {
		l.class = "b"
	}
	if c.Style.Underline != uv.UnderlineNone {
		l.class = strings.TrimSpace(l.class + " u")
	}
	return l
}

// hex is a colour as SVG writes it.
func hex(c color.Color, none string) string {
	if c == nil {
		return none
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// layers are the shapes of a frame, a path for each colour.
type layers struct {
	rects map[string]*path // backgrounds and blocks
	dots  map[string]*path
	lines map[string]*path
	texts map[string]*path
}

// newLayers are empty layers.
func newLayers() layers {
	return layers{map[string]*path{}, map[string]*path{}, map[string]*path{}, map[string]*path{}}
}

// path is the text of shapes of one colour.
type path struct {
	strings.Builder
	x, y int // where the last shape begins
}

// in is the path of a colour.
func in(m map[string]*path, color string) *path {
	if m[color] == nil {
		m[color] = &path{}
	}
	return m[color]
}

// move begins a shape that ends where it begins.
func (p *path) move(x, y int) {
	if p.Len() == 0 {
		fmt.Fprintf(p, "M%d %d", x, y)
	} else if fmt.Fprintf(p, "m%d", x-p.x); y < p.y {
		fmt.Fprintf(p, "%d", y-p.y)
	} else {
		fmt.Fprintf(p, " %d", y-p.y)
	}
	p.x, p.y = x, y
}

// rect draws a rectangle.
func (p *path) rect(x, y, w, h int) {
	p.move(x, y)
	fmt.Fprintf(p, "h%dv%dh%dz", w, h, -w)
}

// frame draws what differs from the frame before. Plots are drawn in front of backgrounds, and behind texts.
func (p *picture) frame(before, f Frame, number int) {
	under, over := newLayers(), newLayers()
	changed := newChanges(before, f)
	for y := range f.Cells.Height() {
		for _, s := range changed.spans(y) {
			p.background(under, over, f, y, s)
			foreground(over, f.Cells, y, s)
		}
	}
	// the page first, because it is below the other backgrounds
	colors := slices.Sorted(maps.Keys(under.rects))
	slices.SortStableFunc(colors, func(a, b string) int { return boolInt(b == p.page) - boolInt(a == p.page) })
	for _, c := range colors {
		fmt.Fprintf(p.b, `<path class="r" fill="%s" d="%s"/>`+"\n", c, under.rects[c])
	}
	for i, plot := range changed.plots {
		fmt.Fprint(p.b, plotElements(plot, fmt.Sprintf("f%dp%d", number, i)))
	}
	p.paths(over.rects, `<path class="r" fill="%s" d="%s"/>`+"\n")
	p.paths(over.lines, `<path class="l" stroke="%s" d="%s"/>`+"\n")
	p.paths(over.dots, `<path class="d" stroke="%s" d="%s"/>`+"\n")
	p.paths(over.texts, `<g fill="%s">%s</g>`+"\n")
	if f.Say != "" {
		fmt.Fprintf(p.b, `<rect y="%d" width="%d" height="%d" fill="%s"/><text x="%d" y="%d" class="c" font-size="15" `+
			`fill="#808890">%s</text>`+"\n", p.captionY-cellH/2, f.Cells.Width()*cellW, 3*cellH/2, p.page,
			f.Cells.Width()*cellW/2, p.captionY+baseline, html.EscapeString(f.Say))
	}
}

func (p *picture) paths(owner map[string]*path, format string) {
	for _, c := range slices.Sorted(maps.Keys(owner)) {
		fmt.Fprintf(p.b, format, c, owner[c])
	}
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// background draws the backgrounds of a range of cells, over the page. Texts in front of a plot have theirs over it.
func (p *picture) background(under, over layers, f Frame, y int, s span) {
	in(under.rects, p.page).rect(s.from*cellW, y*cellH, (s.to-s.from)*cellW, cellH)
	look := func(x int) (bg string, inFront bool) {
		bg = shown(f.Cells.CellAt(x, y)).bg
		inFront = f.Cells.CellAt(x, y).Content != " " && f.plotAt(image.Pt(x, y))
		if bg == "none" {
			bg = p.page
		}
		return bg, inFront
	}
	for x := s.from; x < s.to; {
		from := x
		bg, inFront := look(x)
		for x < s.to {
			nextBg, nextInFront := look(x)
			if nextBg != bg || nextInFront != inFront {
				break
			}
			x++
		}
		switch {
		case inFront:
			in(over.rects, bg).rect(from*cellW, y*cellH, (x-from)*cellW, cellH)
		case bg != p.page:
			in(under.rects, bg).rect(from*cellW, y*cellH, (x-from)*cellW, cellH)
		}
	}
}

// foreground draws the characters of a range of cells.
func foreground(l layers, cells *uv.Buffer, y int, s span) {
	run := look{}
	start := 0
	last := 0 // a text that is being collected
	flush := func() {
		if text := strings.TrimRight(run.text, " "); text != "" {
			writeText(in(l.texts, run.fg), text, run.class, start*cellW, y*cellH+baseline)
		}
		run = look{}
	}
	for x := s.from; x < s.to; x++ {
		c := shown(cells.CellAt(x, y))
		if c.text == "" || c.text == " " && !strings.Contains(c.class, "u") {
			switch {
			case run.text == "" || c.text == "":
			case strings.HasSuffix(run.text, " "): // viewers may make one blank of two
				flush()
			default:
				run.text += " "
				last = x
			}
			continue
		}
		r := []rune(c.text)[0]
		switch {
		case drawShape(l, r, c.fg, x*cellW, y*cellH):
			flush()
		case isMark(r):
			flush()
			fmt.Fprintf(in(l.texts, c.fg), `<text x="%d" y="%d" class="c">%s</text>`, x*cellW+cellW/2, y*cellH+baseline,
				html.EscapeString(c.text))
		default:
			if run.text != "" && (run.fg != c.fg || run.class != c.class || x != last+1) {
				flush()
			}
			if run.text == "" {
				run, start = look{fg: c.fg, class: c.class}, x
			}
			run.text += c.text
			last = x
		}
	}
	flush()
}

// isMark reports whether a character is a mark of a plot, which fonts draw in different widths.
func isMark(r rune) bool { return r >= 0x25a0 && r <= 0x27ff }

// writeText writes a text that is as wide as its cells.
func writeText(b *path, text, class string, x, y int) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	length := ""
	if n := len([]rune(text)); n > 1 {
		length = fmt.Sprintf(` textLength="%d"`, n*cellW)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d"%s%s>%s</text>`, x, y, length, class, html.EscapeString(text))
}
