package picture

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bandscope/functions"
	"bandscope/optimizers"
	"bandscope/sessions"
	"bandscope/tui/chart"
	"bandscope/tui/picture/internal/trial"
	"bandscope/tui/theme"
)

var drawn = theme.New(true, theme.TrueColor, false)

// marked is a session of five steps with a correction, a rejected suggestion and bounds.
// curves are fields at evenly spaced nodes from 0 to 1.
type curves map[FieldKind][]float64

// byHand is a posterior of some curves.
func byHand(st sessions.State, list curves, next NextPoints) *Posterior {
	p := New(st, View{}, nil)
	p.Fitted, p.NextPoints = true, next
	for k, z := range list {
		f := Field{Field: chart.Field{Cols: len(z), Rows: 1, Z: z}}
		for i := range z {
			f.X = append(f.X, float64(i)/float64(max(len(z)-1, 1)))
		}
		p.Fields[k] = f
	}
	return p
}

func marked(t *testing.T, problem string) *sessions.Session {
	t.Helper()
	s := trial.RunSteps(t, sessions.Config{Problem: problem, Optimizer: "random", Seed: 6}, 5)
	require.NoError(t, s.Correct(2, 0, []float64{1.25}, "typo"))
	require.NoError(t, s.Reject(context.Background(), "too hot", nil))
	return s
}

// Of a slice every observation stands where it was made, the newest and the best marked; what was taken back is told
// apart, and what the next step evaluates stands on the function in use, within the plot.
func TestMarksOfASlice(t *testing.T) {
	s := marked(t, "forrester")
	st := s.State()
	next := [][]float64{{0.25}}
	d := Drawing{Style: drawn, State: st, Posterior: byHand(st, curves{UsedField: {2, 4, 1e6},
		MeanField: {7, 7, 7}}, NextPoints{Next: next}), Y: []float64{-10, 20}, Cursor: []float64{0.125}}
	c := d.Chart(MeanField)
	if c.X.Min != 0 || c.X.Max != 1 || c.Y.Min != -10 || c.Y.Max != 20 {
		t.Errorf("the axes are %+v and %+v", c.X, c.Y)
	}
	best, position := math.Inf(1), 0
	for i, it := range st.Iterations {
		if it.Points[0].Y[0] < best {
			best, position = it.Points[0].Y[0], i
		}
	}
	want := map[string][][2]float64{"best": {{st.Iterations[position].Points[0].X[0], best}},
		"newest": {{st.Iterations[4].Points[0].X[0], st.Iterations[4].Points[0].Y[0]}}, "next": {{0.25, 3}},
		"failed":    nil,
		"corrected": {{st.Iterations[1].Points[0].X[0], st.Iterations[1].Corrections[0].Old[0]}},
		"discarded": {{st.Rejections[0].X[0][0], -10}}}
	for _, it := range st.Iterations[:4] {
		want["data"] = append(want["data"], [2]float64{it.Points[0].X[0], it.Points[0].Y[0]})
	}
	for name, places := range want {
		p := trial.PointsFor(t, c, name)
		if len(p.X) != len(places) || len(p.Y) != len(places) {
			t.Fatalf("%d points are %s, want %d", len(p.X), name, len(places))
		}
		for i, place := range places {
			if math.Abs(p.X[i]-place[0])+math.Abs(p.Y[i]-place[1]) > 1e-9 {
				t.Errorf("%s stands at %g, %g, want %v", name, p.X[i], p.Y[i], place)
			}
		}
	}
	if st.Iterations[1].Points[0].Y[0] != 1.25 {
		t.Errorf("the correction is %v", st.Iterations[1].Outcomes())
	}
	rules := map[string][]float64{}
	for _, l := range c.Layers {
		if r, ok := l.(chart.Rule); ok {
			rules[r.Name] = append(rules[r.Name], r.At)
		}
	}
	if !slices.Equal(rules["next"], []float64{0.25}) || !slices.Equal(rules["cursor"], []float64{0.125}) ||
		len(rules) != 2 {
		t.Errorf("the rules are %v", rules)
	}
	// Without a function in use it stands on the mean, without any at the bottom; beyond the plot at its edge; what is
	// pending has another mark.
	for _, c := range []struct {
		used, mean []float64
		x, y       float64
	}{{nil, []float64{7, 7, 7}, 0.25, 7}, {nil, nil, 0.25, -10}, {[]float64{2, 4, 1e6}, nil, 1, 20},
		{[]float64{-99, 4, 5}, nil, 0, -10}} {
		d.Posterior = byHand(st, curves{UsedField: c.used, MeanField: c.mean},
			NextPoints{Next: [][]float64{{c.x}}, Pending: true})
		if p := trial.PointsFor(t, d.Chart(MeanField), "pending"); len(p.X) != 1 || p.X[0] != c.x || p.Y[0] != c.y ||
			p.Shape != theme.GlyphSquare {
			t.Errorf("%v, %v: pending is %+v, want %g, %g", c.used, c.mean, p, c.x, c.y)
		}
	}
	for _, without := range []bool{false, true} {
		d.NoBand = without
		d.Posterior = byHand(st, curves{MeanField: {7, 7, 7}, LowerField: {1, 1, 1}, UpperField: {9, 9, 9}}, NextPoints{})
		d.Posterior.Legend.Band, d.Posterior.Legend.Mean = "band", "mean"
		c := d.Chart(MeanField)
		bands, means := trial.LayersNamed(c, func(b chart.Band) string { return b.Name }, "band"),
			trial.LayersNamed(c, func(c chart.Curve) string { return c.Name }, "mean")
		if (len(bands) == 0) != without || (len(means) == 0) != without || !without &&
			(bands[0].Lo[0] != 1 || bands[0].Hi[0] != 9) {
			t.Errorf("without a band %v: there are %+v and %+v", without, bands, means)
		}
	}
	d.Posterior = byHand(st, curves{TrueField: {1, 2, 3}}, NextPoints{})
	if n := len(trial.LayersNamed(d.Chart(MeanField), func(c chart.Curve) string { return c.Name }, "truth")); n != 0 {
		t.Error("the truth is drawn where it is not revealed")
	}
	d.Reveal = true
	if n := len(trial.LayersNamed(d.Chart(MeanField), func(c chart.Curve) string { return c.Name }, "truth")); n != 1 {
		t.Error("the truth is not revealed")
	}
}

