// Package picture computes the picture of a posterior over one or two variables, or over three components of a mixture,
// and describes it in words. A state of a session goes in, off the update loop; a posterior comes out, numbers that are
// never changed; with a style it declares charts. The explorer, the comparison and the exports draw with it. Steps and
// Axis say where the values of a variable lie on an axis: real values on its scale, levels of other kinds in slots of
// equal width. Descriptions give every mark of a picture a sentence with its current values, under the mark's name in
// the legend. Pictures of several objectives are in package front.
package picture

import (
	"math"
	"slices"

	"bandscope/functions"
	"bandscope/functions/transform"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
	"bandscope/sessions"
	"bandscope/sessions/sanitize"
	"bandscope/tui/chart"

	"gonum.org/v1/gonum/mat"
)

// FieldKind is one of the quantities of a posterior.
type FieldKind int

// The kinds that can be enlarged, in the order of their keys.
const (
	TrueField FieldKind = iota
	MeanField
	SDField
	AcquisitionField
	SampleField   // one of the samples, or the function in use
	CostField     // of problems whose evaluations have different costs
	FeasibleField // of problems with limits, and where failures are learned
	FieldKindCount
)

// Further kinds.
const (
	LowerField   = FieldKindCount + iota // the edges of the band
	UpperField                           // at 2 standard deviations
	UsedField                            // the function that the method chooses the next point with
	AllowedField                         // 1 where the method allows the next point, 0 elsewhere
	fieldKinds
)

// fieldNames name the kinds.
var fieldNames = [FieldKindCount]string{"true function", "mean", "standard deviation", "acquisition", "sample", "cost",
	feasibilityName}

// Field holds the values of one quantity at the nodes of a grid; values of the objective along its scale: where factors
// count their decimal logarithms. It is empty where there is none.
type Field struct {
	chart.Field
	X []float64 // along one variable, the values of the variable at the nodes, rising

	inputs *mat.Dense // the nodes in the unit cube, a row each
	scale  transform.Transform
}

// Empty reports whether there are no values.
func (f Field) Empty() bool { return len(f.Z) == 0 }

// Values are the values at the nodes, in the objective's unit.
func (f Field) Values() []float64 {
	if !f.scale.IsLog() {
		return f.Z
	}
	values := make([]float64, len(f.Z))
	for i, z := range f.Z {
		values[i] = f.scale.FromScale(z)
	}
	return values
}

// Along interpolates the values along one variable linearly, or takes those of a level, in the objective's unit; NaN
// where there is none.
func (f Field) Along(x float64) float64 {
	if f.Empty() {
		return math.NaN()
	}
	i, _ := slices.BinarySearch(f.X, x)
	last := len(f.X) - 1
	switch {
	case f.Cuts[0] != nil:
		if i > last || i > 0 && x-f.X[i-1] < f.X[i]-x {
			i--
		}
		return f.scale.FromScale(f.Z[i])
	case i == 0:
		return f.scale.FromScale(f.Z[0])
	case i > last:
		return f.scale.FromScale(f.Z[last])
	}
	t := (x - f.X[i-1]) / (f.X[i] - f.X[i-1])
	return f.scale.FromScale(f.Z[i-1] + t*(f.Z[i]-f.Z[i-1]))
}

// Posterior holds the numbers of one drawn belief, in the problem's own units and direction.
type Posterior struct {
	Head   string // the place in the session that it belongs to
	Step   int    // the number of steps there
	View   View
	Legend optimizers.Legend
	Anchor []float64 // where the other variables are held, length d

	Fields          [fieldKinds]Field
	Known           [fieldKinds]bool // computed, or found to be absent
	Samples         []Field          // along one variable
	ConstraintHatch chart.Hatch      // where known constraints do not hold
	Regions         []Region         // in which the method looks for the next point; nil if everywhere
	Incumbent       float64          // the best observation, of what EI is made
	Theory          *optimizers.Theory

	NextPoints
	Fitted  bool // the belief is known
	Partial bool // fields are still being computed

	earlier *Posterior // that has the fields which are not computed yet; nil for none
	problem *functions.Problem
	scale   transform.Transform // of the objective
}

// Anchor is where a slice through a problem of several variables is taken: the best point so far, or the middle of the
// domain or, with known constraints, a feasible point near the middle.
func Anchor(st sessions.State) []float64 {
	if x, _, _, ok := st.Best(); ok {
		return x
	}
	mid := make([]float64, st.Problem.Dim())
	for i := range mid {
		mid[i] = 0.5
	}
	if st.Problem.Constraints != nil {
		search.Space{Dim: st.Problem.Dim(), Domain: st.Input().Domain}.Project(mid)
	}
	return st.Problem.Domain.FromUnit(mid)
}

