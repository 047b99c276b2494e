package forecast

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/optimizers"
	"bandscope/optimizers/constraints"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/param"
	"bandscope/optimizers/weights"
)

// output is a measured quantity with its process, in standardized units.
type output struct {
	of        *gaussian.Process
	parts     []gaussian.EncodedGP // the process for each draw of the hyperparameters
	low, high float64              // limits; infinite for none
	table     *normdist.Table
}

// isLimited reports whether the output has a limit.
func (o output) isLimited() bool { return !math.IsInf(o.low, -1) || !math.IsInf(o.high, 1) }

// holds reports whether a value is within the limits, up to rounding.
func (o output) holds(v float64) bool { return v >= o.low-rounding && v <= o.high+rounding }

// rounding is how far beyond a limit a standardized value may be to count as on it.
const rounding = 1e-9

// within is the probability that a normal value is within the limits.
func (o *output) within(mean, sd float64) float64 {
	if sd < minSD {
		if o.holds(mean) {
			return 1
		}
		return 0
	}
	return max(o.table.CDF((o.high-mean)/sd)-o.table.CDF((o.low-mean)/sd), 0)
}

// minSD is the standard deviation, of a standardized value, below which a value counts as known.
const minSD = 1e-7

// model is the processes of all measured quantities: the objectives first, then the other limited ones.
type model struct {
	in         optimizers.Input
	outputs    []output
	objectives []output
	better     []output                                                   // outputs without the upper limits of the objectives
	succeeds   func(ctx context.Context, X *mat.Dense) ([]float64, error) // log probability; nil if failures are not modeled

	// of several objectives: a minimized outcome is offset + factor × the standardized value
	offset, factor []float64
	reference      []float64 // of the hypervolume, in minimized outcomes
}

// fitModel fits the processes with the parameters of the method, if it has those of a process, or else the defaults.
func fitModel(ctx context.Context, in optimizers.Input) (*model, error) {
	if !UsesMethod(in.Params) {
		in.Params = param.Defaults(gaussian.Params())
	}
	m := &model{in: in}
	for k := range in.Objectives {
		p, err := gaussian.Fit(ctx, in, k)
		if err != nil {
			return nil, err
		}
		m.outputs = append(m.outputs, newOutput(p))
	}
	limits, err := constraints.Fit(ctx, in, optimizers.LimitsByProbability)
	if err != nil {
		return nil, err
	}
	if limits != nil {
		m.addLimits(limits)
		m.in.Feasible = limits
	}
	m.objectives, m.better = m.outputs[:in.Objectives], slices.Clone(m.outputs)
	for k := range m.objectives {
		m.better[k].high = math.Inf(1)
	}
	if in.Objectives > 1 {
		lo, hi := weights.ObjectiveRange(in)
		for k, o := range m.objectives {
			m.offset = append(m.offset, (o.of.Scale.Mean-hi[k])/(hi[k]-lo[k]))
			m.factor = append(m.factor, o.of.Scale.SD/(hi[k]-lo[k]))
			m.reference = append(m.reference, -weights.ReferenceWithinLimits(in)[k])
		}
	}
	return m, nil
}

// UsesMethod reports whether the processes of a forecast have the parameters of the method; otherwise they have default
// values.
func UsesMethod(p param.Set) bool {
	return !slices.ContainsFunc(gaussian.Params(), func(d param.Decl) bool { return !p.Has(d.Key) })
}

func newOutput(p *gaussian.Process) output {
	return output{of: p, parts: p.GP.Components(), low: math.Inf(-1), high: math.Inf(1),
		table: normdist.NewTable()}
}

// addLimits adds the limits: to the objective that they are on, or as further outputs.
func (m *model) addLimits(b *constraints.Belief) {
	for k, p := range b.Processes() {
		l := m.in.Limits[k]
		o := newOutput(p)
		if l.Objective < 0 {
			o.low, o.high = (l.Min-p.Scale.Mean)/p.Scale.SD, (l.Max-p.Scale.Mean)/p.Scale.SD
			m.outputs = append(m.outputs, o)
			continue
		}
		local := &m.outputs[l.Objective]
		low, high := l.Min, l.Max
		if m.in.Transforms != nil && m.in.Transforms[l.Objective].Sign < 0 { // limits are in the objective's direction
			low, high = -high, -low
		}
		local.low, local.high = (low-local.of.Scale.Mean)/local.of.Scale.SD, (high-local.of.Scale.Mean)/local.of.Scale.SD
	}
	m.succeeds = b.LogSuccess()
}

// thinned is the model with at most so many draws of the hyperparameters, evenly spaced.
func (m *model) thinned(count int) *model {
	few := *m
	few.outputs = slices.Clone(m.outputs)
	for k, o := range m.outputs {
		n := min(count, len(o.parts))
		few.outputs[k].parts = make([]gaussian.EncodedGP, n)
		for c := range n {
			few.outputs[k].parts[c] = o.parts[c*len(o.parts)/n]
		}
	}
	few.objectives = few.outputs[:len(m.objectives)]
	return &few
}
