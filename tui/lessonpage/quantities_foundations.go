package lessonpage

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"bandscope/sessions/report"
	"bandscope/tui/picture"
)

// foundationQuantities are the quantities of pages on priors, data, kernels, noise, acquisitions and regret.
var foundationQuantities = map[string]quantity{
	"turns": {"the average number of turns of a sample", onLine, (*claimPage).sampleTurns},
	"truth-turns": {"turns of the true function", onLine, func(p *claimPage) float64 {
		return turns(p.posterior.Fields[picture.TrueField].Z)
	}},
	"mean-turns": {"turns of the posterior mean", onLine, func(p *claimPage) float64 {
		return turns(p.mean())
	}},
	"mean-range": {"the range of the posterior mean, in rows", onLine, func(p *claimPage) float64 {
		return p.cells(maxOrZero(p.mean()) - minOrZero(p.mean()))
	}},
	"band-between": {"the greatest height of the band between two results, in rows", onLine,
		func(p *claimPage) float64 { return maxOrZero(p.heights(p.grid(true))) }},
	"band-beyond": {"the greatest height of the band beyond all results, in rows", onLine,
		func(p *claimPage) float64 { return maxOrZero(p.heights(p.grid(false))) }},
	"reach":         {"half of the greatest width of the band", onLine, (*claimPage).reach},
	"reach-at-data": {"half of the greatest width of the band at a result", onLine, (*claimPage).reachAtData},
	"residual": {"the greatest distance of a result from the mean", onLine, func(p *claimPage) float64 {
		return p.missed(picture.MeanField)
	}},
	"mean-size": {"the greatest distance of the mean from 0", onLine, func(p *claimPage) float64 {
		return max(maxOrZero(p.mean()), -minOrZero(p.mean()))
	}},
	"misses": {"the greatest distance of the mean from a result, in rows", onLine, (*claimPage).misses},
	"samples-at-data": {"the greatest distance of two samples at a result, in rows", onLine,
		(*claimPage).through},
	"next-at": {"the next point, along the variable on the plot, or the first variable", onLine | onPlane,
		(*claimPage).nextAt},
	"next-band": {"the width of the band at the next point, as a share of its greatest width", onLine, (*claimPage).nextUnsure},
	"next-mean": {"the best result minus the mean at the next point",
		onLine, (*claimPage).nextMean},
	"lengthscale":   {"the lengthscale of the first variable", onAny, factValue("lengthscale", 1)},
	"lengthscale-2": {"the lengthscale of the second variable", onAny, factValue("lengthscale", 2)},
	"signal-sd":     {"the signal sd", onAny, factValue("signal sd", 1)},
	"noise-sd":      {"the noise sd", onAny, factValue("noise sd", 1)},
	"log-evidence":  {"the log evidence", onAny, factValue("log evidence", 1)},
	"cumulative": {"the cumulative regret", onAny, func(p *claimPage) float64 {
		return final(report.TracesFor(p.state).CumulativeRegret)
	}},
	"expected-improvement": {"the largest expected improvement", onAny, (*claimPage).hope},
	"evidence-at": {"the hyperparameter with the highest evidence, on the plot of the evidence", onAny,
		(*claimPage).evidenceAt},
	"evidence-loss": {"the highest log evidence minus that of the current value, on the plot of the evidence", onAny,
		(*claimPage).lost},
}

func minOrZero(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return slices.Min(v)
}

// turns counts the turning points of a curve.
func turns(y []float64) float64 {
	n, rising := 0.0, 0.0
	for i := 1; i < len(y); i++ {
		switch d := y[i] - y[i-1]; {
		case d*rising < 0:
			n++
			fallthrough
		case d != 0:
			rising = d
		}
	}
	return n
}

func (p *claimPage) sampleTurns() float64 {
	sum := 0.0
	for _, s := range p.visible.Samples {
		sum += turns(s.Z)
	}
	return sum / float64(len(p.visible.Samples))
}

// grid are the inputs of the plot that lie between the outermost observations, or those outside of them.
func (p *claimPage) grid(between bool) (x []float64) {
	inputs := p.observedAlong()
	if len(inputs) == 0 {
		return nil
	}
	for _, v := range p.visible.Grid() {
		if between == (v >= slices.Min(inputs) && v <= slices.Max(inputs)) {
			x = append(x, v)
		}
	}
	return x
}