// The y axis holds the data whole, and the truth while it is shown; the band as far as it does not dwarf them: by the
// range of the data on each side, or a sixth of that of the truth. Where there are no data it holds the band.
func TestRangeOfASlice(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 4)
	st := s.State()
	var data []float64
	for _, it := range st.Iterations {
		data = append(data, it.Points[0].Y[0])
	}
	lo, hi := slices.Min(data), slices.Max(data)
	padded := func(a, b float64) [2]float64 { return [2]float64{a - (b-a)/20, b + (b-a)/20} }
	room := hi - lo
	expecting := func(st sessions.State, lo, hi float64) sessions.State {
		p := *st.Problem
		p.Objectives = slices.Clone(p.Objectives)
		p.Objectives[0].Range = &[2]float64{lo, hi}
		st.Problem = &p
		return st
	}
	none := byHand(st, nil, NextPoints{})
	for name, c := range map[string]struct {
		d    Drawing
		want [2]float64
	}{
		"data alone":               {Drawing{State: st, Posterior: none}, padded(lo, hi)},
		"data in what is expected": {Drawing{State: expecting(st, lo-5, hi+3), Posterior: none}, padded(lo-5, hi+3)},
		"data beyond it":           {Drawing{State: expecting(st, lo-5, hi-0.1), Posterior: none}, padded(lo-5, hi)},
		"what is expected of nothing": {Drawing{
			State: expecting(trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 0).
				State(), 14, 24), Posterior: byHand(st, curves{LowerField: {14}, UpperField: {24}}, NextPoints{})}, padded(14, 24)},
		"a narrow band": {Drawing{State: st,
			Posterior: byHand(st, curves{LowerField: {lo - 1, lo + 1}, UpperField: {hi - 1, hi + 2}}, NextPoints{})}, padded(lo-1, hi+2)},
		"a wide band": {Drawing{State: st,
			Posterior: byHand(st, curves{LowerField: {lo - 99}, UpperField: {hi + 999}}, NextPoints{})}, padded(lo-room, hi+room)},
		"with the truth": {Drawing{State: st, Reveal: true, Posterior: byHand(st, curves{TrueField: {lo - 2, hi + 4}}, NextPoints{})},
			padded(lo-2, hi+4)},
		"the truth, and wide": {Drawing{State: st, Reveal: true, Posterior: byHand(st, curves{TrueField: {lo - 2, hi + 4}, LowerField: {lo - 99}, UpperField: {hi + 999}}, NextPoints{})},
			padded(lo-2-(room+6)/6, hi+4+(room+6)/6)},
		"the band alone": {Drawing{
			State:     trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 0).State(),
			Posterior: byHand(st, curves{LowerField: {-3, -2}, UpperField: {4, 5}}, NextPoints{})}, padded(-3, 5)},
		"one function alone": {Drawing{
			State:     trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 0).State(),
			Posterior: byHand(st, curves{UsedField: {-3, 7}}, NextPoints{})}, padded(-3, 7)},
		"of data, a narrow band": {Drawing{State: st, RangeMode: FitData,
			Posterior: byHand(st, curves{LowerField: {lo + 1}, UpperField: {hi - 1}}, NextPoints{})}, padded(lo-2*room/3, hi+2*room/3)},
		"of data, a wide band": {Drawing{State: st, RangeMode: FitData,
			Posterior: byHand(st, curves{LowerField: {lo - 99}, UpperField: {hi + 999}}, NextPoints{})},
			padded(lo-2*room/3, hi+2*room/3)},
		"of data, a hidden truth": {Drawing{State: st, RangeMode: FitData, Posterior: byHand(st, curves{TrueField: {lo - 2, hi + 4}}, NextPoints{})},
			padded(lo-2*room/3, hi+2*room/3)},
		"of the truth, shown": {Drawing{State: st, RangeMode: FitTruth, Reveal: true, Posterior: byHand(st, curves{TrueField: {lo - 2, hi + 4}}, NextPoints{})}, padded(lo-2-(room+6)/3, hi+4+(room+6)/3)},
		"of the truth, hidden": {Drawing{State: st, RangeMode: FitTruth, Posterior: byHand(st, curves{TrueField: {lo - 2, hi + 4}, LowerField: {lo - 99}, UpperField: {hi + 999}}, NextPoints{})},
			padded(lo-2-(room+6)/3, hi+4+(room+6)/3)},
		"steady, the band alone": {Drawing{
			State: trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 0).
				State(),
			RangeMode: FitData, Posterior: byHand(st, curves{LowerField: {-3, -2}, UpperField: {4, 5}}, NextPoints{})}, padded(-3, 5)},
	} {
		if from, end := c.d.Range(); math.Abs(from-c.want[0])+math.Abs(end-c.want[1]) > 1e-9 {
			t.Errorf("%s: the axis goes from %g to %g, want %v", name, from, end, c.want)
		}
	}
}

