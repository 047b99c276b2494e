package optimizers

import "math"

// Limit is a quantity that is to lie between bounds, in its own unit and direction.
type Limit struct {
	Name      string
	Least     float64 // −∞ where it has no lower bound
	Most      float64 // +∞ where it has no upper one
	Noise     float64 // standard deviation of its observations, as it is declared; 0 where it is not known
	Objective int     // the objective that it is; −1 where it is none
}

// Excess is how far a value is beyond the bounds, in its unit; 0 or less within them, where it is minus the distance to the nearest one.
func (l Limit) Excess(v float64) float64 { return math.Max(v-l.Most, l.Least-v) }

// Met reports whether datum i was observed within all limits.
func (in Input) Met(i int) bool {
	for k, l := range in.Limits {
		if l.Excess(in.Data.Limits.At(i, k)) > 0 {
			return false
		}
	}
	return true
}

// Limits is how a method keeps to limits on what is measured.
type Limits string

// The ways to keep to limits, as they are told; none is NoLimits.
const (
	NoLimits      Limits = "not handled: problems with limits are refused"
	ByProbability Limits = "the acquisition times the probability to be within all limits; until a result is known that is, that probability alone"
	ByDrawnLimits Limits = "a draw of each limit's process: the least of the drawn function where all drawn limits are met, or where they are exceeded least"
	ByBounds      Limits = "where the optimistic bounds of the limits' processes are met, or where they are exceeded least"
	UnseenLimits  Limits = "it looks at no result: limits only count in what is best"
)
