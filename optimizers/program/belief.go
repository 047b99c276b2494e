package program

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions"
	"bandscope/optimizers"
)

// belief is what the program itself believes.
type belief struct {
	optimizers.Unsupported
	greeting
	method  *method
	request *request // nil: the program may not be asked
}

var _ optimizers.Belief = (*belief)(nil)

// name is what the program calls itself, or else its method's name.
func (b *belief) name() string {
	if t := b.title(); t != "" {
		return t
	}
	return b.method.declaration.MethodName()
}

// Legend names what the program has.
func (b *belief) Legend() optimizers.Legend {
	l := optimizers.Legend{}
	if b.can(CanPredict) {
		l.Band, l.Mean = "±2 sd that "+b.name()+" predicts", b.name()+"'s predicted mean"
		l.Meaning = "It is what the program " + b.name() + " predicts; how well calibrated it is depends on the program."
	}
	if b.can(CanSample) {
		l.Samples = "function that " + b.name() + " draws"
	}
	if b.can(CanAcquisition) {
		l.Acquisition = "acquisition of " + b.name() + ", higher is better"
	}
	if t := b.title(); t != "" {
		l.Facts = append(l.Facts, optimizers.Fact{Name: "program", Value: t})
	}
	return l
}

// Suggest asks the program.
func (b *belief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	if b.request == nil {
		return optimizers.Suggestion{}, &NotAllowedError{b.method.declaration.Command}
	}
	return b.method.suggest(ctx, b.request.in)
}

// maxRows is how many points a request has at most.
const maxRows = 1024

// ask asks about the rows of X in parts, and reads the answers.
func (b *belief) ask(ctx context.Context, X *mat.Dense, subject string, draw uint64, add func(*beliefLine, []point),
	read func(end answerTo, answer []byte, from, n int) error) error {
	if b.request == nil || !b.can(subject) {
		return fmt.Errorf("%s: %w", subject, optimizers.ErrUnsupported)
	}
	points := b.request.points(X)
	for from := 0; from < len(points); from += maxRows {
		part := points[from:min(from+maxRows, len(points))]
		line := b.request.belief(b.State == stateSnapshot, subject, draw)
		add(&line, part)
		text, err := marshal(line)
		if err != nil {
			return err
		}
		_, answer, err := b.method.exchange(ctx, b.request, text)
		if err != nil {
			return err
		}
		if err := read(answerTo(subject), answer, from, len(part)); err != nil {
			b.request.source.Talker.Restart()
			return err
		}
	}
	return nil
}

// table checks that a list has a row for each of n points, with a finite number for each of some columns.
func (end answerTo) table(answer []byte, name string, rows [][]float64, n, columns int) error {
	if len(rows) != n {
		return end.fault(answer, "%s must have a row for each of %d points, got %d", name, n, len(rows))
	}
	for _, row := range rows {
		if len(row) != columns {
			return end.fault(answer, "a row of %s must have %d numbers, got %d", name, columns, len(row))
		}
		if !functions.Finite(row) {
			return end.fault(answer, "%s has a number that is not finite", name)
		}
	}
	return nil
}

