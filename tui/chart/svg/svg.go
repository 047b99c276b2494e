// Package svg draws charts as SVG pictures: the declarations that tui/chart draws in cells, with lines, fills and text
// in their places. Charts in the colours of a style go in, a text that refers to nothing outside of it comes out.
// Callers choose the layers and write the files. Unknown kinds of layers are left out; a test checks that there are
// none.
package svg

import (
	"fmt"
	"html"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/chart"
	"bandscope/tui/theme"
)

// Picture collects the elements of an SVG picture. Coordinates are in pixels, text is escaped.
type Picture struct {
	Name  string // begins the ids of its elements; no other picture of the same page may use it
	Label string // its description for screen readers; empty for none

	b  strings.Builder
	st theme.Style
	w  float64
	h  float64
}

// New begins a picture of w×h pixels in the colours of a style.
func New(w, h float64, st theme.Style) *Picture { return &Picture{st: st, w: w, h: h} }

// The sizes of text, and of the margins of a plot, in pixels.
const (
	fontSize = 12
	gutter   = 56
	foot     = 34
)

// String is the whole picture, which refers to nothing outside of it.
func (v *Picture) String() string {
	label := ""
	if v.Label != "" {
		label = fmt.Sprintf(` role="img" aria-label="%s"`, html.EscapeString(v.Label))
	}
	return fmt.Sprintf(
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g"%s font-family="ui-monospace, Menlo, Consolas, monospace" font-size="%d">`+
			"\n"+`<rect width="%g" height="%g" fill="%s"/>`+"\n", v.w, v.h, v.w, v.h, label, fontSize, v.w, v.h,
		v.background()) + v.b.String() + "</svg>\n"
}

// background is the colour of the paper.
func (v *Picture) background() string {
	if v.st.Dark {
		return "#0f1117"
	}
	return "#ffffff"
}

// Anchor says what of a text is at its x: SVG's text-anchor.
type Anchor string

// The anchors of a text: its first letter, its middle, its end.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Text writes a text.
func (v *Picture) Text(x, y float64, anchor Anchor, text string, c theme.Color) {
	fmt.Fprintf(&v.b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, anchor, c.RGB,
		html.EscapeString(text))
}

// clearText writes a text that can be read whatever is under it: its letters have an edge in the colour of the paper.
func (v *Picture) clearText(x, y float64, text string, c theme.Color) {
	if text != "" {
		fmt.Fprintf(&v.b, `<g stroke="%s" stroke-width="3" stroke-linejoin="round" paint-order="stroke">`,
			v.background())
		v.Text(x, y, Start, text, c)
		v.b.WriteString("</g>\n")
	}
}

// field is where a chart's plot region lies in a picture.
type field struct {
	x, y, w, h   float64
	across, down chart.Scale
}

func (f field) px(x float64) float64 { return f.x + f.across.Fraction(x)*f.w }
func (f field) py(y float64) float64 { return f.y + f.down.Fraction(y)*f.h }

// holds reports whether a place lies in the region.
func (f field) holds(x, y float64) bool {
	return f.across.Contains(x) && f.down.Contains(y)
}

