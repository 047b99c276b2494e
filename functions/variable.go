package functions

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"bandscope/functions/didyoumean"
	"bandscope/functions/numfmt"
)

// Scale says how the values of a variable lie between its bounds.
type Scale string

// The two scales.
const (
	Linear Scale = ""    // equal differences count the same
	Log    Scale = "log" // equal factors count the same; both bounds are above 0
)

// Kind says which values a variable takes.
type Kind string

// MaxLevels bounds the levels of an integer. One with more values has none: it is searched as a real number, and
// rounded.
const MaxLevels = 10_001

// The kinds. All but the real ones and wide integers take a small number of values, their levels.
const (
	Real    Kind = ""        // any number between the bounds
	Integer Kind = "integer" // any whole number between the bounds, which are whole themselves
	Ordered Kind = "ordered" // one of Values, the bounds are the first and the last
	// one of Choices, names without an order: the value is the place of the name, counted from 0
	Choice Kind = "choice"
)

// Variable is one named input with its bounds, in its own unit.
type Variable struct {
	Name  string  `json:"name"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Unit  string  `json:"unit,omitempty"`
	Scale Scale   `json:"scale,omitempty"`
	// of a real variable: the distance between the values that are suggested, which are Low, Low + Step, … up to High;
	// 0: any value between the bounds. Results at other values are data like any others
	Step float64 `json:"step,omitempty"`

	// the name in the program that the experiment comes from, if it is another one; tables may have it as a header
	Header string `json:"header,omitempty"`

	Kind   Kind      `json:"kind,omitempty"`
	Values []float64 `json:"values,omitempty"` // of an ordered variable, rising, two or more
	// of a choice, two or more different ones; its bounds are 0 and their number less one
	Choices     []string     `json:"choices,omitempty"`
	Descriptors []Descriptor `json:"descriptors,omitempty"` // of a choice, where they are known
}

// Descriptor is a numeric property of the choices of a variable, such as a boiling point: choices with similar values
// are similar.
type Descriptor struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"` // one a choice, not all the same
}

// NewChoice is a variable that is one of some names without an order.
func NewChoice(name string, choices ...string) Variable {
	return Variable{Name: name, High: float64(len(choices) - 1), Kind: Choice, Choices: choices}
}

// NewOrdered is a variable that takes some numbers, which rise.
func NewOrdered(name string, values ...float64) Variable {
	return Variable{Name: name, Low: values[0], High: values[len(values)-1], Kind: Ordered, Values: values}
}

// Wide reports whether the variable is an integer with more values than MaxLevels.
func (v Variable) Wide() bool { return v.Kind == Integer && v.High-v.Low >= MaxLevels }

// Levels is how many values the variable takes; 0 of a real one, whether it has a step or not, and of a wide integer.
func (v Variable) Levels() int {
	switch v.Kind {
	case Integer:
		if v.Wide() {
			return 0
		}
		return int(v.High-v.Low) + 1
	case Ordered:
		return len(v.Values)
	case Choice:
		return len(v.Choices)
	}
	return 0
}

// Level is the value of a level, or of a real variable with a step the value after i steps, counted from 0.
func (v Variable) Level(i int) float64 {
	switch {
	case v.Kind == Ordered:
		return v.Values[i]
	case v.Kind == Choice:
		return float64(i)
	case v.Step > 0:
		return v.stepper().value(i)
	}
	return v.Low + float64(i)
}

// Nearest is the level, or the number of steps, whose value is the nearest to x along the scale, the lower of two that
// are equally near; NaN is nearest to the first.
func (v Variable) Nearest(x float64) int {
	n := max(v.Levels(), v.Steps())
	if v.Wide() {
		n = int(v.High-v.Low) + 1
	}
	x = min(max(x, v.Low), v.High)
	above := 0 // the first level whose value is not below x
	switch {
	case v.Kind == Ordered:
		above, _ = slices.BinarySearch(v.Values, x)
	case v.Kind == Choice: // whose first place is 0, whatever bounds are narrowed to
		above = int(math.Ceil(x))
	case v.Step > 0:
		above = int(math.Ceil((x-v.Low)/v.Step - stepSlack))
	default:
		above = int(math.Ceil(x - v.Low))
	}
	above = min(max(above, 0), n-1)
	if above > 0 && v.Level(above) != x {
		u := v.ToUnit(x)
		below := v.ToUnit(v.Level(above - 1))
		over := v.ToUnit(v.Level(above))
		if !(over-u < u-below) {
			above--
		}
	}
	return above
}

