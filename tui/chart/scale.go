package chart

import (
	"math"
	"strconv"
	"strings"

	"bandscope/functions/transform"
)

// Scale is where values lie between two ends, of which the first may be the greater.
type Scale struct {
	From, To float64
	Log      bool // equal factors are equally long; both ends are above 0
}

// Reverse is the scale from the other end.
func (s Scale) Reverse() Scale { return Scale{s.To, s.From, s.Log} }

// Fraction is where a value lies: 0 at the one end, 1 at the other.
func (s Scale) Fraction(v float64) float64 {
	if s.Log {
		least := math.Min(s.From, s.To) * 1e-9 // values at or below 0 lie far outside
		return (math.Log(math.Max(v, least)) - math.Log(s.From)) / (math.Log(s.To) - math.Log(s.From))
	}
	return (v - s.From) / (s.To - s.From)
}

// Value is the value at a part.
func (s Scale) Value(part float64) float64 {
	if s.Log {
		return math.Exp(math.Log(s.From) + part*(math.Log(s.To)-math.Log(s.From)))
	}
	return s.From + part*(s.To-s.From)
}

// Contains reports whether a value lies between the ends.
func (s Scale) Contains(v float64) bool {
	return Finite(v) && v >= math.Min(s.From, s.To) && v <= math.Max(s.From, s.To)
}

// Ticks are about count round values between the ends.
func (s Scale) Ticks(count int) []Tick {
	lo, hi := math.Min(s.From, s.To), math.Max(s.From, s.To)
	if s.Log {
		return logTicks(lo, hi, count)
	}
	return Ticks(lo, hi, count)
}

// Finite reports whether a value is a number, and not infinite.
func Finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// Extent is the least and the greatest finite value, without extremes beside which all others would be one point
// (transform.DropExtremes); if there is none, lo is greater than hi.
func Extent(values []float64) (lo, hi float64) {
	lo, hi = extremes(values)
	if hi-lo > 1<<53 {
		return extremes(transform.DropExtremes(values))
	}
	return lo, hi
}

func extremes(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if Finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// Pad widens a range by a twentieth on both sides; a range without extent, or without any value, gets one.
func Pad(lo, hi float64) (float64, float64) {
	if lo > hi || !Finite(lo) || !Finite(hi) {
		return -1, 1
	}
	pad := (hi - lo) / 20
	if hi-lo <= 1e-12*math.Max(math.Abs(lo), math.Abs(hi)) {
		pad = math.Max(math.Abs(lo)/10, 1e-300)
		if lo == 0 {
			pad = 1
		}
	}
	if lo, hi := lo-pad, hi+pad; Finite(lo) && Finite(hi) {
		return lo, hi
	}
	return lo, hi
}

// Tick is a round value of a scale with its label.
type Tick struct {
	Value float64
	Label string
}

// Ticks finds round values, multiples of 1, 2, 2.5 or 5 times a power of ten, about count of them and never one alone,
// which would not show the scale.
func Ticks(lo, hi float64, count int) []Tick {
	for increment := range 6 {
		if list := roundTicks(lo, hi, count+increment); len(list) != 1 {
			return list
		}
	}
	return roundTicks(lo, hi, count)
}

func roundTicks(lo, hi float64, count int) []Tick {
	if count < 1 || !Finite(hi-lo) || hi <= lo {
		return nil
	}
	step := roundStep((hi - lo) / float64(count))
	if step <= 0 || !Finite(step) {
		return nil
	}
	return stepTicks(lo, hi, step, count)
}

// stepTicks are the multiples of a round step between two ends, at most two more than count.
func stepTicks(lo, hi, step float64, count int) []Tick {
	digits := -int(math.Floor(math.Log10(step) + 1e-9))
	if s := step * math.Pow(10, float64(digits)); math.Abs(s-math.Round(s)) > 1e-6 {
		digits++ // 2.5 needs one more
	}
	var list []Tick
	last := min(hi+1e-9*step, math.MaxFloat64)
	for k := math.Ceil(lo/step - 1e-9); k*step <= last && len(list)-1 <= count; k++ {
		v := k * step
		list = append(list, Tick{v, tickLabel(v, digits, math.Max(math.Abs(lo), math.Abs(hi)))})
	}
	return list
}

// logTicks finds 1, 2 and 5, or 1 and 3, or 1, times powers of ten, as near to count of them as can be; between ends
// that are near to each other those of an even scale.
func logTicks(lo, hi float64, count int) []Tick {
	if count < 1 || !(lo > 0) || !Finite(hi) || hi <= lo {
		return nil
	}
	var best []Tick
	consider := func(list []Tick) {
		if len(list) >= 2 && (best == nil || max(len(list)-count, count-len(list)) <
			max(len(best)-count, count-len(best))) {
			best = list
		}
	}
	for every := max(int(math.Ceil(math.Log10(hi/lo)/float64(count))), 1); every >= 1; every-- {
		for from := range every {
			consider(powerTicks(lo, hi, []float64{1}, every, from))
		}
	}
	consider(powerTicks(lo, hi, []float64{1, 3}, 1, 0))
	consider(powerTicks(lo, hi, []float64{1, 2, 5}, 1, 0))
	if best == nil {
		return Ticks(lo, hi, count)
	}
	return best
}

// powerTicks are the multiples of every so many powers of ten, counted from one of them, within a range.
func powerTicks(lo, hi float64, multiples []float64, every, from int) (list []Tick) {
	for e := int(math.Floor(math.Log10(lo))); e <= int(math.Ceil(math.Log10(hi))); e++ {
		if (e-from)%every != 0 {
			continue
		}
		for _, m := range multiples {
			label := strconv.FormatFloat(m, 'f', 0, 64) + "e" + strconv.Itoa(e)
			v, err := strconv.ParseFloat(label, 64)
			if err != nil || v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			if e >= -3 && e <= 4 {
				label = strconv.FormatFloat(v, 'f', max(-e, 0), 64)
			}
			list = append(list, Tick{v, label})
		}
	}
	return list
}

// roundStep is the least round number that is not below v.
func roundStep(v float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 2.5, 5, 10} {
		if m*decade >= v*(1-1e-9) {
			return m * decade
		}
	}
	return 10 * decade
}

// tickLabel writes a value to so many digits after the point, or to the ten, hundred … where they are negative: what
// its steps need, and no more.
func tickLabel(v float64, digits int, largest float64) string {
	if math.Abs(v) < 0.5*math.Pow(10, -float64(digits)) {
		return "0"
	}
	if largest >= 1e5 || digits > 4 {
		s := strconv.FormatFloat(v, 'g', max(int(math.Floor(math.Log10(math.Abs(v))+1e-9))+digits+1, 1), 64)
		mantissa, exponent, found := strings.Cut(s, "e")
		if n, err := strconv.Atoi(exponent); found && err == nil {
			return mantissa + "e" + strconv.Itoa(n)
		}
		return s
	}
	return strconv.FormatFloat(v, 'f', max(digits, 0), 64)
}

// Short writes a value in few characters.
func Short(v float64) string {
	s := strconv.FormatFloat(v+0, 'g', 3, 64) // no -0
	mantissa, exponent, found := strings.Cut(s, "e")
	if n, err := strconv.Atoi(exponent); found && err == nil {
		if n >= 0 && n < 5 {
			return strconv.FormatFloat(v, 'f', 0, 64)
		}
		return mantissa + "e" + strconv.Itoa(n)
	}
	return s
}
