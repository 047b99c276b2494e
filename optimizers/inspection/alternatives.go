package inspection

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

// Alternative is another assumption of the same method: one declared parameter at another value, compared on the same
// data.
type Alternative struct {
	Decl     param.Decl
	Value    any
	Gain     float64 // difference of the log scores, summed over all data and objectives; positive is better
	SE       float64 // standard error of Gain, from the differences by observation
	Evidence float64 // difference of the log marginal likelihoods; NaN if one is not known
}

// Number of observations from which on the standard error of a difference is meaningful, and gain from which on a
// difference is. A certain but tiny difference changes no suggestion, as between two noises that are both nearly 0.
const (
	minCompared = 8
	minGain     = 1
)

// Better reports whether an alternative explains n observations better: by more than two standard errors, and by more
// than 1, a factor of e in the density of all data.
func (a Alternative) Better(n int) bool {
	return n >= minCompared && a.Gain > max(2*a.SE, minGain)
}

// LeaveOneOutFunc computes the leave-one-out predictions of a method: exactly from one fit, or by refits.
type LeaveOneOutFunc func(ctx context.Context, in optimizers.Input) (held []Predictions, evidence float64, err error)

// ClosedFormFunc fits once and computes exact leave-one-out predictions.
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

// RefitFunc fits without each observation in turn. It returns no evidence.
func RefitFunc(fit Fit) LeaveOneOutFunc {
	return func(ctx context.Context, in optimizers.Input) ([]Predictions, float64, error) {
		held, err := LeaveOneOutRefit(ctx, in, fit)
		return held, math.NaN(), err
	}
}

// logEvidence is the log marginal likelihood of all objectives; NaN if one of them has none.
func logEvidence(ctx context.Context, b optimizers.Belief) (float64, error) {
	report, ok := b.(optimizers.FitReport)
	if !ok {
		return math.NaN(), nil
	}
	all, err := report.LogEvidence(ctx)
	return floats.Sum(all), err
}

// CompareAlternatives compares every other assumption that a method declares (RoleAssumption, RoleBand), one at a time,
// with the current ones, by the paired difference of the leave-one-out log predictive densities (Vehtari, Gelman &
// Gabry 2017, eq. 24). It omits alternatives with the same predictions as the current assumptions, all but one of
// several with the same predictions, and those without predictions of the same kind. The best comes first; now are the
// predictions of the current assumptions.
func CompareAlternatives(ctx context.Context, in optimizers.Input, leaveOneOutFunc LeaveOneOutFunc) (all []Alternative,
	now []Predictions, err error) {
	now, evidence, err := leaveOneOutFunc(ctx, in)
	if err != nil {
		return nil, nil, err
	}
	tried := candidateValues(in.Params)
	for i, a := range tried {
		in.Report("trying other assumptions", i, len(tried))
		other := in
		other.Params, err = in.Params.With(a.Decl.Key, a.Value)
		if err != nil {
			return nil, nil, err
		}
		held, its, err := leaveOneOutFunc(ctx, other)
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
		a.Gain = gain
		a.SE = se
		a.Evidence = its - evidence
		all = append(all, a)
	}
	slices.SortStableFunc(all, func(a, b Alternative) int { return cmp.Compare(b.Gain, a.Gain) })
	return all, now, nil
}

// ScoreDifference is the sum of the differences of log densities, with its standard error √n sd; same reports that all
// differences are 0.
func ScoreDifference(now, other []Predictions) (gain, se float64, same bool) {
	n := len(now[0].LogDensity)
	amounts := make([]float64, n)
	same = true
	for k := range now {
		for i := range amounts {
			d := other[k].LogDensity[i] - now[k].LogDensity[i]
			same = same && math.Abs(d) < 1e-9
			amounts[i] += d
		}
	}
	mean, sd := stat.MeanStdDev(amounts, nil)
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

// otherValues are the values of a parameter that are tried instead of its current one: every other choice, the other
// state of a switch, half and double an integer, and a quarter, half, double and four times a number on a logarithmic
// scale, or else 0, a tenth, ten and a hundred times it. For a number that is 0 they are parts of its range, and for
// one that the method fits, fixed values.
func otherValues(d param.Decl, now any) (values []any) {
	switch v := now.(type) {
	case bool:
		return []any{!v}
	case string:
		choices := d.Choices
		if d.Alternatives != nil {
			choices = d.Alternatives
		}
		for _, c := range choices {
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
		if v == 0 && d.Zero { // the method fits it: fixed values around the middle of the range
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
		for _, factor := range factors {
			values = append(values, v*factor)
		}
	}
	return values
}