// The curve of the evidence has its values however deep they fall: it leaves the plot at the bottom, which is a little
// below the peak.
func TestEvidenceChart(t *testing.T) {
	for _, c := range []struct {
		log    []float64
		lo, hi float64
	}{{[]float64{-10, -12, -57, -400}, -25, -10}, {[]float64{-12, -10, -11}, -12, -10},
		{[]float64{-30, -10, -12}, -20, -10}} {
		all := Theories{Style: drawn}
		all.Add(&optimizers.Theory{Evidence: &optimizers.Evidence{Name: "ℓ",
			At: []float64{0.01, 0.1, 0.3, 1}[:len(c.log)], Log: c.log, Current: 0.1, Best: 0.01}}, theme.Color{}, "",
			true)
		plot := all.EvidenceChart()
		pad := (c.hi - c.lo) / 20
		if math.Abs(plot.Y.Min-c.lo+pad)+math.Abs(plot.Y.Max-c.hi-pad) > 1e-9 {
			t.Errorf("%v: the axis is %g to %g", c.log, plot.Y.Min, plot.Y.Max)
		}
		for _, l := range plot.Layers {
			if curve, ok := l.(chart.Curve); ok && !slices.Equal(curve.Y, c.log) {
				t.Errorf("%v is drawn as %v", c.log, curve.Y)
			}
		}
		lines := all.Lines(Evidence, 60, 12)
		if end := []rune(ansi.Strip(lines[len(lines)-3])); c.log[len(c.log)-1] < c.lo &&
			strings.TrimSpace(string(end[len(end)-8:])) != "" {
			t.Errorf("%v: below the plot it is drawn:\n%s", c.log, ansi.Strip(strings.Join(lines, "\n")))
		}
	}
}

