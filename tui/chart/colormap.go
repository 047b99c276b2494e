package chart

import (
	"math"
	"slices"
	"sync"

	"github.com/lucasb-eyer/go-colorful"

	"bandscope/tui/theme"
)

// ColorMap turns values into colours, in a few steps so that frames stay small.
type ColorMap struct {
	Name   string
	levels func() []theme.Color
}

// levelCount is how many colours a map has.
const levelCount = 32

// The maps: two that are perceptually uniform and safe for the colour-blind (van der Walt & Smith 2015; Nuñez et al.
// 2018), and one for signed values, purple to orange (ColorBrewer's PuOr, Harrower & Brewer 2003). In 16 colours they
// are a few colours that go from dark to light on all common terminals, and on which text can be read.
var (
	Viridis = newColorMap("viridis", []string{"#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80",
		"#5ec962", "#addc30", "#fde725"},
		[]uint8{4, 5, 6, 2, 10, 11})
	Cividis = newColorMap("cividis", []string{"#00224e", "#123570", "#3b496c", "#575d6d", "#707173", "#8a8678",
		"#a59c74", "#c3b369", "#e1cc55", "#fee838"},
		[]uint8{4, 6, 11, 15})
	Diverging = newColorMap("diverging", []string{"#542788", "#8073ac", "#b2abd2", "#f7f7f7", "#fdb863", "#e08214",
		"#b35806"},
		[]uint8{4, 14, 15, 11, 1})
	Gray = newColorMap("gray", []string{"#22252e", "#8d93a1"}, []uint8{0, 8, 7}) // for a quantity that is not used
)

// newColorMap makes a map from colours at equal steps, interpolated in CIE L*a*b*, and indices of the 16 colours.
func newColorMap(name string, stops []string, sixteen []uint8) ColorMap {
	return ColorMap{name, sync.OnceValue(func() []theme.Color {
		levels := make([]theme.Color, levelCount)
		for i := range levels {
			t := float64(i) / (levelCount - 1)
			position := t * float64(len(stops)-1)
			k := min(int(position), len(stops)-2)
			a, errA := colorful.Hex(stops[k])
			b, errB := colorful.Hex(stops[k+1])
			if errA != nil || errB != nil {
				continue
			}
			c := a.BlendLab(b, position-float64(k)).Clamped()
			levels[i] = theme.NewColor(c.Hex(), theme.Nearest256(c),
				sixteen[min(int(t*float64(len(sixteen))), len(sixteen)-1)])
		}
		return levels
	})}
}

// ColorScale maps values to colours between two ends.
type ColorScale struct {
	Map    ColorMap
	Lo, Hi float64
	Flip   bool // the lowest value has the colour of the highest: for quantities that are better when lower
	Log    bool // the values are decimal logarithms of the displayed ones
	// values beyond the end at the bottom of the bar have its colour
	Clipped bool
}

// DisplayValue is the number that is shown for a value.
func (s ColorScale) DisplayValue(v float64) float64 {
	if s.Log {
		return math.Pow(10, v)
	}
	return v
}

// NewColorScale reaches over the Finite values of some fields. A diverging map has 0 in its middle.
func NewColorScale(m ColorMap, fields ...[]float64) ColorScale {
	s := NewLinearColorScale(m, fields...)
	if m.Name == Diverging.Name {
		s.Hi = math.Max(math.Abs(s.Lo), math.Abs(s.Hi))
		s.Lo = -s.Hi
	}
	return s
}

// NewLinearColorScale is Auto without a middle.
func NewLinearColorScale(m ColorMap, fields ...[]float64) ColorScale {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, f := range fields {
		l, h := Extent(f)
		lo, hi = math.Min(lo, l), math.Max(hi, h)
	}
	if !(lo <= hi) {
		lo, hi = 0, 1
	}
	return ColorScale{Map: m, Lo: lo, Hi: hi}
}

// Ticks are about count round values of the scale, such as powers of ten of a logarithmic one, as the values that the
// scale has colours for.
func (s ColorScale) Ticks(count int) []Tick {
	list := Scale{From: s.DisplayValue(s.Lo), To: s.DisplayValue(s.Hi), Log: s.Log}.Ticks(count)
	for i := range list {
		if s.Log {
			list[i].Value = math.Log10(list[i].Value)
		}
	}
	return list
}

// Fraction is where a value lies between the ends, from 0 at the bottom of the scale's bar to 1 at its top; a scale without extent has everything in its middle.
func (s ColorScale) Fraction(v float64) float64 {
	if !(s.Hi > s.Lo) {
		return 0.5
	}
	part := min(max((v-s.Lo)/(s.Hi-s.Lo), 0), 1)
	if s.Flip {
		return 1 - part
	}
	return part
}

// Color is the colour of a Finite value.
func (s ColorScale) Color(v float64) theme.Color {
	return s.Map.levels()[min(int(s.Fraction(v)*levelCount), levelCount-1)]
}

// ramp are the characters of values, from the least, where there is no colour.
const ramp = ` .:-=+#%`

// Rune is the character of a Finite value where there is no colour.
func (s ColorScale) Rune(v float64) rune {
	return rune(ramp[min(int(s.Fraction(v)*float64(len(ramp))), len(ramp)-1)])
}

// Clip is the scale without the outlying values of some fields at the bottom of its bar, which would leave few colours to
// the others: from the value that only clipShare of the values are beyond, if the scale reaches clipFactor times as far.
func (s ColorScale) Clip(fields ...[]float64) ColorScale {
	values := slices.DeleteFunc(slices.Concat(fields...), func(v float64) bool { return !Finite(v) })
	if len(values) < 2 {
		return s
	}
	slices.Sort(values)
	beyond := int(clipShare * float64(len(values)))
	switch lo, hi := values[beyond], values[len(values)-1-beyond]; {
	case s.Flip && hi > s.Lo && s.Hi-s.Lo > clipFactor*(hi-s.Lo):
		return s.ClipAt(s.Lo, hi)
	case !s.Flip && lo < s.Hi && s.Hi-s.Lo > clipFactor*(s.Hi-lo):
		return s.ClipAt(lo, s.Hi)
	}
	return s
}

// ClipAt is the scale without the values at the bottom of its bar that are beyond a range.
func (s ColorScale) ClipAt(low, high float64) ColorScale {
	switch {
	case s.Flip && s.Hi > high:
		s.Hi, s.Clipped = high, true
	case !s.Flip && s.Lo < low:
		s.Lo, s.Clipped = low, true
	}
	return s
}

const clipShare, clipFactor = 0.05, 1.3

// EndTexts are the numbers at the top and the bottom of the bar, of a clipped scale with a sign before the second one.
func (s ColorScale) EndTexts(number func(float64) string) (top, bottom string) {
	a, b := s.Ends()
	top, bottom = number(s.DisplayValue(a)), number(s.DisplayValue(b))
	switch {
	case s.Clipped && s.Flip:
		bottom = "≥" + bottom
	case s.Clipped:
		bottom = "≤" + bottom
	}
	return top, bottom
}

// Ends are the values at the top and the bottom of a scale's bar: the most salient one is at the top.
func (s ColorScale) Ends() (top, bottom float64) {
	if s.Flip {
		return s.Lo, s.Hi
	}
	return s.Hi, s.Lo
}
