package picture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"bandscope/optimizers"
	"bandscope/tui/chart"
	"bandscope/tui/widget"
)

// AcquisitionScale says how the values of an acquisition are drawn. The picture changes nothing that the method
// computes or chooses.
type AcquisitionScale struct {
	Log   bool
	Floor float64 // of a logarithmic scale: smaller values, and 0, are drawn like this one, which is above 0
}

// The rule for logarithmic scales. On a linear scale, which has about 32 colours, values below 1/32 of the largest one
// look like 0.
const (
	linearShare = 1. / 32
	minDecades  = 3  // between the largest value and the floor
	maxDecades  = 16 // beside the largest value, smaller ones are below the precision of a float64
)

// NewAcquisitionScale is the scale for values of an acquisition, in one or several pictures that are compared. It is
// logarithmic if the acquisition is never negative and higher is better, its positive values span more than 3 decades,
// and more than half of all values are below 1/32 of the largest one: a linear scale would give most of the picture
// one colour. The floor is the power of ten below the median, between 3 and 16 decades below the largest value.
func NewAcquisitionScale(l optimizers.Legend, values ...[]float64) AcquisitionScale {
	if !l.NonNegative || l.LowerIsBetter {
		return AcquisitionScale{}
	}
	largest, smallest := 0., math.Inf(1) // of the positive values
	each := func(do func(v float64)) {
		for _, list := range values {
			for _, v := range list {
				if chart.Finite(v) {
					do(v)
				}
			}
		}
	}
	each(func(v float64) {
		largest = max(largest, v)
		if v > 0 {
			smallest = min(smallest, v)
		}
	})
	var all []float64
	dark := 0
	each(func(v float64) {
		all = append(all, v)
		if v < linearShare*largest {
			dark++
		}
	})
	if 2*dark <= len(all) || decadesBelow(largest, smallest) <= minDecades || slices.Min(all) < 0 {
		return AcquisitionScale{}
	}
	slices.Sort(all)
	decades := min(max(decadesBelow(largest, all[len(all)/2]), minDecades), maxDecades)
	return AcquisitionScale{Log: true, Floor: math.Pow(10, math.Floor(math.Log10(largest)-decades))}
}

// decadesBelow is how many powers of ten a value is below the largest one; infinite for 0.
func decadesBelow(largest, v float64) float64 { return math.Log10(largest) - math.Log10(v) }

// Clamp is a value as it is drawn.
func (s AcquisitionScale) Clamp(v float64) float64 {
	if s.Log && v < s.Floor {
		return s.Floor
	}
	return v
}

// ClampAll are values as they are drawn.
func (s AcquisitionScale) ClampAll(values []float64) []float64 {
	if !s.Log {
		return values
	}
	drawn := make([]float64, len(values))
	for i, v := range values {
		drawn[i] = s.Clamp(v)
	}
	return drawn
}

// Axis is the axis of the acquisition over values of it, padded at its ends.
func (s AcquisitionScale) Axis(l optimizers.Legend, values []float64) chart.Axis {
	if s.Log {
		_, hi := chart.Extent(values)
		_, top := chart.Pad(math.Log10(s.Floor), math.Log10(hi))
		return chart.Axis{Min: s.Floor, Max: math.Pow(10, top), Log: true}
	}
	lo, hi := chart.Pad(chart.Extent(values))
	return chart.Axis{Min: lo, Max: hi, Flip: l.LowerIsBetter}
}

// field is a field of the acquisition as it is drawn: of decimal logarithms where the scale is logarithmic.
func (s AcquisitionScale) field(f chart.Field) chart.Field {
	if !s.Log {
		return f
	}
	z := s.ClampAll(f.Z)
	for i, v := range z {
		z[i] = math.Log10(v)
	}
	f.Z = z
	return f
}

// Heat draws a field of the acquisition alone.
func (s AcquisitionScale) Heat(f chart.Field, l optimizers.Legend) chart.Heat {
	return chart.Heat{Field: s.field(f), Scale: s.colors(l, chart.Viridis, f.Z)}
}

// colors are the colours of fields of the acquisition, for values as field returns them.
func (s AcquisitionScale) colors(l optimizers.Legend, m chart.ColorMap, fields ...[]float64) chart.ColorScale {
	if s.Log {
		_, hi := chart.Extent(slices.Concat(fields...))
		return chart.ColorScale{Map: m, Lo: math.Log10(s.Floor), Hi: math.Log10(hi), Log: true}
	}
	c := chart.NewColorScale(m, fields...)
	c.Flip = l.LowerIsBetter
	return c
}

// Describe says that the scale is logarithmic, in a sentence that follows others; empty if it is not.
func (s AcquisitionScale) Describe() string {
	if !s.Log {
		return ""
	}
	return fmt.Sprintf(" The scale is logarithmic; values below %s look the same.", widget.Number(s.Floor))
}

// AcquisitionName names an acquisition, and says first which end of it is better: that end is drawn on top, and bright.
func AcquisitionName(l optimizers.Legend) string { return AcquisitionScale{}.Title(l) }

// Title is the name of an acquisition that also says whether its logarithm is drawn.
func (s AcquisitionScale) Title(l optimizers.Legend) string {
	name, better := strings.TrimSuffix(l.Acquisition, ", higher is better"), "higher"
	if l.LowerIsBetter {
		name, better = strings.TrimSuffix(l.Acquisition, ", lower is better"), "lower"
	}
	kind := "acquisition"
	if s.Log {
		kind += " (log)"
	}
	if name == "" {
		return kind
	}
	return fmt.Sprintf("%s, %s is better: %s", kind, better, name)
}

// Titles are titles of an acquisition, the longest first: Title, the name with the scale, and one of these alone.
func (s AcquisitionScale) Titles(l optimizers.Legend) []string {
	title := s.Title(l)
	first, name, ok := strings.Cut(title, ": ")
	if !ok {
		return []string{title}
	}
	kind, _, _ := strings.Cut(first, ", ")
	return []string{title, kind + ": " + name, name, first, kind}
}
