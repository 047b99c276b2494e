package costaware

import (
	"context"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"bandscope/model/gp"
	"bandscope/model/parallel"
	"bandscope/optimizers"
	"bandscope/optimizers/gaussian"
	"bandscope/optimizers/normdist"
	"bandscope/optimizers/search"
)

// MFMES maximizes the information about the best value at full fidelity, per unit of cost, over points and fidelities.
var MFMES = optimizers.Register(optimizers.Spec{
	Name: "mf-mes", Title: "MF-MES", Family: "cost-aware", Rank: 5,
	Pending: optimizers.PendingBand, Errors: optimizers.ErrorsAsNoise, Limits: optimizers.LimitsUnsupported,
	Levels: optimizers.LevelsInKernel, Constraints: optimizers.FeasibleOnly,
	Summary: "information of an evaluation at any fidelity about the best value at full fidelity, per unit of cost",
	Source:  "Takeno et al. 2020, with one process over the inputs and the fidelity, including the noise of the evaluation. Without a fidelity variable it is MES per cost",
	Params:  append(gaussian.MESParams(), gaussian.Params()...),
	Fit: func(ctx context.Context, in optimizers.Input) (optimizers.Belief, error) {
		if in.Fidelity == nil {
			return MESPerCost.Fit(ctx, in)
		}
		g, err := gaussian.Fit(ctx, in, 0)
		if err != nil {
			return nil, err
		}
		best, err := g.BestValues(ctx, in.Fidelity)
		if err != nil {
			return nil, err
		}
		withPending, err := g.GP.Believe(ctx, in.Pending)
		if err != nil {
			return nil, err
		}
		b := fidelityBelief{gaussian.MaxValueProcess{Process: g, Best: best}, withPending.Components()}
		b.HandlesPending = true
		return b, nil
	},
})

// fidelityBelief maximizes the logarithm of the information about the minimum at full fidelity per cost.
type fidelityBelief struct {
	gaussian.MaxValueProcess
	// the processes of the mixture with the pending points at its own mean (kriging believer)
	withPending []gaussian.EncodedGP
}

func (b fidelityBelief) Legend() optimizers.Legend {
	l := b.Describe()
	l.Facts = append([]optimizers.Fact{{Name: "full fidelity", Value: b.In.Fidelity.Text}}, l.Facts...)
	l.Acquisition = "information about the best value at full fidelity per cost (nats), higher is better"
	l.NonNegative = true
	l.Learns, l.PerCost = true, b.In.Cost != nil
	return l
}

// Acquisition is the information per cost.
func (b fidelityBelief) Acquisition(ctx context.Context, X *mat.Dense) ([]float64, error) {
	v, err := b.values(ctx, X)
	for i := range v {
		v[i] = math.Exp(v[i])
	}
	return v, err
}

// rowsAtOnce is the number of inputs for which one goroutine computes the information between two checks of the
// context.
const rowsAtOnce = 32

// values are the logarithms of the information per cost at the rows of X, averaged over the processes of a mixture.
func (b fidelityBelief) values(ctx context.Context, X *mat.Dense) ([]float64, error) {
	full := mat.DenseCopyOf(X)
	n, _ := X.Dims()
	for i := range n {
		b.In.Fidelity.SetFull(full.RawRowView(i))
	}
	processes := b.withPending
	points := make([]gp.Moments, len(processes))
	top := make([]gp.Moments, len(processes))
	cov := make([][]float64, len(processes))
	for k, g := range processes {
		var err error
		points[k], top[k], cov[k], err = g.PredictPairs(ctx, X, full)
		if err != nil {
			return nil, err
		}
	}
	values := make([]float64, n)
	err := parallel.Try((n+rowsAtOnce-1)/rowsAtOnce, func(batch int) error {
		list := make([]float64, len(processes))
		for i := batch * rowsAtOnce; i < min((batch+1)*rowsAtOnce, n); i++ {
			for k, g := range processes {
				list[k], _ = b.score(top[k].Mean[i], top[k].SD[i],
					residualCorrelation(points[k].SD[i], top[k].SD[i], cov[k][i], g.Noise()))
			}
			values[i] = logMean(list) - math.Log(b.In.CostAt(X.RawRowView(i)))
		}
		return ctx.Err()
	})
	return values, err
}

// logMean returns the logarithm of the mean of exp(v); a single value stays the same to the last digit.
func logMean(v []float64) float64 {
	if len(v) == 1 {
		return v[0]
	}
	return floats.LogSumExp(v) - math.Log(float64(len(v)))
}

// residualCorrelation is √(1 − ρ²) of the correlation ρ between an observation and the value at full fidelity, from
// their standard deviations and their covariance.
func residualCorrelation(sd, sdFull, cov, noise float64) float64 {
	r := cov / max(sdFull, 1e-12)
	return math.Sqrt(min(max(1-r*r/(sd*sd+noise*noise), 0), 1))
}