// Predict asks for means and standard deviations, in the problem's units.
func (b *belief) Predict(ctx context.Context, X *mat.Dense) ([]optimizers.Band, error) {
	rows, _ := X.Dims()
	bands := make([]optimizers.Band, b.objectives())
	for k := range bands {
		bands[k] = optimizers.Band{Mean: make([]float64, rows), SD: make([]float64, rows)}
	}
	err := b.ask(ctx, X, CanPredict, 0, func(l *beliefLine, p []point) { l.Predict = p },
		func(end answerTo, answer []byte, from, n int) error {
			var a struct{ Mean, SD [][]float64 }
			if err := end.read(answer, &a); err != nil {
				return err
			}
			if err := end.table(answer, "mean", a.Mean, n, len(bands)); err != nil {
				return err
			}
			if err := end.table(answer, "sd", a.SD, n, len(bands)); err != nil {
				return err
			}
			for i := range n {
				for k, o := range b.request.source.Problem.Objectives {
					mean := a.Mean[i][k]
					sd := a.SD[i][k]
					g := o.Transform()
					if sd < 0 {
						return end.fault(answer, "a standard deviation must be at least 0, got %g", sd)
					}
					bands[k].Mean[from+i], bands[k].SD[from+i] = g.Apply(mean), g.ApplySE(mean, sd)
				}
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return bands, nil
}

// objectives is how many objectives there are.
func (b *belief) objectives() int {
	if b.request == nil {
		return 0
	}
	return b.request.in.Objectives
}

// Samples asks for functions, drawn jointly at all rows; there can be only as many rows as a request has.
func (b *belief) Samples(ctx context.Context, X *mat.Dense, count int, draw uint64) ([]*mat.Dense, error) {
	rows, _ := X.Dims()
	if rows > maxRows {
		return nil, fmt.Errorf("samples at %d points: %w", rows, optimizers.ErrUnsupported)
	}
	all := make([]*mat.Dense, b.objectives())
	for k := range all {
		all[k] = mat.NewDense(count, rows, nil)
	}
	err := b.ask(ctx, X, CanSample, draw, func(l *beliefLine, p []point) { l.Sample, l.Count = p, count },
		func(end answerTo, answer []byte, _, n int) error {
			var a struct{ Samples [][][]float64 }
			if err := end.read(answer, &a); err != nil {
				return err
			}
			if len(a.Samples) != count {
				return end.fault(answer, "samples must have %d functions, got %d", count, len(a.Samples))
			}
			for s, values := range a.Samples {
				if err := end.table(answer, "a function of samples", values, n, len(all)); err != nil {
					return err
				}
				for i, row := range values {
					for k, o := range b.request.source.Problem.Objectives {
						all[k].Set(s, i, o.Transform().Apply(row[k]))
					}
				}
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Acquisition asks for the acquisition function.
func (b *belief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	rows, _ := X.Dims()
	values := make([]float64, rows)
	err := b.ask(ctx, X, CanAcquisition, 0, func(l *beliefLine, p []point) { l.Acquisition = p },
		func(end answerTo, answer []byte, from, n int) error {
			var a struct{ Acquisition []float64 }
			if err := end.read(answer, &a); err != nil {
				return err
			}
			if len(a.Acquisition) != n {
				return end.fault(answer, "acquisition must have a number for each of %d points, got %d", n, len(a.Acquisition))
			}
			for i, v := range a.Acquisition {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return end.fault(answer, "acquisition has a number that is not finite")
				}
				values[from+i] = v
			}
			return nil
		})
	if err != nil {
		return nil, err
	}
	return values, nil
}

// borrowed is the belief of another method, drawn beside a program that has none of its own.
type borrowed struct {
	optimizers.Belief
	own     *belief
	title   string // of the other method
	warning string // why the program did not answer
	count   int    // of objectives
}

var (
	_ optimizers.FitReport          = (*borrowed)(nil)
	_ optimizers.LeaveOneOuter      = (*borrowed)(nil)
	_ optimizers.Spectrum           = (*borrowed)(nil)
	_ optimizers.ParetoSolver       = (*borrowed)(nil)
	_ optimizers.FeasibilityModeler = (*borrowed)(nil)
)

// Legend says whose belief it is.
func (b *borrowed) Legend() optimizers.Legend {
	l := b.Belief.Legend()
	whose := " of " + b.title + ", not of " + b.own.name()
	width, _, _ := strings.Cut(l.Band, " of ")
	l.Band, l.Mean = width+whose, b.title+"'s "+l.Mean // the last word labels the line
	if l.Samples != "" {
		l.Samples += whose
	}
	l.Used, l.Substitute = "", b.reason()
	l.Meaning = "It is the band of " + b.title + " for the same data; " + b.own.name() + " does not choose by it."
	legend := b.own.Legend()
	l.Acquisition = legend.Acquisition
	l.LowerIsBetter = false
	l.NonNegative = false
	l.Learns = false
	l.PerCost = false
	l.Facts = append(append(legend.Facts, optimizers.Fact{Name: optimizers.FactSubstitute, Value: b.title}),
		l.Facts...)
	if b.warning != "" {
		l.Warnings = append(l.Warnings, b.own.name()+": "+b.warning)
	}
	return l
}

// reason says whose belief it is and why.
func (b *borrowed) reason() string {
	text := "the model is that of " + b.title + ", because the program " + b.own.name()
	switch {
	case b.warning != "":
		return text + " has failed: " + b.warning
	case b.own.request == nil:
		return text + " is not started"
	}
	return text + " does not predict"
}

// Suggest asks the program.
func (b *borrowed) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.own.Suggest(ctx)
}

// Used is unsupported: no function was used.
func (b *borrowed) Used(ctx context.Context, X *mat.Dense) ([][]float64, error) {
	return b.own.Used(ctx, X)
}

// Acquisition is that of the program.
func (b *borrowed) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	return b.own.Acquisition(ctx, X)
}

// unknown is an unknown value of each objective.
func (b *borrowed) unknown() []float64 { return slices.Repeat([]float64{math.NaN()}, b.count) }

// NoiseSD is that of the other method.
func (b *borrowed) NoiseSD() []float64 {
	if belief, ok := b.Belief.(optimizers.FitReport); ok {
		return belief.NoiseSD()
	}
	return b.unknown()
}

// LogEvidence is that of the other method.
func (b *borrowed) LogEvidence(ctx context.Context) ([]float64, error) {
	if belief, ok := b.Belief.(optimizers.FitReport); ok {
		return belief.LogEvidence(ctx)
	}
	return b.unknown(), nil
}

// Lengthscales are those of the other method.
func (b *borrowed) Lengthscales() [][]float64 {
	if belief, ok := b.Belief.(optimizers.FitReport); ok {
		return belief.Lengthscales()
	}
	return nil
}

// LeaveOneOut are the residuals of the other method.
func (b *borrowed) LeaveOneOut(ctx context.Context) ([]optimizers.Residuals, error) {
	if belief, ok := b.Belief.(optimizers.LeaveOneOuter); ok {
		return belief.LeaveOneOut(ctx)
	}
	return nil, optimizers.ErrUnsupported
}

// BlockEffects are those of the other method.
func (b *borrowed) BlockEffects(ctx context.Context) ([]optimizers.BlockEffects, error) {
	if belief, ok := b.Belief.(optimizers.BlockEstimator); ok {
		return belief.BlockEffects(ctx)
	}
	return nil, optimizers.ErrUnsupported
}

// Theory is that of the other method.
func (b *borrowed) Theory(ctx context.Context) (optimizers.Theory, error) {
	if belief, ok := b.Belief.(optimizers.Spectrum); ok {
		return belief.Theory(ctx)
	}
	return optimizers.Theory{}, optimizers.ErrUnsupported
}

// ExpectedFront is that of the other method.
func (b *borrowed) ExpectedFront(ctx context.Context) ([]optimizers.FrontPoint, error) {
	if belief, ok := b.Belief.(optimizers.ParetoSolver); ok {
		return belief.ExpectedFront(ctx)
	}
	return nil, optimizers.ErrUnsupported
}

// DrawnFronts are those of the other method.
func (b *borrowed) DrawnFronts(ctx context.Context, count int) ([][]optimizers.FrontPoint, error) {
	if belief, ok := b.Belief.(optimizers.ParetoSolver); ok {
		return belief.DrawnFronts(ctx, count)
	}
	return nil, optimizers.ErrUnsupported
}

// Feasibility is that of the other method.
func (b *borrowed) Feasibility() optimizers.Feasibility { return optimizers.FeasibilityFor(b.Belief) }
