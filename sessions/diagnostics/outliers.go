package diagnostics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bandscope/functions/numfmt"
	"bandscope/optimizers"
	"bandscope/optimizers/search"
)

// Outlier is a result that lies more than OutlierSD standard deviations from its leave-one-out prediction, including
// the noise.
type Outlier struct {
	Result
	Objective int
	Z         float64 // how many standard deviations its value lies above the prediction
}

// OutlierSD is the number of standard deviations beyond which a result is an outlier. A calibrated model has one
// outlier in 370 results.
const OutlierSD = 3

// leaveOut fills in the outliers and the caveat.
func (j summarizer) leaveOut(a *Summary) error {
	if search.InDesign(j.input) {
		a.Caveat = fmt.Sprintf("the initial design is not complete: %d of %d points",
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
		if why := j.misfit(k, r); a.Caveat == "" {
			a.Caveat = why
		}
	}
	slices.SortStableFunc(a.Outliers, func(a, b Outlier) int { return cmp.Compare(math.Abs(b.Z), math.Abs(a.Z)) })
	return nil
}

// misfit is why leave-one-out residuals show that the model cannot be trusted; empty if they do not.
func (j summarizer) misfit(k int, r optimizers.Residuals) string {
	m := newMisfit(j.input.Data.Column(k), r.Mean, r.Z)
	name := ""
	if len(j.state.Problem.Objectives) > 1 {
		name = j.state.Problem.Objectives[k].Name + ": "
	}
	switch {
	case m.hasOutliers():
		return fmt.Sprintf("%s%d of %s are outliers of the model", name, m.outliers, numfmt.Count(m.n, "result"))
	case m.overconfident():
		return fmt.Sprintf("%sleave-one-out errors are %s times as large as the model expects", name,
			numfmt.Format(math.Round(10*m.rmsZ)/10))
	case m.uninformed():
		return name + "leave-one-out predictions are no better than the mean of the results"
	}
	return ""
}

// SharePercent formats a share with two digits.
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