// Chart draws a chart into a rectangle of the picture, with its axes, ticks and names.
func (v *Picture) Chart(c chart.Chart, x, y, w, h float64, id string) {
	f := field{x: x, y: y + 8, w: w, h: h - 8, across: c.X.Scale(), down: c.Y.Scale()}
	if !c.Y.Flip {
		f.down = f.down.Reverse()
	}
	if !c.Y.HideTicks {
		wide := float64(gutter)
		for _, t := range c.Y.Marks {
			if c.Y.Names { // as far as they fit
				wide = max(wide, min(letterWidth*float64(ansi.StringWidth(t.Label)+1)+8, w/3))
			}
		}
		f.x, f.w = x+wide, w-wide-8
	}
	if !c.X.HideTicks {
		f.h -= foot
	}
	if c.Simplex != nil {
		v.simplex(c, field{x: x, y: y, w: w, h: h, across: f.across, down: f.down}, id)
		return
	}
	if f.w < 10 || f.h < 10 {
		return
	}
	id = html.EscapeString(v.Name + id)
	fmt.Fprintf(&v.b,
		`<clipPath id="%s"><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f"/></clipPath><g clip-path="url(#%s)">`+
			"\n", id, f.x, f.y, f.w, f.h, id)
	for _, l := range c.PaintOrder() {
		v.layer(l, f)
	}
	v.b.WriteString("</g>\n")
	fmt.Fprintf(&v.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="%s"/>`+"\n", f.x, f.y,
		f.w, f.h, v.st.Border.RGB)
	if !c.Y.HideTicks {
		ticks := c.Y.Ticks(max(int(f.h/45), 2))
		for i, t := range ticks {
			v.tick(f.x-4, f.py(t.Value), f.x, f.py(t.Value))
			v.Text(f.x-8, f.py(t.Value)+4, End, v.shorten(ticks, i, f.x-x-8), v.st.Dim)
		}
		v.clearText(f.x+6, f.y+14, c.Y.Label, v.st.Text)
	}
	if !c.X.HideTicks {
		ticks := c.X.Ticks(max(int(f.w/90), 2))
		for i, t := range ticks {
			v.tick(f.px(t.Value), f.y+f.h, f.px(t.Value), f.y+f.h+4)
			label := t.Label
			if c.X.Names {
				label = v.shorten(ticks, i, f.w/float64(len(ticks)))
			}
			v.Text(f.px(t.Value), f.y+f.h+17, Middle, label, v.st.Dim)
		}
		v.Text(f.x+f.w, f.y+f.h+31, End, c.X.Label, v.st.Text)
	}
}

// shorten is the label of a tick in at most so many pixels.
func (v *Picture) shorten(ticks []chart.Tick, i int, w float64) string {
	return chart.ShortenTick(v.st, ticks, i, max(int(w/letterWidth), 1))
}

func (v *Picture) tick(x0, y0, x1, y1 float64) {
	fmt.Fprintf(&v.b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s"/>`+"\n", x0, y0, x1, y1, v.st.Border.RGB)
}

// path writes a line through points; NaN makes a gap.
func (v *Picture) path(f field, xs, ys []float64, attributes string) {
	var d strings.Builder
	down := false
	for i := range min(len(xs), len(ys)) {
		if !chart.Finite(xs[i]) || !chart.Finite(ys[i]) {
			down = false
			continue
		}
		op := 'M'
		if down {
			op = 'L'
		}
		down = true
		fmt.Fprintf(&d, "%c%.1f %.1f", op, f.px(xs[i]), clampTo(f.py(ys[i]), f))
	}
	if d.Len() > 0 {
		fmt.Fprintf(&v.b, `<path d="%s" %s/>`+"\n", d.String(), attributes)
	}
}

// clampTo moves points far outside of a region near it, to numbers that a viewer can represent.
func clampTo(y float64, f field) float64 { return min(max(y, f.y-f.h), f.y+2*f.h) }

// Bar draws a colour scale with its numbers, at the top the most salient value.
func (v *Picture) Bar(s chart.ColorScale, x, y, h float64) {
	const steps = 64
	top, bottom := s.Ends()
	v.image(x, y, 12, h, 1, steps, func(_, row int) theme.Color {
		return s.Color(top - (float64(row)+0.5)/steps*(top-bottom))
	})
	if ticks := s.Ticks(max(int(h/60), 2)); s.Log && len(ticks) > 0 {
		for _, t := range ticks {
			v.Text(x+16, y+10+(1-s.Fraction(t.Value))*(h-10), Start, t.Label, v.st.Dim)
		}
		return
	}
	v.Text(x+16, y+10, Start, chart.Short(s.DisplayValue(top)), v.st.Dim)
	v.Text(x+16, y+h, Start, chart.Short(s.DisplayValue(bottom)), v.st.Dim)
}
