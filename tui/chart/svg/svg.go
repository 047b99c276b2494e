// Package svg draws charts as SVG pictures: the declarations that tui/chart draws in cells, with lines, fills and text
// in their places. Charts in the colours of a style go in, a text that refers to nothing outside of it comes out.
// Callers choose the layers and write the files.
package svg

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/png"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"bandscope/tui/chart"
	"bandscope/tui/chart/vector"
	"bandscope/tui/theme"
)

// Picture collects the elements of an SVG picture. Coordinates are in pixels, text is escaped.
type Picture struct {
	Name  string // begins the ids of its elements; no other picture of the same page may use it
	Label string // its description for screen readers; empty for none

	b    strings.Builder
	st   theme.Style
	w    float64
	h    float64
	part string // of the page that is drawn: the end of its ids
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

// Text writes a text, whose first letter, middle or end is at a place.
func (v *Picture) Text(t vector.Text) {
	if t.Text == "" {
		return
	}
	if t.Clear {
		fmt.Fprintf(&v.b, `<g stroke="%s" stroke-width="3" stroke-linejoin="round" paint-order="stroke">`,
			v.background())
	}
	anchor := [...]string{vector.Start: "start", vector.Middle: "middle", vector.End: "end"}[t.Anchor]
	fmt.Fprintf(&v.b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%s</text>`+"\n", t.X, t.Y, anchor,
		t.Color.RGB, html.EscapeString(t.Text))
	if t.Clear {
		v.b.WriteString("</g>\n")
	}
}

// write writes a text at a place.
func (v *Picture) write(x, y float64, anchor vector.Anchor, text string, c theme.Color) {
	v.Text(vector.Text{Point: vector.Point{X: x, Y: y}, Text: text, Anchor: anchor, Color: c})
}

// Path writes a path.
func (v *Picture) Path(p vector.Path, paint vector.Paint) {
	if d := data(p); d != "" {
		fmt.Fprintf(&v.b, `<path d="%s"%s/>`+"\n", d, attributes(paint))
	}
}

// data are the commands of a path.
func data(p vector.Path) string {
	var d strings.Builder
	for _, line := range p.Lines {
		for i, point := range line {
			fmt.Fprintf(&d, "%c%.1f %.1f", "ML"[min(i, 1)], point.X, point.Y)
		}
		if p.Closed {
			d.WriteByte('z')
		}
	}
	return d.String()
}

// attributes are those of an element that is painted.
func attributes(p vector.Paint) string {
	var b strings.Builder
	opacity := ""
	if p.Opacity > 0 {
		opacity = fmt.Sprintf(` opacity="%g"`, p.Opacity)
	}
	fill := "none"
	if p.Fill.IsSet() {
		fill = p.Fill.RGB
	}
	fmt.Fprintf(&b, ` fill="%s"`, fill)
	if p.Stroke.IsSet() {
		fmt.Fprintf(&b, ` stroke="%s"`, p.Stroke.RGB)
		if p.Width > 0 {
			fmt.Fprintf(&b, ` stroke-width="%g"`, p.Width)
		}
		for i, length := range p.Dash {
			fmt.Fprintf(&b, "%s%g", [...]string{` stroke-dasharray="`, " "}[min(i, 1)], length)
		}
		if len(p.Dash) > 0 {
			b.WriteByte('"')
		}
	}
	b.WriteString(opacity)
	if p.Crisp {
		b.WriteString(` shape-rendering="crispEdges"`)
	}
	return b.String()
}

// Circle writes a circle.
func (v *Picture) Circle(center vector.Point, radius float64, paint vector.Paint) {
	fmt.Fprintf(&v.b, `<circle cx="%.1f" cy="%.1f" r="%g"%s/>`+"\n", center.X, center.Y, radius, attributes(paint))
}

// Image writes an image within the picture.
func (v *Picture) Image(corner vector.Point, w, h float64, pixels *image.Paletted) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if encoder.Encode(&b, pixels) != nil { // of an image without a pixel
		return
	}
	fmt.Fprintf(&v.b,
		`<image x="%.1f" y="%.1f" width="%.1f" height="%.1f" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`+"\n",
		corner.X, corner.Y, w, h, base64.StdEncoding.EncodeToString(b.Bytes()))
}

// Clip writes the marks of a function within a path.
func (v *Picture) Clip(outline vector.Path, draw func()) {
	id := html.EscapeString(v.Name + v.part)
	fmt.Fprintf(&v.b, `<clipPath id="%s"><path d="%s"/></clipPath><g clip-path="url(#%s)">`+"\n", id, data(outline), id)
	draw()
	v.b.WriteString("</g>\n")
}

