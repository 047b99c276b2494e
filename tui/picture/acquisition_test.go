package picture

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture/internal/trial"
	"bandscope/tui/theme"
)

// expected is the legend of an acquisition that is never negative.
var expected = optimizers.Legend{Acquisition: "expected improvement, higher is better", NonNegative: true}

// decades are n values at equal factors, from 10^lo to 10^hi.
func decades(lo, hi float64, n int) []float64 {
	values := make([]float64, n)
	for i := range values {
		values[i] = math.Pow(10, lo+(hi-lo)*float64(i)/float64(n-1))
	}
	return values
}

// The scale is logarithmic exactly if the acquisition cannot be negative, spans more than 3 decades, and most of it is
// below 1/32 of its largest value. The floor is the power of ten below the median, 3 to 16 decades below the largest.
func TestScaleOfAcquisition(t *testing.T) {
	signed := optimizers.Legend{Acquisition: "scalarization, higher is better"}
	lower := optimizers.Legend{Acquisition: "ratio, lower is better", NonNegative: true, LowerIsBetter: true}
	mostlyBright := append(decades(-300, -4, 40), slices.Repeat([]float64{0.5}, 60)...)
	for _, c := range []struct {
		what   string
		legend optimizers.Legend
		values []float64
		floor  float64 // 0 for a linear scale
	}{
		{"8 decades", expected, decades(-8, 0, 101), 1e-4},
		{"4 decades", expected, decades(-4, 0, 101), 1e-3},
		{"4 decades, of which the largest is 0.02", expected, decades(-6, math.Log10(0.02), 101), 1e-5},
		{"100 decades", expected, decades(-100, 0, 101), 1e-16},
		{"zeros and underflow", expected, append(make([]float64, 90), decades(-320, 0, 30)...), 1e-16},
		{"less than 3 decades", expected, decades(-2.9, 0, 101), 0},
		{"most values are large", expected, mostlyBright, 0},
		{"zeros and ones", expected, append(make([]float64, 90), 1, 1, 1), 0},
		{"the same everywhere", expected, slices.Repeat([]float64{1e-9}, 50), 0},
		{"all 0", expected, make([]float64, 50), 0},
		{"no values", expected, nil, 0},
		{"only NaN", expected, []float64{math.NaN(), math.Inf(1)}, 0},
		{"it may be negative", signed, decades(-8, 0, 101), 0},
		{"it is negative", expected, append(decades(-8, 0, 101), -1e-12), 0},
		{"lower is better", lower, decades(-8, 0, 101), 0},
	} {
		got := NewAcquisitionScale(c.legend, c.values)
		if got.Log != (c.floor > 0) || math.Abs(got.Floor-c.floor) > 1e-9*c.floor {
			t.Errorf("%s: %+v, want the floor %g", c.what, got, c.floor)
		}
		if want := got.Log; strings.Contains(got.Title(c.legend), "(log)") != want || (got.Describe() != "") != want {
			t.Errorf("%s: the title is %q, the description %q", c.what, got.Title(c.legend), got.Describe())
		}
		if parts := NewAcquisitionScale(c.legend, c.values[:len(c.values)/2], c.values[len(c.values)/2:]); parts != got {
			t.Errorf("%s: %+v for two pictures, %+v for one", c.what, parts, got)
		}
	}
}

// Whatever the values are, the axis holds all that is drawn, and a greater value is never drawn below a smaller one.
func TestScaleOfAcquisitionKeepsTheOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	logs := 0
	for range 500 {
		values := make([]float64, 1+rng.IntN(60))
		spread := 400 * rng.Float64() * rng.Float64()
		for i := range values {
			if values[i] = math.Pow(10, -spread*rng.Float64()); rng.IntN(8) == 0 {
				values[i] = 0
			}
		}
		s := NewAcquisitionScale(expected, values)
		if s.Log {
			logs++
		}
		axis, drawn := s.Axis(expected, values).Scale(), s.ClampAll(values)
		colors, field := s.colors(expected, chart.Viridis, values), s.field(chart.Field{Z: values})
		for i, v := range values {
			if part := axis.Fraction(drawn[i]); part < 0 || part > 1 || !chart.Finite(field.Z[i]) {
				t.Fatalf("%g is drawn at %g of the axis, and as %g in the field", v, part, field.Z[i])
			}
			for k, other := range values {
				if v > other && (axis.Fraction(drawn[i]) < axis.Fraction(drawn[k]) ||
					colors.Fraction(field.Z[i]) < colors.Fraction(field.Z[k])) {
					t.Fatalf("%g is drawn below %g", v, other)
				}
			}
		}
	}
	if logs < 50 || logs > 450 {
		t.Errorf("%d of 500 scales are logarithmic", logs)
	}
}

