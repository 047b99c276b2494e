package functions

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"

	"bandscope/functions/expression"
	"bandscope/functions/numfmt"
)

// Constraint says at which inputs a problem may be evaluated, as far as that is known beforehand: where all its
// constraints hold.
type Constraint struct {
	Text string // as it was given
	// at most 0 where it holds; elsewhere by how much it does not, with 1 about as much as is usual in the domain, or
	// NaN
	Excess func(x []float64) float64
	// the same, where it is linear in variables that all have a linear scale; nil of others
	Linear *LinearConstraint

	// nil of one that cannot be read, and of one of a test function that no text says in full
	relation *expression.Relation
}

// LinearConstraint is the constraint Weights·x ≤ Bound, or = Bound where Equal, in the variables' units.
type LinearConstraint struct {
	Weights []float64
	Bound   float64
	Equal   bool

	scale float64 // of the greatest weight over the whole of its variable
}

// slack is by how much the excess of a constraint that holds may be above 0, for rounding.
const slack = 1e-9

// strictGap is by how much suggestions keep a strict comparison, as a part of its scale: more than slack, and less than
// the distance between sums of levels.
const strictGap = 1e-8

// ParseConstraint reads a constraint: a comparison (<=, <, >=, > or ==) of two expressions of the variables by their
// names, as ParseCost reads them, such as "dose * ratio <= 40", or a condition that is true or false, such as `solvent
// != "water" or temperature <= 90`. An equality must be linear, unless all its variables take levels; < and > need
// variables with levels or a step. The error says where the text is wrong; Check tests whether the constraint restricts
// the domain.
func ParseConstraint(text string, d Domain) (Constraint, error) {
	c := Constraint{Text: strings.TrimSpace(text)}
	r, err := expression.ParseRelation("constraint", c.Text, d.expressionVariables())
	if err != nil {
		return c, err
	}
	c.relation = r
	if err := c.CheckStrict(d); err != nil {
		return c, err
	}
	for _, j := range r.Uses {
		if d[j].Wide() {
			return c, fmt.Errorf("the constraint %q uses %s, an integer with more than %d values, which no constraint can use; declare it as a real variable", c.Text, d[j].Name, MaxLevels)
		}
	}
	real := slices.ContainsFunc(r.Uses, func(j int) bool { return d[j].Kind == Real })
	sum := r.Linear != nil && !slices.ContainsFunc(r.Uses, func(j int) bool {
		return d[j].Scale == Log && r.Linear[j] != 0
	})
	switch {
	case !r.Comparison():
		c.Excess = r.Excess
	case !real && !sum && (r.Strict() || r.Operator == "=="):
		c.Excess = func(x []float64) float64 { // holds or not
			if r.Strict() && r.HoldsStrictly(x) || !r.Strict() && r.Excess(x) <= slack {
				return 0
			}
			return 1
		}
	case sum:
		return c, c.setLinear(d)
	case r.Operator == "==":
		return c, c.nonlinearEqualityError(d)
	default:
		size, gap := c.typicalExcess(d), 0.0
		if r.Strict() {
			gap = strictGap
		}
		c.Excess = func(x []float64) float64 { return r.Excess(x)/size + gap }
	}
	return c, nil
}

// InvalidConstraint replaces a recorded constraint that cannot be read: it holds nowhere, so that no more points are
// evaluated.
func InvalidConstraint(text string) Constraint {
	return Constraint{Text: strconv.QuoteToASCII(text), Excess: func([]float64) float64 { return math.NaN() }}
}

// setLinear makes a constraint of a linear relation.
func (c *Constraint) setLinear(d Domain) error {
	r := c.relation
	sign := 1.0
	size := 0.0
	if strings.HasPrefix(r.Operator, ">") {
		sign = -1
	}
	s := &LinearConstraint{Weights: make([]float64, len(d)), Bound: -sign * r.Constant, Equal: r.Operator == "=="}
	for j, a := range r.Linear {
		s.Weights[j] = sign * a
		size = max(size, math.Abs(a)*d[j].Width())
	}
	if size == 0 {
		return fmt.Errorf("the constraint %s: the variables cancel out", expression.Quote(c.Text))
	}
	if r.Strict() {
		s.Bound -= strictGap * size
	}
	s.scale, c.Linear = size, s
	c.Excess = s.Residual
	if s.Equal {
		c.Excess = func(x []float64) float64 { return math.Abs(s.Residual(x)) }
	}
	return nil
}

// Residual is by how much the sum is above its bound, or below it, in parts of what one of its variables can make of
// it.
func (s *LinearConstraint) Residual(x []float64) float64 {
	v := -s.Bound
	for j, a := range s.Weights {
		v += a * x[j]
	}
	return v / s.scale
}