// reach counts what lies beyond the y axis too.
func (p *claimPage) reach() float64 {
	if p.posterior.Fields[picture.LowerField].Empty() {
		return math.NaN()
	}
	return p.widest(p.posterior.Grid()) / 2
}

// reachAtData counts what lies beyond the y axis too.
func (p *claimPage) reachAtData() float64 {
	if p.posterior.Fields[picture.LowerField].Empty() || len(p.observedAlong()) == 0 {
		return math.NaN()
	}
	return p.widest(p.observedAlong()) / 2
}

// widest is the greatest width of the band at inputs.
func (p *claimPage) widest(inputs []float64) (most float64) {
	lower, upper := p.posterior.Fields[picture.LowerField], p.posterior.Fields[picture.UpperField]
	for _, x := range inputs {
		most = max(most, upper.Along(x)-lower.Along(x))
	}
	return most
}

func (p *claimPage) mean() []float64 { return p.posterior.Fields[picture.MeanField].Values() }

// missed is the greatest distance of an observation from a curve, in the objective's units.
func (p *claimPage) missed(kind picture.FieldKind) float64 {
	most := math.NaN()
	for _, it := range p.state.Iterations {
		for _, pt := range it.Points {
			if d := math.Abs(p.posterior.At(kind, pt.X) - pt.Y[0]); !pt.Failed && !(d <= most) {
				most = d
			}
		}
	}
	return most
}

// misses is of the mean as it is drawn; observations beyond the y axis are not.
func (p *claimPage) misses() (most float64) {
	for _, it := range p.state.Iterations {
		for _, pt := range it.Points {
			if y := pt.Y[0]; !pt.Failed && p.shown(y) == y {
				most = max(most, p.cells(math.Abs(y-p.posterior.At(picture.MeanField, pt.X))))
			}
		}
	}
	return most
}

func (p *claimPage) through() (most float64) {
	if len(p.visible.Samples) == 0 {
		return math.NaN()
	}
	for _, x := range p.observedAlong() {
		var values []float64
		for _, s := range p.visible.Samples {
			values = append(values, p.shown(s.Along(x)))
		}
		most = max(most, p.cells(floats.Max(values)-floats.Min(values)))
	}
	return most
}

func (p *claimPage) nextAt() float64 {
	if p.chosen() == nil {
		return math.NaN()
	}
	return p.chosen()[p.view.Variable]
}

func (p *claimPage) nextUnsure() float64 {
	if p.chosen() == nil || p.posterior.Fields[picture.LowerField].Empty() {
		return math.NaN()
	}
	return p.widest([]float64{p.nextAt()}) / p.widest(p.posterior.Grid())
}

func (p *claimPage) nextMean() float64 {
	_, best, _, ok := p.state.Best()
	if p.chosen() == nil || !ok {
		return math.NaN()
	}
	g := p.state.Problem.Objectives[0].Transform()
	return g.Apply(best) - g.Apply(p.posterior.At(picture.MeanField, p.chosen()))
}

// hope is what the outlook tells, of the first objective.
func (p *claimPage) hope() float64 {
	a := p.summary()
	if a == nil || a.Caveat != "" || a.Objectives[0].Improvement == nil {
		return math.NaN()
	}
	return a.Objectives[0].Improvement.Value
}

func (p *claimPage) evidenceAt() float64 {
	if p.report.Theory == nil || p.report.Theory.Evidence == nil {
		return math.NaN()
	}
	return p.report.Theory.Evidence.Best
}

// lost is read off the curve, where the value in use lies nearest to one of it.
func (p *claimPage) lost() float64 {
	if p.report.Theory == nil || p.report.Theory.Evidence == nil {
		return math.NaN()
	}
	e, nearest := p.report.Theory.Evidence, 0
	for i, v := range e.At {
		if math.Abs(math.Log(v/e.Current)) < math.Abs(math.Log(e.At[nearest]/e.Current)) {
			nearest = i
		}
	}
	return floats.Max(e.Log) - e.Log[nearest]
}

// factValue is what the method tells of its fit beside the picture, under a name; of several values the one with a
// number, from 1.
func factValue(name string, number int) func(*claimPage) float64 {
	return func(p *claimPage) float64 {
		for _, f := range p.report.Legend.Facts {
			if values := strings.Fields(f.Value); f.Name == name && len(values) >= number {
				if v, err := strconv.ParseFloat(values[number-1], 64); err == nil {
					return v
				}
			}
		}
		return math.NaN()
	}
}
