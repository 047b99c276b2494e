package optimizers

import (
	"fmt"
	"math"

	"bandscope/functions/numfmt"
	"bandscope/functions/transform"
	"bandscope/optimizers/param"
)

// The key of the parameter that says on which scale results are modeled, and its choices.
const (
	OutcomesKey    = "outcome_scale"
	OutcomesLinear = "linear"
	OutcomesWarped = "warped"
)

// FactOutcomes is the name of the fact with the scale on which results are modeled.
const FactOutcomes = "outcome scale"

// OutcomesParam declares the scale on which a model takes the results of the objective.
func OutcomesParam() param.Decl {
	return param.Decl{Key: OutcomesKey, Label: "outcome scale", Kind: param.Choice, Default: OutcomesLinear,
		Choices: []string{OutcomesLinear, OutcomesWarped},
		Help:    "With warped, the model takes the logarithm of the distance to the best result, if the results are more probable on that scale by 3 nats or more. Its bands have other widths above and below the median.",
		Source:  "Snelson et al. 2004 (warped Gaussian process); the scale after Eriksson & Poloczek 2021, §3"}
}

// Warps reports whether the parameters allow another scale of the results.
func (in Input) Warps() bool {
	return in.Params.Has(OutcomesKey) && in.Params.Choice(OutcomesKey) == OutcomesWarped
}

// Warp is a scale of results.
type Warp struct {
	transform.Bilog
	Gain float64 // of the log evidence on the scale over that of the results themselves, in nats
}

// Invert returns the value that lies at a place of the scale.
func (w *Warp) Invert(u float64) float64 {
	if w == nil {
		return u
	}
	return w.Bilog.Invert(u)
}

// Describe names the scale and its gain.
func (w *Warp) Describe() string {
	return fmt.Sprintf("log-like, +%s nats", numfmt.Format(math.Round(w.Gain)))
}

// Quantile returns the quantile of the band at its row i that is z standard deviations from the median of a normal
// distribution.
func (b Band) Quantile(i int, z float64) float64 {
	if b.Warped == nil {
		return b.Mean[i] + z*b.SD[i]
	}
	return b.Warped.Warp.Invert(b.Warped.Mean[i] + z*b.Warped.SD[i])
}

// WarpedBand is a normal band on the scale of a Warp.
type WarpedBand struct {
	Mean, SD []float64
	Warp     *Warp
}

// Band returns the band in the units of the objective: its medians, and half the distances between the quantiles one
// standard deviation above and below.
func (w *WarpedBand) Band() Band {
	b := Band{Mean: make([]float64, len(w.Mean)), SD: make([]float64, len(w.Mean)), Warped: w}
	for i := range w.Mean {
		b.Mean[i] = b.Quantile(i, 0)
		b.SD[i] = (b.Quantile(i, 1) - b.Quantile(i, -1)) / 2
	}
	return b
}
