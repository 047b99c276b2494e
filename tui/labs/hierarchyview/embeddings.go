package hierarchyview

import (
	"fmt"
	"math"
	"strings"

	"bandscope/tui/chart"
	"bandscope/tui/labs/panel"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// embeddingsPanel draws the embeddings of all nodes along their two principal axes, those of two runs beside each other
// on the same scale.
func (d drawing) embeddingsPanel(w, h int) *layout.Box {
	title := "embeddings, principal axes"
	if s := d.runs[0]; len(d.runs) == 1 && s.theta != nil && w >= 48 {
		title += fmt.Sprintf(" (%.0f %% of variance)", 100*s.axes.share)
	}
	title += d.projected()
	reach, stats := 0.05, (*runStats)(nil) // the first run that has some
	for _, s := range d.runs {
		if s.theta == nil {
			continue
		}
		if stats == nil {
			stats = s
		}
		x, y := s.axes.of(s.theta)
		for i := range x {
			reach = max(reach, math.Abs(x[i]), math.Abs(y[i]))
		}
	}
	reach *= 1.05
	if low, high, ok := d.axes.Range("embeddings", -reach, reach); ok {
		reach = max(-low, high)
	}
	if stats == nil {
		return d.missing(title, "The basis is off: there are no embeddings.", w, h)
	}
	says := fmt.Sprintf(
		"The embeddings of all %d nodes along their first two principal axes, with %.0f %% of the variance. If every parent is at the mean of its leaves, the forecasts add up.",
		stats.panel.Tree.Size(), 100*stats.axes.share)
	return d.framed(title, w, h, "embedding regularizer", says, func(w, h int) *layout.Box {
		const axes = "Coordinates along the two principal axes, on the same scale for both axes and all runs."
		description := chart.Description{Marks: func(name string) (string, string) {
			return d.starMarks(name, stats)
		}, Y: axes, X: axes}
		legend := layout.Space(w, 0)
		var stars []*layout.Box
		all := layout.Row()
		for i, s := range d.runs {
			wide := w*(i+1)/len(d.runs) - w*i/len(d.runs)
			star, text := d.star(i, reach, wide, h)
			if legend.H == 0 {
				legend = chart.LegendBox(d.style, star.Legend(d.style), w-2, 1)
			}
			stars = append(stars, star.Box(wide, h-legend.H-1, d.style, description))
			numbers := layout.Text(wide, " "+d.style.Paint(d.style.Dim, d.style.Plain(text)))
			if s.theta != nil {
				numbers.Number("spread, E_reg", "embedding regularizer",
					fmt.Sprintf(
						"The root mean square distance of the leaves from the root is %s. E_reg, %s, is the sum of the squared distances of parents from the leaves below them.",
						digitsFor(s.spread()), digitsFor(s.last.Reg)))
			} else {
				numbers.Prose("no embeddings", "", "There are no embeddings, because the basis of this run is off.")
			}
			all.Beside(layout.Column(stars[i], numbers))
		}
		together(legend, axes, stars...)
		return layout.Column(layout.Row(layout.Space(1, 0), legend), all)
	})
}

// starMarks describes the marks in the plot of the embeddings, with the numbers of run s.
func (d drawing) starMarks(name string, s *runStats) (sentence, term string) {
	tr := s.panel.Tree
	switch name {
	case "to the mean of its leaves":
		return "Lines from each parent to the mean of its leaves. The longer a line, the larger the gap.",
			"coherence"
	case "root":
		return fmt.Sprintf("The root. The root mean square distance of the leaves from it is %s.",
				digitsFor(s.spread())),
			"embedding regularizer"
	case d.chosenName():
		return fmt.Sprintf("The chosen node, %s. Press up for its parent, down for its children.", d.node(d.level)),
			"embedding regularizer"
	}
	for level := range tr.Levels() {
		if name == d.shortLevel(level) {
			n := 0
			for _, l := range tr.Level {
				if l == level {
					n++
				}
			}
			return fmt.Sprintf("The embeddings of the tree's %d nodes at %s.", n,
					map[bool]string{true: "the leaves", false: d.levelName(level)}[level == tr.Levels()-1]),
				"embedding regularizer"
		}
	}
	return "", ""
}

// shortLevel names a level in a narrow panel.
func (d drawing) shortLevel(level int) string {
	return strings.TrimPrefix(d.levelName(level), "level ")
}

// chosenName is the name of the chosen node in the legend.
func (d drawing) chosenName() string {
	if d.level == 1 {
		return "node " + d.name(d.level) // a number alone is a level's
	}
	return d.name(d.level)
}

// star draws the embeddings of a run, with a line from every parent to the mean of its leaves; text is their spread and
// E_reg.
func (d drawing) star(run int, reach float64, w, h int) (c chart.Chart, text string) {
	st, s := d.style, d.runs[run]
	if s.theta == nil {
		return chart.Chart{X: chart.Axis{HideTicks: true}, Y: chart.Axis{HideTicks: true}},
			d.runName(run) + ": no embeddings"
	}
	tr := s.panel.Tree
	x, y := s.axes.of(s.theta)
	mx, my := s.axes.of(s.means)
	shapes := []theme.Glyph{theme.GlyphStar, theme.GlyphTriangle, theme.GlyphHollow, theme.GlyphDot}
	points := make([]chart.Points, tr.Levels())
	var layers []chart.Layer
	for i, level := range tr.Level {
		p := &points[level]
		p.X = append(p.X, x[i])
		p.Y = append(p.Y, y[i])
		p.Shape = shapes[level]
		p.Color = st.Series[level]
		p.Name = d.shortLevel(level)
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
		layers = append(layers, chart.Points{X: []float64{x[node]}, Y: []float64{y[node]}, Shape: theme.GlyphTarget,
			Color: st.Accent, Name: d.chosenName()})
	}
	c = chart.Chart{X: chart.Axis{Min: -reach, Max: reach, HideTicks: h < 12}, Y: chart.Axis{Min: -reach, Max: reach},
		Layers: layers}
	text = fmt.Sprintf("spread %s, E_reg %s", digitsFor(s.spread()), digitsFor(s.last.Reg))
	if w >= 70 {
		text = fmt.Sprintf("RMS distance of the leaves from the root %s, E_reg %s", digitsFor(s.spread()),
			digitsFor(s.last.Reg))
	}
	if name := d.runName(run); name != "" && w >= 40 {
		text = name + ": " + text
	} else if name != "" {
		text = fmt.Sprintf("%s spread %s", st.Glyph(panel.Glyph(run)), digitsFor(s.spread()))
	}
	return c, text
}

// spread is the root mean square distance of the leaves from the root.
func (s *runStats) spread() float64 {
	leaves, sum := s.panel.Tree.Leaves(0), 0.0
	for _, i := range leaves {
		for j, v := range s.theta.RawRowView(i) {
			sum += (v - s.theta.At(0, j)) * (v - s.theta.At(0, j))
		}
	}
	return math.Sqrt(sum / float64(len(leaves)))
}

// segment is a straight line between two points as a curve, in the order of x.
func segment(x0, y0, x1, y1 float64) chart.Curve {
	if x1 < x0 {
		return segment(x1, y1, x0, y0)
	}
	const pieces = 24
	var c chart.Curve
	for i := range pieces + 1 {
		t := float64(i) / pieces
		c.X, c.Y = append(c.X, x0+t*(x1-x0)), append(c.Y, y0+t*(y1-y0))
	}
	return c
}
