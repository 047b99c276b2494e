package hierarchyview

import (
	"context"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/trainer/hierarchy"
	"bandscope/tui/chart"
	"bandscope/tui/layout"
	"bandscope/tui/theme"
)

// simulation is the result of random draws at a β: the mean loss of Algorithm 6.2 with its standard error, and the true
// and the recovered columns of Algorithm 6.1.
type simulation struct {
	beta, mean, se   float64
	truth, recovered []int
}

// draws is the number of random draws of the example.
const draws = 200

// simulate draws the example at a β.
func simulate(ctx context.Context, beta float64) (*simulation, error) {
	two, err := hierarchy.ExampleTwoLevel(beta)
	if err != nil {
		return nil, err
	}
	s := &simulation{beta: beta}
	s.mean, s.se, err = two.Simulate(ctx, draws, two.LambdaE(beta), 1)
	if err != nil {
		return nil, err
	}
	s.truth, s.recovered, err = hierarchy.RecoverBasis(1)
	return s, err
}

// theoryView draws the risks of two levels (Theorem 6.1): over the distance of the children from their root, and at one
// distance over the weight of the regularizer.
func (d drawing) theoryView(w, h int) *layout.Box {
	if d.asking {
		return d.missing(viewNames[theories], "The curves appear here after you answer the question.", w, h)
	}
	two, err := hierarchy.ExampleTwoLevel(d.beta)
	if err != nil {
		return d.missing(viewNames[theories], err.Error(), w, h)
	}
	text := d.numbers(two, w)
	text = text[:min(len(text), max(h-13, 0))]
	body := h - len(text) - 2
	title := fmt.Sprintf("risk of a child over β and, at β = %s, over λ_E", digitsShort(d.beta))
	mean := two.MeanRisk(two.LambdaE(d.beta))
	const term = "embedding regularizer"
	return layout.Column(
		d.framed(title, w, body, term, fmt.Sprintf(
			"Two levels of linear regressions. The risk of a child that is regularized towards its root is %.4f at β = %s; with least squares it is %.4f. The closer the children are to the root, the more it helps.",
			mean, digitsShort(d.beta), two.OLS()),
			func(w, h int) *layout.Box { return d.risks(two, w, h) }),
		d.framed("risks and bounds in numbers", w, h-body, term,
			fmt.Sprintf("The values of the curves at β = %s.", digitsShort(d.beta)), func(w, _ int) *layout.Box {
				return layout.Text(w, text...).Number("the theory in numbers", term,
					fmt.Sprintf(
						"The risk, its bounds by Theorem 6.1 with several constants, a counterexample to its proof, and the mean loss of %d random draws, where the formula gives %.4f.",
						draws, mean))
			}))
}

// risks are the two charts, below one legend.
func (d drawing) risks(two *hierarchy.TwoLevel, w, h int) *layout.Box {
	beta, weight := d.overBeta(two), d.overWeight(two)
	legend := chart.LegendBox(d.style, beta.Legend(d.style), w-2, 2)
	description := chart.Description{Marks: func(name string) (string, string) {
		return d.riskMarks(two, name)
	}, Y: "The risk of a child, on a log scale.",
		X: fmt.Sprintf("β, the distance of children from the root, on a log scale. The line is at %s; [ and ] move it.",
			digitsShort(d.beta))}
	left := beta.Box(w/2, h-legend.H, d.style, description)
	description.X = fmt.Sprintf(
		"λ_E, the weight of the regularizer, on a log scale. The line is at %.4g, the choice of the theorem for β = %s.",
		two.LambdaE(d.beta), digitsShort(d.beta))
	right := weight.Box(w-w/2, h-legend.H, d.style, description)
	together(legend, "", left, right)
	return layout.Column(layout.Row(layout.Space(1, 0), legend), layout.Row(left, right))
}

// riskMarks describes the marks of the theory.
func (d drawing) riskMarks(two *hierarchy.TwoLevel, name string) (sentence, term string) {
	switch name {
	case "root":
		sentence = fmt.Sprintf(
			"The risk of the root's coefficients for a child that equals the root, %.4f: the limit of the risk for small β.",
			two.Root())
	case "least squares":
		sentence = fmt.Sprintf("The risk of separate least squares for each child, %.4f, which does not use the root.",
			two.OLS())
	case "bound (6, 6)":
		sentence = fmt.Sprintf("The bound of Theorem 6.1 with a corrected proof, constants 6 and 6: %.3f at this β.",
			two.Bound(hierarchy.Safe, d.beta))
	case "bound (3, 6)":
		sentence = fmt.Sprintf("The bound of Theorem 6.1 as printed, constants 3 and 6: %.3f at this β.",
			two.Bound(hierarchy.Thesis, d.beta))
	case "regularized":
		sentence = fmt.Sprintf("The risk with the weight that the theorem chooses for each β; %.4f at β = %s (dot).",
			two.MeanRisk(two.LambdaE(d.beta)), digitsShort(d.beta))
	case "bound (2, 1)":
		sentence = fmt.Sprintf("The bound from the exact risk, constants 2 and 1: %.3f at this β.",
			two.Bound(hierarchy.Proven, d.beta))
	}
	return sentence, "embedding regularizer"
}

// curveFor is a function at points as a curve.
func curveFor(inputs []float64, f func(float64) float64, c chart.Curve) chart.Curve {
	c.X = inputs
	for _, x := range inputs {
		c.Y = append(c.Y, f(x))
	}
	return c
}

// powers are logarithmically spaced values.
func powers(from, end float64) []float64 {
	const count = 97
	values := make([]float64, count)
	for i := range values {
		values[i] = from * math.Pow(end/from, float64(i)/(count-1))
	}
	return values
}