// An axis of the evidence that a lesson sets stays as it is, except that the peak is always inside.
func TestSharedAxesOfPictures(t *testing.T) {
	for peak, want := range map[float64]float64{-10: -8, -5: -5} {
		all := Theories{Style: drawn, Log: [2]float64{-30, -8}}
		all.Add(&optimizers.Theory{Evidence: &optimizers.Evidence{Name: "ℓ", At: []float64{0.01, 0.1},
			Log: []float64{peak, -400}, Current: 0.1, Best: 0.01}}, theme.Color{}, "", true)
		if y := all.EvidenceChart().Y; y.Min != -30 || y.Max != want {
			t.Errorf("with a peak of %g the axis is %g to %g", peak, y.Min, y.Max)
		}
	}
	p := &Posterior{}
	p.Fields[SDField].Z, p.Fields[AcquisitionField].Z = []float64{1, 2, 3, 4}, []float64{1, 2, 3, 4}
	d := Drawing{Posterior: p, Map: chart.Viridis, Axes: sessions.Axes{"deviation": {0, 30}}}
	if s := d.Scale(SDField); s.Lo != 0 || s.Hi != 30 {
		t.Errorf("the scale of the sd is %g to %g", s.Lo, s.Hi)
	}
	if s := d.Scale(AcquisitionField); s.Hi != 4 {
		t.Errorf("the scale of the acquisition ends at %g", s.Hi)
	}
	// Worse values than the range have the colour of its end; better ones extend it.
	p.Fields[MeanField].Z = []float64{-20, 1, 2, 300}
	d.Axes = sessions.Axes{"mean": {-10, 200}}
	for _, c := range []struct {
		sign   float64
		lo, hi float64
	}{{1, -20, 200}, {-1, -10, 300}} {
		p.scale.Sign = c.sign
		if s := d.Scale(MeanField); s.Lo != c.lo || s.Hi != c.hi || !s.Clipped {
			t.Errorf("with sign %g the scale of the mean is %g to %g, clipped %v", c.sign, s.Lo, s.Hi, s.Clipped)
		}
	}
	p.Fields[MeanField].Z = []float64{1, 2}
	if s := d.Scale(MeanField); s.Lo != -10 || s.Hi != 200 || s.Clipped {
		t.Errorf("the scale of a mean inside of the range is %g to %g, clipped %v", s.Lo, s.Hi, s.Clipped)
	}
}

