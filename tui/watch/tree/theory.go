package tree

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/hierarchy/theory"
	"bandscope/tui/layout"
	"bandscope/tui/plot"
	"bandscope/tui/screen"
	"bandscope/tui/theme"
)

// simulated is what was drawn at a β: the mean loss of Algorithm 6.2 with its standard error, and which columns Algorithm 6.1 found of which.
type simulated struct {
	beta, mean, se float64
	truth, found   []int
}

// draws is how many times the example is drawn.
const draws = 200

// simulate draws the example at a β.
func simulate(ctx context.Context, beta float64) (*simulated, error) {
	two, err := theory.Example(beta)
	if err != nil {
		return nil, err
	}
	s := &simulated{beta: beta}
	if s.mean, s.se, err = two.Simulate(ctx, draws, two.LambdaE(beta), 1); err != nil {
		return nil, err
	}
	s.truth, s.found, err = theory.Recovered(1)
	return s, err
}

// theoryView draws the risks of two levels (Theorem 6.1): over how far children are from their root, and at one distance over the weight of the regularizer.
func (d drawing) theoryView(w, h int) []string {
	if d.asking {
		return screen.Panel(d.style, viewNames[theories], d.saying("The curves stand here when the question is answered.", w), w, h, false)
	}
	two, err := theory.Example(d.beta)
	if err != nil {
		return screen.Panel(d.style, viewNames[theories], d.saying(err.Error(), w), w, h, false)
	}
	text := d.told(two, w)
	text = text[:min(len(text), max(h-13, 0))]
	body := h - len(text) - 2
	title := fmt.Sprintf("risk of a child over β, and at β = %s over λ_E", digitsShort(d.beta))
	lines := screen.Panel(d.style, d.style.Plain(title), d.risks(two, w-2, body-2), w, body, false)
	return rows(lines, screen.Panel(d.style, "in numbers", text, w, h-body, false))
}

// risks are the two charts, below one legend.
func (d drawing) risks(two *theory.TwoLevel, w, h int) []string {
	beta, weight := d.overBeta(two), d.overWeight(two)
	var lines []string
	for _, l := range screen.Legend(d.style, beta.Legend(d.style), w-2, 2) {
		lines = append(lines, " "+l)
	}
	left := w / 2
	return append(lines, screen.Beside(d.book.Draw(beta, left, h-len(lines), d.style), d.book.Draw(weight, w-left, h-len(lines), d.style))...)
}

// curveOf is a function over places.
func curveOf(at []float64, f func(float64) float64, c plot.Curve) plot.Curve {
	c.X = at
	for _, x := range at {
		c.Y = append(c.Y, f(x))
	}
	return c
}

// powers are places from one value to another, by equal factors.
func powers(from, to float64) []float64 {
	const count = 97
	at := make([]float64, count)
	for i := range at {
		at[i] = from * math.Pow(to/from, float64(i)/(count-1))
	}
	return at
}

// risk is Algorithm 6.2's at λ_E(β) where the children are at β.
func risk(beta float64) float64 {
	two, err := theory.Example(beta)
	if err != nil {
		return math.NaN()
	}
	return two.MeanRisk(two.LambdaE(beta))
}

// flat is a value that does not depend on its place.
func flat(v float64) func(float64) float64 { return func(float64) float64 { return v } }

// riskAxis is the axis of both charts, so that they are read across.
var riskAxis = plot.Axis{Label: "risk", Min: 0.005, Max: 0.6, Log: true}