// Chart draws a chart into a rectangle of the picture, with its axes, ticks and names.
func (v *Picture) Chart(c chart.Chart, x, y, w, h float64, id string) {
	f := vector.Region{X: x, Y: y + 8, W: w, H: h - 8, Across: c.X.Scale(), Down: c.Y.Scale()}
	if !c.Y.Flip {
		f.Down = f.Down.Reverse()
	}
	if !c.Y.HideTicks {
		wide := float64(gutter)
		for _, t := range c.Y.Marks {
			if c.Y.Names { // as far as they fit
				wide = max(wide, min(letterWidth*float64(ansi.StringWidth(t.Label)+1)+8, w/3))
			}
		}
		f.X, f.W = x+wide, w-wide-8
	}
	if !c.X.HideTicks {
		f.H -= foot
	}
	if c.Simplex != nil {
		v.part = id
		v.simplex(c, vector.Region{X: x, Y: y, W: w, H: h, Across: f.Across, Down: f.Down})
		return
	}
	if f.W < 10 || f.H < 10 {
		return
	}
	v.part = id
	vector.Layers(v, c, f)
	fmt.Fprintf(&v.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="none" stroke="%s"/>`+"\n", f.X, f.Y,
		f.W, f.H, v.st.Border.RGB)
	if !c.Y.HideTicks {
		ticks := c.Y.Ticks(max(int(f.H/45), 2))
		for i, t := range ticks {
			v.tick(f.X-4, f.Py(t.Value), f.X, f.Py(t.Value))
			v.write(f.X-8, f.Py(t.Value)+4, vector.End, v.shorten(ticks, i, f.X-x-8), v.st.Dim)
		}
		v.Text(vector.Text{Point: vector.Point{X: f.X + 6, Y: f.Y + 14}, Text: c.Y.Label, Color: v.st.Text, Clear: true})
	}
	if !c.X.HideTicks {
		ticks := c.X.Ticks(max(int(f.W/90), 2))
		for i, t := range ticks {
			v.tick(f.Px(t.Value), f.Y+f.H, f.Px(t.Value), f.Y+f.H+4)
			label := t.Label
			if c.X.Names {
				label = v.shorten(ticks, i, f.W/float64(len(ticks)))
			}
			v.write(f.Px(t.Value), f.Y+f.H+17, vector.Middle, label, v.st.Dim)
		}
		v.write(f.X+f.W, f.Y+f.H+31, vector.End, c.X.Label, v.st.Text)
	}
}

// Plot writes the plot region of a chart alone into a rectangle, as terminals show it as a picture: in front of the page,
// and as large as with cells of 16 pixels.
func (v *Picture) Plot(c chart.Chart, x, y, w, h float64, id string) {
	v.part = id
	r := vector.Region{X: x, Y: y, W: w, H: h, Across: c.X.Scale(), Down: c.Y.Scale()}
	if !c.Y.Flip {
		r.Down = r.Down.Reverse()
	}
	v.Path(r.Outline(), vector.Paint{Fill: v.st.Page})
	vector.Layers(v, c.WithEdges(v.st), r)
	if c.Simplex != nil {
		v.Path(r.Triangle(), vector.Paint{Stroke: v.st.Border})
	}
}

// Elements are the elements of the picture without the one around them.
func (v *Picture) Elements() string { return v.b.String() }

// shorten is the label of a tick in at most so many pixels.
func (v *Picture) shorten(ticks []chart.Tick, i int, w float64) string {
	return chart.ShortenTick(v.st, ticks, i, max(int(w/letterWidth), 1))
}

func (v *Picture) tick(x0, y0, x1, y1 float64) {
	fmt.Fprintf(&v.b, `<path d="M%.1f %.1fL%.1f %.1f" stroke="%s"/>`+"\n", x0, y0, x1, y1, v.st.Border.RGB)
}

// Bar draws a colour scale with its numbers, at the top the most salient value.
func (v *Picture) Bar(s chart.ColorScale, x, y, h float64) {
	const steps = 64
	top, bottom := s.Ends()
	v.Image(vector.Point{X: x, Y: y}, 12, h, vector.Image(1, steps, func(_, row int) theme.Color {
		return s.Color(top - (float64(row)+0.5)/steps*(top-bottom))
	}))
	if ticks := s.Ticks(max(int(h/60), 2)); s.Log && len(ticks) > 0 {
		for _, t := range ticks {
			v.write(x+16, y+10+(1-s.Fraction(t.Value))*(h-10), vector.Start, t.Label, v.st.Dim)
		}
		return
	}
	topText, bottomText := s.EndTexts(chart.Short)
	v.write(x+16, y+10, vector.Start, topText, v.st.Dim)
	v.write(x+16, y+h, vector.Start, bottomText, v.st.Dim)
}