// The acquisition stands on the axis on which the best is highest, the next points on it; costs begin at zero and fit.
func TestAcquisitionAndCost(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 2)
	p := byHand(s.State(), curves{AcquisitionField: {0, 2, 1}, AllowedField: {1, 1, 0}, CostField: {1, 3, 2}},
		NextPoints{Next: [][]float64{{0.75}}})
	d := Drawing{Style: drawn, State: s.State(), Posterior: p}
	for _, lower := range []bool{false, true} {
		p.Legend.LowerIsBetter = lower
		c := d.Chart(AcquisitionField)
		if next := trial.PointsFor(t, c, "next"); c.Y.Flip != lower || !slices.Equal(next.X, []float64{0.75}) ||
			!slices.Equal(next.Y, []float64{1.5}) || math.Abs(c.Y.Min+0.1)+math.Abs(c.Y.Max-2.1) > 1e-9 {
			t.Errorf("lower is better %v: the axis is %+v, next %+v", lower, c.Y, next)
		}
		strip := trial.LayersNamed(c, func(a chart.Area) string { return a.Name }, AllowedName)
		if end := max(strip[0].Y[0], strip[0].Y[1]); len(strip) != 1 || end <= c.Y.Min || end >= c.Y.Max ||
			(end < 1) == lower || !math.IsNaN(strip[0].Y[2]) {
			t.Errorf("it may lie in %+v", strip)
		}
	}
	p.ByStart = true
	if n := trial.LayersNamed(d.Chart(AcquisitionField), func(p chart.Points) string { return p.Name }, "next"); len(n) !=
		0 {
		t.Error("a point of the initial design is marked on an acquisition that did not choose it")
	}
	c := d.Chart(CostField)
	area := trial.LayersNamed(c, func(a chart.Area) string { return a.Name }, "cost")
	if len(area) != 1 || c.Y.Min != 0 || c.Y.Max < 3 || c.Y.Max > 3.5 || !slices.Equal(area[0].Y, p.Fields[CostField].Z) {
		t.Errorf("costs are %+v on %+v", area, c.Y)
	}
}

// On a plane every observation has one mark, where it was made; names and numbers are on the large chart only.
func TestMarksOfAPlane(t *testing.T) {
	s := marked(t, "branin")
	st := s.State()
	p := byHand(st, curves{MeanField: {1, 5}, SDField: {0, 2}, SampleField: {-1, 3}, TrueField: {-9, 2},
		AcquisitionField: {-4, 6}}, NextPoints{Next: [][]float64{{1, 2}, {3, 4}}})
	p.View = View{Axes: TwoVariables, X: 1, Y: 0, Low: [2]float64{0.5, 0}, High: [2]float64{1, 0.25}}
	d := Drawing{Style: drawn, State: st, Posterior: p, Map: chart.Viridis, Contours: true, Reveal: true,
		Cursor: []float64{5, 6}}
	c := d.Chart(MeanField)
	if c.X.Min != 7.5 || c.X.Max != 15 || c.Y.Min != -5 || c.Y.Max != -1.25 {
		// x2 in [0, 15] along x, x1 in [−5, 10] along y
		t.Errorf("the axes are %+v and %+v", c.X, c.Y)
	}
	best := 0
	for i, it := range st.Iterations {
		if it.Points[0].Y[0] < st.Iterations[best].Points[0].Y[0] {
			best = i
		}
	}
	require.NotEqual(t, 4, best, "the best is the newest: choose another seed")
	count := func(c chart.Chart, name string) [][2]float64 {
		q := trial.PointsFor(t, c, name)
		var places [][2]float64
		for i := range q.X {
			places = append(places, [2]float64{q.Y[i], q.X[i]})
		}
		return places
	}
	place := func(x []float64) [2]float64 { return [2]float64{x[0], x[1]} }
	var others [][2]float64
	for i, it := range st.Iterations {
		if i != best && i != 4 {
			others = append(others, place(it.Points[0].X))
		}
	}
	for name, want := range map[string][][2]float64{
		"best": {place(st.Iterations[best].Points[0].X)}, "newest": {place(st.Iterations[4].Points[0].X)},
		"data":      others,
		"discarded": {place(st.Rejections[0].X[0])}, "next 2": {{1, 2}, {3, 4}}, "failed": nil} {
		if got := count(c, name); !slices.Equal(got, want) {
			t.Errorf("%s is at %v, want %v", name, got, want)
		}
	}
	if n := len(count(c, "optimum")); n != 3 { // of Branin's function
		t.Errorf("%d optima", n)
	}
	labels := func(c chart.Chart) (texts []string) {
		for _, l := range trial.LayersNamed(c, func(l chart.Label) string { return l.Name }, "step") {
			texts = append(texts, l.Text)
		}
		return texts
	}
	d.Numbers, d.Reveal = true, false
	c = d.Chart(MeanField)
	if got := labels(c); len(got) != 3 || len(count(c, "data")) != 0 || len(count(c, "optimum")) != 0 {
		t.Errorf("numbered are %v, optima %v", got, count(c, "optimum"))
	}
	d.Small = true
	small := d.Chart(MeanField)
	if labels(small) != nil || len(count(small, "data")) != 3 || !small.X.HideTicks || !small.Y.HideTicks {
		t.Errorf("a small chart has %v", labels(small))
	}
	// Scales: of its own, or one for what has the same unit; those of an acquisition and of an objective of which less
	// is better are turned over.
	for _, c := range []struct {
		shared, reveal, lower bool
		kind                  FieldKind
		lo, hi                float64
		flip                  bool
	}{
		{false, true, false, MeanField, 1, 5, true}, {false, true, true, SampleField, -1, 3, true},
		{true, false, false, MeanField, -1, 5, true}, {true, true, false, SampleField, -9, 5, true},
		{true, true, true, TrueField, -9, 5, true},
		{true, true, false, SDField, 0, 2, false}, {true, true, true, AcquisitionField, -4, 6, true},
		{false, true, false, AcquisitionField, -4, 6, false},
	} {
		d.Shared, d.Reveal, p.Legend.LowerIsBetter = c.shared, c.reveal, c.lower
		if s := d.Scale(c.kind); s.Lo != c.lo || s.Hi != c.hi || s.Flip != c.flip {
			t.Errorf("%+v: the scale is %g to %g, flipped %v", c, s.Lo, s.Hi, s.Flip)
		}
	}
}

