package diagnostics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Outlier is a result that the model does not understand: what the other results predict of it, with the noise, is more
// than Strange standard deviations away.
type Outlier struct {
	Result
	Objective int
	Z         float64 // by how many standard deviations its value is above what the others predict
}

// OutlierSD is from how many standard deviations on a result is not understood: of 370 results that a model
// understands, one is.
const OutlierSD = 3

// When a model is not to be believed, by its leave-one-out residuals: it has at least so many of them, and they are
// more than twice as large as it says, or more than one in twenty (and more than one) are strange, or it predicts them
// no better than the mean of the others does.
const (
	minResiduals    = 5
	maxRMSZ         = 2
	maxOutlierShare = 0.05
)

// leaveOut fills the strangers, and whether the model is to be believed.
func (j summarizer) leaveOut(a *Summary) error {
	if search.InDesign(j.input) {
		a.Caveat = fmt.Sprintf("the first points are being spread: %d of %d",
			min(j.input.Step, search.InitialCount(j.input)), search.InitialCount(j.input))
	}
	left, ok := j.belief.(optimizers.LeaveOneOuter)
	if !ok || len(j.results) == 0 {
		return nil
	}
	residuals, err := left.LeaveOneOut(j.ctx)
	if err != nil {
		return optimizers.IgnoreUnsupported(err)
	}
	a.Validated = true
	for k, r := range residuals {
		for i, z := range r.Z {
			if math.Abs(z) > OutlierSD {
				a.Outliers = append(a.Outliers, Outlier{j.results[i], k, j.gauge(k).Sign * z})
			}
		}
		if why := j.caveat(k, r); a.Caveat == "" {
			a.Caveat = why
		}
	}
	slices.SortStableFunc(a.Outliers, func(a, b Outlier) int { return cmp.Compare(math.Abs(b.Z), math.Abs(a.Z)) })
	return nil
}

// caveat is why residuals say that their model is not to be believed; empty where they do not.
func (j summarizer) caveat(k int, r optimizers.Residuals) string {
	n, strange, squares, missed := len(r.Z), 0, 0.0, 0.0
	if n < minResiduals {
		return ""
	}
	y := j.input.Data.Column(k)
	for i, z := range r.Z {
		if math.Abs(z) > OutlierSD {
			strange++
		}
		squares += z * z / float64(n)
		missed += (y[i] - r.Mean[i]) * (y[i] - r.Mean[i])
	}
	name := ""
	if len(j.state.Problem.Objectives) > 1 {
		name = j.state.Problem.Objectives[k].Name + ": "
	}
	// stubSource each by the mean stubSource the others
	byMean := stat.PopVariance(y, nil) * float64(n) * math.Pow(float64(n)/float64(n-1), 2)
	switch {
	case float64(strange) > max(1, maxOutlierShare*float64(n)):
		return fmt.Sprintf("%sleft out, %d of %s %s not what the model says", name, strange, numfmt.Count(n, "result"),
			map[bool]string{true: "is", false: "are"}[strange == 1])
	case math.Sqrt(squares) > maxRMSZ:
		return fmt.Sprintf("%sleft out, results are %s times as far off as the model says", name,
			numfmt.Format(math.Round(10*math.Sqrt(squares))/10))
	case missed >= byMean:
		return name + "left out, results are predicted no better than by their mean"
	}
	return ""
}

// StoppingAdvice is the word on stopping of an objective: what may still be hoped for of another experiment, or why
// nothing is said of it. It is empty where nothing is known.
func (a *Summary) StoppingAdvice(k int) string {
	o := a.Objectives[k]
	switch {
	case o.Improvement == nil:
		return ""
	case a.Caveat != "":
		return "no word on stopping: " + a.Caveat
	}
	amount := o.Transform().FormatDifference(o.Improvement.Value, numfmt.Format)
	if o.Unit != "" && !o.Transform().IsLog() {
		amount += " " + o.Unit
	}
	if !math.IsNaN(o.Improvement.Share) {
		amount += " (" + SharePercent(o.Improvement.Share) + " of " + o.Improvement.Reference + ")"
	}
	word := "nothing above " + amount + " is expected of another experiment"
	if !a.Validated {
		word += ", by a model that nothing checks"
	}
	return word
}

// SharePercent writes a share with two digits.
func SharePercent(share float64) string {
	p := 100 * share
	switch {
	case p == 0:
		return "0 %"
	case p < 0.01:
		return "less than 0.01 %"
	case p < 1:
		return fmt.Sprintf("%.2g %%", p)
	}
	return fmt.Sprintf("%.0f %%", p)
}
