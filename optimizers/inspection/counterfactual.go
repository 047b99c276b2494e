package inspection

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
	"bandscope/optimizers/search"
)

// Counterfactual is another value of one parameter with which the method would choose another point.
type Counterfactual struct {
	Decl     param.Decl
	From, To any
	// share of the parameter's range between the two values, the smallest found; NaN if it is not a number
	Fraction float64
	X        []float64 // the point that would be chosen, in the unit cube
	Distance float64   // distance from the current choice
}

// IsSearchParam reports whether Counterfactuals tries other values of a parameter: it does not for those of the initial
// design.
func IsSearchParam(d param.Decl) bool {
	return !slices.ContainsFunc(search.DesignParams(), func(decl param.Decl) bool { return decl.Key == d.Key })
}

// Counterfactuals are the smallest changes of single parameters with which the method would not choose x: for a number
// the nearest value above and below that is found on the scale of its range, or for a number in a text the nearest
// suggested one; for others each other declared or suggested value. Parameters that need no new fit are tried first,
// and smaller changes are listed first. A value that the method rejects is no change. in.Progress reports how many
// parameters are done.
func Counterfactuals(ctx context.Context, spec *optimizers.Spec, in optimizers.Input, b optimizers.Belief,
	x []float64) ([]Counterfactual, error) {
	c := counterfactualSearch{ctx: ctx, spec: spec, in: in, b: b, x: x, space: search.NewSpace(in)}
	c.in.Progress = nil // of single fits
	var decls []param.Decl
	for _, d := range in.Params.Decls() {
		if IsSearchParam(d) {
			decls = append(decls, d)
		}
	}
	slices.SortStableFunc(decls, func(a, b param.Decl) int { return c.fitCost(a) - c.fitCost(b) })
	var all []Counterfactual
	for i, d := range decls {
		if in.Progress != nil {
			in.Progress("changing "+d.Label, i, len(decls))
		}
		found, err := c.search(d)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	slices.SortStableFunc(all, func(a, b Counterfactual) int {
		switch {
		case math.IsNaN(b.Fraction) && !math.IsNaN(a.Fraction), a.Fraction < b.Fraction:
			return -1
		case math.IsNaN(a.Fraction) && !math.IsNaN(b.Fraction), a.Fraction > b.Fraction:
			return 1
		}
		return 0
	})
	return all, nil
}

// counterfactualSearch tries other values.
type counterfactualSearch struct {
	ctx   context.Context
	spec  *optimizers.Spec
	in    optimizers.Input
	b     optimizers.Belief
	x     []float64
	space search.Space
}

// fitCost is 0 if another value needs no fit, and 1 otherwise.
func (c counterfactualSearch) fitCost(d param.Decl) int {
	starter, ok := c.b.(optimizers.WarmStarter)
	if !ok {
		return 1
	}
	in := c.in
	params, err := in.Params.With(d.Key, d.Nudge(in.Params.Value(d.Key), 1))
	if err != nil {
		return 1
	}
	in.Params = params
	if _, ok := starter.WarmStart(in); ok {
		return 0
	}
	return 1
}

// try returns the change to a value, if that changes the choice.
func (c counterfactualSearch) try(d param.Decl, value any) (Counterfactual, bool, error) {
	now := c.in.Params.Value(d.Key)
	if err := c.ctx.Err(); err != nil || value == now {
		return Counterfactual{}, false, err
	}
	in := c.in
	var err error
	in.Params, err = in.Params.With(d.Key, value)
	if err != nil {
		return Counterfactual{}, false, nil
	}
	if c.spec.Check != nil && c.spec.Check(in) != nil {
		return Counterfactual{}, false, nil
	}
	b, carried := optimizers.Belief(nil), false
	if starter, ok := c.b.(optimizers.WarmStarter); ok {
		b, carried = starter.WarmStart(in)
	}
	if !carried {
		b, err = c.spec.Fit(c.ctx, in)
		if err != nil {
			return Counterfactual{}, false, c.ctx.Err() // with that value there is no belief
		}
	}
	end, err := suggestion(c.ctx, b)
	if err != nil {
		return Counterfactual{}, false, c.ctx.Err()
	}
	return Counterfactual{d, now, value, math.NaN(), end, distance(c.in, c.x, end)}, !c.space.Same(c.x, end), nil
}

// fractions of the way to an end of a parameter's range at which the choice is checked, and how often the interval
// between two of them is halved.
var fractions = []float64{1.0 / 64, 1.0 / 16, 1.0 / 4, 1}

const halvings = 5

// search returns the changes of one parameter.
func (c counterfactualSearch) search(d param.Decl) (all []Counterfactual, err error) {
	now := c.in.Params.Value(d.Key)
	switch now := now.(type) {
	case bool:
		return tryAll(c, d, []bool{!now}, 1)
	case string:
		return c.tryChoices(d, now)
	}
	for _, end := range []float64{d.Max, d.Min} {
		found, moved, err := c.searchRange(d, end)
		if err != nil {
			return nil, err
		}
		if moved {
			all = append(all, found)
		}
	}
	return all, nil
}

// tryAll returns the first changes to one of the values that change the choice, at most so many.
func tryAll[V any](c counterfactualSearch, d param.Decl, values []V, most int) (all []Counterfactual, err error) {
	for _, v := range values {
		if len(all) == most {
			break
		}
		found, moved, err := c.try(d, v)
		if err != nil {
			return nil, err
		}
		if moved {
			all = append(all, found)
		}
	}
	return all, nil
}

// tryChoices returns the changes to declared or suggested values: of the numbers among them, if the text is a number,
// the nearest above and below that change the choice, and all others.
func (c counterfactualSearch) tryChoices(d param.Decl, text string) (all []Counterfactual, err error) {
	now, err := strconv.ParseFloat(text, 64)
	numeric := d.Kind == param.Text && err == nil
	var others, above, below []string
	offset := func(value string) float64 {
		v, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return math.NaN()
		}
		return v - now
	}
	choices := d.Choices
	if d.Alternatives != nil {
		choices = d.Alternatives
	}
	for _, v := range choices {
		switch change := offset(v); {
		case !numeric || math.IsNaN(change):
			others = append(others, v)
		case change > 0:
			above = append(above, v)
		case change < 0:
			below = append(below, v)
		}
	}
	all, err = tryAll(c, d, others, len(others))
	if err != nil {
		return nil, err
	}
	for _, side := range [][]string{above, below} {
		slices.SortFunc(side, func(a, b string) int { return cmp.Compare(math.Abs(offset(a)), math.Abs(offset(b))) })
		nearest, err := tryAll(c, d, side, 1)
		if err != nil {
			return nil, err
		}
		all = append(all, nearest...)
	}
	return all, nil
}