// score is the logarithm of the information, averaged over the samples of the best value, with its derivatives with
// respect to the mean and the standard deviation at full fidelity and s = √(1 − ρ²).
func (b fidelityBelief) score(mean, sd, s float64) (v float64, slopes [3]float64) {
	sd = max(sd, 1e-12)
	return normdist.LogMean(b.Best, func(y float64) (float64, [3]float64) {
		gamma := (mean - y) / sd
		v, byGamma, byS := logFidelityInformation(gamma, s)
		return v, [3]float64{byGamma / sd, -byGamma * gamma / sd, byS}
	})
}

// value is the logarithm of the information per cost at one point, with its gradient, averaged over the processes of a
// mixture.
func (b fidelityBelief) value(x, grad []float64) float64 {
	processes := b.withPending
	values := make([]float64, len(processes))
	slopes := make([][]float64, len(processes))
	dcost := make([]float64, len(x))
	for k, g := range processes {
		slopes[k] = make([]float64, len(x))
		values[k] = b.valueOf(g, x, slopes[k])
	}
	v, cost := logMean(values), logCost(b.In, x, dcost)
	for j := range grad {
		grad[j] = -dcost[j]
		for k, slope := range slopes {
			grad[j] += math.Exp(values[k]-v) / float64(len(processes)) * slope[j]
		}
	}
	return v - cost
}

// valueOf is the logarithm of the information by one process at one point, with its gradient.
func (b fidelityBelief) valueOf(g gaussian.EncodedGP, x, grad []float64) float64 {
	d, f := len(x), b.In.Fidelity
	full := f.SetFull(slices.Clone(x))
	store := make([]float64, 6*d)
	next := func() []float64 { v := store[:d]; store = store[d:]; return v }
	dmean := next()
	dsd := next()
	dmeanFull := next()
	dsdFull := next()
	dx := next()
	dfull := next()
	_, sd := g.Gradient(x, dmean, dsd)
	meanFull, sdFull := g.Gradient(full, dmeanFull, dsdFull)
	cov, noise := g.Covariance(x, full, dx, dfull), g.Noise()
	s := residualCorrelation(sd, sdFull, cov, noise)
	v, amount := b.score(meanFull, sdFull, s)
	dmeanFull[f.Index] = 0
	dsdFull[f.Index] = 0
	dfull[f.Index] = 0 // the value at full fidelity does not change with the fidelity
	byRho2 := 0.0
	if s > 0 {
		byRho2 = -amount[2] / (2 * s)
	}
	total, level := sd*sd+noise*noise, max(sdFull, 1e-12)
	for j := range grad {
		rho2 := 2 * (cov/level/level/total*(dx[j]+dfull[j]) - (1-s*s)*(dsdFull[j]/level+sd*dsd[j]/total))
		grad[j] = amount[0]*dmeanFull[j] + amount[1]*dsdFull[j] + byRho2*rho2
	}
	return v
}

// Suggest maximizes the information per cost.
func (b fidelityBelief) Suggest(ctx context.Context) (optimizers.Suggestion, error) {
	return b.Maximize(ctx, search.Target{Values: b.values, Gradient: b.value}, math.Exp,
		search.Incumbents(b.In.Data, 3))
}

// logFidelityInformation is the logarithm of the information that one of two standard normals with the correlation ρ
// gives about the event that the other is at least −γ, as a function of γ and s = √(1 − ρ²), with its derivatives. It
// is H(u) − H(u | v ≥ −γ), where u given v ≥ −γ has the density φ(u)Φ((γ+ρu)/s)/Φ(γ) (Takeno et al. 2020, the truncated
// case), whose entropy is a one-dimensional integral. With u = −ργ + s e and a = γs + ρe that integral is of a smooth
// function over a normal e: the information is h(γ) [½ρ²γ + M(γ) − s E M(a)], h = φ/Φ, M = −log Φ/h. It has no narrow
// steps as ρ nears 1, where it equals that of max-value entropy search, and is 0 at ρ = 0.
func logFidelityInformation(gamma, s float64) (v, byGamma, byS float64) {
	c := normdist.Truncated(gamma)
	rho2 := 1 - s*s
	rho := math.Sqrt(rho2)
	var surprise, hazard, log float64 // E M(a), E h(a), E log Φ(a)
	for _, e := range fidelityNodes() {
		tail := normdist.Truncated(gamma*s + rho*e.At)
		surprise += e.Weight * tail.Surprise
		hazard += e.Weight * tail.Hazard
		log -= e.Weight * tail.Surprise * tail.Hazard
	}
	per := rho2*gamma/2 + c.Surprise - s*surprise
	if !(per > minInformation) {
		return c.Log + math.Log(minInformation), 0, 0
	}
	return c.Log + math.Log(per), (rho2*(1-gamma*(gamma+c.Hazard))/2 + log + c.Hazard*s*surprise) / per,
		-(gamma*s + hazard) / per
}

// minInformation replaces an information that is rounded to 0.
const minInformation = 1e-16

// fidelityNodes are the quadrature nodes of the information.
var fidelityNodes = sync.OnceValue(func() []normdist.Node { return normdist.Nodes(16) })