// Snap is the value of the variable that is nearest to x, on the grid of its step if it has one; of another real one x
// itself.
func (v Variable) Snap(x float64) float64 {
	if v.Kind == Real && v.Step == 0 {
		return x
	}
	return v.Level(v.Nearest(x))
}

// ToUnit maps a value of the variable to [0, 1], along its scale; the choices of a variable lie at equal distances
// there, in their order, which means nothing.
func (v Variable) ToUnit(x float64) float64 {
	if v.Scale == Log {
		return (math.Log(x) - math.Log(v.Low)) / v.Width()
	}
	return (x - v.Low) / (v.High - v.Low)
}

// boundSlack is the distance in the unit interval within which a number is a bound but for rounding.
const boundSlack = 1e-12

// FromUnit maps [0, 1] to the values of the variable, along its scale, where it has levels to the nearest. A value that
// differs from a bound or from one of the grid of a step by rounding only becomes that one.
func (v Variable) FromUnit(u float64) float64 {
	x := v.Low + u*(v.High-v.Low)
	switch {
	case u <= boundSlack:
		x = v.Low
	case u >= 1-boundSlack:
		x = v.High
	case v.Scale == Log:
		x = math.Exp(math.Log(v.Low) + u*v.Width())
	}
	x = min(max(x, v.Low), v.High)
	if v.Kind != Real {
		return v.Snap(x)
	}
	return v.stepper().round(x)
}

// Clamp is the value within the bounds that is nearest to x; what differs from a bound by rounding only is the bound.
func (v Variable) Clamp(x float64) float64 {
	x = min(max(x, v.Low), v.High)
	switch u := v.ToUnit(x); {
	case u <= boundSlack:
		return v.Low
	case u >= 1-boundSlack:
		return v.High
	}
	return x
}

// Width is the length of the whole variable along its scale: the difference of its bounds, or of their natural
// logarithms.
func (v Variable) Width() float64 {
	if v.Scale == Log {
		return math.Log(v.High) - math.Log(v.Low)
	}
	return v.High - v.Low
}

// Text formats a value: the name of a choice, or the number.
func (v Variable) Text(x float64) string {
	switch v.Kind {
	case Choice:
		return v.Choices[v.Nearest(x)]
	case Integer, Ordered:
		return numfmt.Exact(x)
	}
	return v.stepper().text(x)
}

// Parse reads a value as a person types it: a number, or the name of a choice, as it is or in double quotes. The error suggests valid values; Check
// tests whether the variable takes the value.
func (v Variable) Parse(text string) (float64, error) {
	text = strings.TrimSpace(text)
	if v.Kind == Choice {
		for _, name := range []string{text, Unquote(text)} {
			if i := slices.Index(v.Choices, name); i >= 0 {
				return float64(i), nil
			}
		}
		return 0, didyoumean.NewUnknownError(v.Name, text, v.Choices)
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !Finite([]float64{x}) {
		return 0, fmt.Errorf("%s must be a number, got %+q%s", v.Name, text, numfmt.CommaHint(text))
	}
	return x, nil
}

// Check returns an error if x is not a value of the variable.
func (v Variable) Check(x float64) error {
	switch {
	case v.Kind == Choice:
		if !(x >= 0 && x < float64(len(v.Choices)) && x == math.Trunc(x)) {
			return fmt.Errorf("%s must be one of %s, got index %g", v.Name, strings.Join(v.Choices, ", "), x)
		}
	case !(x >= v.Low && x <= v.High): // true for NaN too
		return fmt.Errorf("%s must be in [%g, %g], got %g", v.Name, v.Low, v.High, x)
	case v.Kind == Integer && x != math.Trunc(x):
		return fmt.Errorf("%s must be a whole number, got %g", v.Name, x)
	case v.Kind == Ordered && !slices.Contains(v.Values, x):
		return fmt.Errorf("%s must be one of %s, got %g", v.Name, numfmt.ExactList(v.Values), x)
	}
	return nil
}