// New is a posterior without fields, the other variables held at a point; nil takes the anchor.
func New(st sessions.State, v View, point []float64) *Posterior {
	if point == nil {
		point = Anchor(st)
	}
	p := &Posterior{Head: st.Head, Step: len(st.Iterations), View: v, Anchor: slices.Clone(point), Partial: true,
		Incumbent: math.NaN(), problem: st.Problem, scale: st.Problem.Objectives[v.Objective].Transform()}
	if _, best, _, ok := st.Best(); ok {
		p.Incumbent = best
	}
	return p
}

// FilledFrom is the posterior with the fields of an earlier one of the same view, nil for none, in place of those that
// are not computed yet.
func (p *Posterior) FilledFrom(earlier *Posterior) *Posterior {
	if !p.Partial || earlier == nil || earlier == p || !earlier.View.sameWindow(p.View) {
		return p
	}
	filled := *p
	filled.earlier = earlier
	for k := range FieldKindCount {
		if filled.isEarlier(k) {
			filled.Fields[k] = earlier.Fields[k]
		}
	}
	return &filled
}

// isEarlier reports whether a field is that of the earlier posterior.
func (p *Posterior) isEarlier(k FieldKind) bool {
	return p.earlier != nil && !p.Known[k] && (k != SampleField || p.View.Draw == p.earlier.View.Draw)
}

// FieldPlace is the place in the session that a field belongs to, and the number of steps there.
func (p *Posterior) FieldPlace(k FieldKind) (head string, step int) {
	if p.isEarlier(k) {
		return p.earlier.Head, p.earlier.Step
	}
	return p.Head, p.Step
}

// Without is the posterior without some fields.
func (p *Posterior) Without(kinds ...FieldKind) *Posterior {
	hidden := *p
	for _, k := range kinds {
		hidden.Fields[k] = Field{}
	}
	return &hidden
}

// WithoutNext is the posterior without its next points, which may be evaluated already, or are hidden.
func (p *Posterior) WithoutNext() *Posterior {
	hidden := *p
	hidden.NextPoints = NextPoints{}
	return &hidden
}

// Variable is the variable along x.
func (p *Posterior) Variable() functions.Variable { return p.problem.Domain[p.View.X] }

// Grid are the nodes along one variable.
func (p *Posterior) Grid() []float64 {
	for _, k := range []FieldKind{MeanField, UsedField, AcquisitionField} {
		if !p.Fields[k].Empty() {
			return p.Fields[k].X
		}
	}
	return Grid(p.Variable(), 0, 1, lineNodes[1])
}

// Node is the point of the problem at a node of a field.
func (p *Posterior) Node(kind FieldKind, i int) []float64 {
	f := p.Fields[kind]
	if f.X != nil {
		return p.problem.WithValue(p.Anchor, p.View.X, f.X[i])
	}
	return p.problem.Domain.FromUnit(f.inputs.RawRowView(i))
}

// Extremes are the nodes with the least and the greatest finite value of a field; false where there is none.
func (p *Posterior) Extremes(kind FieldKind) (least, greatest int, ok bool) {
	least, greatest = -1, -1
	z := p.Fields[kind].Z
	for i, v := range z {
		if !chart.Finite(v) {
			continue
		}
		if least < 0 || v < z[least] {
			least = i
		}
		if greatest < 0 || v > z[greatest] {
			greatest = i
		}
	}
	return least, greatest, least >= 0
}

// Best is the node with the best value of the objective in a field; false where there is none.
func (p *Posterior) Best(kind FieldKind) (node int, ok bool) {
	least, greatest, ok := p.Extremes(kind)
	if p.scale.Sign < 0 {
		return greatest, ok
	}
	return least, ok
}

// Curve are the points through which a field along one variable is drawn, in the objective's unit.
func (p *Posterior) Curve(f Field) (x, y []float64) {
	steps := NewSteps(p.Variable(), f.X)
	return steps.X, steps.Y(f.Values())
}

// Name names the field of a kind.
func (p *Posterior) Name(kind FieldKind) string {
	name := fieldNames[kind]
	switch {
	case p == nil:
	case kind == SampleField && p.View.Draw == 0 && p.Legend.Used != "":
		name = p.Legend.Used
	case kind == SampleField && p.Legend.Samples != "":
		name = "one of the " + p.Legend.Samples
	case kind == AcquisitionField && p.Legend.Acquisition != "":
		name = AcquisitionName(p.Legend)
	case kind == SDField && p.scale.IsLog():
		name += " of log10"
	}
	return name
}

// ShortFieldName names the field of a kind in few characters.
func ShortFieldName(kind FieldKind) string {
	return [FieldKindCount]string{"truth", "mean", "sd", "acquisition", "sample", "cost", "feasible"}[kind]
}

// ShortFieldTitle is ShortFieldName of a field that is drawn with a scale.
func ShortFieldTitle(kind FieldKind, s chart.ColorScale) string {
	if s.Log {
		return ShortFieldName(kind) + " (log)"
	}
	return ShortFieldName(kind)
}

