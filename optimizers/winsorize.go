package optimizers

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"bandscope/functions/transform"
)

// maxMagnitude bounds the values that models use unchanged: the fourth powers of larger ones overflow.
const maxMagnitude = 1e75

// Clip is a value that models replace by another one, in the direction in which it was measured.
type Clip struct {
	Row       int // of the data
	Objective int // −1 for the value of a limit
	Limit     int // −1 for the value of an objective
	Value, As float64
}

// Winsorize replaces values that are too large for models, such as those of a simulation that diverged, by a value that
// lies beyond all others by their range, on the same side (Winsorizing; Hastings et al. 1947, "Low moments for small
// samples"). Clipped lists them. All other values stay exactly as they are. The value of a limit stays on its side of
// bounds that are not too large themselves.
func (in *Input) Winsorize() {
	d := &in.Data
	if d.Len() == 0 {
		return
	}
	for k := range in.Objectives {
		sign := 1.0
		if in.Transforms != nil {
			sign = in.Transforms[k].Sign
		}
		y, clips := winsorizeColumn(d.Y, k)
		for _, c := range clips {
			in.Clipped = append(in.Clipped, Clip{Row: c.row, Objective: k, Limit: -1, Value: sign * c.value,
				As: sign * c.as})
		}
		d.Y = y
	}
	for k, l := range in.Limits {
		values, clips := winsorizeColumn(d.Limits, k, l.Min, l.Max)
		for _, c := range clips {
			if l.Objective < 0 { // of an objective it is on the list
				in.Clipped = append(in.Clipped, Clip{Row: c.row, Objective: -1, Limit: k, Value: c.value, As: c.as})
			}
		}
		d.Limits = values
	}
	d.SE, d.LimitSE = boundErrors(d.SE), boundErrors(d.LimitSE)
}

// boundErrors clips standard errors so that their squares do not overflow.
func boundErrors(se *mat.Dense) *mat.Dense {
	if se == nil || !slices.ContainsFunc(se.RawMatrix().Data, func(v float64) bool { return v > maxMagnitude }) {
		return se
	}
	bounded := mat.DenseCopyOf(se)
	bounded.Apply(func(_, _ int, v float64) float64 {
		if v > maxMagnitude { // false of NaN, an error that is not known
			return maxMagnitude
		}
		return v
	}, bounded)
	return bounded
}

// clip is a replaced value of a row.
type clip struct {
	row       int
	value, as float64
}

// winsorizeColumn returns a matrix in which the values of a column that are too large compared with the others, and
// with finite bounds, are replaced; the matrix itself if there are none.
func winsorizeColumn(m *mat.Dense, column int, bounds ...float64) (*mat.Dense, []clip) {
	values := mat.Col(nil, column, m)
	bounds = slices.DeleteFunc(bounds, func(v float64) bool { return math.IsInf(v, 0) })
	ordinary := transform.DropExtremes(slices.Concat(values, bounds))
	for len(ordinary) > 0 && math.Abs(ordinary[len(ordinary)-1]) > maxMagnitude {
		ordinary = ordinary[:len(ordinary)-1]
	}
	if len(ordinary) == len(values)+len(bounds) {
		return m, nil
	}
	largest := -1.0
	low := -maxMagnitude
	high := maxMagnitude
	if len(ordinary) > 0 {
		largest = math.Abs(ordinary[len(ordinary)-1])
		least, most := slices.Min(ordinary), slices.Max(ordinary)
		span := cmp.Or(most-least, largest, 1)
		low, high = least-span, most+span
	}
	var clips []clip
	m = mat.DenseCopyOf(m)
	for i, v := range values {
		if math.Abs(v) <= largest {
			continue
		}
		as := high
		if v < 0 {
			as = low
		}
		m.Set(i, column, as)
		clips = append(clips, clip{i, v, as})
	}
	return m, clips
}
