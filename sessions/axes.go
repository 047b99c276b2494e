package sessions

import "math"

// Axes are the ranges of axes that all pages of a lesson share, by the names of the axes, in the units of the axes.
type Axes map[string][2]float64

// The axes that a lesson on a session can set, and those that a lesson on a training can.
var (
	SessionAxes = []string{"y", "mean", "deviation", "evidence", "iterations", "simple", "cumulative", "best",
		"hypervolume", "bayes", "share"}
	TrainingAxes = []string{"activity", "errors", "embeddings", "gaps"}
)

// Range returns the range of an axis, extended to the finite values; ok is false if the lesson does not set the axis.
func (a Axes) Range(name string, values ...float64) (low, high float64, ok bool) {
	r, ok := a[name]
	low, high = r[0], r[1]
	if !ok || low >= high {
		return 0, 0, false
	}
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high, true
}