// overBeta is the risks over β, with the weight that Theorem 6.1 chooses for it.
func (d drawing) overBeta(two *theory.TwoLevel) plot.Chart {
	const far = 4 // where the bounds are named
	st, at := d.style, powers(leastBeta, mostBeta)
	bound := func(c theory.Constants) func(float64) float64 {
		return func(beta float64) float64 { return two.Bound(c, beta) }
	}
	layers := append(d.ends(two, at),
		curveOf(at, bound(theory.Safe), plot.Curve{Color: st.Series[3], Line: theme.Dotted, Priority: 3, Name: "with 6"}),
		curveOf(at, bound(theory.Thesis), plot.Curve{Color: st.Series[2], Line: theme.Dashed, Priority: 4, Name: "with 3"}),
		curveOf(at, bound(theory.Proven), plot.Curve{Color: st.Series[2], Line: theme.Dotted, Priority: 5, Name: "bound with 2 and 1"}),
		plot.Label{X: far, Y: two.Bound(theory.Safe, far), Text: "6", Color: st.Series[3], Name: "with 6"},
		plot.Label{X: far, Y: two.Bound(theory.Thesis, far), Text: "3", Color: st.Series[2], Name: "with 3"},
		plot.Label{X: far, Y: two.Bound(theory.Proven, far), Text: "2", Color: st.Series[2], Name: "bound with 2 and 1"},
		curveOf(at, risk, plot.Curve{Color: st.Series[0], Priority: 8, Name: "regularized"}),
		plot.Rule{At: d.beta, Color: st.Border},
		plot.Points{X: []float64{d.beta}, Y: []float64{two.MeanRisk(two.LambdaE(d.beta))}, Shape: theme.GlyphFilled, Color: st.Series[0]})
	return plot.Chart{X: plot.Axis{Label: "β", Min: leastBeta, Max: mostBeta, Log: true}, Y: riskAxis, Layers: layers}
}

// overWeight is the risk at one β over the weight of the regularizer.
func (d drawing) overWeight(two *theory.TwoLevel) plot.Chart {
	st, chosen, at := d.style, two.LambdaE(d.beta), powers(1e-3, 1e4)
	layers := append(d.ends(two, at),
		curveOf(at, two.MeanRisk, plot.Curve{Color: st.Series[0], Priority: 8}),
		plot.Rule{At: chosen, Color: st.Border},
		plot.Points{X: []float64{chosen}, Y: []float64{two.MeanRisk(chosen)}, Shape: theme.GlyphFilled, Color: st.Series[0]})
	return plot.Chart{X: plot.Axis{Label: "λ_E", Min: at[0], Max: at[len(at)-1], Log: true}, Y: riskAxis, Layers: layers}
}

// ends are what the risk goes to: that of least squares without a weight, the root's own where children are the root.
func (d drawing) ends(two *theory.TwoLevel, at []float64) []plot.Layer {
	return []plot.Layer{
		curveOf(at, flat(two.Root()), plot.Curve{Color: d.style.Dim, Line: theme.Dotted, Name: "root"}),
		curveOf(at, flat(two.OLS()), plot.Curve{Color: d.style.Series[1], Line: theme.Dashed, Priority: 2, Name: "least squares"}),
	}
}

// told is the theory in numbers, what matters most first.
func (d drawing) told(two *theory.TwoLevel, w int) (lines []string) {
	lambda := two.LambdaE(d.beta)
	mean := two.MeanRisk(lambda)
	against, bound := theory.Counterexample(8)
	said := []string{
		fmt.Sprintf("β %s gives λ_E %.4g: the risk is %.4f, with least squares %.4f (%.2f times), the root's own %.4f.", digitsShort(d.beta), lambda, mean, two.OLS(), two.OLS()/mean, two.Root()),
		fmt.Sprintf("Theorem 6.1 bounds it by %.3f (3 and 6), its proof once mended by %.3f (6 and 6), the exact risk by %.3f (2 and 1).",
			two.Bound(theory.Thesis, d.beta), two.Bound(theory.Safe, d.beta), two.Bound(theory.Proven, d.beta)),
		fmt.Sprintf("Corollary 6.1, on which the proof rests, fails: in 8 dimensions with eigenvalues 1 and 10⁶ the risk is %.3f, its bound %.3f; 5/4 of that holds.", against, bound),
	}
	if s := d.simulated; s != nil && s.beta == d.beta {
		said = append(said, fmt.Sprintf("Drawn %d times, the mean loss is %.4f ± %.4f. Algorithm 6.1 finds %d of the %d columns that the root is made of among 32.", draws, s.mean, s.se, shared(s.truth, s.found), len(s.truth)))
	}
	for _, text := range said {
		lines = append(lines, layout.Paragraph(d.style, d.style.Text, text, w-4)...)
	}
	return lines
}

// shared is how many columns are in both lists.
func shared(a, b []int) (n int) {
	for _, v := range a {
		if slices.Contains(b, v) {
			n++
		}
	}
	return n
}