// CheckStrict returns an error about a strict comparison with real numbers, which can be arbitrarily close to each
// other: all its variables must have levels or a step.
func (c Constraint) CheckStrict(d Domain) error {
	r := c.relation
	if r == nil || !r.Strict() {
		return nil
	}
	var real []string
	for _, j := range r.Uses {
		if d[j].Kind == Real && d[j].Steps() == 0 {
			real = append(real, d[j].Name)
		}
	}
	if real == nil {
		return nil
	}
	left, right, _ := strings.Cut(c.Text, r.Operator)
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	sign := "+"
	if r.Operator == ">" {
		sign = "-"
	}
	return fmt.Errorf("the constraint %s: %s needs variables with levels or a step, but %s can be any real number; write a gap, such as %s %s %s %s= %s, or allow equality: %s %s= %s", expression.Quote(c.Text), r.Operator,
		strings.Join(real, " and "), left, sign, numfmt.Exact(c.usualGap(d)), r.Operator, right, left, r.Operator, right)
}

// usualGap is about a hundredth of the usual difference of the sides, as a power of ten.
func (c *Constraint) usualGap(d Domain) float64 {
	return math.Pow10(int(math.Ceil(math.Log10(c.typicalExcess(d)))) - 2)
}

// nonlinearEqualityError is the error of an equality that is not linear in variables of a linear scale.
func (c *Constraint) nonlinearEqualityError(d Domain) error {
	left, right, _ := strings.Cut(c.Text, "==")
	instead := fmt.Sprintf("allow a tolerance: abs(%s - (%s)) <= 0.01", strings.TrimSpace(left),
		strings.TrimSpace(right))
	if c.relation.Linear != nil {
		return fmt.Errorf("the constraint %s: an equality needs variables with a linear scale; remove the logarithmic variable, or %s", expression.Quote(c.Text), instead)
	}
	last := d[c.relation.Uses[len(c.relation.Uses)-1]].Name
	if len(c.relation.Uses) == 1 {
		return fmt.Errorf("the constraint %s: the equality fixes %s; remove this variable, or %s",
			expression.Quote(c.Text), last, instead)
	}
	return fmt.Errorf("the constraint %s: an equality must be linear in the variables; remove the variable %s, which follows from the others, or %s", expression.Quote(c.Text), last, instead)
}