// After 9 steps the expected improvement on Branin is one dark field on a linear scale. On the logarithmic one no
// colour has more than half of it. The numbers of the picture stay as they are.
func TestFieldOfAcquisition(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "branin", Optimizer: "gp-ei", Seed: 4,
		Params: map[string]any{"hyperparameters": "fitted"}}, 9)
	st := s.State()
	p, err := Compute(t.Context(), s, WholePlane(0, 1), nil, nil, func(*Posterior) {})
	require.NoError(t, err)
	before := slices.Clone(p.Fields[AcquisitionField].Z)
	d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: st, Posterior: p, Map: chart.Viridis}
	scale := d.Scale(AcquisitionField)
	var heat chart.Heat
	for _, l := range d.Chart(AcquisitionField).Layers {
		if h, ok := l.(chart.Heat); ok {
			heat = h
		}
	}
	share := func(s chart.ColorScale, z []float64) float64 {
		count, most := map[theme.Color]int{}, 0
		for _, v := range z {
			count[s.Color(v)]++
			most = max(most, count[s.Color(v)])
		}
		return float64(most) / float64(len(z))
	}
	linear := share(chart.NewColorScale(chart.Viridis, before), before)
	if log := share(heat.Scale, heat.Field.Z); linear < 0.6 || log > 0.5 {
		t.Errorf("one colour has %.2f of the field on a linear scale, %.2f on a logarithmic one", linear, log)
	}
	assert.Equal(t, before, p.Fields[AcquisitionField].Z, "drawing changes the numbers of the picture")
	f := Describe(d, AcquisitionField, nil)
	says, _ := f.DescribeField(AcquisitionField)
	if title, bar := p.Title(AcquisitionField, scale), f.DescribeColorBar(AcquisitionField); title !=
		"acquisition (log), higher is better: expected improvement" || !strings.Contains(says, "logarithmic") ||
		!strings.Contains(bar, "logarithmic") {
		t.Errorf("the title is %q, the descriptions %q and %q", title, says, bar)
	}
	if mean := d.Scale(MeanField); mean.Log || strings.Contains(p.Title(MeanField, mean), "log") {
		t.Errorf("the mean is drawn with %+v", mean)
	}
}

// Along one variable the axis is logarithmic, the area begins at its floor, and the next point is inside.
func TestLogAcquisitionAlongALine(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "gp-ei", Seed: 1}, 10)
	p, err := Compute(t.Context(), s, View{}, nil, nil, nil)
	require.NoError(t, err)
	d := Drawing{Style: theme.New(true, theme.TrueColor, false), State: s.State(), Posterior: p}
	c, scale, values := d.Chart(AcquisitionField), d.AcquisitionScale(), p.Fields[AcquisitionField].Z
	if !scale.Log || !c.Y.Log || c.Y.Min != scale.Floor || c.Y.Max < slices.Max(values) {
		t.Fatalf("the scale is %+v, the axis %+v", scale, c.Y)
	}
	areas := trial.LayersNamed(c, func(a chart.Area) string { return a.Name }, scale.Title(p.Legend))
	if len(areas) != 1 || slices.Min(areas[0].Y) != scale.Floor || slices.Max(areas[0].Y) != slices.Max(values) {
		t.Errorf("the area is %v", areas)
	}
	if position := trial.PointsFor(t, c, "next"); len(position.Y) != 1 || !c.Y.Scale().Contains(position.Y[0]) {
		t.Errorf("the next point is at %v", position.Y)
	}
	if part, area := Describe(d, MeanField, nil).describeAcquisition(); !strings.Contains(area, "logarithmic") ||
		strings.Contains(part, "logarithmic") {
		t.Errorf("the descriptions are %q and %q", part, area)
	}
	d.Compared = append(slices.Repeat([]float64{0.05}, 2*len(values)), values...)
	if c := d.Chart(AcquisitionField); c.Y.Log {
		t.Error("beside a picture with large values the axis is logarithmic")
	}
}
