package diagnostics

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"bandscope/optimizers"
	"bandscope/optimizers/param"
)

// Alternative is another assumption of the same method: one declared parameter at another value, held against the same
// data.
type Alternative struct {
	Decl     param.Decl
	Value    any
	Gain     float64 // by how much its log score is better, summed over all data and objectives
	SE       float64 // the standard error of that, from the differences datum by datum
	Evidence float64 // by how much its log marginal likelihood is greater; NaN where one of them has none
}

// Of how many data on the standard error of a difference is worth something, and from which gain on a difference is:
// one that is sure and nothing would be suggested otherwise, as of two noises that are both none.
const (
	minCompared = 8
	minGain     = 1
)

// Better reports whether an alternative explains n data better: by more than its uncertainty, two standard errors, and
// by more than one, a factor of e in the density of all data.
func (a Alternative) Better(n int) bool {
	return n >= minCompared && a.Gain > max(2*a.SE, minGain)
}

// LeaveOneOutFunc a method is held against its data: by closed form or by training again.
type LeaveOneOutFunc func(ctx context.Context, in optimizers.Input) (held []Predictions, evidence float64, err error)

// ClosedFormFunc fits once and takes the closed form.
func ClosedFormFunc(fit Fit) LeaveOneOutFunc {
	return func(ctx context.Context, in optimizers.Input) ([]Predictions, float64, error) {
		progress := in.Progress
		in.Progress, in.Pending = nil, nil
		b, err := fit(ctx, in)
		if err != nil {
			return nil, 0, err
		}
		held, err := LeaveOneOut(ctx, in, b)
		in.Progress = progress
		if err != nil {
			return nil, 0, err
		}
		evidence, err := logEvidence(ctx, b)
		return held, evidence, err
	}
}

// RefitFunc fits once for each datum, without it. No evidence is told.
func RefitFunc(fit Fit) LeaveOneOutFunc {
	return func(ctx context.Context, in optimizers.Input) ([]Predictions, float64, error) {
		held, err := LeaveOneOutRefit(ctx, in, fit)
		return held, math.NaN(), err
	}
}

// logEvidence is the log marginal likelihood of all objectives; NaN where one of them has none.
func logEvidence(ctx context.Context, b optimizers.Belief) (float64, error) {
	of, ok := b.(optimizers.FitReport)
	if !ok {
		return math.NaN(), nil
	}
	all, err := of.LogEvidence(ctx)
	return floats.Sum(all), err
}

// CompareAlternatives holds every other assumption that a method declares (RoleAssumption, RoleBand), one at a time,
// against the data, by the log predictive density of each datum that is left out, paired with that of the assumptions
// in force (Vehtari, Gelman & Gabry 2017, eq. 24). Those that say just the same are left out, of several that do all
// but one, and those that cannot be held against the data in the same way. The best comes first; now is what the
// assumptions in force say.
func CompareAlternatives(ctx context.Context, in optimizers.Input, how LeaveOneOutFunc) (all []Alternative,
	now []Predictions, err error) {
	now, evidence, err := how(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	tried := candidateValues(in.Params)
	for i, a := range tried {
		in.Report("trying other assumptions", i, len(tried))
		other := in
		if other.Params, err = in.Params.With(a.Decl.Key, a.Value); err != nil {
			return nil, nil, err
		}
		held, its, err := how(ctx, other)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if errors.Is(err, optimizers.ErrUnsupported) || err != nil || len(held) != len(now) {
			continue
		}
		gain, se, same := ScoreDifference(now, held)
		if same || math.IsNaN(gain) || slices.ContainsFunc(all, func(b Alternative) bool {
			return b.Decl.Key == a.Decl.Key && b.Gain == gain && b.SE == se
		}) {
			continue
		}
		a.Gain, a.SE, a.Evidence = gain, se, its-evidence
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b Alternative) int { return cmp.Compare(b.Gain, a.Gain) })
	return all, now, nil
}

// ScoreDifference is the sum of the differences of log densities, with its standard error √n sd; same says that there
// are none.
func ScoreDifference(now, other []Predictions) (gain, se float64, same bool) {
	n := len(now[0].LogDensity)
	by := make([]float64, n)
	same = true
	for k := range now {
		for i := range by {
			d := other[k].LogDensity[i] - now[k].LogDensity[i]
			same = same && math.Abs(d) < 1e-9
			by[i] += d
		}
	}
	mean, sd := stat.MeanStdDev(by, nil)
	return mean * float64(n), sd * math.Sqrt(float64(n)), same
}

// candidateValues are the other values of every assumption.
func candidateValues(params param.Set) (all []Alternative) {
	for _, d := range params.Decls() {
		if d.Role != optimizers.RoleAssumption && d.Role != optimizers.RoleBand {
			continue
		}
		for _, v := range otherValues(d, params.Value(d.Key)) {
			if checked, err := d.Check(v); err == nil {
				all = append(all, Alternative{Decl: d, Value: checked})
			}
		}
	}
	return all
}

// otherValues are the values of a parameter that are tried beside the one it has: every other choice, the other way of
// a switch, half and double of a number and a quarter and four times where factors count, or else none, a tenth, ten
// and a hundred times; of one that is 0, parts of its range, and of one that the method finds, fixed ones.
func otherValues(d param.Decl, now any) (values []any) {
	switch v := now.(type) {
	case bool:
		return []any{!v}
	case string:
		for _, c := range d.Choices {
			if c != v {
				values = append(values, c)
			}
		}
	case int:
		if v > 0 {
			values = []any{2 * v}
		}
		if v > 1 {
			values = append(values, v/2)
		}
	case float64:
		if v == 0 && d.Zero { // the method finds it: fixed ones around the middle of the range
			middle := math.Sqrt(d.Min * d.Max)
			return []any{middle / 4, middle / 2, middle, 2 * middle}
		}
		if v == 0 {
			return []any{1e-4 * d.Max, 1e-3 * d.Max, 1e-2 * d.Max}
		}
		factors := []float64{1.0 / 4, 1.0 / 2, 2, 4}
		if !d.Log { // such as a variance that may be 0
			factors = []float64{0, 1.0 / 10, 10, 100}
		}
		for _, by := range factors {
			values = append(values, v*by)
		}
	}
	return values
}