// searchRange returns the nearest change towards an end of the range: the first of the fractions that changes the
// choice, refined by bisection.
func (c counterfactualSearch) searchRange(d param.Decl, end float64) (found Counterfactual, moved bool, err error) {
	from := number(c.in.Params.Value(d.Key))
	still, last := 0.0, math.Inf(1)
	for _, part := range fractions {
		found, moved, err = c.try(d, interpolate(d, from, end, part))
		if moved || err != nil {
			last = part
			break
		}
		still = part
	}
	if !moved {
		return Counterfactual{}, false, err
	}
	for range halvings {
		middle := (still + last) / 2
		nearer, moves, err := c.try(d, interpolate(d, from, end, middle))
		if err != nil {
			return Counterfactual{}, false, err
		}
		if moves {
			found, last = nearer, middle
		} else {
			still = middle
		}
	}
	found.Fraction = last * length(d, from, end)
	return found, true, nil
}

// number is the value of a number or an integer.
func number(v any) float64 {
	if i, ok := v.(int); ok {
		return float64(i)
	}
	return v.(float64)
}

// onScale maps a number to the scale of a parameter, and back.
func onScale(d param.Decl, v float64) float64 {
	if d.Log && d.Min > 0 {
		return math.Log(v)
	}
	return v
}

// length is the share of a parameter's range between two values.
func length(d param.Decl, a, b float64) float64 {
	whole := onScale(d, d.Max) - onScale(d, d.Min)
	return math.Abs(onScale(d, a)-onScale(d, b)) / whole
}

// interpolate is a value of a parameter between two others, rounded to three digits, so that the displayed value is the
// one that was tried.
func interpolate(d param.Decl, from, end, part float64) any {
	v := end
	if part < 1 {
		v = onScale(d, from) + part*(onScale(d, end)-onScale(d, from))
		if d.Log && d.Min > 0 {
			v = math.Exp(v)
		}
		if short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64); err == nil {
			v = short
		}
		v = min(max(v, d.Min), d.Max)
	}
	if d.Kind == param.Integer {
		return int(math.Round(v))
	}
	return v
}
