package picture

import (
	"fmt"
	"math"
	"strings"

	"bandscope/optimizers"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
	"bandscope/tui/widget"
)

// TheoryKind is one of the quantities that a theory has.
type TheoryKind int

// The kinds, in the order in which they are shown.
const (
	Gain TheoryKind = iota
	Eigenvalues
	Evidence
	TheoryKindCount
)

// Theories draws the theories of one or several beliefs in the same plots.
type Theories struct {
	Style theme.Style
	Log   [2]float64 // least and greatest log evidence of its axis, if its peak is not above that; zero chooses them

	gain     chart.Trace
	eigen    chart.Trace
	noise    string
	evidence *optimizers.Evidence
	method   string
}

// Add adds a belief's theory, with its colour and its mark; that of the chosen one is the evidence that is shown.
func (t *Theories) Add(theory *optimizers.Theory, color theme.Color, mark string, chosen bool) {
	t.gain.Series = append(t.gain.Series, chart.Series{Values: theory.Gain, Color: color, Mark: mark})
	t.eigen.Series = append(t.eigen.Series, chart.Series{Values: theory.Eigenvalues, Color: color, Mark: mark})
	if chosen || len(t.gain.Series) == 1 {
		t.noise = theory.Noise
	}
	if theory.Evidence != nil && (t.evidence == nil || chosen) {
		t.evidence, t.method = theory.Evidence, mark
	}
}

// Has reports whether there is something of a kind to draw.
func (t *Theories) Has(kind TheoryKind) bool {
	if kind == Evidence {
		return t.evidence != nil
	}
	return len(t.gain.Series) > 0
}

// Title says what a plot shows, in a panel of w columns.
func (t *Theories) Title(kind TheoryKind, w int) string {
	titles := []string{"information gain"}
	switch {
	case kind == Gain && t.Has(kind):
		titles = []string{"information gain, " + t.noise, titles[0]}
	case kind == Eigenvalues:
		titles = []string{"eigenvalues of the kernel matrix (log)", "eigenvalues (log)"}
	case kind == Evidence:
		titles = []string{"log evidence"}
		if t.evidence != nil {
			best := fmt.Sprintf("best %s %s", t.evidence.Name, widget.Number(t.evidence.Best))
			titles = []string{strings.TrimSpace(t.method + " log evidence, " + best), best, titles[0]}
		}
	}
	return layout.FirstFit(t.Style, w-layout.TitleRoom, titles...)
}

// Lines draws a plot into w×h cells.
func (t *Theories) Lines(kind TheoryKind, w, h int) []string {
	if !t.Has(kind) {
		return []string{"", " " + t.Style.Paint(t.Style.Dim, "no data yet,"),
			" " + t.Style.Paint(t.Style.Dim, "or no covariance function")}
	}
	if kind == Evidence {
		return t.EvidenceChart().Draw(w, h, t.Style).Lines()
	}
	return t.trace(kind).Draw(w, h, t.Style)
}

// trace is the plot of a kind that has one value for each result.
func (t *Theories) trace(kind TheoryKind) chart.Trace {
	drawn := t.gain
	drawn.X = "data"
	if kind == Eigenvalues {
		drawn = t.eigen
		drawn.X, drawn.Log = "order", true
	}
	return drawn
}

// EvidenceChart is the log marginal likelihood over a hyperparameter on a log scale, with the value in use (a line)
// and the best one (a broken line). The axis reaches a little below the peak, and the curve leaves the plot where it
// falls deeper.
func (t *Theories) EvidenceChart() chart.Chart {
	e, st := t.evidence, t.Style
	x := make([]float64, len(e.At))
	for i, v := range e.At {
		x[i] = math.Log10(v)
	}
	bottom, top := chart.Extent(e.Log)
	floor := top - min(max(10, 2*(top-e.Log[len(e.Log)-1])), 15) // the peak matters, not how deep it falls away from it
	lo, hi := chart.Pad(max(bottom, floor), top)
	if t.Log[0] < t.Log[1] {
		lo, hi = t.Log[0], max(t.Log[1], top)
	}
	return chart.Chart{X: chart.Axis{Label: "log10 " + e.Name, Min: x[0], Max: x[len(x)-1]},
		Y: chart.Axis{Min: lo, Max: hi}, Gutter: Gutter,
		Layers: []chart.Layer{chart.Curve{X: x, Y: e.Log, Color: st.Mean, Priority: 3},
			chart.Rule{At: math.Log10(e.Current), Color: st.Used, Solid: true},
			chart.Rule{At: math.Log10(e.Best), Color: st.Best}}}
}
