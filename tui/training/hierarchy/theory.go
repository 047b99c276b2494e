package hierarchy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/training/hierarchy"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// simulation is what was drawn at a β: the mean loss of Algorithm 6.2 with its standard error, and which columns
// Algorithm 6.1 found of which.
type simulation struct {
	beta, mean, se   float64
	truth, recovered []int
}

// draws is how many times the example is drawn.
const draws = 200

// simulate draws the example at a β.
func simulate(ctx context.Context, beta float64) (*simulation, error) {
	two, err := hierarchy.ExampleTwoLevel(beta)
	if err != nil {
		return nil, err
	}
	s := &simulation{beta: beta}
	if s.mean, s.se, err = two.Simulate(ctx, draws, two.LambdaE(beta), 1); err != nil {
		return nil, err
	}
	s.truth, s.recovered, err = hierarchy.RecoverBasis(1)
	return s, err
}

// theoryView draws the risks of two levels (Theorem 6.1): over how far children are from their root, and at one
// distance over the weight of the regularizer.
func (d drawing) theoryView(w, h int) *layout.Box {
	if d.asking {
		return d.missing(viewNames[theories], "The curves stand here when the question is answered.", w, h)
	}
	two, err := hierarchy.ExampleTwoLevel(d.beta)
	if err != nil {
		return d.missing(viewNames[theories], err.Error(), w, h)
	}
	text := d.numbers(two, w)
	text = text[:min(len(text), max(h-13, 0))]
	body := h - len(text) - 2
	title := fmt.Sprintf("risk of a child over β, and at β = %s over λ_E", digitsShort(d.beta))
	mean := two.MeanRisk(two.LambdaE(d.beta))
	const term = "embedding regularizer"
	return layout.Column(
		d.framed(title, w, body, term, fmt.Sprintf(
			"Two levels of linear regressions: the risk of a child that is drawn to its root, %.4f at β = %s, beside "+
				"least squares, %.4f. The nearer children are to the root, the more it helps.", mean,
			digitsShort(d.beta), two.OLS()),
			func(w, h int) *layout.Box { return d.risks(two, w, h) }),
		d.framed("in numbers", w, h-body, term,
			fmt.Sprintf("What the curves say at β = %s, in numbers.", digitsShort(d.beta)), func(w, _ int) *layout.Box {
				return layout.Text(w, text...).Number("the theory in numbers", term,
					fmt.Sprintf("The risk, its bounds by Theorem 6.1 with several constants, where its proof fails, "+
						"and what drawing the example %d times gives beside the formula: %.4f.", draws, mean))
			}))
}

// risks are the two charts, below one legend.
func (d drawing) risks(two *hierarchy.TwoLevel, w, h int) *layout.Box {
	beta, weight := d.overBeta(two), d.overWeight(two)
	legend := chart.LegendBox(d.style, beta.Legend(d.style), w-2, 2)
	told := chart.Description{Marks: func(name string) (string, string) {
		return d.riskMarks(two, name)
	}, Y: "The risk of a child, by factors.",
		X: fmt.Sprintf("β, how far children are from the root, by factors; the line stands at %s, [ and ] move it.",
			digitsShort(d.beta))}
	left := beta.Box(w/2, h-legend.H, d.style, told)
	told.X = fmt.Sprintf("λ_E, the weight of the regularizer, by factors; the line stands at %.4g, which the theorem "+
		"chooses for β = %s.", two.LambdaE(d.beta), digitsShort(d.beta))
	right := weight.Box(w-w/2, h-legend.H, d.style, told)
	together(legend, "", left, right)
	return layout.Column(layout.Row(layout.Space(1, 0), legend), layout.Row(left, right))
}

// riskMarks describes what is drawn of the theory.
func (d drawing) riskMarks(two *hierarchy.TwoLevel, name string) (sentence, term string) {
	switch name {
	case "root":
		sentence = fmt.Sprintf("The risk of taking the root's own coefficients for a child that equals it, %.4f: "+
			"what the risk goes to where children are the root.", two.Root())
	case "least squares":
		sentence = fmt.Sprintf("The risk of least squares for each child by itself, %.4f, which knows nothing of the "+
			"root.", two.OLS())
	case "with 6":
		sentence = fmt.Sprintf("The bound of Theorem 6.1 with its proof mended, constants 6 and 6: %.3f at this β.",
			two.Bound(hierarchy.Safe, d.beta))
	case "with 3":
		sentence = fmt.Sprintf("The bound of Theorem 6.1 as it is printed, constants 3 and 6: %.3f at this β.",
			two.Bound(hierarchy.Thesis, d.beta))
	case "regularized":
		sentence = fmt.Sprintf("The risk with the weight that the theorem chooses for each β: %.4f at %s, where the "+
			"dot is.", two.MeanRisk(two.LambdaE(d.beta)), digitsShort(d.beta))
	case "bound with 2 and 1":
		sentence = fmt.Sprintf("The bound that the exact risk has, constants 2 and 1: %.3f at this β.",
			two.Bound(hierarchy.Proven, d.beta))
	}
	return sentence, "embedding regularizer"
}

// curveFor is a function over places.
func curveFor(at []float64, f func(float64) float64, c chart.Curve) chart.Curve {
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
	two, err := hierarchy.ExampleTwoLevel(beta)
	if err != nil {
		return math.NaN()
	}
	return two.MeanRisk(two.LambdaE(beta))
}