// valued reports whether a field is of values of the objective.
func valued(kind FieldKind) bool {
	return slices.Contains([]FieldKind{TrueField, MeanField, LowerField, UpperField, SampleField, UsedField}, kind)
}

// Scale is the colours of fields of a kind. They are reversed for an acquisition or an objective that is better when
// lower, so that the best value is the brightest, and logarithmic for an acquisition by the rule of NewAcquisitionScale.
func (p *Posterior) Scale(kind FieldKind, m chart.ColorMap, fields ...[]float64) chart.ColorScale {
	switch {
	case p == nil:
		return chart.NewColorScale(m, fields...)
	case kind == AcquisitionField && p.Unused() != "":
		return NewAcquisitionScale(p.Legend, fields...).colors(p.Legend, chart.Gray, fields...)
	case kind == AcquisitionField:
		return NewAcquisitionScale(p.Legend, fields...).colors(p.Legend, m, fields...)
	case !valued(kind):
		return chart.NewColorScale(m, fields...)
	}
	s := chart.NewLinearColorScale(m, fields...)
	s.Log = p.scale.IsLog()
	if !s.Log {
		s = chart.NewColorScale(m, fields...)
	}
	s.Flip = p.scale.Sign > 0
	return s
}

// acquisitionScale is the scale of an acquisition that is drawn in colours.
func acquisitionScale(kind FieldKind, s chart.ColorScale) AcquisitionScale {
	if kind != AcquisitionField || !s.Log {
		return AcquisitionScale{}
	}
	return AcquisitionScale{Log: true, Floor: s.DisplayValue(s.Lo)}
}

// drawnField is a field with the values that a scale has colours for.
func (p *Posterior) drawnField(kind FieldKind, s chart.ColorScale) chart.Field {
	return acquisitionScale(kind, s).field(p.Fields[kind].Field)
}

// Title names the field of a kind that is drawn with a scale.
func (p *Posterior) Title(kind FieldKind, s chart.ColorScale) string {
	name := p.Name(kind)
	if a := acquisitionScale(kind, s); a.Log {
		name = a.Title(p.Legend)
	}
	if kind == AcquisitionField {
		name += p.Unused()
	}
	return name + p.OfObjective(kind)
}

// OfObjective is the objective that a field of a kind is of, behind its name: " of yield"; empty for others.
func (p *Posterior) OfObjective(kind FieldKind) string {
	if !slices.Contains([]FieldKind{TrueField, MeanField, SDField, SampleField}, kind) {
		return ""
	}
	return " of " + sanitize.Text(p.problem.Objectives[p.View.Objective].Name)
}

// Place is where a point of the problem lies in the window, in [0, 1] where it is inside.
func (p *Posterior) Place(x []float64) (u, v float64) {
	if p.View.Axes == Ternary {
		return p.ternary().place(x)
	}
	domain := p.problem.Domain
	fractions := [2]float64{AxisFraction(domain[p.View.X], x[p.View.X]), AxisFraction(domain[p.View.Y], x[p.View.Y])}
	return (fractions[0] - p.View.Low[0]) / (p.View.High[0] - p.View.Low[0]),
		(fractions[1] - p.View.Low[1]) / (p.View.High[1] - p.View.Low[1])
}

// At is a field at a point of the problem, in the objective's unit; NaN where it is not known or outside of the window.
func (p *Posterior) At(kind FieldKind, x []float64) float64 {
	f := p.Fields[kind]
	if p.View.Axes == OneVariable {
		return f.Along(x[p.View.X])
	}
	u, v := p.Place(x)
	if u < 0 || u > 1 || v < 0 || v > 1 {
		return math.NaN()
	}
	return f.scale.FromScale(f.At(u, v))
}

// Improvement explains the expected improvement at a point: z = (y* − μ)/σ of what values count as, for minimization;
// false where there is no band.
func (p *Posterior) Improvement(x []float64) (z float64, ok bool) {
	mean, sd := p.At(MeanField, x), p.At(SDField, x)
	z = (p.scale.Apply(p.Incumbent) - p.scale.Apply(mean)) / sd
	return z, !math.IsNaN(z) && !math.IsInf(z, 0)
}

// Distance is how far two bands are apart, along the objective's scale: the root of the mean over the inputs of the
// squared Wasserstein distance of two normal distributions, (μ₁ − μ₂)² + (σ₁ − σ₂)². It also returns the root mean
// squared deviation of the second.
func Distance(a, b *Posterior) (apart, spread float64) {
	n := 0.0
	for _, x := range a.Grid() {
		m := a.scale.ToScale(a.Fields[MeanField].Along(x)) - b.scale.ToScale(b.Fields[MeanField].Along(x))
		sb := b.Fields[SDField].Along(x)
		s := a.Fields[SDField].Along(x) - sb
		apart += m*m + s*s
		spread += sb * sb
		n++
	}
	return math.Sqrt(apart / n), math.Sqrt(spread / n)
}