// typicalExcess is how large the excess of a relation usually is.
func (c *Constraint) typicalExcess(d Domain) float64 {
	var sizes []float64
	rng := rand.New(rand.NewPCG(5, 6))
	u := make([]float64, len(d))
	for range 64 {
		for j := range u {
			u[j] = rng.Float64()
		}
		if v := math.Abs(c.relation.Excess(d.FromUnit(u))); v > 0 && !math.IsInf(v, 1) {
			sizes = append(sizes, v)
		}
	}
	if sizes == nil {
		return 1
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// Check returns an error where the constraint holds nowhere in the domain, or, of a sum, everywhere, where it says
// nothing. Of others the former is tried at thousands of inputs, and nearer and nearer to the best of them.
func (c Constraint) Check(d Domain) error {
	if s := c.Linear; s != nil {
		least, most := -s.Bound, -s.Bound
		for j, a := range s.Weights {
			least += min(a*d[j].Low, a*d[j].High)
			most += max(a*d[j].Low, a*d[j].High)
		}
		switch {
		case least > slack*s.scale, s.Equal && most < -slack*s.scale:
			return fmt.Errorf("the constraint %s holds nowhere between the bounds of its variables%s",
				expression.Quote(c.Text), c.describeNearest(d))
		case !s.Equal && most <= 0:
			return fmt.Errorf("the constraint %s holds everywhere between the bounds of its variables; check its numbers or leave it out", expression.Quote(c.Text))
		}
		return nil
	}
	x, excess := c.minExcess(d)
	if excess <= slack {
		return nil
	}
	text := fmt.Sprintf("the constraint %s does not hold at any of %d inputs that were tried", expression.Quote(c.Text),
		constraintTries)
	if x != nil {
		text += "; at best, " + c.describe(d, x)
	}
	return fmt.Errorf("%s", text)
}

// describeNearest describes how close an infeasible linear constraint can come to being fulfilled.
func (c Constraint) describeNearest(d Domain) string {
	x := make([]float64, len(d))
	up := c.Linear.Equal
	for j, a := range c.Linear.Weights { // the least sum
		x[j] = d[j].Low
		if a < 0 {
			x[j] = d[j].High
		}
	}
	if v := -c.Linear.Bound; up {
		for j, a := range c.Linear.Weights {
			v += a * x[j]
		}
		if v < 0 { // or the greatest, where that is nearer
			for j, a := range c.Linear.Weights {
				x[j] = d[j].High
				if a < 0 {
					x[j] = d[j].Low
				}
			}
		}
	}
	return "; at best, " + c.describe(d, x)
}

// constraintTries is the number of inputs at which a constraint is tried, in addition to the corners of the domain.
const constraintTries = 8192

// minExcess is the least excess found in the domain, and its input; nil if the excess is NaN everywhere.
func (c Constraint) minExcess(d Domain) (best []float64, least float64) {
	least = math.Inf(1)
	for x := range d.trialPoints(constraintTries / 2) {
		if v := c.Excess(x); v < least {
			best, least = x, v
		}
		if least <= slack {
			return best, least
		}
	}
	if best == nil {
		return nil, least
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range constraintTries / 2 {
		u, scale := d.ToUnit(best), math.Pow(10, -4*float64(i)/(constraintTries/2))
		for j := range u {
			u[j] = min(max(u[j]+scale*rng.NormFloat64(), 0), 1)
		}
		if x := d.FromUnit(u); c.Excess(x) < least {
			best, least = x, c.Excess(x)
		}
	}
	return best, least
}

// trialPoints are the corners of the domain, of many variables some of them, and n inputs between.
func (d Domain) trialPoints(n int) iter.Seq[[]float64] {
	return func(yield func([]float64) bool) {
		corner := make([]float64, len(d))
		for i := range 1 << min(len(d), 12) {
			for j := range corner {
				corner[j] = float64(i >> min(j, 12) & 1)
			}
			if !yield(d.FromUnit(corner)) {
				return
			}
		}
		rows := mat.NewDense(n, len(d), nil)
		rng := rand.New(rand.NewPCG(1, 2))
		samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(len(d), rng), Src: rng}.Sample(rows)
		for i := range n {
			if !yield(d.FromUnit(rows.RawRowView(i))) {
				return
			}
		}
	}
}

// Holds reports whether an input fulfils the constraint, but for rounding.
func (c Constraint) Holds(x []float64) bool {
	if r := c.relation; r != nil && r.Strict() {
		return r.HoldsStrictly(x)
	}
	return c.Excess(x) <= slack
}

// CheckConstraints returns an error that says which constraints an input breaks, with the numbers, or that the problem's
// table does not have it; nil where it can be evaluated.
func (p *Problem) CheckConstraints(x []float64) error {
	var broken []string
	if p.Table != nil {
		if err := p.Table.check(p.Domain, x); err != nil {
			broken = append(broken, err.Error())
		}
	}
	for _, c := range p.Constraints {
		switch {
		case c.Holds(x):
		case c.relation == nil && math.IsNaN(c.Excess(x)):
			broken = append(broken, c.Text+": the constraint cannot be read")
		default:
			broken = append(broken, c.Text+": "+c.describe(p.Domain, x))
		}
	}
	if broken == nil {
		return nil
	}
	return infeasible(strings.Join(broken, "; "))
}

// describe returns the values of a constraint at an input: "the left side is 44 at dose = 20, ratio = 2.2".
func (c Constraint) describe(d Domain, x []float64) string {
	r, variables := c.relation, make([]int, len(d))
	for j := range variables {
		variables[j] = j
	}
	if r != nil {
		variables = r.Uses
	}
	var values []string
	for n, j := range variables {
		if n == 6 {
			values = append(values, "…")
			break
		}
		values = append(values, d[j].Name+" = "+d[j].Text(x[j]))
	}
	finding := "it is false"
	if r != nil && r.Comparison() {
		left, right := numfmt.Format(r.Left.Value(x)), numfmt.Format(r.Right.Value(x))
		if left == right { // but for digits that are not shown
			left, right = numfmt.Exact(r.Left.Value(x)), numfmt.Exact(r.Right.Value(x))
		}
		switch {
		case !r.Varies[1]:
			finding = "the left side is " + left
		case !r.Varies[0]:
			finding = "the right side is " + right
		default:
			finding = "the left side is " + left + " and the right side is " + right
		}
	}
	return finding + " at " + strings.Join(values, ", ")
}

// expressionVariables are the variables as expressions know them.
func (d Domain) expressionVariables() []expression.Variable {
	list := make([]expression.Variable, len(d))
	for j, v := range d {
		list[j] = expression.Variable{Name: v.Name, Choices: v.Choices}
	}
	return list
}

// ErrInfeasible is what the error of CheckConstraints wraps.
var ErrInfeasible = errors.New("a constraint is broken")

// infeasible is an error that lists the broken constraints.
type infeasible string

// Error returns the list, Unwrap ErrInfeasible.
func (i infeasible) Error() string { return string(i) }
func (i infeasible) Unwrap() error { return ErrInfeasible }

// AsInfeasible is an error that wraps ErrInfeasible, with the text of another one.
func AsInfeasible(err error) error { return infeasible(err.Error()) }