// risk is the risk of Algorithm 6.2 at λ_E(β) for children at β.
func risk(beta float64) float64 {
	two, err := hierarchy.ExampleTwoLevel(beta)
	if err != nil {
		return math.NaN()
	}
	return two.MeanRisk(two.LambdaE(beta))
}

// flat is a constant function.
func flat(v float64) func(float64) float64 { return func(float64) float64 { return v } }

// riskAxis is the same in both charts, so that they can be compared.
var riskAxis = chart.Axis{Label: "risk", Min: 0.005, Max: 0.6, Log: true}

// overBeta is the risks over β, with the weight that Theorem 6.1 chooses for it.
func (d drawing) overBeta(two *hierarchy.TwoLevel) chart.Chart {
	const far = 4 // the β at which the bounds have their labels
	st, betas := d.style, powers(minBeta, maxBeta)
	bound := func(c hierarchy.Constants) func(float64) float64 {
		return func(beta float64) float64 { return two.Bound(c, beta) }
	}
	layers := append(d.ends(two, betas),
		curveFor(betas, bound(hierarchy.Safe), chart.Curve{Color: st.Series[3], Line: theme.Dotted, Priority: 3,
			Name: "bound (6, 6)"}),
		curveFor(betas, bound(hierarchy.Thesis),
			chart.Curve{Color: st.Series[2], Line: theme.Dashed, Priority: 4, Name: "bound (3, 6)"}),
		curveFor(betas, bound(hierarchy.Proven),
			chart.Curve{Color: st.Series[2], Line: theme.Dotted, Priority: 5, Name: "bound (2, 1)"}),
		chart.Label{X: far, Y: two.Bound(hierarchy.Safe, far), Text: "6", Color: st.Series[3], Name: "bound (6, 6)"},
		chart.Label{X: far, Y: two.Bound(hierarchy.Thesis, far), Text: "3", Color: st.Series[2], Name: "bound (3, 6)"},
		chart.Label{X: far, Y: two.Bound(hierarchy.Proven, far), Text: "2", Color: st.Series[2],
			Name: "bound (2, 1)"},
		curveFor(betas, risk, chart.Curve{Color: st.Series[0], Priority: 8, Name: "regularized"}),
		chart.Rule{At: d.beta, Color: st.Border},
		chart.Points{X: []float64{d.beta}, Y: []float64{two.MeanRisk(two.LambdaE(d.beta))}, Shape: theme.GlyphFilled,
			Color: st.Series[0]})
	return chart.Chart{X: chart.Axis{Label: "β", Min: minBeta, Max: maxBeta, Log: true}, Y: riskAxis, Layers: layers}
}

// overWeight is the risk at one β over the weight of the regularizer.
func (d drawing) overWeight(two *hierarchy.TwoLevel) chart.Chart {
	st := d.style
	chosen := two.LambdaE(d.beta)
	position := powers(1e-3, 1e4)
	layers := append(d.ends(two, position),
		curveFor(position, two.MeanRisk, chart.Curve{Color: st.Series[0], Priority: 8}),
		chart.Rule{At: chosen, Color: st.Border},
		chart.Points{X: []float64{chosen}, Y: []float64{two.MeanRisk(chosen)}, Shape: theme.GlyphFilled,
			Color: st.Series[0]})
	return chart.Chart{X: chart.Axis{Label: "λ_E", Min: position[0], Max: position[len(position)-1], Log: true}, Y: riskAxis,
		Layers: layers}
}

// ends are the limits of the risk: that of least squares without a weight, and that of the root for equal children.
func (d drawing) ends(two *hierarchy.TwoLevel, point []float64) []chart.Layer {
	return []chart.Layer{
		curveFor(point, flat(two.Root()), chart.Curve{Color: d.style.Dim, Line: theme.Dotted, Name: "root"}),
		curveFor(point, flat(two.OLS()), chart.Curve{Color: d.style.Series[1], Line: theme.Dashed, Priority: 2,
			Name: "least squares"}),
	}
}

// numbers are the theory in numbers, the most important first.
func (d drawing) numbers(two *hierarchy.TwoLevel, w int) (lines []string) {
	lambda := two.LambdaE(d.beta)
	mean := two.MeanRisk(lambda)
	against, bound := hierarchy.Counterexample(8)
	texts := []string{
		fmt.Sprintf("Risk %.4f at β = %s, λ_E = %.4g; least squares %.4f, root %.4f.", mean,
			digitsShort(d.beta), lambda, two.OLS(), two.Root()),
		fmt.Sprintf("Bounds: %.3f by Theorem 6.1 (constants 3 and 6), %.3f by the corrected proof (6 and 6), %.3f by the exact risk (2 and 1).",
			two.Bound(hierarchy.Thesis, d.beta), two.Bound(hierarchy.Safe, d.beta),
			two.Bound(hierarchy.Proven, d.beta)),
		fmt.Sprintf(
			"Corollary 6.1, which the proof uses, fails: in 8 dimensions with eigenvalues 1 and 10⁶ the risk is %.3f, above its bound %.3f; 5/4 of the bound holds.",
			against, bound),
	}
	if s := d.simulated; s != nil && s.beta == d.beta {
		texts = append(texts, fmt.Sprintf(
			"The mean loss of %d draws is %.4f ± %.4f. Algorithm 6.1 recovers %d of the root's %d columns among 32.",
			draws, s.mean, s.se, shared(s.truth, s.recovered), len(s.truth)))
	}
	for _, text := range texts {
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
