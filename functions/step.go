package functions

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"bandscope/functions/numfmt"
)

// stepSlack is the rounding of a value of the grid of a step, in steps.
const stepSlack = 1e-6

// maxDecimals are the digits behind the point to which values of a grid are rounded, so that they read back as typed.
const maxDecimals = 15

// stepper computes the values of the grid of a real variable with a step. The zero value has no grid.
type stepper struct {
	low, step float64
	count     int
	decimals  int     // digits behind the point of all values
	power     float64 // ten to the power of decimals; 0: the values are not rounded
}

// Steps is the number of values of a real variable with a step, of which the first is Low; 0 without a step.
func (v Variable) Steps() int {
	if v.Kind != Real || !(v.Step > 0) {
		return 0
	}
	return int(math.Floor((v.High-v.Low)/v.Step+stepSlack)) + 1
}

// stepper is the grid of the variable.
func (v Variable) stepper() (s stepper) {
	s.count = v.Steps()
	if s.count == 0 {
		return s
	}
	s.low = v.Low
	s.step = v.Step
	s.decimals = max(decimals(v.Low), decimals(v.Step))
	// the quotient of two whole numbers below 2^53 is the number nearest to the decimal
	if p := math.Pow10(s.decimals); s.decimals <= maxDecimals && max(math.Abs(v.Low), math.Abs(v.High))*p < 1<<53 {
		s.power = p
	}
	return s
}

// decimals is the number of digits behind the point of a number as it is typed.
func decimals(x float64) int {
	_, behind, _ := strings.Cut(strconv.FormatFloat(x, 'f', -1, 64), ".")
	return len(behind)
}

// value is the value after i steps: the number that is typed, without rounding errors.
func (s stepper) value(i int) float64 {
	x := s.low + float64(i)*s.step
	if s.power > 0 {
		return math.Round(x*s.power)/s.power + 0 // no -0
	}
	return x
}

// nearest is the value of the grid nearest to x by its distance, and whether x differs from it by rounding only.
func (s stepper) nearest(x float64) (float64, bool) {
	steps := (x - s.low) / s.step
	i := min(max(int(math.Round(steps)), 0), s.count-1)
	return s.value(i), math.Abs(steps-float64(i)) <= stepSlack
}

// round is the value of the grid that x is but for rounding, or x.
func (s stepper) round(x float64) float64 {
	if s.count > 0 {
		if active, ok := s.nearest(x); ok {
			return active
		}
	}
	return x
}

// GridValues are all values of the grid of a step, rising; nil without one.
func (v Variable) GridValues() []float64 {
	s := v.stepper()
	list := make([]float64, s.count)
	for i := range list {
		list[i] = s.value(i)
	}
	return list
}

// text formats a value: one of the grid with as many decimals as the grid has, another one with four digits.
func (s stepper) text(x float64) string {
	if s.count > 0 && s.power > 0 {
		if active, ok := s.nearest(x); ok {
			return strconv.FormatFloat(active, 'f', s.decimals, 64)
		}
	}
	return numfmt.Format(x)
}

// CheckStep returns an error if x is no value of the grid of the variable's step, which names the nearest ones. A
// variable without a step takes all values.
func (v Variable) CheckStep(x float64) error {
	s := v.stepper()
	if s.count == 0 {
		return nil
	}
	if _, active := s.nearest(x); active {
		return nil
	}
	i := min(max(int(math.Floor((x-s.low)/s.step)), 0), s.count-2)
	return fmt.Errorf("%s must be %s plus a multiple of its step %s, such as %s or %s, got %s", v.Name,
		numfmt.Exact(v.Low), numfmt.Exact(v.Step), s.text(s.value(i)), s.text(s.value(i+1)), numfmt.Exact(x))
}

// CheckSteps returns an error about the first value of an input that is not on the grid of its variable's step.
func (d Domain) CheckSteps(x []float64) error {
	for j, v := range d {
		if err := v.CheckStep(x[j]); err != nil {
			return err
		}
	}
	return nil
}