// flat is a value that does not depend on its place.
func flat(v float64) func(float64) float64 { return func(float64) float64 { return v } }

// riskAxis is the axis of both charts, so that they are read across.
var riskAxis = chart.Axis{Label: "risk", Min: 0.005, Max: 0.6, Log: true}

// overBeta is the risks over β, with the weight that Theorem 6.1 chooses for it.
func (d drawing) overBeta(two *hierarchy.TwoLevel) chart.Chart {
	const far = 4 // where the bounds are named
	st, at := d.style, powers(minBeta, maxBeta)
	bound := func(c hierarchy.Constants) func(float64) float64 {
		return func(beta float64) float64 { return two.Bound(c, beta) }
	}
	layers := append(d.ends(two, at),
		curveFor(at, bound(hierarchy.Safe), chart.Curve{Color: st.Series[3], Line: theme.Dotted, Priority: 3,
			Name: "with 6"}),
		curveFor(at, bound(hierarchy.Thesis),
			chart.Curve{Color: st.Series[2], Line: theme.Dashed, Priority: 4, Name: "with 3"}),
		curveFor(at, bound(hierarchy.Proven),
			chart.Curve{Color: st.Series[2], Line: theme.Dotted, Priority: 5, Name: "bound with 2 and 1"}),
		chart.Label{X: far, Y: two.Bound(hierarchy.Safe, far), Text: "6", Color: st.Series[3], Name: "with 6"},
		chart.Label{X: far, Y: two.Bound(hierarchy.Thesis, far), Text: "3", Color: st.Series[2], Name: "with 3"},
		chart.Label{X: far, Y: two.Bound(hierarchy.Proven, far), Text: "2", Color: st.Series[2],
			Name: "bound with 2 and 1"},
		curveFor(at, risk, chart.Curve{Color: st.Series[0], Priority: 8, Name: "regularized"}),
		chart.Rule{At: d.beta, Color: st.Border},
		chart.Points{X: []float64{d.beta}, Y: []float64{two.MeanRisk(two.LambdaE(d.beta))}, Shape: theme.GlyphFilled,
			Color: st.Series[0]})
	return chart.Chart{X: chart.Axis{Label: "β", Min: minBeta, Max: maxBeta, Log: true}, Y: riskAxis, Layers: layers}
}

// overWeight is the risk at one β over the weight of the regularizer.
func (d drawing) overWeight(two *hierarchy.TwoLevel) chart.Chart {
	st, chosen, at := d.style, two.LambdaE(d.beta), powers(1e-3, 1e4)
	layers := append(d.ends(two, at),
		curveFor(at, two.MeanRisk, chart.Curve{Color: st.Series[0], Priority: 8}),
		chart.Rule{At: chosen, Color: st.Border},
		chart.Points{X: []float64{chosen}, Y: []float64{two.MeanRisk(chosen)}, Shape: theme.GlyphFilled,
			Color: st.Series[0]})
	return chart.Chart{X: chart.Axis{Label: "λ_E", Min: at[0], Max: at[len(at)-1], Log: true}, Y: riskAxis,
		Layers: layers}
}

// ends are what the risk goes to: that of least squares without a weight, the root's own where children are the root.
func (d drawing) ends(two *hierarchy.TwoLevel, at []float64) []chart.Layer {
	return []chart.Layer{
		curveFor(at, flat(two.Root()), chart.Curve{Color: d.style.Dim, Line: theme.Dotted, Name: "root"}),
		curveFor(at, flat(two.OLS()), chart.Curve{Color: d.style.Series[1], Line: theme.Dashed, Priority: 2,
			Name: "least squares"}),
	}
}

// numbers are the theory in numbers, what matters most first.
func (d drawing) numbers(two *hierarchy.TwoLevel, w int) (lines []string) {
	lambda := two.LambdaE(d.beta)
	mean := two.MeanRisk(lambda)
	against, bound := hierarchy.Counterexample(8)
	said := []string{
		fmt.Sprintf("β %s gives λ_E %.4g: the risk is %.4f, with least squares %.4f (%.2f times), the root's own "+
			"%.4f.", digitsShort(d.beta), lambda, mean, two.OLS(), two.OLS()/mean, two.Root()),
		fmt.Sprintf("Theorem 6.1 bounds it by %.3f (3 and 6), its proof once mended by %.3f (6 and 6), the exact "+
			"risk by %.3f (2 and 1).",
			two.Bound(hierarchy.Thesis, d.beta), two.Bound(hierarchy.Safe, d.beta),
			two.Bound(hierarchy.Proven, d.beta)),
		fmt.Sprintf("Corollary 6.1, on which the proof rests, fails: in 8 dimensions with eigenvalues 1 and 10⁶ the "+
			"risk is %.3f, its bound %.3f; 5/4 of that holds.", against, bound),
	}
	if s := d.simulated; s != nil && s.beta == d.beta {
		said = append(said, fmt.Sprintf("Drawn %d times, the mean loss is %.4f ± %.4f. Algorithm 6.1 finds %d of the "+
			"%d columns that the root is made of among 32.", draws, s.mean, s.se, shared(s.truth, s.recovered),
			len(s.truth)))
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
