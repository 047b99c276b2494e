package gaussian

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats/scalar"
	"gonum.org/v1/gonum/stat"

	"bandscope/functions/numfmt"
	"bandscope/model/gp"
	"bandscope/model/kernel"
	"bandscope/optimizers"
)

// Describe describes the band, the samples, the kernel and the fitted hyperparameters; the method adds its acquisition
// function.
func (b *Process) Describe() optimizers.Legend {
	l := optimizers.Legend{Mean: "mean", Band: "±2 sd of the GP posterior", Samples: "posterior samples"}
	if b.In.Warp != nil {
		l.Mean, l.Band = "median", "±2 sd of the warped GP posterior"
		l.Meaning = "It is normal on a log-like scale of the results, which are more probable there, and wider on one side of the median than on the other."
	}
	if b.In.Data.Len() == 0 {
		l.Band, l.Samples = "±2 sd of the GP prior", "prior samples"
	}
	if b.In.Params.Has(shrinkageKey) && b.In.Data.Len() > 1 {
		if f := b.shortestFact(); f.Value != "" {
			l.Facts = append(l.Facts, f)
		}
	}
	l.Kernel = b.describeKernel()
	switch k := b.GP.Mode().Kernel().(type) {
	case *kernel.Composite:
		l.Facts = append(l.Facts, b.expressionFacts(k.Family())...)
	case kernel.Stationary:
		l.Facts = append(l.Facts, b.stationaryFacts(len(k.Lengths))...)
	}
	l.Facts = append(l.Facts, optimizers.NewFact("noise sd", b.estimate((*gp.GP).Noise, b.deviation, gp.NoiseBox)))
	l.Inference = b.describeInference()
	if l.Inference == "" {
		l.Facts = append(l.Facts, optimizers.Fact{Name: "log evidence",
			Value: numfmt.Format(b.GP.LogMarginalLikelihood())})
	} else {
		l.Band = "±2 sd of the approximate GP posterior"
		m, _ := b.GP.Mode().Inducing()
		l.Facts = append(l.Facts, optimizers.Fact{Name: optimizers.FactInducing, Value: strconv.Itoa(m)})
	}
	if b.In.Data.Blocks != nil {
		l.Facts = append(l.Facts, optimizers.NewFact("block sd", b.estimate((*gp.GP).BlockSD, b.deviation, gp.BlockBox)))
	}
	if b.GP.Integrated() {
		l.HyperparameterDraws = len(b.GP.Draws())
		l.Facts = append(l.Facts, optimizers.Fact{Name: "posterior draws", Value: strconv.Itoa(len(b.GP.Draws()))})
	}
	if j := b.GP.Jitter(); j > 0 {
		l.Warnings = append(l.Warnings, fmt.Sprintf("jitter %s was added to the covariance matrix", numfmt.Format(j)))
	}
	return l
}

// describeKernel names the kernel, and says whether each variable has a lengthscale.
func (b *Process) describeKernel() string {
	e, err := kernel.Parse(b.In.Params.Choice(kernelKey))
	if err != nil {
		return ""
	}
	if _, single := e.Form(); single && b.In.Dim > 1 && b.In.Params.Text(lengthscaleKey) == fittedLabel {
		return e.Title() + ", one lengthscale per variable"
	}
	return e.Title()
}

// stationaryFacts are the hyperparameters of a stationary kernel with a number of lengthscales.
func (b *Process) stationaryFacts(count int) (facts []optimizers.Fact) {
	if lengths := b.lengths(count); len(lengths) > 0 {
		facts = append(facts, optimizers.NewFact(optimizers.FactLengthscale, lengths...))
	}
	if correlations := b.choiceCorrelations(); correlations != nil {
		facts = append(facts, optimizers.Fact{Name: "choice correlation", Value: optimizers.JoinFirst(correlations)})
	}
	scale := func(g *gp.GP) float64 { return g.Kernel().(kernel.Stationary).Scale }
	return append(facts, optimizers.NewFact("signal sd", b.estimate(scale, b.deviation, gp.ScaleBox)))
}

// lengths are the lengthscales of the inputs that are not choices, in the units of the inputs. count is the number of
// lengthscales of the process.
func (b *Process) lengths(count int) []optimizers.Estimate {
	return b.perInput(func(c int) bool { return c < count }, func(c int) func(*gp.GP) float64 {
		return func(g *gp.GP) float64 { return g.Kernel().(kernel.Stationary).Lengths[c] }
	}, gp.LengthBox)
}

// perInput are the estimates of a hyperparameter that every input has, without choices. value returns the
// hyperparameter of a column; has reports whether the column has one.
func (b *Process) perInput(has func(int) bool, value func(int) func(*gp.GP) float64, box [2]float64) (all []optimizers.Estimate) {
	for c, j := range b.In.Domain.Columns(b.In.Dim) {
		if !has(c) || b.In.Domain.Choice(j) || b.hasOtherColumn(j, c) {
			continue
		}
		e := b.estimate(value(c), func(v float64, number numberFormat) string { return b.In.Length(j, v, number) }, box)
		e.Variable = j + 1
		all = append(all, e)
	}
	return all
}

// hasOtherColumn reports whether the lengthscale of column c, of input j, is that of another column: of a mixture all
// coordinates have one.
func (b *Process) hasOtherColumn(j, c int) bool {
	first := b.In.Domain.MixtureColumn(j)
	return first >= 0 && first != c
}

// deviation formats a standard deviation of the standardized objective in the unit of the objective.
func (b *Process) deviation(sd float64, number numberFormat) string {
	if b.In.Warp != nil { // the scale has no unit
		return number(sd)
	}
	return b.In.Deviation(b.Objective, sd*b.Scale.SD, number)
}

// numberFormat formats a number.
type numberFormat = func(float64) string

// plainNumber formats a hyperparameter for the unit cube and standardized targets.
func plainNumber(v float64, number numberFormat) string { return number(v) }

// twoDigits formats a number with two significant digits.
func twoDigits(v float64) string {
	return numfmt.Format(scalar.Round(v, 1-int(math.Floor(math.Log10(math.Abs(v))))))
}

// estimate is a hyperparameter: the fitted value or, if it is integrated over, the median of its draws with their
// central 90 %. format formats a value by a format for its numbers; box is the range of the fit.
func (b *Process) estimate(value func(*gp.GP) float64, format func(float64, numberFormat) string, box [2]float64) optimizers.Estimate {
	e := optimizers.Estimate{Min: box[0], Max: box[1]}
	if !b.GP.Integrated() {
		v := value(b.GP.Mode())
		e.Value, e.Low, e.High = v, v, v
		e.Text = format(v, numfmt.Format)
		return e
	}
	var draws []float64
	for _, g := range b.GP.Draws() {
		draws = append(draws, value(g))
	}
	slices.Sort(draws)
	quantile := func(p float64) float64 { return stat.Quantile(p, stat.LinInterp, draws, nil) }
	e.Value, e.Low, e.High = quantile(0.5), quantile(0.05), quantile(0.95)
	e.Text = format(e.Value, twoDigits)
	if e.Low == e.High { // a fixed value
		return e
	}
	e.Interval = format(e.Low, twoDigits) + "–" + format(e.High, twoDigits)
	return e
}
