package tree

import (
	"fmt"
	"math"
	"strings"

	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
	"bandscope/tui/watch/picture"
)

// embeddingsPanel draws the embeddings of all nodes along their two principal axes, of two runs beside each other on one scale.
func (d drawing) embeddingsPanel(w, h int) []string {
	title := "embeddings, principal axes"
	if s := d.runs[0]; len(d.runs) == 1 && s.theta != nil && w >= 48 {
		title += fmt.Sprintf(" (%.0f %% of variance)", 100*s.axes.share)
	}
	return d.framed(title+d.projected(), w, h, func(w, h int) []string {
		reach, drawn := 0.05, 0
		for _, s := range d.runs {
			if s.theta == nil {
				continue
			}
			drawn++
			x, y := s.axes.of(s.theta)
			for i := range x {
				reach = max(reach, math.Abs(x[i]), math.Abs(y[i]))
			}
		}
		if drawn == 0 {
			return d.saying("The basis is off: there are no embeddings.", w)
		}
		var parts [][]string
		var legend []string
		for i := range d.runs {
			from, to := w*i/len(d.runs), w*(i+1)/len(d.runs)
			star, text := d.star(i, reach*1.05, to-from, h)
			if legend == nil {
				for _, l := range screen.Legend(d.style, star.Legend(d.style), w-2, 1) {
					legend = append(legend, " "+l)
				}
			}
			lines := append(d.book.Draw(star, to-from, h-len(legend)-1, d.style), layout.Fit(" "+d.style.Paint(d.style.Dim, d.style.Plain(text)), to-from))
			parts = append(parts, lines)
		}
		return append(legend, screen.Beside(parts...)...)
	})
}

// star is the embeddings of a run, and how far they are apart in numbers: every parent has a line to the mean of its leaves.
func (d drawing) star(run int, reach float64, w, h int) (c plot.Chart, text string) {
	st, s := d.style, d.runs[run]
	if s.theta == nil {
		return plot.Chart{X: plot.Axis{HideTicks: true}, Y: plot.Axis{HideTicks: true}}, d.runName(run) + ": no embeddings"
	}
	tr := s.panel.Tree
	x, y := s.axes.of(s.theta)
	mx, my := s.axes.of(s.means)
	shapes := []theme.Glyph{theme.GlyphStar, theme.GlyphTriangle, theme.GlyphHollow, theme.GlyphDot}
	points := make([]plot.Points, tr.Levels())
	var layers []plot.Layer
	for i, level := range tr.Level {
		p := &points[level]
		p.X, p.Y, p.Shape, p.Color, p.Name = append(p.X, x[i]), append(p.Y, y[i]), shapes[level], st.Series[level], strings.TrimPrefix(d.levelName(level), "level ")
		if len(tr.Children[i]) > 0 {
			line := segment(x[i], y[i], mx[i], my[i])
			line.Color, line.Priority = st.Series[level], 5-level
			if level == 0 && w >= 60 {
				line.Name = "to the mean of its leaves"
			}
			layers = append(layers, line)
		}
	}
	for level := len(points) - 1; level >= 0; level-- {
		layers = append(layers, points[level])
	}
	if node := d.path(tr)[d.level]; d.level > 0 {
		name := d.name(d.level)
		if d.level == 1 {
			name = "node " + name // a number alone is a level's
		}
		layers = append(layers, plot.Points{X: []float64{x[node]}, Y: []float64{y[node]}, Shape: theme.GlyphTarget, Color: st.Accent, Name: name})
	}
	c = plot.Chart{X: plot.Axis{Min: -reach, Max: reach, HideTicks: h < 12}, Y: plot.Axis{Min: -reach, Max: reach}, Layers: layers}
	text = fmt.Sprintf("spread %s, E_reg %s", digitsOf(s.spread()), digitsOf(s.last.Reg))
	if w >= 70 {
		text = fmt.Sprintf("leaves are %s from the root (root mean square), E_reg %s", digitsOf(s.spread()), digitsOf(s.last.Reg))
	}
	if name := d.runName(run); name != "" && w >= 40 {
		text = name + ": " + text
	} else if name != "" {
		text = fmt.Sprintf("%s spread %s", st.Glyph(picture.Glyph(run)), digitsOf(s.spread()))
	}
	return c, text
}

// spread is the root mean square of the leaves' distance from the root.
func (s *seen) spread() float64 {
	leaves, sum := s.panel.Tree.Leaves(0), 0.0
	for _, i := range leaves {
		for j, v := range s.theta.RawRowView(i) {
			sum += (v - s.theta.At(0, j)) * (v - s.theta.At(0, j))
		}
	}
	return math.Sqrt(sum / float64(len(leaves)))
}

// segment is a straight line between two places, as a curve, whose x must not fall.
func segment(x0, y0, x1, y1 float64) plot.Curve {
	if x1 < x0 {
		x0, y0, x1, y1 = x1, y1, x0, y0
	}
	const pieces = 24
	var c plot.Curve
	for i := range pieces + 1 {
		t := float64(i) / pieces
		c.X, c.Y = append(c.X, x0+t*(x1-x0)), append(c.Y, y0+t*(y1-y0))
	}
	return c
}