// The distance of two bands, by hand: two normal laws at every input, N(1, 2²) and N(4, 6²), are 5 apart.
func TestDistanceOfBands(t *testing.T) {
	st := trial.RunSteps(t, sessions.Config{Problem: "forrester", Optimizer: "random", Seed: 6}, 0).State()
	a := byHand(st, curves{MeanField: {1, 1}, SDField: {2, 2}}, NextPoints{})
	b := byHand(st, curves{MeanField: {4, 4}, SDField: {6, 6}}, NextPoints{})
	if apart, spread := Distance(a, b); math.Abs(apart-5) > 1e-12 || math.Abs(spread-6) > 1e-12 {
		t.Errorf("they are %g apart, the second spreads %g; want 5 and 6", apart, spread)
	}
}

func TestNames(t *testing.T) {
	for want, o := range map[string]functions.Objective{
		"f, minimize":          {Name: "f", Direction: functions.Minimize},
		"yield (kg), maximize": {Name: "yield", Unit: "kg", Direction: functions.Maximize}} {
		assert.Equal(t, want, AxisName(o))
	}
	if got := Axis(functions.Variable{Name: "x"}).Label +
		Axis(functions.Variable{Name: "t", Unit: "s"}).Label; got != "xt (s)" {
		t.Error(got)
	}
}

// Observations of one cell of two variables with levels stand side by side in it, each once, and those of other cells
// in their middle.
func TestSideBySideInACell(t *testing.T) {
	s := trial.RunSteps(t, sessions.Config{Problem: "branin-mixed", Optimizer: "random", Seed: 6}, 12)
	st := s.State()
	x, y := len(st.Problem.Domain)-2, len(st.Problem.Domain)-1
	if st.Problem.Domain[x].Levels() == 0 || st.Problem.Domain[y].Levels() == 0 {
		t.Fatal("these variables have no levels")
	}
	all := Drawing{State: st, Posterior: New(st, WholePlane(x, y), nil)}.places()
	places := map[[2]float64]bool{}
	for i, it := range st.Iterations {
		place := all[i][0]
		if st.Problem.Domain[x].Snap(place[0]) != it.Points[0].X[x] || place[1] != it.Points[0].X[y] || places[place] {
			t.Errorf("%v stands at %v", it.Points[0].X, place)
		}
		places[place] = true
	}
	assert.Equal(t, 12, len(places), "%d places for 12 observations", len(places))
}
